"""Piece values in pawns, from many matches between armies that differ by a few men.

Match m has count differences c_mi (army a's men of type i less army b's), and its pairs of games,
colours swapped, score

    E[s_m] = L(sum_i theta_i c_mi),    L(x) = 1 / (1 + e^-x),   theta in units of 400 / ln 10 Elo

so that the first move cancels. The value of type i in pawns is v_i = theta_i / theta_P.

**Fit.** Generalized least squares: minimise chi^2 = sum_m n_m (mean_m - s_m)^2 / var_m by Fisher
scoring, var_m the variance of one *pair*, made anew in every round (Aitken 1936; McCullagh and
Nelder 1989, chapter 9). A match's own variance is shrunk towards phi s (1 - s), phi common to all
matches, with the weight of a few pairs: a match of few pairs must not think itself exact.

**Intervals.** With the covariance V of theta, var(v_i) = (e_i - v_i e_P)' V (e_i - v_i e_P) /
theta_P^2 (the delta method). Where theta_P is not well away from 0 that is wrong, and the interval
is Fieller's (1954): all v with (theta_i - v theta_P)^2 <= z^2 var(theta_i - v theta_P), which may
be unbounded. Values do not add up exactly (two bishops are worth more than twice one): V is
multiplied by max(1, chi^2 / degrees of freedom).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .draw_models import logistic_score
from .gsprt import Floats

ELO_PER_NAT = 400 / math.log(10)
PAIR_SCORES = np.linspace(0, 1, 5)

SHRINKAGE = 20.0
"""How many pairs the common variance counts for in a match's own."""

_ITERATIONS = 200
_PRECISION = 1e-10
_LARGEST_STEP = 2.0  # nats a match
_BEYOND = 20.0  # nats, 3500 Elo: an estimate that has come so far is on its way to infinity
_RANK = 1e-9
_FIELLER = (1.959964 / 4) ** 2  # z^2 var(theta_P) / theta_P^2 at 4 standard errors


class PieceValueError(ValueError):
    """Why there are no values."""


class NoFiniteValueError(PieceValueError):
    """Scores of 0 or 1 throughout leave some strength without a finite estimate."""


class Interval(NamedTuple):
    """From ``low`` to ``high`` pawns; -inf and inf where nothing is excluded."""

    low: float
    high: float


@dataclass(frozen=True)
class Values:
    """What the matches say of every type of man."""

    strengths: Floats
    """theta (k,) in Elo; 0 for a type that is not determined."""
    covariance: Floats
    """Of ``strengths`` (k, k), Elo squared, lack of fit included."""
    pawn: int
    undetermined: tuple[int, ...]
    """Types about which the matches played say nothing."""
    chi2: float
    dof: int
    """Matches played less strengths determined."""
    units: Floats
    """(m,) pairs played in every match."""
    scores: Floats
    """(m,) mean pair score of army a; one half where nothing was played."""
    expected: Floats
    """(m,) what the strengths say it should be."""
    variances: Floats
    """(m,) variance of a pair's score, also where nothing was played yet."""

    @property
    def lack_of_fit(self) -> float:
        """By how much the variances were multiplied: max(1, chi2 / dof)."""
        return _lack_of_fit(self.chi2, self.dof)

    @property
    def pawn_elo(self) -> float | None:
        """Elo a pawn: the strength of the pawn; None while it is not determined."""
        return None if self.pawn in self.undetermined else float(self.strengths[self.pawn])

    @property
    def pawn_elo_se(self) -> float | None:
        """The standard error of ``pawn_elo``."""
        if self.pawn in self.undetermined:
            return None
        return math.sqrt(self.covariance[self.pawn, self.pawn])

    @property
    def values(self) -> tuple[float | None, ...]:
        """v_i in pawns; None where type i or the pawn is not determined, or the pawn is worth 0."""
        pawn = self.pawn_elo
        return tuple(
            1.0 if i == self.pawn and pawn is not None
            else None if not pawn or i in self.undetermined
            else float(theta / pawn)
            for i, theta in enumerate(self.strengths)
        )  # fmt: skip

    def standard_errors(self) -> tuple[float, ...]:
        """Of the values, by the delta method; inf where there is no value, 0 for the pawn."""
        return tuple(self._standard_error(i, value) for i, value in enumerate(self.values))

    def intervals(self, z: float | None = None) -> tuple[Interval, ...]:
        """An interval for every value: ``z`` standard errors wide either way (default: 95 %).

        Fieller's where z^2 var(theta_P) > 0.24 theta_P^2: with z = 1.96, where the pawn is less
        than four standard errors from 0. If that is the outside of an interval, or everything, it
        is given as everything.
        """
        width = NormalDist().inv_cdf(0.975) if z is None else z
        if not width >= 0:
            raise ValueError("an interval is 0 standard errors wide or more")
        return tuple(self._interval(i, value, width) for i, value in enumerate(self.values))

    def half_widths(self, z: float | None = None) -> tuple[float, ...]:
        """Half of every interval's width, in pawns; inf where it is unbounded."""
        return tuple((high - low) / 2 for low, high in self.intervals(z))

    def _standard_error(self, i: int, value: float | None) -> float:
        if value is None:
            return math.inf
        contrast = np.zeros(self.strengths.size)
        contrast[i] += 1
        contrast[self.pawn] -= value
        variance = float(contrast @ self.covariance @ contrast)
        return math.sqrt(max(variance, 0.0)) / abs(float(self.strengths[self.pawn]))

    def _interval(self, i: int, value: float | None, z: float) -> Interval:
        everything = Interval(-math.inf, math.inf)
        if i == self.pawn and value is not None:
            return Interval(1.0, 1.0)
        if i in self.undetermined or self.pawn in self.undetermined:
            return everything
        theta, pawn = float(self.strengths[i]), float(self.strengths[self.pawn])
        v = self.covariance * z**2
        square = pawn**2 - v[self.pawn, self.pawn]
        if value is not None and v[self.pawn, self.pawn] <= _FIELLER * pawn**2:
            reach = z * self._standard_error(i, value)
            return Interval(value - reach, value + reach)
        if square <= 0:
            return everything
        # square v^2 - 2 middle v + rest <= 0
        middle = theta * pawn - v[i, self.pawn]
        rest = theta**2 - v[i, i]
        root = math.sqrt(max(middle**2 - square * rest, 0.0))
        return Interval((middle - root) / square, (middle + root) / square)


def fit(differences: ArrayLike, counts: ArrayLike, pawn: int) -> Values:
    """Values from matches.

    ``differences`` (m, k): c above. ``counts`` (m, 5): pairs of each match by army a's score in
    both games, 0, 1/4, 1/2, 3/4 and 1 a game. ``pawn``: the type on whose scale values are told.

    Types that the matches played do not determine are named in ``undetermined``, the others are
    not affected. NoFiniteValueError when one-sided scores send a strength to infinity;
    ValueError when an argument is not what it says.
    """
    design = checked_differences(differences, pawn)
    n = np.asarray(counts, dtype=np.float64)
    if n.shape != (len(design), PAIR_SCORES.size) or not np.all(np.isfinite(n)) or np.any(n < 0):
        raise ValueError("every match has five counts, finite and not negative")
    units = n.sum(axis=1)
    played = units > 0
    scores = np.divide(n @ PAIR_SCORES, units, out=np.full(units.size, 0.5), where=played)
    squares = np.maximum(n @ PAIR_SCORES**2 - units * scores**2, 0)
    space = RowSpace.of(design[played])

    theta = np.zeros(design.shape[1])
    for _ in range(_ITERATIONS):
        expected = logistic_score(design @ theta)
        variances = _variances(units, squares, expected)
        pull = units * expected * (1 - expected) / variances
        inverse = space.inverse(design, pull * expected * (1 - expected))
        step = inverse @ (design.T @ (pull * (scores - expected)))
        longest = float(np.abs(design[played] @ step).max(initial=0.0))
        if longest <= _PRECISION:
            break
        theta = theta + step * min(1.0, _LARGEST_STEP / longest)
        if np.abs(design[played] @ theta).max() > _BEYOND:
            longest = math.inf
            break
    if longest > _PRECISION:
        raise NoFiniteValueError(
            "armies that scored everything or nothing leave a strength without a finite estimate: "
            "more pairs, or more even matches, are needed"
        )
    chi2 = float(np.sum(units * (scores - expected) ** 2 / variances))
    dof = int(played.sum()) - space.rank
    seen = space.determined
    return Values(
        strengths=np.where(seen, theta, 0.0) * ELO_PER_NAT,
        covariance=np.where(np.outer(seen, seen), inverse, 0.0)
        * (ELO_PER_NAT**2 * _lack_of_fit(chi2, dof)),
        pawn=pawn,
        undetermined=tuple(int(i) for i in np.flatnonzero(~seen)),
        chi2=chi2,
        dof=dof,
        units=units,
        scores=scores,
        expected=expected,
        variances=variances,
    )


class RowSpace(NamedTuple):
    """What a design (m, k) can see: an orthonormal basis (k, rank) of the span of its rows."""

    basis: Floats

    @classmethod
    def of(cls, design: Floats) -> RowSpace:
        """The row space of a design, which may have no row."""
        if not len(design):
            return cls(np.zeros((design.shape[1], 0)))
        _, sizes, rows = np.linalg.svd(design, full_matrices=False)
        return cls(np.asarray(rows[sizes > _RANK * max(1.0, sizes[0])].T))

    @property
    def rank(self) -> int:
        """How many strengths the design determines."""
        return int(self.basis.shape[1])

    @property
    def determined(self) -> NDArray[np.bool_]:
        """Which types (k,) lie wholly in it: the others could be anything."""
        return np.asarray((self.basis**2).sum(axis=1) > 1 - _RANK)

    def inverse(self, design: Floats, weights: Floats) -> Floats:
        """The inverse of design' diag(weights) design within the space, 0 outside it: (k, k)."""
        inside = design @ self.basis
        information = (inside * weights[:, None]).T @ inside
        return np.asarray(self.basis @ np.linalg.solve(information, self.basis.T))


def checked_differences(differences: ArrayLike, pawn: int) -> Floats:
    """Count differences as an array (m, k), or a ValueError that says what is wrong with them."""
    design = np.asarray(differences, dtype=np.float64)
    if design.ndim != 2 or not np.all(np.isfinite(design)):
        raise ValueError("differences have a row for every match and a column for every type")
    if not 0 <= pawn < design.shape[1]:
        raise ValueError(f"the pawn is one of types 0 to {design.shape[1] - 1}")
    return design


def _lack_of_fit(chi2: float, dof: int) -> float:
    return max(1.0, chi2 / dof) if dof > 0 else 1.0


def _variances(units: Floats, squares: Floats, expected: Floats) -> Floats:
    """The variance of a pair in every match: its own, shrunk towards phi s (1 - s).

    One deviation of a quarter point, the smallest that there is, is added to all: pairs that were
    all alike so far are not known to be alike for ever.
    """
    binomial = np.maximum(expected * (1 - expected), 1e-12)
    free = np.maximum(units - 1, 0)
    phi = (squares.sum() + 1 / 16) / (float(free @ binomial) + 1 / 4)
    return np.asarray((SHRINKAGE * phi * binomial + squares) / (SHRINKAGE + free))
