"""Logistic regression of results on evaluations, drawn towards the weights one has.

A position that is worth e centipawns to White is expected to bring p = 1 / (1 + exp(-c e)). The
scale c is fitted first, to the evaluation as it is, and then kept: margins in the search are in
centipawns and must go on meaning the same. Then the changes d of the k weights minimise

    sum_i v_i [-y_i log p_i - (1 - y_i) log (1 - p_i)]  +  strength / 2 sum_j (d_j / s_j)^2

with e_i = now_i + slope_i d, s_j the slack of a weight and v_i one over the number of positions of
the game, for they share its one result ("Texel's tuning method", P. Österlund 2014, with a ridge).
The strength is chosen by cross-validation over games. All is plain linear algebra from fixed
starting points: the same games give the same weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabia.engine.calibration.parameters import Path, changed, slack, value
from tabia.engine.calibration.slopes import Floats, Samples
from tabia.engine.weights import Weights

HELD_OUT = 5
"""One game in so many takes no part in the fit that is judged."""
FOLDS = 4
STRENGTHS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
_STEPS = 60
_SMALL = 1e-9
_CLOSE = 1e-4  # in units of the prior: less than a tenth of a centipawn


@dataclass(frozen=True)
class Fit:
    """weights: the new ones, fitted to all games; scale: c, a centipawn; strength: of the prior.

    loss_before, loss_after: mean log loss, in nats a game, on games held out, of the old weights
    and of weights fitted to the other games alone; gain_error: the standard error of their
    difference; loss_chance: of always expecting the mean result. games, positions: how many of all.
    """

    weights: Weights
    scale: float
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
    weight = 1.0 / np.bincount(order)[order]
    prior = np.array([slack(weights, path) for path in samples.paths])
    data = _Data(samples.now, samples.slope * prior, samples.score, weight)
    held = order % HELD_OUT == 0
    rest = data.where(~held)
    scale = _scale(rest)
    fold = (order[~held] // HELD_OUT) % FOLDS
    strength = min(STRENGTHS, key=lambda each: _cross_validated(rest, fold, scale, each))
    changes = _changes(rest, scale, strength)
    judged = data.where(held)
    before, after = (_losses(judged, scale, d) for d in (np.zeros_like(changes), changes))
    gained = np.bincount(order[held], judged.weight * (before - after))[np.unique(order[held])]
    mean = float(np.average(rest.score, weights=rest.weight))
    best = _changes(data, scale, strength) * prior
    return Fit(
        weights=changed(
            weights,
            {
                path: value(weights, path) + round(float(change))
                for path, change in zip(samples.paths, best, strict=True)
            },
        ),
        scale=scale,
        strength=strength,
        loss_before=float(np.average(before, weights=judged.weight)),
        loss_after=float(np.average(after, weights=judged.weight)),
        loss_chance=float(np.average(_log_loss(judged.score, mean), weights=judged.weight)),
        gain_error=float(gained.std(ddof=1) / np.sqrt(len(gained))),
        games=len(games),
        positions=len(samples.now),
        paths=samples.paths,
    )


@dataclass(frozen=True)
class _Data:
    """now (n,), slope (n, k) a unit of the prior, score (n,), weight (n,)."""

    now: Floats
    slope: Floats
    score: Floats
    weight: Floats

    def where(self, chosen: npt.NDArray[np.bool_]) -> _Data:
        return _Data(self.now[chosen], self.slope[chosen], self.score[chosen], self.weight[chosen])


def _scale(data: _Data) -> float:
    """c of the present evaluation, by Newton's method in one unknown."""
    scale = 0.004
    for _ in range(_STEPS):
        expected = _expected(scale * data.now)
        gradient = float(np.sum(data.weight * (expected - data.score) * data.now))
        curvature = float(np.sum(data.weight * expected * (1 - expected) * data.now**2))
        step = gradient / max(curvature, _SMALL)
        # Never by more than half: far out the curve is flat, and a full step would leave it.
        scale -= max(-scale / 2, min(scale / 2, step))
        if abs(step) < _SMALL * scale:
            break
    return max(scale, 1e-4)


def _changes(data: _Data, scale: float, strength: float) -> Floats:
    """The best changes in units of the prior, by Newton's method: the loss is convex."""
    changes = np.zeros(data.slope.shape[1])
    lowest = _objective(data, scale, strength, changes)
    for _ in range(_STEPS):
        expected = _expected(scale * (data.now + data.slope @ changes))
        gradient = scale * (data.slope.T @ (data.weight * (expected - data.score)))
        curved = data.weight * expected * (1 - expected) * scale**2
        hessian = (data.slope * curved[:, None]).T @ data.slope
        hessian[np.diag_indices_from(hessian)] += strength
        step = np.linalg.solve(hessian, gradient + strength * changes)
        tried = _objective(data, scale, strength, changes - step)
        while tried > lowest and np.any(np.abs(step) > _CLOSE):
            step = step / 2
            tried = _objective(data, scale, strength, changes - step)
        changes, lowest = changes - step, tried
        if not np.any(np.abs(step) > _CLOSE):
            break
    return changes


def _objective(data: _Data, scale: float, strength: float, changes: Floats) -> float:
    loss = float(data.weight @ _losses(data, scale, changes))
    return loss + strength / 2 * float(changes @ changes)


def _cross_validated(
    data: _Data, fold: npt.NDArray[np.int64], scale: float, strength: float
) -> float:
    """The loss of each fold under weights fitted to the others, summed."""
    total = 0.0
    for each in range(FOLDS):
        changes = _changes(data.where(fold != each), scale, strength)
        judged = data.where(fold == each)
        total += float(judged.weight @ _losses(judged, scale, changes))
    return total


def _losses(data: _Data, scale: float, changes: Floats) -> Floats:
    """(n,) in nats."""
    logit = scale * (data.now + data.slope @ changes)
    return np.asarray(np.logaddexp(0.0, logit) - data.score * logit)


def _expected(logit: Floats) -> Floats:
    return np.asarray(0.5 * (1.0 + np.tanh(logit / 2)))


def _log_loss(score: Floats, expected: float) -> Floats:
    return np.asarray(-(score * np.log(expected) + (1 - score) * np.log(1 - expected)))
