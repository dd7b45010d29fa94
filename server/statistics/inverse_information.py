"""The inverse of a rating fit's information, which every standard error is made of.

It is the one thing whose cost grows with the cube of the number of players, and no order of
elimination saves much of that: where each of 3000 players met 40 others at random, 81 % of them are
left when what remains is dense. What saves is to multiply matrices by halves, in single precision:
a sixth of the time of a general inverse. Neither is exact enough for every pool. By halves the
error grows with the square of the condition, which is large where players know only their
neighbours in a chain.

**So it is tried and looked at.** The residual p - A X p of an inverse X, for random signs p, says
how good it is. In the norm of A a column of A^-1 is as long as the standard error that it tells;
averaged over the columns (Hutchinson 1990), the squared relative error of standard errors is

    r' A^-1 r / p' A^-1 p        r = p - A X p

It has to be less than the square of 1e-5, for each of the parameters that all games share too. In a
random pool of 3000 it is that of 4e-7. What is not good enough is made again in double precision,
and then, if need be, by LAPACK, as the inverses of smaller pools are at once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np
from numpy.typing import DTypeLike

from .edge_form import EdgeForm, Reals
from .gsprt import Floats
from .rating_likelihood import NoFiniteRatingError
from .symmetric_inverse import invert

_LARGE = 1000  # players; with fewer, the inverse is not what takes the time
_EXACT = 1e-5
_PROBES = 4
_UNDETERMINED = 1e-9  # of its information, what a parameter shares with no other
_DISGUISED = (
    "a number that all games share cannot be told from the ratings: players must have had both "
    "colours (or fit without an advantage), and a model of draws must have seen wins of either side"
)


def inverse_information(form: EdgeForm) -> Reals:
    """The inverse on ratings of sum 0 and the shared parameters, (players + q, players + q).

    NoFiniteRatingError where the games leave something undetermined.
    """
    if form.players > _LARGE:
        for precision in (np.float32, np.float64):
            with suppress(np.linalg.LinAlgError, NoFiniteRatingError), np.errstate(all="ignore"):
                found = _inverse(form, precision, invert)
                if _is_exact_enough(found, form):
                    return found
    return _inverse(form, np.float64, _invert_at_once)


def _inverse(form: EdgeForm, precision: DTypeLike, invert: Callable[[Reals], None]) -> Reals:
    """The Laplacian T of the ratings has the null vector (1, ..., 1): (T + c 11')^-1 less its share
    in that direction is the inverse among ratings of sum 0. The shared parameters are then put on
    by the Schur complement, where one that the ratings can imitate shows as a pivot of nought.
    """
    n = form.players
    matrix = form.dense(precision)
    ratings, cross = matrix[:n, :n], matrix[:n, n:].astype(np.float64)
    level = float(np.trace(ratings)) / n if n > 1 else 1.0
    if n > 1 and not level > 0:
        raise NoFiniteRatingError("the games say nothing about the ratings")
    ratings += level / n
    invert(ratings)
    # The columns of the cross block sum to nought: they do not see the level.
    through = _times(ratings, cross)
    last = _inverse_of_shared(form.inner - cross.T @ through, np.diagonal(form.inner))
    off = through @ last
    left = np.column_stack([off, np.full(n, -1 / (level * n))]).astype(precision)
    right = np.column_stack([through, np.ones(n)]).astype(precision)
    for start in range(0, n, 128):  # what is added is made in pieces that stay in the cache
        ratings[start : start + 128] += left[start : start + 128] @ right.T
    matrix[:n, n:], matrix[n:, :n], matrix[n:, n:] = -off, -off.T, last
    return matrix


def _invert_at_once(matrix: Reals) -> None:
    matrix[:] = np.linalg.inv(matrix)


def _inverse_of_shared(complement: Floats, information: Floats) -> Floats:
    """The inverse of the Schur complement of the ratings, (q, q)."""
    scale = np.sqrt(np.outer(information, information))
    told = bool(np.all(information > 0))
    if told and np.linalg.eigvalsh(complement / scale).min(initial=1.0) > _UNDETERMINED:
        return np.asarray(np.linalg.inv(complement))
    raise NoFiniteRatingError(_DISGUISED)


def _is_exact_enough(found: Reals, form: EdgeForm) -> bool:
    """Whether ``found`` is the inverse, by the residuals of the formula above."""
    n, size = form.players, len(found)
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (_PROBES, size))
    for probe in [*signs, *np.eye(size - n, size, n)]:
        probe[:n] -= probe[:n].mean()
        solution = _times(found, probe)
        missing = probe - form.apply(solution)
        # A bad inverse need not be definite: then either side may be below nought.
        if not abs(missing @ _times(found, missing)) <= _EXACT**2 * (probe @ solution):
            return False
    return True


def _times(matrix: Reals, vectors: Floats) -> Floats:
    """The product, without a copy of the matrix in another precision."""
    return np.asarray(matrix @ vectors.astype(matrix.dtype), dtype=np.float64)
