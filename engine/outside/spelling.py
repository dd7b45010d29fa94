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


def spelling(rule_set: RuleSet, protocol: Protocol, said: Said) -> Spelling:
    """How the program plays these rules. Raises ProgramError where it cannot."""
    if protocol == "xboard":
        return _in_xboard(rule_set, said)
    if said.name.startswith("Tabia "):
        return _in_tabia(rule_set, said)
    if "uci_variant" not in said.options:
        if rule_set.id == _catalog_rules_id(CHESS):
            return Spelling("")
        raise ProgramError(f"{said.name} plays chess alone: it has no option UCI_Variant")
    for name, ours in BUILT_IN.items():
        if name in said.variants and rule_set.id == _catalog_rules_id(ours.catalog_id):
            section = write_section(rule_set, name, ours.letters or None)
            return Spelling(name, section.letters)
    if "variantpath" not in said.options:
        raise ProgramError(
            f"{said.name} has no variant with the rules of {rule_set.name}, and no VariantPath"
        )
    try:
        section = write_section(rule_set, f"tabia-{rule_set.id[:12]}")
    except DocumentError as error:
        raise ProgramError(str(error)) from None
    return Spelling(section.name, section.letters, str(section))


def _in_xboard(rule_set: RuleSet, said: Said) -> Spelling:
    for catalog_id, name in XBOARD_NAMES.items():
        if name in said.variants and rule_set.id == _catalog_rules_id(catalog_id):
            return Spelling(name)
    raise ProgramError(f"{said.name} has no variant with the rules of {rule_set.name}")


def _in_tabia(rule_set: RuleSet, said: Said) -> Spelling:
    for catalog_id in catalog_ids():
        if catalog_id in said.variants and rule_set.id == _catalog_rules_id(catalog_id):
            return Spelling(catalog_id, stars=True)
    raise ProgramError(f"{said.name} has no variant with the rules of {rule_set.name}")


@cache
def _catalog_rules_id(catalog_id: str) -> str:
    return RuleSet.load(catalog_id).id


def _translated(move: str, letters: Mapping[str, str]) -> str:
    last = move[-1:]
    return move[:-1] + letters.get(last.upper(), last).lower() if last.isalpha() else move
