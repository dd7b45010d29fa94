"""Which variant of a program a rule set of ours is, and how it writes our moves.

Squares, castling and promotion are written alike; letters may differ (Fairy-Stockfish writes `a`
for Grand Chess's Cardinal), and where castling has the squares of an ordinary move of the king we
add `*`, for which others have no word that we know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from tabia.engine.documents import DocumentError
from tabia.engine.outside.misconduct import ProgramError
from tabia.engine.outside.said import Protocol, Said
from tabia.engine.rules.interchange.fairy_stockfish.built_in import BUILT_IN
from tabia.engine.rules.interchange.fairy_stockfish.writing import write_section
from tabia.engine.rules.resolve import catalog_ids
from tabia.engine.rules.ruleset import RuleSet

CHESS = "chess"
XBOARD_NAMES: Mapping[str, str] = {
    "chess": "normal",
    "chess-no-castling": "nocastle",
    "capablanca": "capablanca",
    "gothic": "gothic",
    "janus": "janus",
}
"""Ours -> what Fairy-Max plays, as far as its moves are ours: its Berolina pawns capture en passant
otherwise, its Courier and Shatranj have other endings."""


@dataclass(frozen=True)
class Spelling:
    """variant: what the program calls the game, "" where it knows just one; letters: ours -> its,
    capitals; text: a variants.ini that it has to read first, "" where it has the variant; stars:
    whether it knows what our `*` behind a move means."""

    variant: str
    letters: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    stars: bool = False

    def theirs(self, move: str) -> str:
        """A move of ours as the program writes it. Raises ProgramError where it has no words."""
        if move.endswith("*") and not self.stars:
            raise ProgramError(
                f"{move} cannot be told to it: the king has an ordinary move with these squares"
            )
        return _translated(move, self.letters)

    def ours(self, move: str) -> str:
        """A move of the program in our letters, legal or not."""
        return _translated(move, self._back)

    @cached_property
    def _back(self) -> dict[str, str]:
        return {theirs: ours for ours, theirs in self.letters.items()}


def spelling(
    rule_set: RuleSet, protocol: Protocol, said: Said, black: RuleSet | None = None
) -> Spelling:
    """How the program plays these rules. black: where Black plays by others. Raises ProgramError
    where it cannot."""
    if black is not None and black.id != rule_set.id:
        if protocol == "uci" and not _is_tabia(said) and "variantpath" in said.options:
            return _written(rule_set, black)
        raise ProgramError(
            f"{said.name} cannot be told rules that differ by side ({rule_set.name} for one, "
            f"{black.name} for the other)"
        )
    known = _built_in(rule_set, protocol, said)
    if known is not None:
        return known
    if protocol == "uci" and not _is_tabia(said):
        if "variantpath" in said.options:
            return _written(rule_set)
        if "uci_variant" not in said.options:
            raise ProgramError(f"{said.name} plays chess alone: it has no option UCI_Variant")
    raise ProgramError(
        f"{said.name} has no variant with the rules of {rule_set.name}, and cannot be told any"
    )


def _built_in(rule_set: RuleSet, protocol: Protocol, said: Said) -> Spelling | None:
    """The variant that the program brings along, if it is this game."""
    if protocol == "xboard":
        for catalog_id, name in XBOARD_NAMES.items():
            if name in said.variants and rule_set.id == _rules_id(catalog_id):
                return Spelling(name)
    elif _is_tabia(said):
        for catalog_id in catalog_ids():
            if catalog_id in said.variants and rule_set.id == _rules_id(catalog_id):
                return Spelling(catalog_id, stars=True)
    elif "uci_variant" not in said.options:
        if rule_set.id == _rules_id(CHESS):
            return Spelling("")
    else:
        for name, ours in BUILT_IN.items():
            if name in said.variants and rule_set.id == _rules_id(ours.catalog_id):
                section = write_section(rule_set, name, ours.letters or None)
                return Spelling(name, section.letters)
    return None


def _written(rule_set: RuleSet, black: RuleSet | None = None) -> Spelling:
    """As a variants.ini."""
    name = f"tabia-{rule_set.id[:12]}" + (f"-{black.id[:12]}" if black else "")
    try:
        section = write_section(rule_set, name, black=black)
    except DocumentError as error:
        raise ProgramError(str(error)) from None
    return Spelling(name, section.letters, str(section))


def _is_tabia(said: Said) -> bool:
    return said.name.startswith("Tabia ")


@cache
def _rules_id(catalog_id: str) -> str:
    return RuleSet.load(catalog_id).id


def _translated(move: str, letters: Mapping[str, str]) -> str:
    last = move[-1:]
    return move[:-1] + letters.get(last.upper(), last).lower() if last.isalpha() else move
