"""How often the stopping rule errs, and how many units it needs: simulated experiments.

Every case is a declared question and a distribution of units. Units are drawn at random and go
through `tabia.server.stopping`, the very code that decides an experiment: once with no difference
at all, and once with a difference of exactly the margin. Printed are

    false    no difference, and yet "higher" or "lower"           asked for: alpha
    missed   a difference of the margin, and "equivalent" or the opposite     asked for: beta
             (of a gsprt: the lower hypothesis is true and the upper is accepted; and the reverse)
    refused  a difference of the margin, and no verdict because of capped games
    miss CS  the confidence sequence of the difference excluded the truth at some look before the
             verdict (the worse of both)                           asked for: alpha
    units    the mean number of units until the verdict, without and with the difference

A rate above 1.1 times what was asked for is marked, and makes the exit status 1.

    python benchmarks/error_rates.py [--runs 20000] [--case TEXT]
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

# This folder has a statistics.py, which must not pass for the standard library's.
sys.path.sort(key=lambda folder: folder == str(Path(__file__).parent))

import numpy as np
from numpy.typing import NDArray

from tabia.engine.match.document import Scale
from tabia.server.metrics import CAPPED, CLASSES, HALF
from tabia.server.question import Question
from tabia.server.simulation import Simulated, cell_values, simulate
from tabia.server.statistics import sequential
from tabia.server.statistics.elo import NELO_PER_SIGMA, score_of
from tabia.server.statistics.sobel_wald import EQUIVALENT, HIGHER, LOWER, OPEN
from tabia.server.stopping import REFUSED

Floats = NDArray[np.float64]

ALPHA = BETA = 0.05
TOLERANCE = 1.1
MAX_UNITS = 200_000


@dataclass(frozen=True)
class Case:
    """A question, and the law of a unit when there is no difference: cells (4, 4) as in a tally."""

    name: str
    question: Question
    null: Floats


def compare(margin: float, *, paired: bool = True, metric: str = "white_score") -> Question:
    return Question("compare", paired, metric, margin, ALPHA, BETA, MAX_UNITS, "A", "B")


def rights(margin: float) -> Question:
    return Question("rights", True, "elo", margin, ALPHA, BETA, MAX_UNITS, "A", "B")


def engines(upper: float, scale: Scale = "normalized") -> Question:
    return Question(
        "engines", True, "elo", upper, ALPHA, BETA, MAX_UNITS, "A", "B",
        rule="gsprt", bounds=(0.0, upper), scale=scale,
    )  # fmt: skip


def independent(*law: float) -> Floats:
    """Two games of the same law (zero, half, one, and capped if given), without coupling."""
    game = np.zeros(CLASSES)
    game[: len(law)] = law
    return np.outer(game, game)


def coupled(touched: float, *law: float) -> Floats:
    """Both games of a unit are the same one, but for a share of them that the rules touched."""
    game = np.zeros(CLASSES)
    game[: len(law)] = law
    # A capped game seen twice is level, see `tabia.server.tally`.
    same = np.diag(game)
    same[HALF, HALF] += same[CAPPED, CAPPED]
    same[CAPPED, CAPPED] = 0
    return np.asarray(touched * np.outer(game, game) + (1 - touched) * same)


def pairs(*law: float) -> Floats:
    """Game pairs with these probabilities of the pair scores 0, 1/4, 1/2, 3/4, 1."""
    cells = np.zeros((CLASSES, CLASSES))
    for first, second, share in (
        (0, 0, law[0]), (0, 1, law[1] / 2), (1, 0, law[1] / 2), (1, 1, law[2] / 2),
        (0, 2, law[2] / 4), (2, 0, law[2] / 4), (1, 2, law[3] / 2), (2, 1, law[3] / 2),
        (2, 2, law[4]),
    ):  # fmt: skip
        cells[first, second] = share
    return cells


BALANCED = (0.32, 0.30, 0.38)
DRAWISH = (0.04, 0.90, 0.06)
LOW = (0.016, 0.219, 0.530, 0.219, 0.016)
DRAWN = (0.0005, 0.03, 0.939, 0.03, 0.0005)
CASES = (
    Case("White's score, both arms independent", compare(0.03), independent(*BALANCED)),
    Case("White's score, margin 0.1", compare(0.1), independent(*BALANCED)),
    Case("White's score, nine games in ten drawn", compare(0.01), independent(*DRAWISH)),
    Case("White's score, half of the units touched", compare(0.03), coupled(0.5, *BALANCED)),
    Case("White's score, one unit in ten touched", compare(0.03), coupled(0.1, *BALANCED)),
    Case("White's score, one unit in fifty touched", compare(0.01), coupled(0.02, *BALANCED)),
    Case("White's score, drawn and coupled", compare(0.01), coupled(0.2, *DRAWISH)),
    Case(
        "White's score, one game in 200 capped",
        compare(0.03),
        coupled(0.3, 0.315, 0.30, 0.38, 0.005),
    ),
    Case("draws, coupled", compare(0.05, metric="draws"), coupled(0.4, 0.7, 0.0, 0.3)),
    Case("White's score, unpaired", compare(0.05, paired=False), independent(*BALANCED)),
    Case("White's score, unpaired, drawn", compare(0.02, paired=False), independent(*DRAWISH)),
    Case(
        "draws, unpaired",
        compare(0.05, paired=False, metric="draws"),
        independent(0.7, 0.0, 0.3),
    ),
    Case("rights, low variance, 20 Elo", rights(20), pairs(0.016, 0.219, 0.530, 0.219, 0.016)),
    Case("rights, low variance, 50 Elo", rights(50), pairs(0.016, 0.219, 0.530, 0.219, 0.016)),
    Case("rights, mid variance, 20 Elo", rights(20), pairs(0.07, 0.22, 0.42, 0.22, 0.07)),
    Case("rights, mid variance, 50 Elo", rights(50), pairs(0.07, 0.22, 0.42, 0.22, 0.07)),
    Case("rights, decisive, 20 Elo", rights(20), pairs(0.2, 0.1, 0.4, 0.1, 0.2)),
    Case("rights, decisive, 50 Elo", rights(50), pairs(0.2, 0.1, 0.4, 0.1, 0.2)),
    Case("rights, drawn, 10 Elo", rights(10), pairs(0.0005, 0.03, 0.939, 0.03, 0.0005)),
    Case("engines, low variance, [0, 20] nElo", engines(20), pairs(*LOW)),
    Case("engines, decisive, [0, 50] nElo", engines(50), pairs(0.2, 0.1, 0.4, 0.1, 0.2)),
    Case("engines, drawn, [0, 20] nElo", engines(20), pairs(*DRAWN)),
    Case("engines, low variance, [0, 20] Elo", engines(20, "logistic"), pairs(*LOW)),
    Case("engines, drawn, [0, 20] Elo", engines(20, "logistic"), pairs(*DRAWN)),
)


def effect_of(question: Question) -> float:
    """The margin, as a mean of a unit's value above that of no difference."""
    return question.margin if question.kind == "compare" else score_of(question.margin) - 0.5


def with_effect(question: Question, law: Floats) -> Floats:
    """The law of the same shape under which there is a difference of the margin."""
    values = cell_values(question)
    if question.scale != "normalized":
        return tilted(law, values, effect_of(question))
    low, high = 0.0, 0.45
    for _ in range(60):
        mean = (low + high) / 2
        shifted = tilted(law, values, mean)
        deviation = np.sqrt((shifted * (values - mean) ** 2).sum())
        below = mean / deviation / np.sqrt(2) * NELO_PER_SIGMA < question.margin
        low, high = (mean, high) if below else (low, mean)
    return tilted(law, values, low)


def errors(question: Question, same: Simulated, different: Simulated) -> tuple[float, float]:
    """How often a difference is found where there is none, and missed where there is one."""
    if question.rule == "gsprt":
        return same.share(sequential.H1), different.share(sequential.H0)
    return same.share(HIGHER, LOWER), different.share(EQUIVALENT, LOWER)


def tilted(law: Floats, values: Floats, mean: float) -> Floats:
    """The law of the same shape whose mean is ``mean``: weights exp(t value), t by bisection."""
    low, high = -200.0, 200.0
    for _ in range(200):
        middle = (low + high) / 2
        weights = law * np.exp(middle * values)
        weights = weights / weights.sum()
        low, high = (middle, high) if (weights * values).sum() < mean else (low, middle)
    return weights


class Measured(NamedTuple):
    """What became of experiments without a difference, and of those with one of the margin."""

    false: float
    missed: float
    refused: float
    miss_cs: float
    units_same: float
    units_different: float


def laws(case: Case) -> tuple[Floats, Floats]:
    """The law of a unit without a difference, and with one of exactly the margin."""
    values = cell_values(case.question)
    effect = effect_of(case.question)
    if case.question.paired:
        return tilted(case.null, values, 0.0), with_effect(case.question, case.null)
    # Independent arms stay independent: half of the effect to either.
    game, own = case.null.sum(axis=0), np.array([0, 0.5, 1, 0.5])
    mean = float(game @ own)
    real = np.outer(tilted(game, own, mean + effect / 2), tilted(game, own, mean - effect / 2))
    return np.outer(game, game), real


def measure(case: Case, runs: int, seed: int) -> Measured:
    """So many simulated experiments under either law."""
    rng = np.random.default_rng(seed)
    same, different = (simulate(case.question, law, runs, rng) for law in laws(case))
    false, missed = errors(case.question, same, different)
    return Measured(
        false=false,
        missed=missed,
        refused=different.share(OPEN, REFUSED),
        miss_cs=max(float(same.excluded.mean()), float(different.excluded.mean())),
        units_same=float(same.units.mean()),
        units_different=float(different.units.mean()),
    )


def report(case: Case, runs: int, seed: int) -> bool:
    """Print one line; whether every rate is within the tolerance."""
    begun = time.perf_counter()
    found = measure(case, runs, seed)
    good = (
        found.false <= TOLERANCE * case.question.alpha
        and found.missed <= TOLERANCE * case.question.beta
        and found.miss_cs <= TOLERANCE * case.question.alpha
    )
    print(
        f"{case.name:42}  {found.false:5.4f}  {found.missed:6.4f}  {found.refused:7.4f}  "
        f"{found.miss_cs:7.4f}  {found.units_same:7.0f} {found.units_different:8.0f}  "
        f"{time.perf_counter() - begun:5.0f} s  {'' if good else 'ABOVE THE TOLERANCE'}",
        flush=True,
    )
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=20_000, help="experiments a hypothesis")
    parser.add_argument("--case", default="", help="only cases whose name holds this text")
    arguments = parser.parse_args()
    print(f"{arguments.runs} experiments a hypothesis; alpha = {ALPHA}, beta = {BETA}")
    heads = ("false", "missed", "refused", "miss CS", "  units", "  units")
    print(" " * 42, *heads, sep="  ")
    chosen = [(seed, case) for seed, case in enumerate(CASES) if arguments.case in case.name]
    good = [report(case, arguments.runs, seed) for seed, case in chosen]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
