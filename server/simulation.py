"""Experiments drawn at random, decided by the very rule that decides real ones.

What a declared question costs and how often it errs, for a supposed law of the units:
``benchmarks/error_rates.py`` prints it for many.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabia.server import stopping
from tabia.server.metrics import CLASSES
from tabia.server.question import MEETINGS, Question
from tabia.server.statistics import confidence
from tabia.server.statistics.gsprt import Floats
from tabia.server.statistics.sobel_wald import OPEN

_UNIT_VALUES = np.linspace(0, 1, 5)
_HALF = stopping.COUNTINGS.index("half")


@dataclass(frozen=True)
class Simulated:
    """What became of the experiments, one array element each."""

    outcomes: NDArray[np.int64]
    """As :func:`tabia.server.stopping.outcome`; OPEN where the budget ended it."""
    units: NDArray[np.int64]
    """How many units it took."""
    excluded: NDArray[np.bool_]
    """Whether the confidence sequence of the primary number excluded the truth at some look."""

    def share(self, *outcomes: int) -> float:
        """The share of experiments with one of these outcomes."""
        return float(np.isin(self.outcomes, outcomes).mean())


def cell_values(question: Question) -> Floats:
    """What a unit of each cell (4, 4) is worth above no difference, capped games at one half."""
    game = np.array([0, 0.5, 1, 0.5])
    if question.kind in MEETINGS:
        return np.asarray((game[:, None] + game) / 2 - 0.5)
    return np.asarray(game[:, None] - game)


def simulate(question: Question, law: Floats, runs: int, rng: np.random.Generator) -> Simulated:
    """So many experiments whose units fall into the cells (4, 4) of a tally by ``law``."""
    truth = float((law * cell_values(question)).sum())
    true_mean = 0.5 + (truth if question.kind in MEETINGS else truth / 2)
    outcomes = np.full(runs, OPEN)
    taken = np.full(runs, question.budget)
    excluded = np.zeros(runs, dtype=np.bool_)
    going = np.arange(runs)
    cells = np.zeros((runs, CLASSES, CLASSES))
    path = stopping.start(question, runs)
    for units in range(stopping.LOOK, question.budget + 1, stopping.LOOK):
        fresh = rng.multinomial(stopping.LOOK, law.ravel(), size=going.size)
        cells = cells + fresh.reshape(-1, CLASSES, CLASSES)
        path = stopping.after_look(question, path, stopping.llr(question, cells), units)
        counts = stopping.unit_counts(question, cells)[:, _HALF]
        log_e = confidence.log_e_value(counts, _UNIT_VALUES, true_mean)
        excluded[going] |= log_e >= -math.log(question.alpha)
        found = stopping.outcome(path)
        over = found != OPEN
        outcomes[going[over]] = found[over]
        taken[going[over]] = units
        going, cells, path = going[~over], cells[~over], stopping.selected(path, ~over)
        if going.size == 0:
            break
    return Simulated(outcomes, taken, excluded)
