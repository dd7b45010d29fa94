"""Who is above whom, and who cannot be told apart.

An order of n estimates is n (n - 1) / 2 statements at once, and which of them look settled is seen
only afterwards. So the errors of all differences are those of intervals that hold together with
confidence 1 - alpha: each of them has alpha / pairs (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from tabia.server.statistics import asymptotic
from tabia.server.statistics.gsprt import Floats

NO_ERROR: Final = 1e-6
"""A standard error, in Elo or in pawns, up to which it is rounding: units that are all alike say
nothing of how far off they are, least of all that they are not."""


@dataclass(frozen=True)
class Precision:
    """How wide an interval is for a standard error of 1.

    ``watched``: it holds at every moment (an asymptotic confidence sequence, narrowest at the
    budget), not only at the declared end. Widths are infinite while it is too early to say.
    """

    alpha: float
    units: int
    budget: int
    watched: bool

    def width(self, statements: int = 1) -> float:
        """Of so many intervals that hold together, each this half-width in standard errors."""
        alpha = self.alpha / statements
        if not self.watched:
            return NormalDist().inv_cdf(1 - alpha / 2)
        return float(asymptotic.watched_half_width(1.0, self.units, alpha, self.budget))

    def interval(self, value: float, error: float) -> dict[str, float | None]:
        """``{"value", "low", "high"}``; None for an end that is not known (yet)."""
        half = self.width() * error if error > NO_ERROR else math.inf
        return {"value": value, "low": finite(value - half), "high": finite(value + half)}


@dataclass(frozen=True)
class Ranking:
    """Estimates in order, the greatest first; all n by index of the estimate."""

    order: tuple[int, ...]
    values: Floats
    halves: Floats
    """(n, n): half-widths of the intervals of all differences; infinite where their error is not
    known, 0 on the diagonal."""

    @classmethod
    def of(cls, values: ArrayLike, covariance: ArrayLike, precision: Precision) -> Ranking:
        """The ranking of ``values`` (n,) with this covariance matrix (n, n)."""
        estimates = np.asarray(values, dtype=np.float64)
        matrix = np.asarray(covariance, dtype=np.float64)
        own = np.diagonal(matrix)
        errors = np.sqrt(np.maximum(own[:, None] + own - matrix - matrix.T, 0))
        pairs = max(1, estimates.size * (estimates.size - 1) // 2)
        width = precision.width(pairs)
        halves = np.where(errors > NO_ERROR, width * np.maximum(errors, NO_ERROR), math.inf)
        np.fill_diagonal(halves, 0.0)
        order = np.argsort(-estimates, kind="stable")
        return cls(tuple(int(index) for index in order), estimates, halves)

    def gap(self, one: int, other: int) -> float:
        """By how much ``one`` is above ``other``."""
        return float(self.values[one] - self.values[other])

    def are_apart(self, one: int, other: int) -> bool:
        """Whether it is settled which of two is greater."""
        return bool(abs(self.gap(one, other)) > self.halves[one, other])

    def close(self) -> list[tuple[int, int]]:
        """Neighbours of the order that cannot be told apart, the greater first."""
        return [pair for pair in pairwise(self.order) if not self.are_apart(*pair)]

    def contradicted(self, expected: Sequence[int]) -> list[tuple[int, int]]:
        """Of an expected order, the greatest first: the pairs that it surely has the wrong way
        round, each as (expected to be greater, expected to be smaller)."""
        return [
            (one, other)
            for place, one in enumerate(expected)
            for other in expected[place + 1 :]
            if self.gap(one, other) < 0 and self.are_apart(one, other)
        ]

    def open(self, expected: Sequence[int]) -> list[tuple[int, int]]:
        """Neighbours of an expected order of which it is not settled that it has them right."""
        return [
            pair
            for pair in pairwise(expected)
            if not (self.gap(*pair) > 0 and self.are_apart(*pair))
        ]


def finite(value: float) -> float | None:
    """None for what is infinite or no number."""
    return float(value) if np.isfinite(value) else None
