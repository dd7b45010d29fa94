"""A Brownian motion between two absorbing bounds: how likely a worse outcome was.

A sequential test's log-likelihood ratio is nearly a Brownian motion that starts at 0 and stops at
A < 0 < B. Time is measured by its variance, so that after time tau it is at W with mean gamma tau
and variance tau, gamma being the drift. Its **outcomes** are ordered from worst to best:

    absorbed at A, the earlier the worse;  still between the bounds, the lower the worse;
    absorbed at B, the later the worse

(the ordering of Siegmund, "Sequential Analysis", 1985, chapter IV.5; Armitage 1957). The chance of
an outcome no better than (tau, y) falls strictly as the drift rises, so it has one drift for every
probability: that is what an honest estimate after stopping stands on.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .gsprt import Floats
from .sprt import Bounds

_LATE = 0.05
"""In units of (B - A)^2: from this time on the eigenfunctions converge at once, before it the
mirror images do; and either is free of cancellation on its own side."""

_WAVES = 14
_IMAGES = 2
_TAIL = -30.0
_SOONEST = 1e-12
_STEEPEST = 1e13
_FAR = 1e4
_STEPS = 100
_CLOSE = 1e-11

_erfc: Any = np.frompyfunc(math.erfc, 1, 1)


def outcome_cdf(
    drift: ArrayLike, time: ArrayLike, end: ArrayLike, bounds: Bounds, start: ArrayLike = 0.0
) -> Floats:
    """Probability of an outcome no better than being at ``end`` at ``time``.

    ``drift`` is that a unit of variance, ``time`` > 0 is the variance so far, ``end`` lies within
    the bounds (on a bound: absorbed there at this time), ``start`` strictly between them. All four
    broadcast.
    """
    gamma, tau, y, z = np.broadcast_arrays(
        *(np.asarray(each, dtype=np.float64) for each in (drift, time, end, start))
    )
    lower, upper = bounds
    _check(gamma, bounds, z)
    _check_end(tau, y, bounds)
    late = tau >= _LATE * (upper - lower) ** 2
    found = np.empty(gamma.shape)
    for chosen, method in ((late, _by_waves), (~late, _by_images)):
        if np.any(chosen):
            from_start = (each[chosen] for each in (y - z, lower - z, upper - z))
            found[chosen] = method(gamma[chosen], tau[chosen], *from_start)
    return np.asarray(np.clip(found, 0, 1))


def drift_at(probability: ArrayLike, time: ArrayLike, end: ArrayLike, bounds: Bounds) -> Floats:
    """The drift at which an outcome no better than this one has this probability, in (0, 1)."""
    p, tau, y = np.broadcast_arrays(
        *(np.asarray(each, dtype=np.float64) for each in (probability, time, end))
    )
    if np.any(~((p >= 1e-12) & (p <= 1 - 1e-12))):
        raise ValueError("a probability that has a drift lies in (0, 1), not next to its ends")
    _check_end(tau, y, bounds)
    # Ten standard deviations to either side, and ten times what takes a path to a bound at all.
    reach = 10 / np.sqrt(tau) + 10 / min(-bounds.lower, bounds.upper)
    low, high = y / tau - reach, y / tau + reach
    # Regula falsi (Illinois) on the logit, in which the curve is nearly straight; halved when slow.
    f_low, f_high = (_logit(outcome_cdf(g, tau, y, bounds)) - _logit(p) for g in (low, high))
    side = np.zeros(tau.shape)
    for step in range(_STEPS):
        secant = (low * f_high - high * f_low) / np.where(f_high == f_low, 1, f_high - f_low)
        proper = (secant > low) & (secant < high) & (step % 4 < 3)
        middle = np.where(proper, secant, (low + high) / 2)
        f = _logit(outcome_cdf(middle, tau, y, bounds)) - _logit(p)
        up = f > 0
        # An end that stays for a second time counts half, so that the other one moves.
        f_high = np.where(up & (side > 0), f_high / 2, np.where(up, f_high, f))
        f_low = np.where(~up & (side < 0), f_low / 2, np.where(up, f, f_low))
        low, high = np.where(up, middle, low), np.where(up, high, middle)
        side = np.where(up, 1, -1)
        if np.all((np.abs(f) < _CLOSE) | (high - low < _CLOSE * reach)):
            break
    return np.asarray(middle, dtype=np.float64)


def absorbed_below(drift: ArrayLike, bounds: Bounds, start: ArrayLike = 0.0) -> Floats:
    """Probability of ending at the lower bound, if one waits (Wald); ``start`` as above."""
    gamma, z = (np.asarray(each, dtype=np.float64) for each in (drift, start))
    _check(gamma, bounds, z)
    return _absorbed_below(gamma, bounds.lower - z, bounds.upper - z)


def _absorbed_below(gamma: Floats, lower: Floats, upper: Floats) -> Floats:
    gap = upper - lower
    rate = 2 * np.abs(gamma)
    flat = rate * gap < 1e-12
    rate = np.where(flat, 1.0, rate)
    # The bound that the drift leads away from is reached with a small probability: compute that.
    away = np.where(gamma > 0, -lower, upper)
    against = np.exp(-rate * away) * np.expm1(-rate * (gap - away)) / np.expm1(-rate * gap)
    return np.asarray(np.where(flat, upper / gap, np.where(gamma > 0, against, 1 - against)))


def _check(gamma: Floats, bounds: Bounds, start: Floats) -> None:
    if np.any(~(np.abs(gamma) <= _STEEPEST)):
        raise ValueError(f"a drift lies within +-{_STEEPEST:g}")
    if np.any(~((bounds.lower < start) & (start < bounds.upper))):
        raise ValueError("a path starts between its bounds")


def _check_end(tau: Floats, y: Floats, bounds: Bounds) -> None:
    if np.any(~((tau >= _SOONEST) & (tau <= 1 / _SOONEST))):
        raise ValueError(f"a time lies between {_SOONEST:g} and {1 / _SOONEST:g}")
    if np.any(~((y >= bounds.lower) & (y <= bounds.upper))):
        raise ValueError("an end lies within the bounds")


def _logit(probability: Floats) -> Floats:
    inside = np.clip(probability, 1e-300, 1 - 1e-16)
    return np.asarray(np.log(inside) - np.log1p(-inside))


def _by_waves(gamma: Floats, tau: Floats, y: Floats, lower: Floats, upper: Floats) -> Floats:
    """Eigenfunctions of the interval: sines that decay, for late times.

    F = P(A) + 2/L sum_n sin(-w A) e^(gamma y - (gamma^2 + w^2) tau / 2)
                           (gamma sin w(y - A) - w cos w(y - A)) / (gamma^2 + w^2),   w = n pi / L

    The paths absorbed at A after ``tau`` cancel against a part of those still alive.
    """
    gap = upper - lower
    w = np.arange(1, _WAVES + 1) * math.pi / gap[:, None]
    g, t, x, a = gamma[:, None], tau[:, None], y[:, None], lower[:, None]
    square = g**2 + w**2
    wave = g * np.sin(w * (x - a)) - w * np.cos(w * (x - a))
    terms = np.sin(-w * a) * np.exp(g * x - square * t / 2) * wave / square
    return np.asarray(_absorbed_below(gamma, lower, upper) + 2 / gap * terms.sum(axis=-1))


def _by_images(gamma: Floats, tau: Floats, y: Floats, lower: Floats, upper: Floats) -> Floats:
    """Mirror images of the start in both bounds, for early times."""
    gap = upper - lower
    root = np.sqrt(tau)
    # So many standard deviations from where the path is: certain, and beyond the exponentials.
    far = np.abs(gamma * tau - y) > _FAR * root
    certain = np.where(gamma * tau < y, 1.0, 0.0)
    gamma = np.where(far, y / tau, gamma)
    found = np.zeros(gamma.shape)
    for k in range(-_IMAGES, _IMAGES + 1):
        # Absorbed at A by now: first passages over the distance to each image of A.
        distance = -lower + 2 * k * gap
        a = np.abs(distance)
        passed = np.exp(gamma * (a + lower) + _log_phi((-a - gamma * tau) / root)) + np.exp(
            -gamma * (a - lower) + _log_phi((-a + gamma * tau) / root)
        )
        found += np.copysign(passed, distance)
        # Alive at or below y: a normal for each image of the start.
        for image, sign in ((2 * k * gap, 1), (2 * lower + 2 * k * gap, -1)):
            left = (lower - image - gamma * tau) / root
            right = (y - image - gamma * tau) / root
            flip = left + right > 0
            left, right = np.where(flip, -right, left), np.where(flip, -left, right)
            shift = gamma * image
            found += sign * (np.exp(shift + _log_phi(right)) - np.exp(shift + _log_phi(left)))
    return np.asarray(np.where(far, certain, found))


def _log_phi(x: Floats) -> Floats:
    """log of the normal distribution function, also where the function itself underflows."""
    near = np.maximum(x, _TAIL)
    inside = np.log(np.asarray(_erfc(-near / math.sqrt(2)), dtype=np.float64) / 2)
    far = np.maximum(-x, -_TAIL)
    fraction = far
    for level in range(12, 0, -1):  # Laplace's continued fraction of Mills' ratio
        fraction = far + level / fraction
    tail = -(far**2) / 2 - np.log(fraction) - math.log(2 * math.pi) / 2
    return np.asarray(np.where(x >= _TAIL, inside, tail))
