"""Intervals that may be watched for numbers without bounds: log plies, times, fitted parameters.

What lies in [0, 1] is bet on (:mod:`.confidence`), which is exact. These two are not: they hold in
the limit of many units, for numbers of which no single unit carries much of the sum. For rare
events they fail (a rate of 0.02 was missed by 40 of 100 such sequences of level 95 %), and below
``MINIMUM_UNITS`` they are not offered.

Both are a normal mixture: after n units of standard deviation s the mean is within

    asymptotic   s sqrt( 2 (n r + 1) / (n^2 r) log( sqrt(n r + 1) / alpha ) )
    t mixture    s sqrt( q / (1 - q) ),  q = (n + c)(1 - 1/k) / n, k = ((n + c) / (c alpha^2))^(1/n)

with r = 1 / c and c = n_opt / (l + log(1 + l)), l = -2 log alpha, which makes them narrowest near
``n_opt`` units (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit
theory", 2024; Howard et al. 2021; the t mixture, exact for Gaussian units: Wang and Ramdas,
"Anytime-valid t-tests", 2024). ``n_opt`` is declared before the first unit; a wrong
guess costs width only.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from .gsprt import Floats

MINIMUM_UNITS = 100
"""Below so many units the intervals are infinite."""

MINIMUM_DIFFERENT = 50
"""Where most units are exactly alike, as with paired arms that a rule seldom touches, do not ask
before so many are different.

With one unit in a hundred touched, intervals from 100 units on missed the truth in 36 to 58 of 100
sequences of level 95 %; from 50 touched units on in 0 to 4, in none of three laws in more than 8,
the worst being a touch that makes one game in ten six times as long (6000 units, 2000 runs)."""

_LARGEST = 1e150


def boundary(n: ArrayLike, alpha: float, n_opt: float) -> Floats:
    """By how much to multiply a standard error s / sqrt(n) for an interval that may be watched.

    ``n`` (...) units, 1 or more; about 2.8 at ``n_opt`` and alpha = 0.05, where a fixed sample has
    1.96. Compare :func:`watched_half_width`, which knows when it is too early.
    """
    units = _units(n)
    r = 1 / _c(alpha, n_opt)
    return np.asarray(
        np.sqrt(2 * (units * r + 1) / (units * r) * np.log(np.sqrt(units * r + 1) / alpha))
    )


def watched_half_width(se: ArrayLike, n: ArrayLike, alpha: float, n_opt: float) -> Floats:
    """Half-width of the asymptotic confidence sequence of an estimate with standard error ``se``.

    The estimate is (nearly) a mean of ``n`` units: a mean itself, or a fitted parameter with a
    sandwich error over n clusters. ``se`` and ``n`` broadcast. Infinite below ``MINIMUM_UNITS``
    and where ``se`` is 0: units that are all alike do not tell how far off they are.
    """
    error = np.asarray(se, dtype=np.float64)
    units = np.asarray(n, dtype=np.float64)
    if np.any(~(error >= 0)) or np.any(error > _LARGEST):
        raise ValueError("a standard error is a finite number that is not negative")
    if np.any(~(units >= 0)) or np.any(units > _LARGEST):
        raise ValueError("units are a finite number that is not negative")
    told = (units >= MINIMUM_UNITS) & (error > 0)
    half = error * boundary(np.where(told, units, MINIMUM_UNITS), alpha, n_opt)
    return np.asarray(np.where(told, half, np.inf))


def log_e_value(n: ArrayLike, mean: ArrayLike, sd: ArrayLike, alpha: float, n_opt: float) -> Floats:
    """Evidence against a mean of 0: :func:`interval` excludes 0 where this reaches -log alpha.

    log E = n r z^2 / (2 (n r + 1)) - log sqrt(n r + 1), z = mean sqrt(n) / sd: the boundary solved
    for alpha. Arguments as there; 0 below ``MINIMUM_UNITS`` and where the units are all alike.
    """
    units = np.asarray(n, dtype=np.float64)
    spread = np.asarray(sd, dtype=np.float64)
    nr = units / _c(alpha, n_opt)
    told = (units >= MINIMUM_UNITS) & (spread > 0)
    z = np.asarray(mean, dtype=np.float64) * np.sqrt(units) / np.where(spread > 0, spread, 1)
    return np.asarray(np.where(told, nr * z**2 / (2 * (nr + 1)) - np.log1p(nr) / 2, 0.0))


def interval(
    n: ArrayLike, mean: ArrayLike, sd: ArrayLike, alpha: float, n_opt: float
) -> tuple[Floats, Floats]:
    """The asymptotic confidence sequence of a mean, from ``n``, mean and standard deviation."""
    units = np.asarray(n, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        se = np.asarray(sd, dtype=np.float64) / np.sqrt(np.maximum(units, 1))
    return _around(mean, watched_half_width(se, units, alpha, n_opt))


def t_mixture_interval(
    n: ArrayLike, mean: ArrayLike, sd: ArrayLike, alpha: float, n_opt: float
) -> tuple[Floats, Floats]:
    """The t mixture's interval, exact at any n >= 2 for Gaussian units; same arguments.

    It is infinite as long as q >= 1, that is for the first units, below ``MINIMUM_UNITS``, and
    where the units are all alike.
    """
    units = np.asarray(n, dtype=np.float64)
    spread = np.asarray(sd, dtype=np.float64)
    if np.any(~(spread >= 0)) or np.any(spread > _LARGEST):
        raise ValueError("a standard deviation is a finite number that is not negative")
    if np.any(~(units >= 0)) or np.any(units > _LARGEST):
        raise ValueError("units are a finite number that is not negative")
    c = _c(alpha, n_opt)
    late = units >= MINIMUM_UNITS
    counted = np.where(late, units, MINIMUM_UNITS)
    log_k = (np.log((counted + c) / c) - 2 * math.log(alpha)) / counted
    q = (counted + c) * -np.expm1(-log_k) / counted
    told = late & (q < 1) & (spread > 0)
    ratio = np.where(told, q, 0) / np.where(told, 1 - q, 1)
    return _around(mean, np.where(told, spread * np.sqrt(ratio), np.inf))


def _around(mean: ArrayLike, half: Floats) -> tuple[Floats, Floats]:
    middle = np.asarray(mean, dtype=np.float64)
    if not np.all(np.isfinite(middle)):
        raise ValueError("a mean is finite")
    return middle - half, middle + half


def _units(n: ArrayLike) -> Floats:
    units = np.asarray(n, dtype=np.float64)
    if np.any(~(units >= 1)) or np.any(units > _LARGEST):
        raise ValueError("units are a finite number, 1 or more")
    return units


def _c(alpha: float, n_opt: float) -> float:
    """The normal mixture's prior precision, in units, that is best at ``n_opt``."""
    if not 0 < alpha < 1:
        raise ValueError(f"alpha lies in (0, 1), not at {alpha}")
    if not 1 <= n_opt <= _LARGEST:
        raise ValueError("n_opt is a number of units, 1 or more")
    spread = -2 * math.log(alpha)
    return n_opt / (spread + math.log1p(spread))
