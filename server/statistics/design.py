"""Which matches to play next, so that values in pawns gain most.

A pair of match m tells I_m c_m c_m' about the strengths theta, I_m = s_m^2 (1 - s_m)^2 / var_m.
With shares w_m of the pairs, M(w) = sum w_m I_m c_m c_m', and the value of type i has, a pair,

    var(v_i) = l_i' M^-1 l_i,    l_i = (e_i - v_i e_P) / theta_P

What is short is the pawn: one per cent of theta_P is 0.12 pawns on a man worth 12. So the design
minimises the sum of var(v_i) (A-optimality on the values; Fedorov 1972), not the determinant of
M^-1 (D-optimality), which does not know the pawn from any other man and needs four times as many
games for the same intervals.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from .draw_models import logistic_score
from .edge_form import Ints
from .gsprt import Floats
from .piece_values import ELO_PER_NAT, PieceValueError, RowSpace, checked_differences

DRAW_RATE = 0.3
"""Of games between equal armies, before anything is known."""

_ITERATIONS = 5000
_SMALLEST = 1e-3  # a match with less than this of the largest share is not worth its set-up


class UndeterminedError(PieceValueError):
    """Types that no share of the matches can determine; ``types`` names them."""

    def __init__(self, types: tuple[int, ...]) -> None:
        super().__init__(f"no match says anything about types {', '.join(map(str, types))}")
        self.types = types


def pair_variances(
    differences: ArrayLike, strengths: ArrayLike, draw_rate: float = DRAW_RATE
) -> Floats:
    """The variance of a pair's score in every match (m,), from a guess of the draw rate.

    ``differences`` (m, k), ``strengths`` (k,) in Elo. A game at expected score s is drawn with
    probability 4 s (1 - s) ``draw_rate``, so that its variance is s (1 - s) (1 - draw_rate); the
    two games of a pair are taken as independent.
    """
    if not 0 <= draw_rate < 1:
        raise ValueError("a draw rate lies in [0, 1)")
    design = np.asarray(differences, dtype=np.float64)
    score = logistic_score(design @ np.asarray(strengths, dtype=np.float64) / ELO_PER_NAT)
    return np.asarray(score * (1 - score) * (1 - draw_rate) / 2)


def allocate(
    differences: ArrayLike,
    strengths: ArrayLike,
    pawn: int,
    variances: ArrayLike | None = None,
    tolerance: float = 0.01,
) -> Floats:
    """The A-optimal shares (m,) of the pairs; they sum to 1, and most of them are 0.

    ``differences`` (m, k); ``strengths`` (k,) in Elo, a guess or estimates so far; ``variances``
    (m,) of a pair's score (default: :func:`pair_variances`). The multiplicative algorithm (Silvey,
    Titterington and Torsney 1978): w_m grows in proportion to the square root of

        d_m = I_m sum_i (c_m' M^-1 l_i)^2

    until no d_m exceeds the sum of variances by more than ``tolerance`` of it, which bounds what
    any other design could gain (the equivalence theorem, Kiefer 1974).

    UndeterminedError names types that no match tells anything about; ValueError for arguments that
    are not what they say, as a pawn without a strength.
    """
    design, theta, information = _informations(differences, strengths, pawn, variances)
    contrasts = _contrasts(theta, pawn)
    missing = ~RowSpace.of(design).determined
    if missing.any():
        raise UndeterminedError(tuple(int(i) for i in np.flatnonzero(missing)))
    shares = np.full(len(design), 1 / len(design))
    for _ in range(_ITERATIONS):
        inside = np.linalg.solve(_information(design, shares * information), contrasts)
        gain = information * ((design @ inside) ** 2).sum(axis=1)
        # The sum of variances is the mean of the gains under the shares.
        if gain.max() <= (1 + tolerance) * float(shares @ gain):
            break
        shares = shares * np.sqrt(gain)
        shares = shares / shares.sum()
    return _without_the_small(design, shares)


def reach(
    differences: ArrayLike,
    strengths: ArrayLike,
    pawn: int,
    shares: ArrayLike,
    units: float,
    variances: ArrayLike | None = None,
    level: float = 0.95,
) -> Floats:
    """Half-widths (k,) in pawns of the values' intervals after ``units`` pairs, games being 2 each.

    Arguments as in :func:`allocate`; ``shares`` (m,) of the pairs. 0 for the pawn; inf for types
    that these matches do not determine. For the interval of a fixed sample, without lack of fit.
    """
    if not (0 < level < 1 and units >= 0):
        raise ValueError("a level lies in (0, 1), and units are not below 0")
    design, theta, information = _informations(differences, strengths, pawn, variances)
    weights = np.asarray(shares, dtype=np.float64)
    if weights.shape != information.shape or np.any(weights < 0):
        raise ValueError("every match has a share, not below 0")
    space = RowSpace.of(design[weights > 0])
    covariance = space.inverse(design, weights * information)
    contrasts = _contrasts(theta, pawn)
    variance = np.einsum("ki,kl,li->i", contrasts, covariance, contrasts)
    if not space.determined[pawn] or units == 0:
        return np.where(np.arange(theta.size) == pawn, 0.0, math.inf)
    z = NormalDist().inv_cdf((1 + level) / 2)
    width = z * np.sqrt(np.maximum(variance, 0) / units)
    return np.where(space.determined, width, math.inf)


def apportion(shares: ArrayLike, units: int, played: ArrayLike | None = None) -> Ints:
    """How many of the next ``units`` pairs each match gets (m,), so that totals approach shares.

    ``played`` (m,): pairs so far. Matches that are ahead of their share wait for the others. Whole
    numbers by the largest remainder, the first match at a tie.
    """
    weights = np.asarray(shares, dtype=np.float64)
    so_far = np.zeros_like(weights) if played is None else np.asarray(played, dtype=np.float64)
    if weights.ndim != 1 or so_far.shape != weights.shape or not np.all(weights >= 0):
        raise ValueError("every match has a share, not below 0, and a number of pairs played")
    if units < 0 or not weights.sum() > 0:
        raise ValueError("units are not below 0, and some match has a share")
    open_ = weights > 0
    while True:
        # Those that are ahead leave the sharing, which may put others ahead.
        total = units + so_far[open_].sum()
        wanted = np.where(open_, weights / weights[open_].sum() * total - so_far, 0.0)
        if np.all(wanted >= 0):
            break
        open_ &= wanted > 0
    whole = np.floor(wanted + 1e-9)
    left = units - int(whole.sum())
    whole[np.argsort(-(wanted - whole), kind="stable")[:left]] += 1
    return whole.astype(np.int64)


def _informations(
    differences: ArrayLike, strengths: ArrayLike, pawn: int, variances: ArrayLike | None
) -> tuple[Floats, Floats, Floats]:
    """The design (m, k), theta (k,) in nats, and I (m,)."""
    design = checked_differences(differences, pawn)
    theta = np.asarray(strengths, dtype=np.float64) / ELO_PER_NAT
    if theta.shape != design.shape[1:] or not np.all(np.isfinite(theta)):
        raise ValueError("every type has a strength, a finite one")
    if theta[pawn] == 0:
        raise ValueError("without a strength of the pawn there are no values in pawns")
    spread = pair_variances(design, theta * ELO_PER_NAT) if variances is None else variances
    variance = np.asarray(spread, dtype=np.float64)
    if variance.shape != design.shape[:1] or not np.all(variance > 0):
        raise ValueError("every match has a variance above 0")
    score = logistic_score(design @ theta)
    return design, theta, np.asarray((score * (1 - score)) ** 2 / variance)


def _contrasts(theta: Floats, pawn: int) -> Floats:
    """l_i above as columns (k, k); that of the pawn is 0."""
    columns = np.eye(theta.size)
    columns[pawn] -= theta / theta[pawn]
    return np.asarray(columns / theta[pawn])


def _information(design: Floats, weights: Floats) -> Floats:
    return np.asarray((design * weights[:, None]).T @ design)


def _without_the_small(design: Floats, shares: Floats) -> Floats:
    """The shares without those too small to matter, as long as every type stays determined."""
    kept = np.where(shares >= _SMALLEST * shares.max(), shares, 0.0)
    if not RowSpace.of(design[kept > 0]).determined.all():
        return shares
    return np.asarray(kept / kept.sum())
