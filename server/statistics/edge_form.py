"""Symmetric matrices that are sums over who met whom, and systems with them.

The information and the spread of a rating fit are sums over pairs of players (f, s) of terms in the
difference of their two ratings and in a few parameters eta that all games share:

    v' A v = sum_e  weight_e (v_f - v_s)^2  +  2 (v_f - v_s) cross_e . eta  +  eta' inner eta

In the ratings alone this is a weighted graph Laplacian: it does not see a constant added to every
rating. Applying it costs as many operations as there are pairs that met, so thousands of players
are solved for by conjugate gradients without the matrix ever being made.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .gsprt import Floats

Ints = NDArray[np.int64]

_ROUNDING = 1e-13
_WHOLE = 192  # a matrix this small is inverted in one piece


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

    def blocks(self) -> tuple[Floats, Floats, Floats]:
        """A as ratings x ratings, ratings x shared, shared x shared."""
        n = self.players
        met = sums(self.first * n + self.second, self.weight, n * n).reshape(n, n)
        ratings = -(met + met.T)
        ratings[np.diag_indices(n)] = self.diagonal()[:n]
        columns = [difference_sums(self.first, self.second, c, n) for c in self.cross.T]
        return ratings, np.array(columns).reshape(-1, n).T, self.inner

    def dense(self) -> Floats:
        """A itself, (players + q, players + q)."""
        ratings, cross, inner = self.blocks()
        return np.block([[ratings, cross], [cross.T, inner]])


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


def inverse(matrix: Floats) -> Floats:
    """The inverse of a symmetric positive definite matrix (n, n).

    By halves, with the Schur complement S = D - B' A^-1 B of the first:

        [A  B]^-1   [A^-1 + W S^-1 W'   -W S^-1]
        [B' D]    = [    -S^-1 W'         S^-1 ]   with W = A^-1 B

    Four thirds of n^3 operations, nearly all of them in matrix products: less than half of the time
    of a general inverse.
    """
    n = len(matrix)
    if n <= _WHOLE:
        return np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    half = n // 2
    head, corner, tail = matrix[:half, :half], matrix[:half, half:], matrix[half:, half:]
    first = inverse(head)
    through = first @ corner
    last = inverse(tail - corner.T @ through)
    off = through @ last
    found = np.empty_like(matrix)
    found[:half, :half] = first + off @ through.T
    found[:half, half:] = -off
    found[half:, :half] = -off.T
    found[half:, half:] = last
    return found
