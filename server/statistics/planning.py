"""What a test will cost, before its first game.

All rules cost a number of units of the form  c sigma^2 / margin^2, sigma^2 being the variance of a
unit's value and the margin being measured on the same scale; c depends on the rule, on the error
rates and on the true effect. Four ways to decide:

- **fixed sample**: (z_(1-alpha) + z_(1-beta))^2, one-sided like a test of two hypotheses, or
  with alpha / 2 when either direction may be found;
- **gsprt**: a Brownian motion between Wald's bounds (:mod:`.sprt`, :mod:`.brownian`);
- **sobel-wald**: both tests of :mod:`.sobel_wald` on one Brownian motion (below);
- **unpaired**: any of them with the variance of a difference of two independent games, see
  :func:`unpaired_variance`.

They are the limits of many units, for a test that stops on its bound. One that looks every 16 units
and allows for half of the overshoot (:mod:`.sequential`) takes 8 to 10 % more at 300 to 500 units,
and the less the longer it is.

When the rules touch only a share f of the units, the others being the same game twice, the variance
of a difference is f times that of a touched unit. For the **same overall effect** the test then
needs about f times the units. But a rule that matters just as much whenever it matters, only more
rarely, has an overall effect of f times as much too, and needs 1 / f times the units: coupling
saves games, it does not make rare things frequent. See :func:`coupled_variance`.
"""

import math
from collections.abc import Callable
from functools import cache
from statistics import NormalDist
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import sobel_wald
from .brownian import absorbed_below, outcome_cdf
from .gsprt import Floats
from .sprt import Bounds, characteristics, wald_bounds

Rule = Literal["fixed", "gsprt", "sobel-wald"]

BUDGET_FACTOR = 2.8
"""The budget advised, over the expected length at the effect that takes longest: enough for
nineteen experiments in twenty (simulated with looks every 16 units; with 2.5, 7 to 8 in a hundred
had no answer). 31 sigma^2 / margin^2 for Sobel and Wald's test at rates of 0.05."""

SUPPOSED_RATE = 0.3
"""Of draws, or of whatever else is asked for, where nobody knows better yet."""

_LONGEST = 1e15
_FARTHEST = 1e6
_STEP = 0.02
_GRID = 301
_CONTINUITY = 0.5826
"""A walk seen at steps of dt passes a bound as a Brownian motion passes one that is this many times
sqrt(dt) further out (Siegmund 1985, chapter X: -zeta(1/2) / sqrt(2 pi))."""


class Length(NamedTuple):
    """How many units a test takes."""

    mean: float
    p95: float
    """Nineteen tests in twenty take no more."""


class Plan(NamedTuple):
    """Lengths in units, by the true effect, and a budget."""

    none: Length
    """With no effect at all; for gsprt, at the lower hypothesis."""
    halfway: Length
    """With half of the margin, where it takes longest."""
    margin: Length
    """With an effect of the margin; for gsprt, at the upper hypothesis."""
    budget: int
    """The number of units to declare."""


class Effort(NamedTuple):
    """What so many units are in games and in time."""

    games: float
    core_hours: float


def plan(
    rule: Rule, margin: float, variance: float, alpha: float = 0.05, beta: float = 0.05
) -> Plan:
    """The lengths of a test that is to find an effect of ``margin``.

    ``margin`` > 0 and ``variance`` > 0 are on one scale, that of a unit's value: for two players
    the margin is :func:`.elo.score_of` (Elo) - 1/2 and the variance that of a pair's score; for
    gsprt it is the distance of the two hypotheses. ``alpha`` is that of both directions together
    for "sobel-wald", of the one direction for "gsprt" and "fixed" (pass half of it for two).
    """
    if not (0 < margin < math.inf and 0 < variance < math.inf):
        raise ValueError("margin and variance are positive and finite")
    unit = variance / margin / margin
    if not 0 < unit < _LONGEST:
        raise ValueError(f"a margin that takes {unit:.0e} units cannot be tested")
    lengths = (length(rule, effect, alpha, beta) for effect in (0, 0.5, 1))
    none, halfway, full = (Length(mean * unit, p95 * unit) for mean, p95 in lengths)
    factor = 1.0 if rule == "fixed" else BUDGET_FACTOR
    return Plan(none, halfway, full, math.ceil(factor * halfway.mean))


@cache
def length(rule: Rule, effect: float, alpha: float = 0.05, beta: float = 0.05) -> Length:
    """The length in units of sigma^2 / margin^2, when the true effect is ``effect`` margins."""
    if not abs(effect) <= _FARTHEST:
        raise ValueError(f"an effect is at most {_FARTHEST:g} margins")
    if rule == "fixed":
        wald_bounds(alpha, beta)  # the error rates are possible ones
        z = NormalDist().inv_cdf(1 - alpha) + NormalDist().inv_cdf(1 - beta)
        return Length(z**2, z**2)
    if rule == "gsprt":
        bounds = wald_bounds(alpha, beta)
        mean = characteristics(effect, 1.0, 0.0, 1.0, bounds).expected_units
        return Length(mean, _p95(lambda t: float(_ended(effect - 0.5, t, bounds))))
    if rule == "sobel-wald":
        return _sobel_wald(abs(effect), sobel_wald.bounds(alpha, beta))
    raise ValueError(f"a rule is fixed, gsprt or sobel-wald, not {rule!r}")


def effort(units: float, games_per_unit: int, seconds_per_game: float) -> Effort:
    """Games, and hours of one core, of so many units."""
    games = units * games_per_unit
    if not (
        units >= 0 and games_per_unit >= 1 and 0 <= games * max(seconds_per_game, 1) < math.inf
    ):
        raise ValueError("units, games and seconds are finite and not negative")
    return Effort(games, games * seconds_per_game / 3600)


def level_pair_variance(draw_rate: float) -> float:
    """The variance of what a unit of two level games is worth, on [0, 1].

    A game of a level match with draw rate p has variance (1 - p) / 4, and the mean of two, a pair's
    score, half of that. A difference d of two games taken as (d + 1) / 2 has as much.
    """
    if not 0 <= draw_rate <= 1:
        raise ValueError("a rate lies in [0, 1]")
    return (1 - draw_rate) / 8


def rate_pair_variance(rate: float) -> float:
    """The same where a game counts as 1 at that rate, and else as 0: of variance p (1 - p)."""
    if not 0 <= rate <= 1:
        raise ValueError("a rate lies in [0, 1]")
    return rate * (1 - rate) / 2


def unpaired_variance(variance_a: float, variance_b: float) -> float:
    """The variance of A's game less B's, without a common opening; a unit is one game of each."""
    if not (0 <= variance_a < math.inf and 0 <= variance_b < math.inf):
        raise ValueError("variances are finite and not negative")
    return variance_a + variance_b


def coupled_variance(touched_variance: float, share: float) -> float:
    """The variance of a unit when a ``share`` of them is touched, those with this variance.

    The effect to be found is that over **all** units: ``share`` times the effect on a touched one.
    """
    if not (0 <= share <= 1 and 0 <= touched_variance < math.inf):
        raise ValueError("a share lies in [0, 1], and a variance is finite and not negative")
    return share * touched_variance


# Sobel and Wald in the limit. With time u in units of sigma^2 / margin^2 and x the sum of the
# units' values in units of sigma^2 / margin, x is a Brownian motion of variance u and drift
# `effect`, and the two log-likelihood ratios are +-x - u / 2. Both tests run while
# |x| < -A - u / 2, a triangle; once one of them has accepted 0 the other is a test of two
# hypotheses that has begun.


def _sobel_wald(effect: float, bounds: Bounds) -> Length:
    lower, upper = bounds
    times, left, found = _leaving_the_triangle(effect, bounds)
    # left[0]: the test against +margin closed, and the one against -margin stands at -A - u.
    standing = np.clip(-lower - times, lower + 1e-9, upper - 1e-9)
    drifts = (-effect - 0.5, effect - 0.5)
    mean = float(times @ (left.sum(axis=0) + found))
    for share, drift in zip(left, drifts, strict=True):
        mean += float(share @ _remaining(drift, standing, bounds))

    def ended(t: float) -> float:
        then = times < t
        return float(found[then].sum()) + sum(
            float(share[then] @ _ended(drift, t - times[then], bounds, standing[then]))
            for share, drift in zip(left, drifts, strict=True)
        )

    return Length(mean, _p95(ended))


def _leaving_the_triangle(effect: float, bounds: Bounds) -> tuple[Floats, Floats, Floats]:
    """Times (s,); probability (2, s) that the test against + or - margin closes then; and that (s,)
    one accepts its margin before either has closed.
    """
    lower, upper = bounds
    x = np.linspace(lower, -lower, _GRID)
    move = x[None, :] - x[:, None] - effect * _STEP
    kernel = np.exp(-(move**2) / (2 * _STEP)) * (x[1] - x[0]) / math.sqrt(2 * math.pi * _STEP)
    # What leaves the grid has left the triangle as well.
    below = np.array([NormalDist().cdf((x[0] - s - effect * _STEP) / _STEP**0.5) for s in x])
    shift = _CONTINUITY * math.sqrt(_STEP)
    density = np.zeros(_GRID)
    density[_GRID // 2] = 1
    steps = math.ceil(-2 * lower / _STEP)
    times = np.arange(1.0, steps + 1) * _STEP
    left, found = np.zeros((2, steps)), np.zeros(steps)
    for step, u in enumerate(times):
        out_below = float(density @ below)
        total = float(density.sum())
        density = density @ kernel
        out_above = max(total - out_below - float(density.sum()), 0.0)
        edge = max(-lower - u / 2 - shift, 0)
        accepting = upper + u / 2 - shift
        down, up = x <= -edge, (x >= edge) & (x > -edge)
        fell, rose = out_below + float(density[down].sum()), out_above + float(density[up].sum())
        if accepting < edge:
            # The bound of the margin lies inside: both directions may be found at once.
            outside = np.abs(x) >= accepting
            found[step] = fell + rose + float(density[outside & ~down & ~up].sum())
            density[outside] = 0
        else:
            left[0, step], left[1, step] = fell, rose
        density[down | up] = 0
    return times, left, found


def _remaining(drift: float, standing: Floats, bounds: Bounds) -> Floats:
    """Expected further time of a path with unit variance that stands there."""
    lower, upper = bounds
    if abs(drift) < 1e-9:
        return (standing - lower) * (upper - standing)
    down = absorbed_below(drift, bounds, standing)
    return np.asarray((down * lower + (1 - down) * upper - standing) / drift)


def _ended(drift: float, time: ArrayLike, bounds: Bounds, start: ArrayLike = 0.0) -> Floats:
    """Probability that paths of this drift, that started there, have reached a bound by now."""
    at_lower, at_upper = (outcome_cdf(drift, time, end, bounds, start) for end in bounds)
    return np.asarray(at_lower + 1 - at_upper)


def _p95(ended: Callable[[float], float]) -> float:
    """The time by which 95 of 100 have ended."""
    low, high = 0.0, 1.0
    while ended(high) < 0.95:
        low, high = high, 2 * high
    while high - low > 1e-3 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if ended(middle) < 0.95 else (low, middle)
    return (low + high) / 2
