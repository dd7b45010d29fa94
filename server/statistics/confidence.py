"""Intervals and p-values that stay valid while they are watched.

A gambler who believes that bounded outcomes do not have mean m bets a fraction c of the fortune on
"more than m" or on "less than m" at fair odds; if the mean is m, no way of betting makes money on
average. Spreading the first unit of money over fractions c_k with weights w_k, half on either side,
gives after counts n_j of outcomes a_j in [0, 1]

    E(m) = 1/2 sum_k w_k ( prod_j (1 - c_k + c_k a_j / m)^n_j
                         + prod_j (1 - c_k + c_k (1 - a_j) / (1 - m))^n_j )

E(m) is a non-negative martingale that starts at 1, for every distribution on [0, 1] whose mean
given the past is m. So the chance that it ever reaches 1 / alpha is at most alpha (Ville), whatever
the sample size, the shape of the distribution and the rule by which one stops to look: the means
with E(m) < 1 / alpha are a confidence sequence. It depends on the counts alone, not on their order.

This is the mixture bet of Robbins and Cover with a discrete prior: Waudby-Smith and Ramdas (2024),
Orabona and Jun (2024).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .gsprt import Floats, checked

_ITERATIONS = 100
_PRECISION = 1e-11
_SMALL = 1e-5


class Mixture(NamedTuple):
    """The fractions bet, in (0, 1), and how the first unit of money is spread over them."""

    fractions: Floats
    weights: Floats


def log_uniform(points: int = 20, low: float = 0.005, high: float = 0.95) -> Mixture:
    """Equal weights on fractions in geometric progression: good at every sample size.

    The interval is about 1.7 times as wide as a fixed-sample one from 100 to 30 000 units.
    """
    if not (0 < low < high < 1 and points >= 1):
        raise ValueError("fractions to bet rise from above 0 to below 1")
    return Mixture(np.geomspace(low, high, points), np.full(points, 1 / points))


def tuned(
    units: float, variance: float, alpha: float = 0.05, points: int = 14, reach: float = 3.5
) -> Mixture:
    """A mixture that is best near ``units`` units of outcomes of this variance.

    Both must be fixed before the first unit; a wrong guess costs width, never validity. The
    fractions are z tau for z evenly spread over (0, reach) with weights exp(-z^2 / 2), tau = 1/2
    sqrt((l + log(1 + l)) / (units variance)), l = -2 log alpha: a half-normal prior on the
    fractions, as in the normal mixture of Howard et al. (2021), section 3.2.
    """
    if not (0 < units * variance < math.inf and units > 0 and 0 < alpha < 1):
        raise ValueError("units and variance are positive, alpha lies in (0, 1)")
    spread = -2 * math.log(alpha)
    tau = math.sqrt((spread + math.log1p(spread)) / (units * variance)) / 2
    z = (np.arange(points) + 0.5) * reach / points
    weights = np.exp(-(z**2) / 2)
    return Mixture(np.minimum(z * tau, 0.99), weights / weights.sum())


def log_e_value(
    counts: ArrayLike, support: ArrayLike, mean: ArrayLike, mixture: Mixture | None = None
) -> Floats:
    """log E(mean): evidence against this mean; e-values above 1 / alpha reject it for good.

    ``counts`` (..., k), ``support`` (k,) within [0, 1], ``mean`` in (0, 1) broadcasts against the
    leading axes. The default mixture is :func:`log_uniform`.
    """
    n, values = _bounded(counts, support)
    m = np.asarray(mean, dtype=np.float64)
    if np.any(~((m > 0) & (m < 1))):
        raise ValueError("a mean to be tested lies in (0, 1)")
    return _log_e(n, values, m, mixture or _DEFAULT)


def anytime_p_value(greatest_log_e: float) -> float:
    """The p-value that may be read at any time, from the greatest log E seen so far."""
    if math.isnan(greatest_log_e):
        raise ValueError("the log of an e-value is a number")
    return math.exp(-max(greatest_log_e, 0.0))


def interval(
    counts: ArrayLike, support: ArrayLike, alpha: float = 0.05, mixture: Mixture | None = None
) -> tuple[Floats, Floats]:
    """The confidence sequence's interval now: lowest and highest mean with E < 1 / alpha.

    ``counts`` (..., k), ``support`` (k,) within [0, 1]; both ends have the leading shape of the
    counts and lie in [0, 1]. Without a unit it is all of [0, 1].
    """
    if not 0 < alpha < 1:
        raise ValueError("alpha lies in (0, 1)")
    n, values = _bounded(counts, support)
    prior = mixture or _DEFAULT
    target = -math.log(alpha)
    size = n.sum(axis=-1)
    mean = n @ values / np.maximum(size, 1)
    spread = np.sqrt(np.maximum(n @ values**2 / np.maximum(size, 1) - mean**2, 0))

    # Both ends of every row at once: the first half are the lower ones. E is convex in m and at
    # most 1 at the mean, so there is one root on either side, unless an end of [0, 1] cannot be
    # excluded.
    shape, k = size.shape, values.size
    n = np.concatenate([n.reshape(-1, k)] * 2)
    size, mean, spread = (np.concatenate([each.ravel()] * 2) for each in (size, mean, spread))
    rows = size.size // 2
    outer = np.repeat([0.0, 1.0], rows)
    found = outer.copy()
    # The ends still looked for; n, mean, inner, outer and m are theirs.
    open_ = np.flatnonzero((size > 0) & (mean != outer))
    n, mean, outer = n[open_], mean[open_], outer[open_]
    inner = mean
    root = np.sqrt(size[open_])
    m = inner + (2 * outer - 1) * (3.4 * spread[open_] + 3 / root) / root
    m = np.where((m > 0) & (m < 1), m, (inner + outer) / 2)
    for _ in range(_ITERATIONS):
        if open_.size == 0:
            break
        log_e, slope = _log_e_and_slope(n, values, m, prior)
        beyond = log_e >= target
        inner, outer = np.where(beyond, inner, m), np.where(beyond, m, outer)
        # The slope vanishes at the mean alone; there the bracket decides.
        step = (target - log_e) / np.where(slope == 0, 1, slope)
        following = m + step
        inside = (following - inner) * (following - outer) < 0
        m = np.where(inside, following, (inner + outer) / 2)
        # Newton's steps square the error: after one that is small, the next would be lost in it.
        small = inside & (np.abs(step) <= _SMALL * np.abs(following - mean))
        settled = small | (np.abs(outer - inner) <= _PRECISION)
        if np.any(settled):
            found[open_[settled]] = m[settled]
            left = ~settled
            open_, n, mean, m = open_[left], n[left], mean[left], m[left]
            inner, outer = inner[left], outer[left]
    found[open_] = m
    return found[:rows].reshape(shape)[()], found[rows:].reshape(shape)[()]


def _bounded(counts: ArrayLike, support: ArrayLike) -> tuple[Floats, Floats]:
    n, values = checked(counts, support)
    if values[0] < 0 or values[-1] > 1:
        raise ValueError("outcomes to bet on lie in [0, 1]")
    return n, values


def _log_e_and_slope(
    n: Floats, values: Floats, mean: Floats, mixture: Mixture
) -> tuple[Floats, Floats]:
    """log E(mean) and its slope in the mean.

    A fortune grows by g = 1 - c + c a / m at outcome a, which falls in m by (g - (1 - c)) / m: no
    more than the sum of n / g is needed for the slope beside that of n log g.
    """
    size, fractions = n.sum(axis=-1)[..., None], mixture.fractions
    logs, slopes = [], []
    for outcomes, m, sign in ((values, mean, -1), (1 - values, 1 - mean, 1)):
        growth = _growth(outcomes, m, fractions)
        logs.append(_sum_over_outcomes(n, np.log(growth)))
        inverse = _sum_over_outcomes(n, 1 / growth)
        slopes.append(sign * (size - (1 - fractions) * inverse) / m[..., None])
    log_e, parts = _mixed(np.concatenate(logs, axis=-1), mixture)
    slope = np.concatenate(slopes, axis=-1)
    return log_e, np.asarray(np.einsum("...f,...f->...", parts, slope))


def _log_e(n: Floats, values: Floats, mean: Floats, mixture: Mixture) -> Floats:
    sides = ((values, mean), (1 - values, 1 - mean))
    logs = [
        _sum_over_outcomes(n, np.log(_growth(outcomes, m, mixture.fractions)))
        for outcomes, m in sides
    ]
    return _mixed(np.concatenate(logs, axis=-1), mixture)[0]


def _mixed(logs: Floats, mixture: Mixture) -> tuple[Floats, Floats]:
    """log of the mixture of fortunes (..., 2 fractions), "more" first, and each one's share."""
    logs = logs + np.log(np.concatenate([mixture.weights, mixture.weights]) / 2)
    top = logs.max(axis=-1, keepdims=True)
    parts = np.exp(logs - top)
    total = parts.sum(axis=-1, keepdims=True)
    return (top + np.log(total))[..., 0], parts / total


def _growth(values: Floats, mean: Floats, fractions: Floats) -> Floats:
    """What betting each fraction on "more than mean" makes of 1 at each outcome: (..., f, k)."""
    odds = (values / mean[..., None] - 1)[..., None, :]
    return np.asarray(1 + fractions[:, None] * odds)


def _sum_over_outcomes(n: Floats, terms: Floats) -> Floats:
    return np.asarray(np.einsum("...j,...fj->...f", n, terms))


_DEFAULT = log_uniform()
