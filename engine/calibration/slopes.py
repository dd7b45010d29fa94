"""What each weight does to the evaluation of each position: the evaluator itself is asked.

It is asked twice for every weight, once with the weight a step higher and once a step lower. As
long as the evaluation is linear in the weight that is exact but for the rounding to centipawns,
which a large step makes small; where it is not, it is the slope around the present weights. So the
fit needs to know nothing of what the evaluation is made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabia.engine import _core
from tabia.engine.calibration.games import Game
from tabia.engine.calibration.parameters import Path, changed, parameters, value
from tabia.engine.compiled import compiled
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.weights import Weights

Floats = npt.NDArray[np.float64]
LARGEST_STEP = 256
"""Centipawns."""
_AT_ONCE = 64  # weights: an evaluator takes 200 kB, and reading a game anew its time


@dataclass(frozen=True)
class Course:
    """How a game went: m quiet positions. plies: (m,) rising; left, now: (m,) as in `Samples`."""

    plies: npt.NDArray[np.int64]
    left: Floats
    now: Floats


@dataclass(frozen=True)
class Samples:
    """n positions of the games, in order, and k weights that matter in some of them.

    score: (n,) what White made of the game, 0 to 1; game: (n,) its number; ply: (n,); left: (n,)
    the share of the array's men that are on the board; now: (n,) the present evaluation in
    centipawns from White's side; slope: (n, k) centipawns for each centipawn of weight; paths: of
    the k weights; courses: of the games, by their number.
    """

    score: Floats
    game: npt.NDArray[np.int64]
    ply: npt.NDArray[np.int64]
    left: Floats
    now: Floats
    slope: Floats
    paths: tuple[Path, ...]
    courses: tuple[Course, ...]


def samples_of(rules: RuleSet, weights: Weights, games: Sequence[Game]) -> Samples:
    """The chosen positions of the games, as a fit needs them."""
    core = compiled(rules)
    evaluator = _core.Evaluator.build(core, weights)
    now = _evaluated(core, games, [evaluator])[0]
    paths: list[Path] = []
    columns: list[Floats] = []
    candidates = parameters(weights)
    for first in range(0, len(candidates), _AT_ONCE):
        pairs = [
            (path, *found)
            for path in candidates[first : first + _AT_ONCE]
            if (found := _around(core, weights, path)) is not None
        ]
        seen = _evaluated(core, games, [each for _, _, pair in pairs for each in pair])
        for (path, step, _), higher, lower in zip(pairs, seen[::2], seen[1::2], strict=True):
            column = (higher - lower) / (2.0 * step)
            if np.any(column):
                paths.append(path)
                columns.append(column)
    return Samples(
        score=np.array([game.score for game in games for _ in game.plies], dtype=np.float64),
        game=np.array([n for n, game in enumerate(games) for _ in game.plies], dtype=np.int64),
        ply=np.array([ply for game in games for ply in game.plies], dtype=np.int64),
        left=np.concatenate([_men_left(core, game.moves, game.plies) for game in games]),
        now=now,
        slope=np.stack(columns, axis=1) if columns else np.zeros((len(now), 0)),
        paths=tuple(paths),
        courses=tuple(_course(core, evaluator, game) for game in games),
    )


def _around(
    core: _core.Rules, weights: Weights, path: Path
) -> tuple[int, list[_core.Evaluator]] | None:
    """The step, and evaluators with the weight a step higher and lower; None where the core allows
    no other number there."""
    at, step = value(weights, path), LARGEST_STEP
    while step >= 1:
        try:
            return step, [
                _core.Evaluator.build(core, changed(weights, {path: at + sign * step}))
                for sign in (1, -1)
            ]
        except ValueError:  # out of the bounds that the core sets this term
            step //= 2
    return None


def _evaluated(
    core: _core.Rules, games: Sequence[Game], evaluators: Sequence[_core.Evaluator]
) -> Floats:
    """(evaluators, n) centipawns."""
    rows = [
        np.array(
            _core.evaluations(core, game.moves, game.plies, evaluators), dtype=np.float64
        ).reshape(len(evaluators), -1)
        for game in games
    ]
    return np.concatenate(rows, axis=1) if rows else np.zeros((len(evaluators), 0))


def _course(core: _core.Rules, evaluator: _core.Evaluator, game: Game) -> Course:
    plies = _core.quiet_plies(core, game.moves)
    now = _core.evaluations(core, game.moves, plies, [evaluator])
    return Course(
        plies=np.array(plies, dtype=np.int64),
        left=_men_left(core, game.moves, plies),
        now=np.array(now, dtype=np.float64),
    )


def _men_left(core: _core.Rules, moves: Sequence[str], plies: Sequence[int]) -> Floats:
    counts = _core.men_counts(core, moves, plies)
    return np.array(counts, dtype=np.float64) / _core.men_counts(core, [], [0])[0]
