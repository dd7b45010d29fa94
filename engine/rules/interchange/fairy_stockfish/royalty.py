"""Which types of a variant are royal, and what check is to a side that has several royal men.

Fairy-Stockfish's king is royal and each side has one at most. With `extinctionPseudoRoyal` the men
of a type in `extinctionPieceTypes` are royal while their side has no more of that type than
`extinctionPieceCount` and one; with `dupleCheck` a side may not leave all men of those types
attacked at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tabia.engine.documents import DocumentError
from tabia.engine.rules.interchange.fairy_stockfish.fen import Setup
from tabia.engine.rules.interchange.fairy_stockfish.keys import SIDES
from tabia.engine.rules.interchange.fairy_stockfish.piece_types import KING
from tabia.engine.rules.interchange.fairy_stockfish.values import EVERY_TYPE
from tabia.engine.rules.interchange.fairy_stockfish.variant import (
    Variant,
    board_squares,
    refusal,
)


@dataclass(frozen=True)
class Royalty:
    """By side: the royal types that it has or can get, how many royal men it starts with, and the
    rule of check (`check.royals`)."""

    kinds: Mapping[str, frozenset[str]]
    men: Mapping[str, int]
    check: Mapping[str, str]


def royalty_of(variant: Variant, setup: Setup, name: str, source: str) -> Royalty:
    """Raises DocumentError that names the key which asks for royal men that we do not have."""
    reading = _Reading(variant, setup, name, source)
    kinds = {side: reading.kinds(side) for side in SIDES}
    men = {side: sum(reading.count(kind, side) for kind in kinds[side]) for side in SIDES}
    return Royalty(kinds, men, {side: reading.check(side) for side in SIDES})


def unused(variant: Variant) -> list[tuple[str, str]]:
    """The keys of royalty that ask for nothing, each with the one it would matter with."""
    found = []
    pseudo = variant.value("extinctionPseudoRoyal")
    if pseudo and not variant.value("extinctionPieceTypes"):
        found.append(("extinctionPseudoRoyal", "extinctionPieceTypes"))
    if variant.value("dupleCheck") and not pseudo:
        found.append(("dupleCheck", "extinctionPseudoRoyal"))
    return found


class _Reading:
    def __init__(self, variant: Variant, setup: Setup, name: str, source: str) -> None:
        self.variant = variant
        self.setup = setup
        self.name = name
        self.source = source
        self.spare: int = variant.value("extinctionPieceCount")
        types = variant.value("extinctionPieceTypes")
        self.pseudo: frozenset[str] = (
            types if variant.value("extinctionPseudoRoyal") else frozenset()
        )
        if EVERY_TYPE in self.pseudo:
            raise self.refused("extinctionPieceTypes", "every piece royal; allowed: some of them")
        if self.pseudo and variant.value("extinctionValue") not in ("loss", "none"):
            raise self.refused("extinctionValue", "royal pieces whose loss is none; allowed: loss")

    def kinds(self, side: str) -> frozenset[str]:
        kings = self.count(KING, side)
        if kings > 1:
            raise self.refused("startFen", f"{kings} kings of {side}; allowed: one at most")
        letters = self.variant.letters
        pseudo = {kind for kind in self.pseudo if kind in letters and self.most(kind, side)}
        found = frozenset({*pseudo, *([KING] if kings else [])})
        if not found:
            raise self.refused(KING, f"no royal man of {side}; allowed: one or more a side")
        return found

    def check(self, side: str) -> str:
        kinds = self.kinds(side)
        free = {kind for kind in kinds - {KING} if self.most(kind, side) > self.spare + 1}
        if not free:
            return "every"
        if self.spare == 0 and kinds == free and len(free) == 1:
            return "duple" if self.variant.value("dupleCheck") else "last"
        raise self.refused(
            "extinctionPieceCount",
            f"{self.spare} with more men of a royal type than {self.spare + 1}; allowed: as many "
            "as there can be, or 0 with one royal type a side",
        )

    def count(self, kind: str, side: str) -> int:
        if kind not in self.variant.letters:
            return 0
        letter = self.variant.letters[kind]
        own = letter if side == "White" else letter.lower()
        return list(self.setup.men.values()).count(own)

    def most(self, kind: str, side: str) -> int:
        """As many men of that type as the side can come to have."""
        targets = self.variant.value(f"promotionPieceTypes{side}")
        if kind != KING and (kind in targets or EVERY_TYPE in targets):
            limit = self.variant.value("promotionLimit").get(kind, 0)
            return max(limit or len(board_squares(self.variant)), self.count(kind, side))
        return self.count(kind, side)

    def refused(self, key: str, problem: str) -> DocumentError:
        return refusal(self.variant, self.name, key, self.source, f"found {problem}")
