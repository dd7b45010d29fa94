"""`[material]`: which imbalances an experiment about piece values may play.

The values are asked for in pawns, so every man must be tied to the pawn by a chain of imbalances
that are nearly level: a match that one side wins for certain says nothing. What is nearly level is
judged by the neutral weights, of which a hundred centipawns stand for a pawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tabia.engine.documents import DocumentError, show
from tabia.engine.match.document import ExperimentDocument, MaterialTable
from tabia.engine.match.imbalance import Imbalance, near_balanced
from tabia.engine.match.questions import LOOK
from tabia.engine.rules.effective import SIDES
from tabia.engine.rules.model import Promotion
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.weights import Weights

CENTIPAWNS = 100
WITHIN = 1.5
"""Armies differ by so many pawns at most, by the neutral weights: scores of about 35 to 65 %."""
MOST_MATCHES = 5000
ALLOCATED_AT = (0, 1 / 8, 1 / 4, 1 / 2)
"""The parts of the budget after which it is decided anew what is played."""


@dataclass(frozen=True)
class Material:
    """What is weighed. pawn: the letter whose value is 1; men: all letters whose values are asked
    for, sorted, the pawn among them; guess: what the neutral weights think they are worth, in
    pawns of a hundred centipawns; matches: the labels of all imbalances that may be played, sorted;
    target: in pawns, the half-width of the widest interval at which it stops; stages: the unit
    numbers at which the allocation is made anew, 0 the first; expected: a published order of some
    of the men, the dearest first."""

    pawn: str
    men: tuple[str, ...]
    guess: Mapping[str, float]
    matches: tuple[str, ...]
    target: float
    stages: tuple[int, ...]
    expected: tuple[str, ...]


def frozen_material(
    model: ExperimentDocument, rules: RuleSet, weights: Weights, source: str
) -> dict[str, Any] | None:
    """`[material]` in full, as the fields of `Material`; None for other kinds. Raises
    DocumentError."""
    if model.kind != "material":
        return None
    table = model.material or MaterialTable()
    copies = _copies(rules)
    if not copies:
        raise DocumentError(
            source,
            "rules",
            f"the sides of {rules.name} have no men alike but royal ones; allowed: games in which "
            "the men to weigh are on both sides",
        )
    pawn = _pawn(table, rules, copies, source)
    men = _men(table, copies, pawn, source)
    letters = weights["letters"]
    worth = {man: (letters[man]["mid"] + letters[man]["end"]) / 2 for man in men}
    found = near_balanced(worth, copies, pawn, table.most_men, WITHIN * CENTIPAWNS)
    matches = sorted(str(match) for match in islice(found, MOST_MATCHES + 1))
    if len(matches) > MOST_MATCHES:
        raise DocumentError(
            source,
            "material.most_men",
            f"found {table.most_men}, which gives more than {MOST_MATCHES} imbalances; allowed: "
            "fewer men a side, or fewer letters in material.men",
        )
    loose = _not_tied(men, pawn, matches)
    if loose:
        raise DocumentError(
            source,
            "material.men",
            f"no nearly level imbalances tie {', '.join(loose)} to the pawn, {pawn}; allowed: more "
            "letters here, or a larger material.most_men",
        )
    return {
        "pawn": pawn,
        "men": men,
        "guess": {man: worth[man] / CENTIPAWNS for man in men},
        "matches": matches,
        "target": float(table.target),
        "stages": _stages(model.test.budget),
        "expected": _expected(table, men, source),
    }


def material_of(frozen: Mapping[str, Any] | None) -> Material | None:
    """What `frozen_material` froze."""
    if frozen is None:
        return None
    return Material(
        pawn=frozen["pawn"],
        men=tuple(frozen["men"]),
        guess=dict(frozen["guess"]),
        matches=tuple(frozen["matches"]),
        target=float(frozen["target"]),
        stages=tuple(frozen["stages"]),
        expected=tuple(frozen["expected"]),
    )


def _copies(rules: RuleSet) -> dict[str, int]:
    """How many men of a letter each side has in the array: royal ones are never missing."""
    counts = {
        letter: min(rules.rules.count(side, letter) for side in SIDES)
        for letter in rules.rules.letters
        if not any(letter in rules.rules.royals(side) for side in SIDES)
    }
    return {letter: count for letter, count in counts.items() if count}


def _pawn(table: MaterialTable, rules: RuleSet, copies: Mapping[str, int], source: str) -> str:
    if table.pawn is not None:
        return _of_array(table.pawn, copies, source, "material.pawn")
    promoting = [
        letter
        for letter in sorted(copies)
        if any(letter in _promoting(rules.rules.sides[side].promotion) for side in SIDES)
    ]
    if not promoting:
        raise DocumentError(
            source,
            "material.pawn",
            f"missing, and no man of {rules.name} promotes; needed: the letter of the man whose "
            f"value is 1, one of {', '.join(copies)}",
        )
    return max(promoting, key=lambda letter: copies[letter])


def _promoting(promotion: Promotion) -> set[str]:
    found = set(promotion.pieces if promotion.optional or promotion.compulsory else "")
    return found.union(*(tier.pieces or promotion.pieces for tier in promotion.tiers))


def _men(table: MaterialTable, copies: Mapping[str, int], pawn: str, source: str) -> list[str]:
    if table.men is None:
        return sorted(copies)
    for index, letter in enumerate(table.men):
        _of_array(letter, copies, source, f"material.men.{index}")
    men = sorted({*table.men, pawn})
    if men == [pawn]:
        raise DocumentError(
            source, "material.men", f"found no man but the pawn, {pawn}; allowed: another one too"
        )
    return men


def _expected(table: MaterialTable, men: Sequence[str], source: str) -> list[str]:
    for index, letter in enumerate(table.expected):
        if letter not in men or letter in table.expected[:index]:
            raise DocumentError(
                source,
                f"material.expected.{index}",
                f"found {show(letter)}; allowed: each of the men that are weighed at most once: "
                f"{', '.join(men)}",
            )
    return list(table.expected)


def _of_array(letter: str, copies: Mapping[str, int], source: str, key: str) -> str:
    if letter not in copies:
        raise DocumentError(
            source,
            key,
            f"found {show(letter)}; allowed: a man that both sides have in the array, other than "
            f"royal ones: {', '.join(sorted(copies))}",
        )
    return letter


def _not_tied(men: Sequence[str], pawn: str, matches: Sequence[str]) -> list[str]:
    """The men whose value in pawns the imbalances leave open, all of them played.

    With c the difference in men of a match, its score tells c.v alone. So v_i is known, in units
    of v_pawn, where e_i is in the span of all c; Gauss's elimination in whole numbers shows it.
    """
    # The pawn last: a row that has been reduced to it alone is what fixes the scale.
    columns = [man for man in men if man != pawn] + [pawn]
    span = _Span()
    for match in matches:
        difference = Imbalance.parse(match).difference()
        span.add([difference.get(man, 0) for man in columns])
        if span.rank == len(columns):
            return []
    units = [[int(row == column) for column in range(len(columns))] for row in range(len(columns))]
    known = {man for man, unit in zip(columns, units, strict=True) if span.has(unit)}
    return [man for man in men if man != pawn and not {man, pawn} <= known]


class _Span:
    """The span of vectors of whole numbers, kept in echelon form."""

    def __init__(self) -> None:
        self._rows: dict[int, list[int]] = {}

    @property
    def rank(self) -> int:
        return len(self._rows)

    def add(self, vector: list[int]) -> None:
        left = self._reduced(vector)
        pivot = next(_nonzero(left), None)
        if pivot is not None:
            self._rows[pivot] = left

    def has(self, vector: list[int]) -> bool:
        return not any(self._reduced(vector))

    def _reduced(self, vector: list[int]) -> list[int]:
        left = vector
        for pivot in range(len(vector)):
            row = self._rows.get(pivot)
            if row is not None and left[pivot]:
                ahead, behind = row[pivot], left[pivot]
                left = [ahead * x - behind * y for x, y in zip(left, row, strict=True)]
        return left


def _nonzero(vector: Sequence[int]) -> Iterator[int]:
    return (index for index, entry in enumerate(vector) if entry)


def _stages(budget: int) -> list[int]:
    """Whole looks, so that no stage begins between two of them."""
    return sorted({int(budget * part) // LOOK * LOOK for part in ALLOCATED_AT})
