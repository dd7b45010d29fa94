"""How likely a loss, a draw and a win are at a rating difference: three models of one game.

x = ln(10) / 400 times (White's rating - Black's + the first-move advantage), L(x) = 1 / (1 + e^-x).

``logistic``     the expected score is L(x), and nothing is said about draws: the log-likelihood of
                 a draw is that of half a win and half a loss. A quasi-likelihood: its estimates are
                 consistent whatever the draws do, its curvature is not the inverse of a variance.
                 These are Ordo's ratings (with ``-z 200.24``: its default scale is 0.9 % larger).
``davidson``     P(win) : P(draw) : P(loss) = e^(x/2) : nu : e^(-x/2)       (Davidson 1970)
``rao_kupper``   P(win) = L(x - d), P(loss) = L(-x - d)        (Rao and Kupper 1967; BayesElo)

The scores that they predict are equally good; their Elo scales differ by factors of up to four.
Never compare numbers of two models. All arrays here have the outcomes on their last axis, in the
order loss, draw, win of White.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .gsprt import Floats

SCORES = np.array([0.0, 0.5, 1.0])
"""What the three outcomes are worth to White."""


class Terms(NamedTuple):
    """What one game adds, for every x (e,) and outcome: all (e, 3).

    The log-likelihood, its slopes in x and in the draw parameter, and minus its second derivatives.
    """

    log: Floats
    slope: Floats
    slope_draw: Floats
    bend: Floats
    bend_mixed: Floats
    bend_draw: Floats


@dataclass(frozen=True)
class DrawModel:
    """One of the models: its name and its terms at x (e,) and the draw parameter z.

    z is ln nu (Davidson) or d (Rao and Kupper). ``starting`` guesses it from the share of draws in
    (0, 1), ``reported`` makes of it what a reader knows: nu, or d in units of x.
    """

    name: str
    terms: Callable[[Floats, float], Terms]
    has_draw_parameter: bool
    starting: Callable[[float], float]
    reported: Callable[[float], float]
    draws_of_equals: Callable[[float], float]
    """The draw rate at x = 0."""
    least: float = -np.inf
    """The draw parameter stays above this."""


def logistic_score(x: Floats) -> Floats:
    """L(x), without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(x / 2)))


def _logistic(x: Floats, _: float) -> Terms:
    win, loss = -np.logaddexp(0, -x), -np.logaddexp(0, x)
    expected = logistic_score(x)
    bend = np.repeat((expected * logistic_score(-x))[:, None], 3, axis=1)
    none = np.zeros_like(bend)
    log = np.stack([loss, (win + loss) / 2, win], axis=1)
    return Terms(log, SCORES - expected[:, None], none, bend, none, none)


def _davidson(x: Floats, z: float) -> Terms:
    weights = np.stack([-x / 2, np.full_like(x, z), x / 2], axis=1)
    log = weights - np.logaddexp.reduce(weights, axis=1)[:, None]
    chance = np.exp(log)
    draw = chance[:, 1]
    expected = chance @ SCORES
    # An exponential family: minus the second derivatives are the (co)variances of score and draw.
    bends = (
        chance @ SCORES**2 - expected**2,
        draw / 2 - draw * expected,
        draw * (1 - draw),
    )
    slope_draw = np.array([0.0, 1.0, 0.0]) - draw[:, None]
    return Terms(
        log,
        SCORES - expected[:, None],
        slope_draw,
        *(np.repeat(bend[:, None], 3, axis=1) for bend in bends),
    )


def _rao_kupper(x: Floats, z: float) -> Terms:
    # A win says L(x - d), a loss L(-x - d), a draw the product of both times e^(2d) - 1.
    up, down = x - z, -x - z
    log_up, log_down = -np.logaddexp(0, -up), -np.logaddexp(0, -down)
    miss_up, miss_down = logistic_score(-up), logistic_score(-down)
    bend_up, bend_down = miss_up * (1 - miss_up), miss_down * (1 - miss_down)
    spread = -np.expm1(-2 * z)
    log_draw = 2 * z + np.log(spread)
    slope_draw = 2 / spread
    bend_draw = 4 * np.exp(-2 * z) / spread**2
    return Terms(
        np.stack([log_down, log_up + log_down + log_draw, log_up], axis=1),
        np.stack([-miss_down, miss_up - miss_down, miss_up], axis=1),
        np.stack([-miss_down, slope_draw - miss_up - miss_down, -miss_up], axis=1),
        np.stack([bend_down, bend_up + bend_down, bend_up], axis=1),
        np.stack([bend_down, bend_down - bend_up, -bend_up], axis=1),
        np.stack([bend_down, bend_up + bend_down + bend_draw, bend_up], axis=1),
    )


def _nothing(_: float) -> float:
    return 0.0


LOGISTIC = DrawModel("logistic", _logistic, False, _nothing, _nothing, _nothing)
DAVIDSON = DrawModel(
    "davidson",
    _davidson,
    True,
    starting=lambda share: float(np.log(2 * share / (1 - share))),
    reported=lambda z: float(np.exp(z)),
    draws_of_equals=lambda z: float(np.exp(z) / (2 + np.exp(z))),
)
RAO_KUPPER = DrawModel(
    "rao_kupper",
    _rao_kupper,
    True,
    starting=lambda share: float(2 * np.arctanh(share)),
    reported=float,
    draws_of_equals=lambda z: float(np.tanh(z / 2)),
    least=0.0,
)
MODELS = {model.name: model for model in (LOGISTIC, DAVIDSON, RAO_KUPPER)}
