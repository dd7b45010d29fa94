"""Two more ways to bet against a mean, each in closed form.

**Beta-binomial**: for a rate, the likelihood averaged over a Beta(a, b) prior against that of the
rate in question (Ville 1939; Robbins 1970). **Universal portfolio**: the best constant bet in
hindsight is the deviance K(m) of :mod:`.gsprt`, and Cover's portfolio loses to it no more than the
Beta(1/2, 1/2) regret, whatever the order of the outcomes (Orabona and Jun, "Tight concentrations
and confidence sequences from the regret of universal portfolio", 2024). Both are exact at any
number of units and may be watched. The mixture of :mod:`.confidence` is narrower at nearly every
size and is what we show; these are for comparison, and where a prior is wanted.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .gsprt import Floats, checked, deviance_at

_BISECTIONS = 60

_lgamma: Any = np.frompyfunc(math.lgamma, 1, 1)


def log_e_beta_binomial(
    successes: ArrayLike, trials: ArrayLike, rate: ArrayLike, a: float = 0.5, b: float = 0.5
) -> Floats:
    """log of  B(a + s, b + n - s) / B(a, b) / (rate^s (1 - rate)^(n - s)); arguments broadcast.

    s of n trials succeeded; ``rate`` in (0, 1) is in question; a, b > 0 are the prior's.
    """
    s, n, p = (np.asarray(each, dtype=np.float64) for each in (successes, trials, rate))
    if np.any(~((s >= 0) & (s <= n))) or np.any(~np.isfinite(n)):
        raise ValueError("successes lie between 0 and the trials, which are finite")
    if np.any(~((p > 0) & (p < 1))) or not (a > 0 and b > 0):
        raise ValueError("a rate to be tested lies in (0, 1), and the prior's a and b above 0")
    against = s * np.log(p) + (n - s) * np.log1p(-p)
    return np.asarray(_log_beta(a + s, b + n - s) - _log_beta(a, b) - against)


def log_e_universal_portfolio(counts: ArrayLike, support: ArrayLike, mean: ArrayLike) -> Floats:
    """K(mean) - log( sqrt(pi) Gamma(n + 1) / Gamma(n + 1/2) ), a lower bound of the log fortune.

    ``counts`` (..., k) over ``support`` (k,); ``mean`` lies strictly inside it and broadcasts.
    """
    n, values = checked(counts, support)
    k, _ = deviance_at(n, values, np.asarray(mean, dtype=np.float64))
    return np.asarray(k - _regret(n.sum(axis=-1)))


def universal_portfolio_interval(
    counts: ArrayLike, support: ArrayLike, alpha: float = 0.05
) -> tuple[Floats, Floats]:
    """The means whose log e-value above is below log(1 / alpha): a confidence sequence's interval.

    Both ends have the leading shape of the counts; without a unit it is the whole support.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha lies in (0, 1), not at {alpha}")
    n, values = checked(counts, support)
    size = n.sum(axis=-1)
    target = _regret(size) - math.log(alpha)
    bottom, top = values[0], values[-1]
    mean = np.where(size > 0, n @ values / np.where(size > 0, size, 1), (bottom + top) / 2)
    ends = []
    for end in (bottom, top):
        inner, outer = mean, np.full_like(mean, end)
        for _ in range(_BISECTIONS):
            middle = (inner + outer) / 2
            inside = (middle > bottom) & (middle < top)
            k, _ = deviance_at(n, values, np.where(inside, middle, (bottom + top) / 2))
            kept = (k < target) & inside
            inner, outer = np.where(kept, middle, inner), np.where(kept, outer, middle)
        # Nothing found beyond it: the end of the support itself cannot be excluded.
        ends.append(np.where(outer == end, end, (inner + outer) / 2))
    return ends[0], ends[1]


def _regret(n: Floats) -> Floats:
    return np.asarray(math.log(math.pi) / 2 + _log_gamma(n + 1) - _log_gamma(n + 0.5))


def _log_beta(a: ArrayLike, b: ArrayLike) -> Floats:
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    return _log_gamma(x) + _log_gamma(y) - _log_gamma(x + y)


def _log_gamma(x: Floats) -> Floats:
    return np.asarray(_lgamma(x), dtype=np.float64)
