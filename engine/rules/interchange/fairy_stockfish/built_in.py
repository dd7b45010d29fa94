"""The built-in variants of Fairy-Stockfish that we know: most are rule sets of our catalog.

A section may extend one of them. The parent's variant is then written out from our catalog, with
the letters and the custom slots that Fairy-Stockfish gives its pieces, and read back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from textwrap import dedent

from tabia.engine.documents import DocumentError, suggestion
from tabia.engine.rules.interchange.fairy_stockfish.ini import read_sections
from tabia.engine.rules.interchange.fairy_stockfish.names import BUILT_IN_NAMES
from tabia.engine.rules.interchange.fairy_stockfish.small_boards import SMALL_BOARDS
from tabia.engine.rules.interchange.fairy_stockfish.variant import BLANK, Variant, applied
from tabia.engine.rules.interchange.fairy_stockfish.writing import write_section
from tabia.engine.rules.ruleset import RuleSet


@dataclass(frozen=True)
class Ours:
    """The rule set that a built-in variant is; letters: of its piece types, and custom slot -> our
    letter of the piece in it."""

    catalog_id: str
    letters: Mapping[str, str] = field(default_factory=dict)


_CAPABLANCA = {"archbishop": "A", "chancellor": "C"}

BUILT_IN = {
    "chess": Ours("chess"),
    "normal": Ours("chess"),
    "nocastle": Ours("chess-no-castling"),
    "torpedo": Ours("chess-torpedo"),
    "pawnsideways": Ours("chess-pawn-sideways"),
    "pawnback": Ours("chess-pawn-back"),
    "berolina": Ours("berolina"),
    "shatranj": Ours("shatranj", {"alfil": "B", "fers": "Q"}),
    "capablanca": Ours("capablanca", _CAPABLANCA),
    "gothic": Ours("gothic", _CAPABLANCA),
    "embassy": Ours("embassy", _CAPABLANCA),
    "janus": Ours("janus", {"archbishop": "J"}),
    "courier": Ours("courier", {"alfil": "E", "fers": "F", "commoner": "M", "wazir": "W"}),
    "coregal": Ours("coregal"),
    "spartan": Ours(
        "spartan",
        {
            "archbishop": "W",
            "bers": "G",
            "customPiece1": "H",
            "customPiece2": "L",
            "customPiece3": "C",
        },
    ),
    "grand": Ours("grand", _CAPABLANCA),
    "opulent": Ours(
        "opulent-2005",
        {**_CAPABLANCA, "customPiece1": "N", "customPiece2": "W", "customPiece3": "L"},
    ),
    "tencubed": Ours(
        "tencubed",
        {"archbishop": "A", "chancellor": "M", "customPiece1": "C", "customPiece2": "W"},
    ),
    "shako": Ours("shako", {"fersAlfil": "E", "cannon": "C"}),
}


def parent_variant(name: str, source: str, key: str, known: Mapping[str, Variant]) -> Variant:
    """The variant that a section extends: an earlier one of its file, or a built-in one that we
    have. Raises DocumentError about the section."""
    if name in known:
        return known[name]
    if name in BUILT_IN or name in SMALL_BOARDS:
        return _written_out(name)
    if name in BUILT_IN_NAMES:
        ours = ", ".join(sorted([*BUILT_IN, *SMALL_BOARDS]))
        raise DocumentError(
            source,
            key,
            f"extends {name}, a built-in variant of Fairy-Stockfish that Tabia does not have; "
            f"allowed: {ours}, or a variant above it in the file",
        )
    raise DocumentError(
        source,
        key,
        f'extends "{name}", which is no built-in variant of Fairy-Stockfish and none above it in '
        f"the file; {suggestion(name, [*known, *BUILT_IN_NAMES])}allowed: one of those",
    )


@cache
def _written_out(name: str) -> Variant:
    return applied(read_sections(_section(name), name)[name], BLANK, name)


def _section(name: str) -> str:
    if name in SMALL_BOARDS:
        return dedent(SMALL_BOARDS[name])
    ours = BUILT_IN[name]
    return str(write_section(RuleSet.load(ours.catalog_id), name, ours.letters))
