"""Logistic regression of results on evaluations, drawn towards the weights one has.

A position that is worth e centipawns to White is expected to bring p = 1 / (1 + exp(-c e)). The
scale c = c0 + c1 (share of the men that are left) is fitted first, to the evaluation as it is, and
then kept: a pawn decides more in an ending, and that is to be said by c and not by dearer men, for
the search has margins in centipawns. Then the changes d of the k weights minimise

    sum_i v_i [-y_i log p_i - (1 - y_i) log (1 - p_i)]  +  strength / 2 sum_j (d_j / s_j)^2

with e_i = now_i + slope_i d, s_j the slack of a weight, v_i one over the number of positions of the
game, for they share its one result, and y_i what the position is held to be worth (`returns`):
"Texel's tuning method" (P. Österlund 2014) with a ridge. The strength is chosen by cross-validation
over games, and there and in the end the fit is judged by results alone. All is plain linear algebra
from fixed starting points: the same games give the same weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabia.engine.calibration.parameters import Path, changed, slack, value
from tabia.engine.calibration.returns import returns
from tabia.engine.calibration.slopes import Floats, Samples
from tabia.engine.weights import Weights

HELD_OUT = 5
"""One game in so many takes no part in the fit that is judged."""
FOLDS = 4
STRENGTHS = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
_USUAL_SCALE = 0.004  # a centipawn: a pawn more wins six games of ten
_LEAST_SCALE = 0.0005
_NEARLY_NONE = 0.01
_STEPS = 60
_CLOSE = 1e-4  # in units of the prior: less than a tenth of a centipawn


@dataclass(frozen=True)
class Fit:
    """weights: the new ones, fitted to all games; strength: of the prior.

    loss_before, loss_after: mean log loss, in nats a game, on games held out, of the old weights
    and of weights fitted to the other games alone; gain_error: the standard error of their
    difference; loss_chance: of always expecting the mean result. games, positions: how many of all;
    paths: of the weights that matter in some of them.
    """

    weights: Weights
    strength: float
    loss_before: float
    loss_after: float
    loss_chance: float
    gain_error: float
    games: int
    positions: int
    paths: tuple[Path, ...]


class TooFewGamesError(ValueError):
    """Not enough games to fit anything to."""


def fit(weights: Weights, samples: Samples) -> Fit:
    """New weights from the samples, and what they gain on games that the fit has not seen."""
    games = np.unique(samples.game)
    if len(games) < 10 * HELD_OUT or len(np.unique(samples.score)) < 2:
        raise TooFewGamesError(
            f"{len(games)} games with quiet positions are too few to fit weights to"
        )
    order = np.searchsorted(games, samples.game)
    held = order % HELD_OUT == 0
    weight = 1.0 / np.bincount(order)[order]
    c0, c1 = _scale(samples, weight, ~held)
    scale = _at(c0, c1, samples.left)
    prior = np.array([slack(weights, path) for path in samples.paths])
    slope = samples.slope * prior * scale[:, None]
    data = _Data(samples.now * scale, slope, samples.score, _taught(samples, c0, c1), weight)
    rest, judged = data.where(~held), data.where(held)
    fold = (order[~held] // HELD_OUT) % FOLDS
    strength = min(STRENGTHS, key=lambda each: _cross_validated(rest, fold, each))
    changes = _changes(rest, strength)
    before, after = (_losses(judged, d, judged.score) for d in (np.zeros_like(changes), changes))
    gained = np.bincount(order[held], judged.weight * (before - after))[np.unique(order[held])]
    best = _changes(data, strength) * prior
    return Fit(
        weights=changed(
            weights,
            {
                path: value(weights, path) + round(float(change))
                for path, change in zip(samples.paths, best, strict=True)
            },
        ),
        strength=strength,
        loss_before=float(np.average(before, weights=judged.weight)),
        loss_after=float(np.average(after, weights=judged.weight)),
        loss_chance=_constant_loss(judged, float(np.average(rest.score, weights=rest.weight))),
        gain_error=float(gained.std(ddof=1) / np.sqrt(len(gained))),
        games=len(games),
        positions=len(samples.now),
        paths=samples.paths,
    )


@dataclass(frozen=True)
class _Data:
    """now (n,) and slope (n, k) in units of the logit and of the prior; (n,) each: score, which
    judges a fit, taught, which it is fitted to, and weight."""

    now: Floats
    slope: Floats
    score: Floats
    taught: Floats
    weight: Floats

    def where(self, chosen: npt.NDArray[np.bool_]) -> _Data:
        return _Data(
            self.now[chosen],
            self.slope[chosen],
            self.score[chosen],
            self.taught[chosen],
            self.weight[chosen],
        )


def _scale(samples: Samples, weight: Floats, chosen: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """c0 and c1, fitted to the results of the chosen positions."""
    terms = np.stack([samples.now, samples.now * samples.left], axis=1) * _USUAL_SCALE
    none, score = np.zeros_like(samples.now), samples.score
    found = _changes(_Data(none, terms, score, score, weight).where(chosen), _NEARLY_NONE)
    return float(found[0]) * _USUAL_SCALE, float(found[1]) * _USUAL_SCALE


def _at(c0: float, c1: float, left: Floats) -> Floats:
    return np.maximum(c0 + c1 * left, _LEAST_SCALE)


def _taught(samples: Samples, c0: float, c1: float) -> Floats:
    """(n,) what the positions are held to be worth; their results, where no courses are known."""
    taught = samples.score.copy()
    for number, course in enumerate(samples.courses):
        mine = samples.game == number
        if np.any(mine):
            expected = _expected(_at(c0, c1, course.left) * course.now)
            found = returns(course, expected, float(samples.score[mine][0]))
            taught[mine] = [found[int(ply)] for ply in samples.ply[mine]]
    return taught


def _changes(data: _Data, strength: float) -> Floats:
    """The best changes in units of the prior, by Newton's method: the loss is convex."""
    changes = np.zeros(data.slope.shape[1])
    lowest = _objective(data, strength, changes)
    for _ in range(_STEPS):
        expected = _expected(data.now + data.slope @ changes)
        gradient = data.slope.T @ (data.weight * (expected - data.taught)) + strength * changes
        curved = data.weight * expected * (1 - expected)
        hessian = (data.slope * curved[:, None]).T @ data.slope
        hessian[np.diag_indices_from(hessian)] += strength
        step = np.linalg.solve(hessian, gradient)
        tried = _objective(data, strength, changes - step)
        while tried > lowest and np.any(np.abs(step) > _CLOSE):
            step = step / 2
            tried = _objective(data, strength, changes - step)
        changes, lowest = changes - step, tried
        if not np.any(np.abs(step) > _CLOSE):
            break
    return changes


def _objective(data: _Data, strength: float, changes: Floats) -> float:
    loss = float(data.weight @ _losses(data, changes, data.taught))
    return loss + strength / 2 * float(changes @ changes)


def _cross_validated(data: _Data, fold: npt.NDArray[np.int64], strength: float) -> float:
    """The loss of each fold under weights fitted to the others, summed."""
    total = 0.0
    for each in range(FOLDS):
        changes = _changes(data.where(fold != each), strength)
        judged = data.where(fold == each)
        total += float(judged.weight @ _losses(judged, changes, judged.score))
    return total


def _losses(data: _Data, changes: Floats, score: Floats) -> Floats:
    """(n,) in nats, of what the changed weights expect when it comes to this score."""
    logit = data.now + data.slope @ changes
    return np.asarray(np.logaddexp(0.0, logit) - score * logit)


def _constant_loss(data: _Data, expected: float) -> float:
    """Of expecting the same of every position."""
    losses = data.score * np.log(expected) + (1 - data.score) * np.log(1 - expected)
    return -float(np.average(losses, weights=data.weight))


def _expected(logit: Floats) -> Floats:
    return np.asarray(0.5 * (1.0 + np.tanh(logit / 2)))
