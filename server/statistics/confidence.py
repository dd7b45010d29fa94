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


class Mixture(NamedTuple):
    """The fractions bet, in (0, 1), and how the first unit of money is spread over them."""

    fractions: Floats
    weights: Floats


def log_uniform(points: int = 20, low: float = 0.005, high: float = 0.95) -> Mixture:
    """Equal weights on fractions in geometric progression: good at every sample size.

    The interval is about 1.7 times as wide as a fixed-sample one from 100 to 30 000 units.
    """
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
    if units <= 0 or variance <= 0 or not 0 < alpha < 1:
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
    if np.any(m <= 0) or np.any(m >= 1):
        raise ValueError("a mean to be tested lies in (0, 1)")
    return _log_e(n, values, m, mixture or _DEFAULT)[0]


def anytime_p_value(greatest_log_e: float) -> float:
    """The p-value that may be read at any time, from the greatest log E seen so far."""
    return min(1.0, math.exp(-greatest_log_e))


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

    # Both ends of every row at once: axis 0 is (lower, upper). E is convex in m and at most 1 at
    # the mean, so there is one root on either side, unless an end of [0, 1] cannot be excluded.
    inner = np.stack([mean, mean])
    outer = np.stack([np.zeros_like(mean), np.ones_like(mean)])
    done = np.stack([(mean == 0) | (size == 0), (mean == 1) | (size == 0)])
    guess = (3.4 * spread + 3 / np.sqrt(np.maximum(size, 1))) / np.sqrt(np.maximum(size, 1))
    m = inner + np.stack([-guess, guess])
    m = np.where((m > 0) & (m < 1), m, (inner + outer) / 2)
    m = np.where(done, outer, m)
    for _ in range(_ITERATIONS):
        if np.all(done):
            break
        at = np.where(done, 0.5, m)
        log_e, shares = _log_e(n, values, at, prior)
        slope = _slope_of_log_e(n, values, at, prior, shares)
        beyond = log_e >= target
        inner = np.where(beyond | done, inner, m)
        outer = np.where(beyond & ~done, m, outer)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = (target - log_e) / slope
        low, high = np.minimum(inner, outer), np.maximum(inner, outer)
        settled = (np.abs(step) <= _PRECISION) | (high - low <= _PRECISION)
        inside = (m + step > low) & (m + step < high)
        following = np.where(inside, m + step, (inner + outer) / 2)
        m = np.where(done | settled, m, following)
        done = done | settled
    return m[0], m[1]


def _bounded(counts: ArrayLike, support: ArrayLike) -> tuple[Floats, Floats]:
    n, values = checked(counts, support)
    if values[0] < 0 or values[-1] > 1:
        raise ValueError("outcomes to bet on lie in [0, 1]")
    return n, values


def _log_e(n: Floats, values: Floats, mean: Floats, mixture: Mixture) -> tuple[Floats, Floats]:
    """log E(mean), and the share that every bet has in it (..., 2 fractions), "more" first."""
    logs = np.concatenate(
        [
            _sum_over_outcomes(n, np.log(_growth(values, mean, mixture.fractions))),
            _sum_over_outcomes(n, np.log(_growth(1 - values, 1 - mean, mixture.fractions))),
        ],
        axis=-1,
    ) + np.log(np.tile(mixture.weights / 2, 2))
    top = logs.max(axis=-1, keepdims=True)
    parts = np.exp(logs - top)
    total = parts.sum(axis=-1, keepdims=True)
    return (top + np.log(total))[..., 0], parts / total


def _slope_of_log_e(
    n: Floats, values: Floats, mean: Floats, mixture: Mixture, shares: Floats
) -> Floats:
    """The slope of log E in the mean, given the shares that :func:`_log_e` found there."""
    more = _slope_of_log_fortunes(n, values, mean, mixture.fractions)
    less = _slope_of_log_fortunes(n, 1 - values, 1 - mean, mixture.fractions)
    return np.asarray((shares * np.concatenate([more, -less], axis=-1)).sum(axis=-1))


def _slope_of_log_fortunes(n: Floats, values: Floats, mean: Floats, fractions: Floats) -> Floats:
    growth = _growth(values, mean, fractions)
    fall = (values / mean[..., None] ** 2)[..., None, :] * fractions[:, None] / growth
    return -_sum_over_outcomes(n, fall)


def _growth(values: Floats, mean: Floats, fractions: Floats) -> Floats:
    """What betting each fraction on "more than mean" makes of 1 at each outcome: (..., f, k)."""
    return np.asarray(1 + fractions[:, None] * ((values / mean[..., None])[..., None, :] - 1))


def _sum_over_outcomes(n: Floats, terms: Floats) -> Floats:
    return np.asarray(np.einsum("...j,...fj->...f", n, terms))


_DEFAULT = log_uniform()
