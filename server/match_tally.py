"""Counting the units of several matches, one table of counts for each.

A match is two sides that meet again and again: two players of a pool (``ratings``), or two armies
(``material``). A unit is one opening, played with either side as White. Its label names the match,
and which side is the first: White in the game of arm ``a``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabia.server import metrics
from tabia.server.metrics import CAPPED, CLASSES, HALF
from tabia.server.tally import Unit

Counts = NDArray[np.float64]

# What a class counts in half points; a capped game is worth one half.
_HALVES = np.array([0, 1, 2, 1])
_PAIR_HALVES = _HALVES[:, None] + _HALVES

OUTCOMES = np.linspace(0, 1, 5)
"""What a side can score in the two games of a unit, a game."""


@dataclass
class MatchTally:
    """``cells[label][i][j]``: units of a match by what its first side scored as White (class i of
    :mod:`tabia.server.metrics`) and as Black (class j). Matches without a unit have no entry."""

    cells: dict[str, list[list[int]]] = field(default_factory=dict)

    def add(self, unit: Unit) -> None:
        """Count one unit. ValueError when its two games are not of the same match."""
        label = unit.a["match"]
        if unit.b["match"] != label:
            raise ValueError(
                f"unit {unit.number}: one match is expected, not {label!r} and {unit.b['match']!r}"
            )
        first, second = metrics.white_class(unit.a), metrics.white_class(unit.b)
        second = second if second == CAPPED else metrics.ONE - second
        if first == second == CAPPED and unit.alike:
            # One game, seen twice: what it would have been worth to White, either side got once.
            first = second = HALF
        table = self.cells.setdefault(label, [[0] * CLASSES for _ in range(CLASSES)])
        table[first][second] += 1

    def joint(self, labels: Iterable[str]) -> Counts:
        """The tables of these matches: (m, 4, 4)."""
        nothing = [[0] * CLASSES for _ in range(CLASSES)]
        tables = [self.cells.get(label, nothing) for label in labels]
        return np.array(tables, dtype=np.float64).reshape(-1, CLASSES, CLASSES)

    def pentanomial(self, labels: Iterable[str]) -> Counts:
        """Units by the first side's score of the two games, 0 to 1 in quarters: (m, 5)."""
        return pentanomial(self.joint(labels))

    @property
    def capped(self) -> int:
        """Games that were stopped at the ply cap."""
        total = sum((np.array(table) for table in self.cells.values()), np.zeros((4, 4)))
        return int(total[CAPPED].sum() + total[:, CAPPED].sum())

    def to_json(self) -> dict[str, Any]:
        """Plain data from which :meth:`from_json` makes an equal tally."""
        return {label: [list(row) for row in table] for label, table in self.cells.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MatchTally:
        """The tally that ``to_json`` made ``data`` of."""
        return cls({label: [list(row) for row in table] for label, table in data.items()})


def pentanomial(joint: Counts) -> Counts:
    """The counts (..., 5) of pair scores in tables (..., 4, 4), capped games worth one half."""
    worth = np.eye(OUTCOMES.size)[_PAIR_HALVES]
    return np.asarray(np.einsum("...ij,ijv->...v", joint, worth))
