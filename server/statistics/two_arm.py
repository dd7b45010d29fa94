"""The exact likelihood ratio of a difference of two independent means.

When two arms share no openings, each has its own counts n_A and n_B on the same values, and the
hypothesis is mean_A - mean_B = delta. The nuisance mean is profiled out:

    K(delta) = min over mu of  K_A(mu) + K_B(mu - delta),   LLR(d1 : d0) = K(d0) - K(d1)

The slope of the sum in mu, -(N_A x_A(mu) + N_B x_B(mu - delta)), rises strictly, so its root is
found by Newton steps that bisect when they leave the bracket. Arms of unequal size are fine.
"""

import numpy as np
from numpy.typing import ArrayLike

from .gsprt import Floats, checked, deviance_at

_ITERATIONS = 100
_NEWTON = 1e-8  # the deviance is flat at its minimum: its error is of the order of the square
_BRACKET = 1e-14


def deviance(
    counts_a: ArrayLike, counts_b: ArrayLike, support: ArrayLike, difference: ArrayLike
) -> tuple[Floats, Floats]:
    """K(difference) and the mean of arm A that attains it.

    Counts are (..., k), ``difference`` broadcasts against their leading axes and lies strictly
    between minus and plus the width of the support, else ValueError.
    """
    n_a, values = checked(counts_a, support)
    n_b, _ = checked(counts_b, support)
    delta = np.asarray(difference, dtype=np.float64)
    span = values[-1] - values[0]
    if np.any(~(np.abs(delta) < span)):
        raise ValueError(f"a difference to be tested lies strictly between {-span} and {span}")
    shape = np.broadcast_shapes(n_a.shape[:-1], n_b.shape[:-1], delta.shape)
    n_a = np.broadcast_to(n_a, (*shape, values.size))
    n_b = np.broadcast_to(n_b, (*shape, values.size))
    delta = np.broadcast_to(delta, shape)

    # A hair inside the ends, so that both means stay strictly inside the support when rounded.
    low = values[0] + np.maximum(delta, 0) + _BRACKET * span
    high = values[-1] + np.minimum(delta, 0) - _BRACKET * span
    width = high - low
    mu = _pooled_mean(n_a, n_b, values, delta)
    mu = np.where((mu > low) & (mu < high), mu, (low + high) / 2)
    size_a, size_b = n_a.sum(axis=-1), n_b.sum(axis=-1)
    done = size_a + size_b == 0
    x_a: Floats | None = None
    x_b: Floats | None = None
    for _ in range(_ITERATIONS):
        k_a, x_a = deviance_at(n_a, values, mu, x_a)
        k_b, x_b = deviance_at(n_b, values, mu - delta, x_b)
        if np.all(done):
            break
        slope = -(size_a * x_a + size_b * x_b)
        low = np.where(slope < 0, mu, low)
        high = np.where(slope > 0, mu, high)
        curve = size_a * _fall(n_a, values, mu, x_a) + size_b * _fall(n_b, values, mu - delta, x_b)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.where(slope == 0, 0.0, -slope / curve)
        close = np.abs(step) <= _NEWTON * width
        inside = (mu + step > low) & (mu + step < high)
        following = np.where(inside | close, mu + step, (low + high) / 2)
        # Where an arm's units are all alike the sum has a kink, which only bisection finds.
        settled = close | (high - low <= _BRACKET * width)
        mu = np.where(done | settled, mu, following)
        done = done | settled
    return k_a + k_b, mu


def llr(
    counts_a: ArrayLike, counts_b: ArrayLike, support: ArrayLike, delta0: float, delta1: float
) -> Floats:
    """Log-likelihood ratio of mean_A - mean_B = ``delta1`` against ``delta0``."""
    n_a = np.asarray(counts_a, dtype=np.float64)[..., None, :]
    n_b = np.asarray(counts_b, dtype=np.float64)[..., None, :]
    k, _ = deviance(n_a, n_b, support, np.array([delta0, delta1]))
    return np.asarray(k[..., 0] - k[..., 1])


def _pooled_mean(n_a: Floats, n_b: Floats, values: Floats, delta: Floats) -> Floats:
    """Where the sum of two parabolas has its minimum: a first guess of mu."""
    size_a, size_b = n_a.sum(axis=-1), n_b.sum(axis=-1)
    total = n_a @ values + n_b @ values + size_b * delta
    return np.asarray(total / np.maximum(size_a + size_b, 1))


def _fall(n: Floats, values: Floats, mean: Floats, x: Floats) -> Floats:
    """-dx/dmean: sum(n q^2) / sum(n q^2 d^2) with q = 1 / (1 + x d); x^2 on the boundary."""
    d = values - mean[..., None]
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.where(n > 0, 1 / (1 + x[..., None] * d), 0.0)
        weights = n * q**2
        inner = weights.sum(axis=-1) / (weights * d**2).sum(axis=-1)
    boundary = (x <= -1 / d[..., -1]) | (x >= -1 / d[..., 0])
    return np.where(boundary, x**2, inner)
