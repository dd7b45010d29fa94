"""Does an effect stay when the engines think longer? The trend over node budgets.

The same question is asked at several budgets; x_k is the base-2 logarithm of budget k, y_k what was
measured there, with standard error s_k, w_k = 1 / s_k^2 and xbar the weighted mean. A doubling of
the nodes changes the effect by

    slope = sum w_k (x_k - xbar) y_k / S,    variance 1 / S,    S = sum w_k (x_k - xbar)^2

Cochran's Q = sum w_k (y_k - ybar)^2 is chi-squared with k - 1 degrees of freedom when the effect is
the same at all budgets (Cochran 1954).

While the levels are still running, ``watched`` gives an interval that may be looked at any time.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .gsprt import Floats

Label = Literal["robust", "strength-dependent", "tested only"]

DOUBLINGS_AHEAD = 2
"""A robust effect would not be gone so many doublings beyond the largest budget."""

_NO_ERROR = 1e-3  # a standard error is taken as this much of the largest at least


class TrendError(ValueError):
    """Why there is no trend."""


class Trend(NamedTuple):
    """The slope per doubling of the nodes, in units of the effect, and what may be said."""

    slope: float
    low: float
    high: float
    label: Label


class Heterogeneity(NamedTuple):
    """Cochran's Q of the levels, its degrees of freedom and its p-value."""

    q: float
    dof: int
    p_value: float


def trend(levels: ArrayLike, values: ArrayLike, errors: ArrayLike, level: float = 0.95) -> Trend:
    """The trend of finished measurements.

    ``levels`` (k,): nodes, or multiples of the smallest budget; ``values`` (k,) with standard
    ``errors`` (k,). A level with an infinite error was not measured and is left out. TrendError
    when fewer than two different levels are left.
    """
    x, y, weights = _measured(levels, values, errors)
    share = _shares(x, weights)
    slope = float(share @ y)
    z = NormalDist().inv_cdf((1 + level) / 2)
    reach = z / math.sqrt(float(weights @ (x - _mean(x, weights)) ** 2))
    top = int(np.argmax(x))
    margin = z / math.sqrt(float(weights[top]))
    low, high = slope - reach, slope + reach
    return Trend(slope, low, high, _label(x, y, (y[top] - margin, y[top] + margin), (low, high)))


def watched(levels: ArrayLike, values: ArrayLike, lows: ArrayLike, highs: ArrayLike) -> Trend:
    """The trend of measurements that still run, by interval arithmetic.

    ``lows`` and ``highs`` (k,) are the levels' confidence sequences at 1 - alpha / k each: then all
    of them hold their truths at every moment with probability 1 - alpha, and so does the interval
    of the slope, which is the ordinary one (equal weights) so that it does not change its meaning
    while it is watched. Ends may be infinite. TrendError for fewer than two different levels.
    """
    x = np.log2(_positive(levels))
    y, low, high = (np.asarray(a, dtype=np.float64) for a in (values, lows, highs))
    if not x.shape == y.shape == low.shape == high.shape or not np.all((low <= y) & (y <= high)):
        raise TrendError("every level has a value inside its interval")
    share = _shares(x, np.ones_like(x))
    down, up = np.where(share > 0, low, high), np.where(share > 0, high, low)
    used = share != 0
    slope_low, slope_high = float(share[used] @ down[used]), float(share[used] @ up[used])
    top = int(np.argmax(x))
    label = _label(x, y, (float(low[top]), float(high[top])), (slope_low, slope_high))
    return Trend(float(share @ y), slope_low, slope_high, label)


def heterogeneity(values: ArrayLike, errors: ArrayLike) -> Heterogeneity:
    """Whether measurements (k,) with these standard errors differ; p = 1 for fewer than two."""
    y, weights = _weighted(values, errors)
    if y.size < 2:
        return Heterogeneity(0.0, 0, 1.0)
    q = float(weights @ (y - _mean(y, weights)) ** 2)
    return Heterogeneity(q, y.size - 1, chi2_tail(q, y.size - 1))


def chi2_tail(value: float, dof: int) -> float:
    """P(chi-squared with ``dof`` degrees of freedom >= ``value``), by its finite sums:
    e^(-v/2) (v/2)^a / Gamma(a + 1) over a = 0, 1, ... or 1/2, 3/2, ... below dof / 2, the latter
    after erfc((v/2)^(1/2)).

    Abramowitz and Stegun 26.4.4 and 26.4.5.
    """
    if dof < 1:
        raise ValueError("a chi-squared variable has one degree of freedom or more")
    if value <= 0:
        return 1.0
    if value == math.inf:
        return 0.0
    tail = math.erfc(math.sqrt(value / 2)) if dof % 2 else 0.0
    log_half = math.log(value) - math.log(2)
    for twice in range(dof % 2, dof - 1, 2):
        tail += math.exp(twice / 2 * log_half - value / 2 - math.lgamma(twice / 2 + 1))
    return min(1.0, tail)


def _label(x: Floats, y: Floats, top: tuple[float, float], slope: tuple[float, float]) -> Label:
    """Robust, strength-dependent, or neither shown.

    ``robust``: the same sign at all levels, an interval at the top level that excludes 0, and no
    slope within its interval that would bring the top's value to 0 within two more doublings.
    ``strength-dependent``: the interval of the slope excludes 0.
    """
    sign = math.copysign(1.0, float(y[np.argmax(x)]))
    clear = min(sign * top[0], sign * top[1]) > 0
    steepest_fall = min(sign * slope[0], sign * slope[1])
    ahead = sign * float(y[np.argmax(x)]) + DOUBLINGS_AHEAD * steepest_fall
    if clear and np.all(sign * y > 0) and ahead > 0:
        return "robust"
    return "strength-dependent" if slope[0] > 0 or slope[1] < 0 else "tested only"


def _measured(
    levels: ArrayLike, values: ArrayLike, errors: ArrayLike
) -> tuple[Floats, Floats, Floats]:
    x = np.log2(_positive(levels))
    measured = np.isfinite(np.asarray(errors, dtype=np.float64))
    if x.shape != measured.shape:
        raise TrendError("every level has a value and a standard error")
    y, weights = _weighted(values, errors)
    return x[measured], y, weights


def _weighted(values: ArrayLike, errors: ArrayLike) -> tuple[Floats, Floats]:
    """Values that were measured, and their weights; no weight is infinite."""
    y, se = np.asarray(values, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    if y.ndim != 1 or y.shape != se.shape or np.any(np.isnan(se)) or np.any(se < 0):
        raise TrendError("every value has a standard error, not below 0")
    measured = np.isfinite(se)
    y, se = y[measured], se[measured]
    if not np.all(np.isfinite(y)):
        raise TrendError("a measured value is finite")
    least = _NO_ERROR * se.max(initial=0.0) or _NO_ERROR**4
    return y, np.asarray(np.maximum(se, least) ** -2.0)


def _positive(levels: ArrayLike) -> Floats:
    found = np.asarray(levels, dtype=np.float64)
    if found.ndim != 1 or not np.all((found > 0) & np.isfinite(found)):
        raise TrendError("levels are budgets above 0")
    return found


def _mean(x: Floats, weights: Floats) -> float:
    return float(weights @ x / weights.sum())


def _shares(x: Floats, weights: Floats) -> Floats:
    """What each value has in the slope."""
    if np.unique(x).size < 2:
        raise TrendError("a trend needs two different levels")
    off = weights * (x - _mean(x, weights))
    return np.asarray(off / float(off @ x))
