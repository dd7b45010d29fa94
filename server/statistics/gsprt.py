"""The generalized sequential probability ratio test of a mean, exactly.

Units fall into k outcomes with values a_1 < ... < a_k; n_j of them into outcome j. Among all
distributions on these values with mean s, the most likely one has

    p_j = n_j / N / (1 + x (a_j - s)),   x maximising  sum_j n_j log(1 + x (a_j - s))

on the closed interval [-1 / (a_k - s), 1 / (s - a_1)] (Van den Bergh, "The GSPRT for multinomial
distributions"; Owen's empirical likelihood). The maximum is the deviance K(s): by how much mean s
explains the counts worse than the counts themselves do. Then LLR(s1 : s0) = K(s0) - K(s1).

The interval is closed on purpose. When an extreme outcome has not been seen, x may sit on its
boundary, which puts mass on the unseen outcome; no count has to be invented for an empty cell, and
an LLR of all-equal units is a number that means something ("three hundred equal units exclude
that one in a hundred differs").
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

_ITERATIONS = 200
_PRECISION = 1e-9


def deviance(counts: ArrayLike, support: ArrayLike, mean: ArrayLike) -> Floats:
    """K(mean): twice this is asymptotically chi-squared with one degree of freedom.

    ``counts`` (..., k) may be fractional but not negative; ``support`` (k,) is strictly
    increasing; ``mean`` broadcasts against the leading axes of ``counts`` and lies strictly inside
    the support, else ValueError. Without a unit it is 0.
    """
    n, values = checked(counts, support)
    return deviance_at(n, values, np.asarray(mean, dtype=np.float64))[0]


def llr(counts: ArrayLike, support: ArrayLike, mean0: float, mean1: float) -> Floats:
    """Log-likelihood ratio of mean ``mean1`` against ``mean0``, shape of ``counts`` without k."""
    n, values = checked(counts, support)
    k, _ = deviance_at(n[..., None, :], values, np.array([mean0, mean1]))
    return np.asarray(k[..., 0] - k[..., 1])


def checked(counts: ArrayLike, support: ArrayLike) -> tuple[Floats, Floats]:
    """Counts and support as arrays, or a ValueError that says what is wrong with them."""
    n = np.asarray(counts, dtype=np.float64)
    values = np.asarray(support, dtype=np.float64)
    if values.ndim != 1 or values.size < 2 or not np.all(np.diff(values) > 0):
        raise ValueError("a support is two values or more in increasing order")
    if n.shape[-1:] != values.shape:
        raise ValueError(f"{values.size} values need as many counts, not {n.shape[-1:]}")
    if not np.all(np.isfinite(n)) or np.any(n < 0):
        raise ValueError("counts are finite and not negative")
    return n, values


def informative(counts: ArrayLike) -> NDArray[np.bool_]:
    """Whether units (..., k) differ at all; the shape of ``counts`` without k.

    When the first mover always wins, every pair of games is level: the pairs have no variance,
    their normalized Elo is nought over nought, and nothing says how far off their score is. Only
    the likelihood ratio of two means still does: so many level pairs exclude a mean that needs some
    that are not.
    """
    n = np.asarray(counts, dtype=np.float64)
    return np.asarray(np.count_nonzero(n > 0, axis=-1) > 1)


class NoInformationError(ValueError):
    """The units do not say what is asked: there are none, or all are alike."""


def deviance_at(
    n: Floats, values: Floats, mean: Floats, start: Floats | None = None
) -> tuple[Floats, Floats]:
    """K(mean) and the multiplier x that attains it, for counts already checked.

    N x is minus the slope of K in the mean (the envelope theorem), which the two-arm test uses.
    ``start`` is a first guess of x, of the shape of the answer.
    """
    if np.any(~((mean > values[0]) & (mean < values[-1]))):
        raise ValueError(f"a mean to be tested lies strictly between {values[0]} and {values[-1]}")
    d = values - mean[..., None]
    n, d = np.broadcast_arrays(n, d)
    return greatest_growth(n, d, start)


def greatest_growth(n: Floats, d: Floats, start: Floats | None = None) -> tuple[Floats, Floats]:
    """max over x of sum_j n_j log(1 + x d_j) on the closed interval, and the x that attains it.

    ``n`` and ``d`` (..., k) are of one shape; ``d`` rises along its last axis, from below 0 to
    above it.

    The derivative f(x) = sum n_j d_j / (1 + x d_j) falls strictly in x, so that its root is found
    by Newton steps that bisect when they leave the bracket; an end where an unseen extreme leaves
    f finite is tried first.
    """
    low, high = -1 / d[..., -1], -1 / d[..., 0]

    # An end of the interval is the answer when the derivative does not change sign before it.
    at_low = (n[..., -1] == 0) & (_slope(n, d, low)[0] <= 0)
    at_high = (n[..., 0] == 0) & (_slope(n, d, high)[0] >= 0)
    empty = n.sum(axis=-1) == 0
    x = np.where(at_low, low, np.where(at_high, high, 0.0))
    x = np.where(empty, 0.0, x)
    done = at_low | at_high | empty
    if start is not None:
        x = np.where(done | (start <= low) | (start >= high), x, start)

    width = high - low
    for _ in range(_ITERATIONS):
        if np.all(done):
            break
        first, second = _slope(n, d, x)
        low = np.where(first > 0, x, low)
        high = np.where(first < 0, x, high)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.where(first == 0, 0.0, first / second)
        settled = (np.abs(step) <= _PRECISION * width) | (high - low <= _PRECISION * width)
        inside = (x + step > low) & (x + step < high)
        following = np.where(inside, x + step, (low + high) / 2)
        x = np.where(done | settled, x, following)
        done = done | settled
    return _log_growth(n, d, x), x


def _slope(n: Floats, d: Floats, x: Floats) -> tuple[Floats, Floats]:
    """The derivative of sum n log(1 + x d) in x, and minus its second derivative."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(n > 0, d / (1 + x[..., None] * d), 0.0)
    weighted = n * ratio
    # Over so short an axis einsum is several times as fast as a sum.
    return (
        np.asarray(np.einsum("...j->...", weighted)),
        np.asarray(np.einsum("...j,...j->...", weighted, ratio)),
    )


def _log_growth(n: Floats, d: Floats, x: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(n > 0, n * np.log1p(x[..., None] * d), 0.0).sum(axis=-1))
