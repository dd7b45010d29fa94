"""How often the intervals of piece values hold the truth where an experiment ends: by simulation.

Four men of known worth are weighed as an experiment of kind `material` weighs them: stages allotted
by `tabia.server.imbalances`, looks where the chart has a point, and an end at the target or at the
budget. Printed are, for every rule

    units     the mean number of units until the end
    cover     how often the interval of a value holds the truth then (of the worst man)
    bias      how far the mean estimate is from the truth, in standard deviations (of the worst man)

    watched   it stops when the widest interval that may be watched reaches the target: the rule
    fixed     it stops when the widest interval of a fixed sample does: cheaper, and not the rule
    budget    it stops at the budget, with intervals of a fixed sample

    python benchmarks/piece_value_coverage.py [--runs 1000]
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass
from pathlib import Path

# This folder has a statistics.py, which must not pass for the standard library's.
sys.path.sort(key=lambda folder: folder == str(Path(__file__).parent))

import numpy as np

from tabia.server import allocation, imbalances
from tabia.server.courses.course import is_charted
from tabia.server.match_tally import MatchTally
from tabia.server.ranking import Precision
from tabia.server.statistics.elo import score_of
from tabia.server.stopping import LOOK

WORTH = {"B": 3.5, "N": 3.0, "P": 1.0, "R": 5.0}
PAWN_ELO = 80.0
ALPHA = 0.05


@dataclass(frozen=True)
class Men:
    """What is weighed, as an experiment declares it."""

    target: float
    stages: tuple[int, ...]
    pawn: str = "P"
    men: tuple[str, ...] = tuple(WORTH)
    matches: tuple[str, ...] = (
        "B:N", "B:NP", "BN:PR", "BP:R", "N:PP", "N:PPP", "NN:PR", "R:NP", "R:NPP",
    )  # fmt: skip
    expected: tuple[str, ...] = ()

    @property
    def guess(self) -> dict[str, float]:
        return {"B": 3.2, "N": 2.9, "P": 0.8, "R": 4.0}


@dataclass(frozen=True)
class Rule:
    """How an experiment ends: at the budget, or when intervals of this kind reach the target."""

    name: str
    men: Men
    budget: int
    watched: bool


RULES = (
    Rule("watched", Men(1.0, (0, 1024, 2048)), 8192, watched=True),
    Rule("fixed", Men(1.0, (0, 256, 1024)), 8192, watched=False),
    Rule("budget", Men(0.01, (0, 128, 256, 512)), 1024, watched=True),
)


def true_score(label: str) -> float:
    """What army a scores against army b."""
    first, _, second = label.partition(":")
    return score_of(
        PAWN_ELO * (sum(WORTH[man] for man in first) - sum(WORTH[man] for man in second))
    )


def count(tally: MatchTally, label: str, units: int, rng: np.random.Generator) -> None:
    """Play so many units of a match, each of two decisive games."""
    score = true_score(label)
    law = [(1 - score) ** 2, score * (1 - score), score * (1 - score), score**2]
    table = tally.cells.setdefault(label, [[0] * 4 for _ in range(4)])
    cells = ((0, 0), (0, 2), (2, 0), (2, 2))
    for (row, column), found in zip(cells, rng.multinomial(units, law), strict=True):
        table[row][column] += int(found)


def run(rule: Rule, rng: np.random.Generator) -> tuple[int, list[bool], list[float]]:
    """Where it ended; for every man but the pawn whether he is covered, and by how much he errs."""
    men, tally, units = rule.men, MatchTally(), 0
    for stage in allocation.stages(men.stages, rule.budget):
        given = imbalances.allotted(men, tally, stage.count)
        order = allocation.order([given.get(label, 0) for label in men.matches])
        looks = [at for at in range(units + LOOK, stage.end, LOOK) if is_charted(at)]
        for at in (*looks, stage.end):
            fresh = np.bincount(order[units - stage.first : at - stage.first])
            for index in np.flatnonzero(fresh):
                count(tally, men.matches[index], int(fresh[index]), rng)
            units = at
            if units < men.stages[1]:
                continue
            over = units == rule.budget
            width = Precision(ALPHA, units, rule.budget, rule.watched and not over).width()
            found = imbalances.weigh(men, tally)
            if found is None or math.isinf(width):
                continue
            if over or max(found.half_widths(width)) <= men.target:
                others = [place for place in range(len(men.men)) if place != found.pawn]
                truth, ends = list(WORTH.values()), found.intervals(width)
                return (
                    units,
                    [ends[man].low <= truth[man] <= ends[man].high for man in others],
                    [(found.values[man] or 0.0) - truth[man] for man in others],
                )
    raise AssertionError("the budget ends it")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=1000)
    runs = parser.parse_args().runs
    print(f"{'':8}  {'units':>6}  {'cover':>6}  {'bias':>6}")
    for rule in RULES:
        rng = np.random.default_rng(1)
        ends = [run(rule, rng) for _ in range(runs)]
        covered = np.mean([end[1] for end in ends], axis=0).min()
        errors = np.array([end[2] for end in ends])
        bias = np.abs(errors.mean(axis=0) / errors.std(axis=0)).max()
        units = np.mean([end[0] for end in ends])
        print(f"{rule.name:8}  {units:6.0f}  {covered:6.3f}  {bias:6.3f}", flush=True)


if __name__ == "__main__":
    main()
