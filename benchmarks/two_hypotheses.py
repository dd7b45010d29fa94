"""Tests of two hypotheses on pair scores, simulated: ours, fishtest's, and a fixed sample's length.

A test is run at either hypothesis and halfway between them, with pairs drawn from a law of that
strength; what is found is how often it errs and how many pairs it takes. `benchmarks/statistics.py`
puts it in a table.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

# This folder has a statistics.py, which must not pass for the standard library's.
sys.path.sort(key=lambda folder: folder == str(Path(__file__).parent))

from statistics import NormalDist

import error_rates
import numpy as np
from numpy.typing import NDArray

from tabia.server import stopping
from tabia.server.statistics import after_stopping, gsprt, normalized, sequential
from tabia.server.statistics.elo import NELO_PER_SIGMA, score_of
from tabia.server.statistics.overshoot import Records
from tabia.server.statistics.sprt import wald_bounds

Floats = NDArray[np.float64]
Ratio = Callable[[Floats], Floats]

ALPHA = BETA = 0.05
LIMITS = wald_bounds(ALPHA, BETA)
PAIR_SCORES = np.linspace(0, 1, 5)
LAWS = {
    "low variance": (0.016, 0.219, 0.530, 0.219, 0.016),
    "mid variance": (0.07, 0.22, 0.42, 0.22, 0.07),
    "decisive": (0.2, 0.1, 0.4, 0.1, 0.2),
    "drawn": (0.0005, 0.03, 0.939, 0.03, 0.0005),
}


def tilted(law: Floats, mean: float) -> Floats:
    """The pair law of the same shape with this mean score."""
    return error_rates.tilted(law, PAIR_SCORES, mean)


@dataclass(frozen=True)
class TwoHypotheses:
    """A question decided by one test: bounds in Elo on a scale, and the shape of a pair's law."""

    law_name: str
    elo: tuple[float, float]
    scale: after_stopping.Scale

    @property
    def name(self) -> str:
        unit = "Elo" if self.scale == "logistic" else "nElo"
        return f"gsprt, {self.law_name}, [{self.elo[0]:g}, {self.elo[1]:g}] {unit}"

    def ratio(self, counts: Floats) -> Floats:
        if self.scale == "normalized":
            return normalized.llr(counts, *self.elo)
        return gsprt.llr(counts, PAIR_SCORES, *(score_of(elo) for elo in self.elo))

    def law(self, elo: float) -> Floats:
        """The law of a pair whose truth is ``elo`` on the scale of the bounds."""
        shape = np.array(LAWS[self.law_name])
        if self.scale == "logistic":
            return tilted(shape, score_of(elo))
        low, high = 0.5, 0.95
        for _ in range(60):
            mean = (low + high) / 2
            low, high = (mean, high) if nelo_of(tilted(shape, mean)) < elo else (low, mean)
        return tilted(shape, (low + high) / 2)

    def fixed_units(self, false: float, missed: float) -> float:
        """What a fixed number of pairs would be, for these two error rates."""
        law0, law1 = (self.law(elo) for elo in self.elo)
        mean0, mean1 = law0 @ PAIR_SCORES, law1 @ PAIR_SCORES
        sd0, sd1 = (math.sqrt(law @ (PAIR_SCORES - law @ PAIR_SCORES) ** 2) for law in (law0, law1))
        z = NormalDist().inv_cdf
        reach = z(1 - min(max(false, 1e-4), 0.4)) * sd0 + z(1 - min(max(missed, 1e-4), 0.4)) * sd1
        return float((reach / (mean1 - mean0)) ** 2)


def nelo_of(law: Floats) -> float:
    mean = float(law @ PAIR_SCORES)
    return (mean - 0.5) / math.sqrt(2 * law @ (PAIR_SCORES - mean) ** 2) * NELO_PER_SIGMA


class Ended(NamedTuple):
    """What became of tests, one array element each."""

    conclusions: NDArray[np.int64]
    units: Floats
    counts: Floats


def ours(ratio: Ratio, law: Floats, runs: int, rng: np.random.Generator) -> Ended:
    """Tests as :mod:`tabia.server.stopping` decides them where no game is capped."""
    path = sequential.Path.start(runs)
    conclusions, units = np.zeros(runs, dtype=np.int64), np.zeros(runs)
    counts, final = np.zeros((runs, law.size)), np.zeros((runs, law.size))
    going = np.arange(runs)
    seen = 0
    while going.size:
        counts = counts + rng.multinomial(stopping.LOOK, law, size=going.size)
        seen += stopping.LOOK
        path = path.after(
            ratio(counts),
            LIMITS,
            may_conclude=seen >= stopping.MINIMUM_UNITS,
        )
        over = path.conclusion != sequential.OPEN
        ended = going[over]
        conclusions[ended], units[ended], final[ended] = path.conclusion[over], seen, counts[over]
        going, counts = going[~over], counts[~over]
        path = sequential.Path(Records(*(r[~over] for r in path.records)), path.conclusion[~over])
    return Ended(conclusions, units, final)


def fishtest(ratio: Ratio, law: Floats, runs: int, rng: np.random.Generator) -> Ended:
    """fishtest's test as it is specified: 0.001 in empty cells, the whole of the overshoot, records
    up to and with the look itself, no minimum; looks after as many pairs as ours.
    """
    records = Records.none(runs)
    conclusions, units = np.zeros(runs, dtype=np.int64), np.zeros(runs)
    counts, final = np.zeros((runs, law.size)), np.zeros((runs, law.size))
    going = np.arange(runs)
    seen = 0
    while going.size:
        counts = counts + rng.multinomial(stopping.LOOK, law, size=going.size)
        seen += stopping.LOOK
        value = ratio(np.where(counts == 0, 1e-3, counts))
        records = records.after(value)
        lower, upper = records.corrected(LIMITS)
        reached = np.select(
            [value >= upper, value <= lower], [sequential.H1, sequential.H0], sequential.OPEN
        )
        over = reached != sequential.OPEN
        ended = going[over]
        conclusions[ended], units[ended], final[ended] = reached[over], seen, counts[over]
        going, counts = going[~over], counts[~over]
        records = Records(*(r[~over] for r in records))
    return Ended(conclusions, units, final)


class Operation(NamedTuple):
    """What a test of two hypotheses does."""

    false: float
    missed: float
    units0: float
    halfway: float
    units1: float


def operate(
    method: Callable[[Ratio, Floats, int, np.random.Generator], Ended],
    test: TwoHypotheses,
    runs: int,
    seed: int,
) -> Operation:
    rng = np.random.default_rng(seed)
    at0, middle, at1 = (
        method(test.ratio, test.law(elo), runs, rng)
        for elo in (test.elo[0], sum(test.elo) / 2, test.elo[1])
    )
    return Operation(
        float((at0.conclusions == sequential.H1).mean()),
        float((at1.conclusions == sequential.H0).mean()),
        float(at0.units.mean()),
        float(middle.units.mean()),
        float(at1.units.mean()),
    )


def lengths(test: TwoHypotheses, found: Operation) -> tuple[str, list[float]]:
    """Units at the lower hypothesis, halfway and at the upper one, in words, and as ratios to what
    a fixed sample needs for the same errors.
    """
    units = (found.units0, found.halfway, found.units1)
    fixed = test.fixed_units(found.false, found.missed)
    ratios = [each / fixed for each in units]
    return (
        " ".join(f"{each:5.0f}" for each in units)
        + "  of a fixed sample's "
        + " ".join(f"{each:4.2f}" for each in ratios),
        ratios,
    )
