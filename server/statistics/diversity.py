"""How many different things there are: entropy from counts, and the effective number.

With n_j games that did j, N in all and K different ones, p_j = n_j / N:

    H = -sum p_j ln p_j  +  (K - 1) / (2 N)        (Shannon; Miller and Madow's correction, 1955)

in nats. exp(H) is the effective number: so many equally frequent ones would have that entropy
(Hill 1973). The plain entropy of a sample is too small; the correction takes away its bias of
order 1 / N.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

UNSEEN = 0.05
"""With a larger share of things seen once, too much is unseen for an interval to hold.

Below it, 95 % intervals held the truth in .93 to .98 of samples of 100 to 3000, uniform, geometric
and as 1 / rank."""


class Diversity(NamedTuple):
    """What a sample says; intervals at the level asked for, None where none would hold."""

    entropy: float
    """H in nats; 0 for an empty sample."""
    se: float
    """Its standard error by the jackknife."""
    effective: float
    """exp(H): 1 when all are alike."""
    interval: tuple[float, float] | None
    """Of the effective number."""
    different: int
    """K."""
    unseen: float
    """The chance that the next one is new: the share of what was seen once (Good 1953)."""


def diversity(counts: Iterable[int], level: float = 0.95) -> Diversity:
    """The diversity behind these counts; noughts do not matter. ValueError for negative ones.

    The jackknife leaves out one game at a time: with H_-j the entropy without a game that did j,
    var = (N - 1) / N sum_j n_j (H_-j - mean)^2 (Efron and Stein 1981).
    """
    n = np.array([count for count in counts if count != 0], dtype=np.float64)
    if np.any(n < 0) or not np.all(np.isfinite(n)):
        raise ValueError("counts are finite and not negative")
    if not n.size:
        return Diversity(0.0, 0.0, 1.0, None, 0, 1.0)
    size = float(n.sum())
    entropy = _entropy(float(n @ np.log(n)), size, n.size)
    unseen = float((n == 1).sum() / size)
    if size == 1:
        return Diversity(0.0, 0.0, 1.0, None, 1, unseen)
    rest = np.maximum(n - 1, 1)  # x ln x is 0 at both 0 and 1
    change = rest * np.log(rest) - n * np.log(n)
    without = np.array(
        [
            _entropy(float(n @ np.log(n)) + float(step), size - 1, n.size - int(count == 1))
            for count, step in zip(n, change, strict=True)
        ]
    )
    mean = float(n @ without) / size
    se = math.sqrt((size - 1) / size * float(n @ (without - mean) ** 2))
    z = NormalDist().inv_cdf((1 + level) / 2)
    interval = None
    if unseen <= UNSEEN:
        # There is never less than one.
        interval = max(1.0, math.exp(entropy - z * se)), math.exp(entropy + z * se)
    return Diversity(entropy, se, math.exp(entropy), interval, n.size, unseen)


def _entropy(sum_n_log_n: float, size: float, different: int) -> float:
    return max(0.0, math.log(size) - sum_n_log_n / size) + (different - 1) / (2 * size)
