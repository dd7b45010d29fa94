"""Do the statistics keep what they promise, and what do they cost beside other programs' methods?

Simulated experiments, 5,000 a case, each case printed with what was asked for and PASS or FAIL:

    errors    how often a sequential test errs, at either hypothesis        asked for: 0.05
    coverage  how often an interval that may be watched missed the truth at *any* look: 0.05
    stopping  the median-unbiased estimate after a test of two hypotheses: its median bias in
              standard errors (asked for: 0.1), and how often its 95 % interval missed (0.05)
    units     how many units our tests need, and how many those of others do: a fixed sample,
              fishtest's test, arms that share no openings
    page      the CPU time that all numbers of a page of 100 running experiments take (100 ms)

A rate passes when it is at most two standard errors of the simulation above what was asked for.
A test that errs less than asked for takes longer for it, so units are compared **at equal errors**:
every count is also given as a ratio to what a fixed sample needs for the errors that were measured,
and ours fails where another method's ratio is better by more than the simulation leaves open (4 /
sqrt(runs), 5.7 % at 5,000). The exit status is 1 when a row fails.

    python benchmarks/statistics.py [--runs 5000] [--case TEXT]
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# This very file must not pass for the standard library's module of its name.
sys.path.sort(key=lambda folder: folder == str(Path(__file__).parent))

import error_rates
import numpy as np
from error_rates import Case, compare, coupled, independent, pairs, rights
from numpy.typing import NDArray
from two_hypotheses import (
    ALPHA,
    BETA,
    LAWS,
    PAIR_SCORES,
    TwoHypotheses,
    fishtest,
    lengths,
    operate,
    ours,
)

from tabia.server import decision, stopping
from tabia.server.metrics import OBSERVED
from tabia.server.question import Question
from tabia.server.statistics import after_stopping, asymptotic, confidence, planning
from tabia.server.tally import Unit

Floats = NDArray[np.float64]
LAST_LOOK = 4096
NAME = 56


class Row(NamedTuple):
    """One line of the table."""

    name: str
    figures: str
    good: bool | None
    """None where it is not ours that is judged."""


def allowed(rate: float, runs: int) -> float:
    """A measured rate that is not against a true one of ``rate``."""
    return rate + 2 * math.sqrt(rate * (1 - rate) / runs)


def open_up_to(runs: int) -> float:
    """A ratio of two simulated lengths, each over its errors, that is not against a true 1."""
    return 1 + 4 / math.sqrt(runs)


TESTS = (
    *(TwoHypotheses(law, (0, 20), "logistic") for law in LAWS),
    *(TwoHypotheses(law, (0, 50), "logistic") for law in ("low variance", "mid variance")),
    *(TwoHypotheses(law, (0, 20), "normalized") for law in ("low variance",)),
    *(TwoHypotheses(law, (0, 50), "normalized") for law in LAWS),
)

QUESTIONS = (
    Case("White's score, margin 0.1", compare(0.1), independent(*error_rates.BALANCED)),
    Case("White's score, half touched", compare(0.05), coupled(0.5, *error_rates.BALANCED)),
    Case("White's score, one in ten touched", compare(0.03), coupled(0.1, *error_rates.BALANCED)),
    Case(
        "White's score, some games capped",
        compare(0.05),
        coupled(0.3, 0.315, 0.30, 0.38, 0.005),
    ),
    Case("draws, coupled", compare(0.05, metric="draws"), coupled(0.4, 0.7, 0.0, 0.3)),
    Case(
        "White's score, unpaired",
        compare(0.1, paired=False),
        independent(*error_rates.BALANCED),
    ),
    Case(
        "draws, unpaired",
        compare(0.1, paired=False, metric="draws"),
        independent(0.7, 0.0, 0.3),
    ),
    Case("rights, low variance, 20 Elo", rights(20), pairs(*LAWS["low variance"])),
    Case("rights, mid variance, 20 Elo", rights(20), pairs(*LAWS["mid variance"])),
    Case("rights, decisive, 50 Elo", rights(50), pairs(*LAWS["decisive"])),
    Case("rights, drawn, 10 Elo", rights(10), pairs(*LAWS["drawn"])),
)


def errors_and_units(runs: int, wanted: str) -> Iterator[Row]:
    """Tests of two hypotheses: their errors, and their length beside fishtest's and a fixed one."""
    limit = allowed(ALPHA, runs)
    for seed, test in enumerate(TESTS):
        if wanted not in test.name:
            continue
        own, other = operate(ours, test, runs, seed), operate(fishtest, test, runs, seed + 100)
        figures = f"false {own.false:.4f}  missed {own.missed:.4f}"
        yield Row(f"errors: {test.name}", figures, max(own.false, own.missed) <= limit)
        (text, ratios), (other_text, other_ratios) = lengths(test, own), lengths(test, other)
        yield Row(
            f"units: {test.name}",
            text,
            max(ratios) < 1 and sum(ratios) <= sum(other_ratios) * open_up_to(runs),
        )
        others = f"{other_text}  errs {other.false:.4f} {other.missed:.4f}"
        yield Row("       fishtest's test of it", others, None)


def three_ways(runs: int, wanted: str) -> Iterator[Row]:
    """Sobel and Wald's test: its errors, and the interval beside it at every look."""
    limit = allowed(ALPHA, runs)
    for seed, case in enumerate(QUESTIONS):
        if wanted not in case.name:
            continue
        found = error_rates.measure(case, runs, seed)
        fine = max(found.false, found.missed, found.miss_cs) <= limit
        yield Row(
            f"errors: {case.name}",
            f"false {found.false:.4f}  missed {found.missed:.4f}  interval {found.miss_cs:.4f}  "
            f"units {found.units_same:.0f} {found.units_different:.0f}",
            fine,
        )


def sharing_openings(runs: int, wanted: str) -> Iterator[Row]:
    """The same question with shared openings, without, and by a fixed sample of either."""
    for seed, touched in enumerate((1.0, 0.5, 0.1)):
        name = f"{touched:.0%} of the openings touched"
        if wanted not in name:
            continue
        shared = Case(name, compare(0.05), coupled(touched, *error_rates.BALANCED))
        apart = Case(name, compare(0.05, paired=False), independent(*error_rates.BALANCED))
        found, other = (error_rates.measure(case, runs, seed) for case in (shared, apart))
        game, own = np.array(error_rates.BALANCED), np.array([0, 0.5, 1])
        variance = float(game @ own**2 - (game @ own) ** 2)
        fixed = planning.length("fixed", 1, ALPHA / 2, BETA).mean * 2 * variance / 0.05**2
        yield Row(
            f"units: {name}",
            f"ours {found.units_same:6.0f} {found.units_different:6.0f}  apart "
            f"{other.units_same:6.0f} {other.units_different:6.0f}  fixed, apart {fixed:6.0f}",
            found.units_same <= other.units_same * open_up_to(runs)
            and found.units_different <= other.units_different * open_up_to(runs)
            and found.units_same <= fixed,
        )


BETS = {
    "White's score": np.array(error_rates.BALANCED),
    "a rate of 0.3": np.array([0.7, 0.3]),
    "a rate of 0.02": np.array([0.98, 0.02]),
    "pair scores, mid variance": np.array(LAWS["mid variance"]),
    "pair scores, drawn": np.array(LAWS["drawn"]),
    "differences, one in ten touched": np.array([0.012, 0.022, 0.932, 0.022, 0.012]),
}


def betting(runs: int, wanted: str) -> Iterator[Row]:
    """The betting confidence sequence, at every look up to LAST_LOOK."""
    target = -math.log(ALPHA)
    for seed, (name, law) in enumerate(BETS.items()):
        if wanted not in name:
            continue
        rng = np.random.default_rng(seed)
        support = np.linspace(0, 1, law.size)
        truth = float(law @ support)
        counts, missed = np.zeros((runs, law.size)), np.zeros(runs, dtype=np.bool_)
        for _ in range(0, LAST_LOOK, stopping.LOOK):
            counts += rng.multinomial(stopping.LOOK, law, size=runs)
            missed |= confidence.log_e_value(counts, support, truth) >= target
        rate = float(missed.mean())
        yield Row(f"coverage: {name}", f"missed {rate:.4f}", rate <= allowed(ALPHA, runs))


def log_plies(rng: np.random.Generator, runs: int, units: int) -> Floats:
    """log of lengths: gamma-distributed plies above 20, mean 110, with a cap at 400."""
    return np.log(np.minimum(20 + rng.gamma(2.5, 36.0, size=(runs, units)), 400))


LENGTHS = {"log plies": 1.0, "differences of log plies": 1.0, "the same, one in ten touched": 0.1}


def unbounded(runs: int, wanted: str) -> Iterator[Row]:
    """The two asymptotic intervals, from their first look on (100 units)."""
    for seed, (name, touched) in enumerate(LENGTHS.items()):
        if wanted not in name:
            continue
        rng = np.random.default_rng(seed)
        paired = name != "log plies"
        truth = 0.0 if paired else float(log_plies(np.random.default_rng(99), 2000, 2000).mean())
        n, total, squares = 0, np.zeros(runs), np.zeros(runs)
        missed = {"asymptotic": np.zeros(runs, dtype=np.bool_), "t": np.zeros(runs, dtype=np.bool_)}
        for _ in range(0, LAST_LOOK, stopping.LOOK):
            values = log_plies(rng, runs, stopping.LOOK) - truth
            if paired:
                values = values - log_plies(rng, runs, stopping.LOOK)
                values *= rng.random(values.shape) < touched
            n += stopping.LOOK
            total, squares = total + values.sum(axis=1), squares + (values**2).sum(axis=1)
            mean = total / n
            sd = np.sqrt(np.maximum(squares / n - mean**2, 0))
            for kind, interval in (
                ("asymptotic", asymptotic.interval),
                ("t", asymptotic.t_mixture_interval),
            ):
                low, high = interval(n, mean, sd, ALPHA, 2000)
                missed[kind] |= (low > 0) | (high < 0)
        for kind, each in missed.items():
            rate = float(each.mean())
            good = rate <= allowed(ALPHA, runs)
            yield Row(f"coverage: {kind}, {name}", f"missed {rate:.4f}", good)


STOPPED = (
    TwoHypotheses("low variance", (0, 20), "logistic"),
    TwoHypotheses("mid variance", (0, 20), "logistic"),
    TwoHypotheses("mid variance", (0, 50), "normalized"),
)


def stopping_bias(runs: int, wanted: str) -> Iterator[Row]:
    """Estimates after a test of two hypotheses, at five true strengths."""
    for seed, test in enumerate(STOPPED):
        for share in (0, 0.25, 0.5, 1, 1.5):
            elo = test.elo[1] * share
            name = f"{test.name}, true {elo:g}"
            if wanted not in name:
                continue
            law = test.law(elo)
            ended = ours(test.ratio, law, runs, np.random.default_rng(seed))
            found = after_stopping.estimates(ended.counts, *test.elo, ALPHA, BETA, scale=test.scale)
            score = float(law @ PAIR_SCORES)
            truth = 400 * math.log10(score / (1 - score))
            sd = math.sqrt(law @ (PAIR_SCORES - score) ** 2)
            error = (
                400
                / math.log(10)
                / (score * (1 - score))
                * sd
                / math.sqrt(float(np.median(ended.units)))
            )
            bias = float(np.median(found.median) - truth)
            naive = ended.counts @ PAIR_SCORES / ended.units
            plain = float(np.median(400 * np.log10(naive / (1 - naive))) - truth)
            missed = float(((found.low > truth) | (found.high < truth)).mean())
            yield Row(
                f"stopping: {name}",
                f"bias {bias:+5.2f} Elo, {bias / error:+.3f} s.e. (plain {plain / error:+.3f})  "
                f"missed {missed:.4f}",
                abs(bias) <= 0.1 * error and missed <= allowed(ALPHA, runs),
            )


def synthetic_units(rng: np.random.Generator, units: int) -> list[Unit]:
    """Units of a ``compare`` experiment, with made-up games."""
    none = {"white": 0, "black": 0}

    def game(unit: int, arm: str) -> dict[str, object]:
        result = ("0-1", "1/2-1/2", "1-0")[rng.choice(3, p=error_rates.BALANCED)]
        drawn = result == "1/2-1/2"
        return {
            "unit": unit,
            "arm": arm,
            "match": "",
            "moves": f"{rng.integers(1 << 30)}",
            "opening_plies": 8,
            "result": result,
            "reason": "repetition" if drawn else "checkmate",
            "plies": int(rng.integers(40, 300)),
            "promotions": {"white": {"Q": 1} if rng.random() < 0.3 else {}, "black": {}},
            "declined": dict(none),
            "profile": {
                "offered": 3000,
                "chosen": 100,
                "forced": 3,
                "castlings": dict(none),
                "en_passant": dict(none),
                "own_captures": dict(none),
                "citadel_exits": dict(none),
                "first_promotion": None,
                "survivors": {"white": {"Q": 1}, "black": {"R": 1}},
                "lead_changes": 2,
                "decided_at": 60,
            },
        }

    return [Unit(unit, game(unit, "a"), game(unit, "b")) for unit in range(units)]


def page(wanted: str) -> Iterator[Row]:
    """All numbers of 100 running experiments, as the pages get them: as they were kept.

    They are computed once, when a result comes in (`tabia.server.intake`), and read by whoever
    looks (`tabia.server.views`); the second row is what that costs a batch.
    """
    name = "page: 100 running experiments"
    if wanted not in name:
        return
    question = Question(
        "compare",
        True,
        "white_score",
        0.001,
        ALPHA,
        BETA,
        10_000,
        "A",
        "B",
        observed=tuple(OBSERVED),
    )
    rng = np.random.default_rng(1)
    states = [
        decision.advance(question, None, synthetic_units(rng, 160 + 16 * each)).state
        for each in range(10)
    ]
    computing, kept = [], []
    for state in states:
        begun = time.process_time()
        kept.append(json.dumps(decision.estimate(question, state)))
        computing.append(1000 * (time.process_time() - begun))
    took = []
    for _ in range(7):
        begun = time.process_time()
        for each in range(100):
            json.loads(kept[each % len(kept)])
        took.append(1000 * (time.process_time() - begun))
    best = min(took)
    yield Row(name, f"{best:.0f} ms (median {sorted(took)[3]:.0f} ms)", best < 100)
    yield Row("page: all numbers of one, at a result", f"{sorted(computing)[5]:.1f} ms", None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5_000, help="experiments a case")
    parser.add_argument("--case", default="", help="only cases whose name holds this text")
    arguments = parser.parse_args()
    runs, wanted = arguments.runs, arguments.case
    limit = allowed(ALPHA, runs)
    print(f"{runs} experiments a case; alpha = beta = {ALPHA}; rates may be {limit:.4f}")
    begun = time.perf_counter()
    failed = 0
    for section in (
        errors_and_units(runs, wanted),
        three_ways(runs, wanted),
        sharing_openings(runs, wanted),
        betting(runs, wanted),
        unbounded(runs, wanted),
        stopping_bias(runs, wanted),
        page(wanted),
    ):
        for row in section:
            failed += row.good is False
            mark = {True: "PASS", False: "FAIL", None: ""}[row.good]
            print(f"{row.name:{NAME}} {row.figures:72} {mark}".rstrip(), flush=True)
    print(f"{failed} rows failed; {time.perf_counter() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
