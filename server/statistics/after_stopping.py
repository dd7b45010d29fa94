"""An honest estimate after a sequential test of two hypotheses has stopped.

A test stops when the score happens to look extreme, so the plain score of a stopped test is
biased outwards, and its plain interval covers too little. The path of the log-likelihood ratio is
nearly a Brownian motion between the two bounds; after N units of mean ``mu`` and variance
sigma^2 it has, with s0 and s1 the two hypotheses on the mean,

    time tau = N (s1 - s0)^2 / sigma^2,   drift = (mu - (s0 + s1) / 2) / (s1 - s0)

and it is at tau times the drift of the score seen; where that is beyond a bound, it is taken to
have stopped on the bound when a straight path of the same drift did. The outcomes are ordered
(:mod:`.brownian`), and for every true score the chance of a worse outcome is known. The score at
which it is one half is **median-unbiased**: too high as often as too low. Those at which it is
1 - p/2 and p/2 are the ends of a 1 - p interval. The chance of a worse outcome at Elo 0 is the
likelihood of superiority (LOS).

It is the estimate of Siegmund (1978) that fishtest made known among engine testers. Near a bound it
may have another sign than the score itself: show both, and say which is which. It is meant for the
plain test of two hypotheses (:mod:`.sequential`), at any state of it, and for effects of up to
about 100 Elo; after any other rule show the score with its confidence sequence.
"""

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from .brownian import drift_at, outcome_cdf
from .elo import NELO_PER_SIGMA, score_of
from .gsprt import Floats, NoInformationError, checked, informative
from .sprt import wald_bounds

Scale = Literal["logistic", "normalized"]


class Estimate(NamedTuple):
    """Logistic Elo, whatever the scale of the bounds; infinite where the score leaves (0, 1)."""

    median: float
    low: float
    high: float
    los: float
    """Likelihood of superiority, in [0, 1]."""


class Estimates(NamedTuple):
    """The same for many experiments, as arrays."""

    median: Floats
    low: Floats
    high: Floats
    los: Floats


def estimate(
    counts: ArrayLike,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    level: float = 0.95,
    *,
    scale: Scale = "logistic",
    games_per_unit: int = 2,
) -> Estimate:
    """The estimate after a test of ``elo0`` against ``elo1`` with these error rates.

    ``counts`` (k,) over equally spaced scores 0 .. 1, lowest first: five cells for game pairs,
    three for single games (``games_per_unit=1``). The bounds are in normalized Elo when ``scale``
    is "normalized". NoInformationError when there are no units or all are alike.
    """
    found = estimates(
        np.asarray(counts, dtype=np.float64)[None],
        elo0,
        elo1,
        alpha,
        beta,
        level,
        scale=scale,
        games_per_unit=games_per_unit,
    )
    return Estimate(*(float(each[0]) for each in found))


def estimates(
    counts: ArrayLike,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    level: float = 0.95,
    *,
    scale: Scale = "logistic",
    games_per_unit: int = 2,
) -> Estimates:
    """:func:`estimate` for counts (r, k) of r experiments; arrays (r,)."""
    if not 0 < level < 1:
        raise ValueError(f"a level lies in (0, 1), not at {level}")
    if not -np.inf < elo0 < elo1 < np.inf:
        raise ValueError("elo0 is below elo1, and both are finite")
    if scale not in get_args(Scale):
        raise ValueError(f"a scale is logistic or normalized, not {scale!r}")
    bounds = wald_bounds(alpha, beta)
    n = np.asarray(counts, dtype=np.float64)
    n, scores = checked(n, np.linspace(0, 1, n.shape[-1] if n.ndim else 1))
    if not np.all(informative(n)):
        raise NoInformationError("no units, or units all alike, do not tell who is stronger")
    units = n.sum(axis=-1)
    mean = n @ scores / units
    variance = (n * (scores - mean[..., None]) ** 2).sum(axis=-1) / units
    if scale == "normalized":
        s0, s1 = (
            0.5 + elo * np.sqrt(games_per_unit * variance) / NELO_PER_SIGMA for elo in (elo0, elo1)
        )
    else:
        s0, s1 = np.full_like(mean, score_of(elo0)), np.full_like(mean, score_of(elo1))
    width, middle = s1 - s0, (s0 + s1) / 2
    time = units * width**2 / variance
    drift = (mean - middle) / width
    end = np.clip(time * drift, *bounds)
    beyond = np.abs(time * drift) > np.abs(end)
    time = np.where(beyond, end / np.where(beyond, drift, 1), time)

    tail = (1 - level) / 2
    drifts = drift_at(np.array([[1 - tail], [0.5], [tail]]), time, end, bounds)
    low, median, high = _elo(middle + width * drifts)
    los = outcome_cdf((0.5 - middle) / width, time, end, bounds)
    return Estimates(median, low, high, los)


def _elo(score: Floats) -> Floats:
    inside = np.clip(score, 0, 1)
    with np.errstate(divide="ignore"):
        return np.asarray(400 * (np.log10(inside) - np.log10(1 - inside)))
