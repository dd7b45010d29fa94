"""A rule set as a section of a variants.ini, or the name of the rule that Fairy-Stockfish lacks.

What is written is read off the tables that our core plays by, so that it says what is played and
not how it was put.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tabia.engine.rules.interchange.fairy_stockfish.castling_lines import castling_lines
from tabia.engine.rules.interchange.fairy_stockfish.ending_lines import ending_lines
from tabia.engine.rules.interchange.fairy_stockfish.first_move_lines import (
    confinement_lines,
    en_passant_lines,
    first_move_lines,
)
from tabia.engine.rules.interchange.fairy_stockfish.game import Game
from tabia.engine.rules.interchange.fairy_stockfish.names import BUILT_IN_NAMES
from tabia.engine.rules.interchange.fairy_stockfish.piece_lines import (
    CUSTOMARY,
    piece_kinds,
    piece_letters,
    piece_lines,
    written_fen,
)
from tabia.engine.rules.interchange.fairy_stockfish.promotion_lines import promotion_lines
from tabia.engine.rules.interchange.fairy_stockfish.royal_lines import royal_lines
from tabia.engine.rules.ruleset import RuleSet


@dataclass(frozen=True)
class Written:
    """A section: its name, its lines in order, and which of our letters became which."""

    name: str
    lines: tuple[tuple[str, str], ...]
    letters: Mapping[str, str]
    remarks: tuple[str, ...]

    def __str__(self) -> str:
        head = [f"# {remark}" for remark in self.remarks]
        return "\n".join([*head, f"[{self.name}]", *(f"{k} = {v}" for k, v in self.lines)]) + "\n"


def section_name(rule_set: RuleSet) -> str:
    """A name for the section that no built-in variant has."""
    name = rule_set.catalog_id or str(rule_set.labels.get("id") or "my-game")
    return f"tabia-{name}" if name in BUILT_IN_NAMES else name


def write_section(
    rule_set: RuleSet,
    name: str | None = None,
    wanted: Mapping[str, str] | None = None,
    black: RuleSet | None = None,
) -> Written:
    """The rule set as a section. black: by whose rules Black plays, if by others. wanted: letters
    for piece types instead of the customary ones, and for custom pieces their slots' order, as
    `customPiece1: our letter`. Raises DocumentError that names the rule which Fairy-Stockfish
    cannot express."""
    game = Game(rule_set, black)
    game.kinds = piece_kinds(game, wanted or CUSTOMARY)
    game.letters = piece_letters(game, wanted or CUSTOMARY)
    lines = (
        ("maxRank", str(game.ranks)),
        ("maxFile", str(game.files)),
        *piece_lines(game),
        ("startFen", written_fen(game)),
        *castling_lines(game),
        *promotion_lines(game),
        *confinement_lines(game),
        *first_move_lines(game),
        *en_passant_lines(game),
        *royal_lines(game),
        *ending_lines(game),
    )
    changed = ", ".join(
        f"{ours} is written {theirs}"
        for ours, theirs in sorted(game.letters.items())
        if ours != theirs
    )
    about = f"{rule_set.name}, rules_id {rule_set.id}"
    remarks = tuple(filter(None, (about, changed, *game.remarks)))
    return Written(name or section_name(rule_set), lines, game.letters, remarks)
