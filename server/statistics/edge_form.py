"""Symmetric matrices that are sums over who met whom, and systems with them.

The information and the spread of a rating fit are sums over pairs of players (f, s) of terms in the
difference of their two ratings and in a few parameters eta that all games share:

    v' A v = sum_e  weight_e (v_f - v_s)^2  +  2 (v_f - v_s) cross_e . eta  +  eta' inner eta

In the ratings alone this is a weighted graph Laplacian: it does not see a constant added to every
rating. Applying it costs as many operations as there are pairs that met, so thousands of players
are solved for by conjugate gradients without the matrix ever being made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .gsprt import Floats

Ints = NDArray[np.int64]
Reals = NDArray[np.floating[Any]]
"""Of single or double precision."""

_ROUNDING = 1e-13
_CROWDED = 1 / 24  # with a larger share of all n^2 met, a product of whole matrices is faster
_AT_ONCE = 64  # rows of games: what is made of them stays in the processor's cache


@dataclass(frozen=True)
class EdgeForm:
    """The matrix above, for ``players`` ratings followed by q shared parameters."""

    players: int
    first: Ints
    second: Ints
    weight: Floats
    """(e,)"""
    cross: Floats
    """(e, q)"""
    inner: Floats
    """(q, q)"""

    def apply(self, vector: Floats) -> Floats:
        """A times ``vector`` (players + q,)."""
        ratings, shared = vector[: self.players], vector[self.players :]
        difference = ratings[self.first] - ratings[self.second]
        flow = self.weight * difference + self.cross @ shared
        return np.concatenate(
            [
                difference_sums(self.first, self.second, flow, self.players),
                difference @ self.cross + self.inner @ shared,
            ]
        )

    def diagonal(self) -> Floats:
        """The diagonal of A (players + q,)."""
        own = sums(self.first, self.weight, self.players)
        own += sums(self.second, self.weight, self.players)
        return np.concatenate([own, np.diagonal(self.inner)])

    def values(self, columns: Reals) -> Floats:
        """v' A v (c,) for every column v of ``columns`` (players + q, c).

        As many operations as there are pairs that met, for each column. A product with A as a whole
        matrix would cost n^2, and is only made where nearly everybody met everybody.
        """
        n, precision = self.players, columns.dtype
        if self.weight.size > _CROWDED * n**2:
            image = self.dense(precision) @ columns
            return np.asarray(np.einsum("ic,ic->c", columns, image, dtype=np.float64))
        ratings, shared = columns[:n], columns[n:].astype(np.float64)
        pull = 2 * (self._pulls().astype(precision).T @ ratings) + self.inner @ shared
        found = np.einsum("qc,qc->c", shared, pull)
        weight = self.weight.astype(precision)
        for start in range(0, weight.size, _AT_ONCE):
            rows = slice(start, start + _AT_ONCE)
            difference = ratings[self.first[rows]]
            difference -= ratings[self.second[rows]]
            np.square(difference, out=difference)
            found += weight[rows] @ difference
        return np.asarray(found)

    def dense(self, precision: DTypeLike = np.float64) -> Reals:
        """A itself, (players + q, players + q)."""
        n, size = self.players, self.players + len(self.inner)
        met = self.merged()
        matrix = np.zeros((size, size), dtype=precision)
        matrix[met.first, met.second] = matrix[met.second, met.first] = -met.weight
        np.fill_diagonal(matrix, self.diagonal())
        matrix[:n, n:] = pulls = self._pulls()
        matrix[n:, :n] = pulls.T
        matrix[n:, n:] = self.inner
        return matrix

    def plus(self, other: EdgeForm) -> EdgeForm:
        """The sum of two forms in the same ratings and parameters."""
        return EdgeForm(
            self.players,
            np.concatenate([self.first, other.first]),
            np.concatenate([self.second, other.second]),
            np.concatenate([self.weight, other.weight]),
            np.concatenate([self.cross, other.cross]),
            self.inner + other.inner,
        )

    def times(self, factor: float) -> EdgeForm:
        """The form times a number."""
        return replace(
            self,
            weight=self.weight * factor,
            cross=self.cross * factor,
            inner=self.inner * factor,
        )

    def merged(self) -> EdgeForm:
        """The same form with one row for any two players who met, the lower number first."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        turned = np.where(self.first > low, -1.0, 1.0)[:, None]
        pair = low * self.players + high
        order = np.argsort(pair)
        starts = np.flatnonzero(np.diff(pair[order], prepend=-1))
        kept = order[starts]
        return EdgeForm(
            self.players,
            low[kept],
            high[kept],
            np.add.reduceat(self.weight[order], starts),
            np.add.reduceat((turned * self.cross)[order], starts, axis=0),
            self.inner,
        )

    def _pulls(self) -> Floats:
        """A between the ratings and the shared parameters, (players, q)."""
        columns = [difference_sums(self.first, self.second, c, self.players) for c in self.cross.T]
        return np.array(columns).reshape(-1, self.players).T


def difference_sums(first: Ints, second: Ints, flow: Floats, players: int) -> Floats:
    """For every player the sum of ``flow`` where he is first less that where he is second."""
    return sums(first, flow, players) - sums(second, flow, players)


def sums(index: Ints, values: Floats, size: int) -> Floats:
    """For every index below ``size`` the sum of the values that have it."""
    return np.bincount(index, values, size).astype(np.float64, copy=False)


def conjugate_gradients(
    apply: Callable[[Floats], Floats], diagonal: Floats, right: Floats, tolerance: float
) -> Floats:
    """x with apply(x) = ``right``, until the residual is ``tolerance`` of the right-hand side.

    Preconditioned by the matrix's ``diagonal`` (Hestenes and Stiefel 1952). A semidefinite matrix
    is fine as long as the right-hand side is in its range.
    """
    scale = np.where(diagonal > 0, diagonal, 1.0)
    x = np.zeros_like(right)
    residual = right.copy()
    ready = residual / scale
    direction = ready.copy()
    power = float(residual @ ready)
    enough = tolerance**2 * power
    for _ in range(2 * right.size + 20):
        if power <= enough:
            break
        image = apply(direction)
        curve = float(direction @ image)
        if curve <= _ROUNDING * float(direction @ (scale * direction)):
            break  # the matrix does not see this direction
        x += power / curve * direction
        residual -= power / curve * image
        ready = residual / scale
        following = float(residual @ ready)
        direction = ready + following / power * direction
        power = following
    return x
