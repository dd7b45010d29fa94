"""The inverse of a symmetric positive definite matrix, of thousands of rows, in its own place.

By halves, with the Schur complement S = D - B' A^-1 B of the first:

    [A  B]^-1   [A^-1 + W S^-1 W'   -W S^-1]
    [B' D]    = [    -S^-1 W'         S^-1 ]   with W = A^-1 B

Of the four products of two halves, B' W and (W S^-1) W' are symmetric, and only the upper triangle
of their blocks is multiplied out. That leaves little more than n^3 operations, where a general
inverse has 8/3 n^3, and nearly all of them in matrix products, at which a processor is fastest.

The price is exactness: S is made with an inverse, not with a factor, so that the relative error is
of the order of the rounding times the square of the condition (Du Croz and Higham 1992 have methods
without this). Whoever calls it looks at the residual.
"""

from __future__ import annotations

import numpy as np

from .edge_form import Reals

_WHOLE = 192
"""A matrix this small is inverted, or multiplied, in one piece."""


def invert(matrix: Reals) -> None:
    """Overwrite ``matrix`` (n, n) with its inverse; LinAlgError where it is singular."""
    n = len(matrix)
    if n <= _WHOLE:
        matrix[:] = np.linalg.inv(matrix)
        return
    half = n // 2
    head, corner, tail = matrix[:half, :half], matrix[:half, half:], matrix[half:, half:]
    invert(head)
    through = head @ corner
    _add_product(tail, -corner.T, through)
    invert(tail)
    np.negative(through @ tail, out=corner)
    _add_product(head, -corner, through.T)
    matrix[half:, :half] = corner.T


def _add_product(matrix: Reals, left: Reals, right: Reals) -> None:
    """Add ``left`` @ ``right``, which is known to be symmetric, to a symmetric ``matrix``."""
    n = len(matrix)
    if n <= _WHOLE:
        matrix += left @ right
        return
    half = n // 2
    _add_product(matrix[:half, :half], left[:half], right[:, :half])
    _add_product(matrix[half:, half:], left[half:], right[:, half:])
    corner = matrix[:half, half:]
    corner += left[:half] @ right[:, half:]
    matrix[half:, :half] = corner.T
