"""How long a test is expected to take: said before its first game, and as it goes on.

The length follows from the declared question and from the variance of a unit's value. Before there
are games the variance is supposed: that of two games of a level match, or of a rate, without
coupling. With coupled arms it is mostly less, and so is the length.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tabia.server.estimates import OUTCOMES, whole_units
from tabia.server.metrics import COMPARED
from tabia.server.question import MEETINGS, Question
from tabia.server.statistics import planning
from tabia.server.statistics.elo import NELO_PER_SIGMA, score_of
from tabia.server.stopping import MINIMUM_UNITS
from tabia.server.tally import Tally

GAMES_A_UNIT = 2
_SCORE = "white_score"


def forecast(question: Question, tally: Tally) -> dict[str, Any] | None:
    """``{"measured", "units": {"none", "halfway", "margin"}, "sentence"}``; None without a test,
    where no two units differ so far, or where the margin is too small to be tested.

    ``units``: the mean number of units until a verdict where the true effect is none, half of the
    margin (where it takes longest), and the margin; with two hypotheses, the lower one, the middle,
    and the upper one. The budget may end it before. ``measured``: from the variance of the units so
    far, and not from a supposed one.
    """
    if question.rule == "budget":
        return None
    measured = tally.units >= MINIMUM_UNITS
    variance = _measured_variance(question, tally) if measured else _supposed_variance(question)
    if variance == 0:
        return None
    try:
        plan = planning.plan(
            question.rule, _margin(question, variance), variance, question.alpha, question.beta
        )
    except ValueError:  # a margin that no number of units could tell from nothing
        return None
    lengths = {"none": plan.none, "halfway": plan.halfway, "margin": plan.margin}
    units = {name: max(math.ceil(length.mean), MINIMUM_UNITS) for name, length in lengths.items()}
    source = f"by the variance of the first {tally.units}" if measured else _supposition(question)
    return {
        "measured": measured,
        "units": units,
        "sentence": (
            f"A verdict takes about {_cases(question, units)}: means, {source}."
            f"{_budget(question, units)}"
        ),
    }


def _cases(question: Question, units: Mapping[str, int]) -> str:
    """``3,286 openings if there is no difference, 4,394 if it is half of the margin, …``"""
    noun = "openings" if question.paired or question.kind in MEETINGS else "games under either"
    if question.bounds is None:
        truths = ["there is no difference", "it is half of the margin", "it is the margin"]
    else:
        low, high = question.bounds
        truths = [f"the truth is {_elo(elo)}" for elo in (low, (low + high) / 2, high)]
    none, halfway, margin = (f"{n:,}" for n in units.values())
    return f"{none} {noun} if {truths[0]}, {halfway} if {truths[1]}, {margin} if {truths[2]}"


def _elo(elo: float) -> str:
    return f"{elo:+g} Elo".replace("-", "−") if elo else "0 Elo"


def _budget(question: Question, units: Mapping[str, int]) -> str:
    if max(units.values()) <= question.budget:
        return ""
    return f" The budget, {question.budget:,}, may end it first."


def _supposition(question: Question) -> str:
    rate = f"{planning.SUPPOSED_RATE:.0%}".replace("%", " %")
    what = f"level games of which {rate} are drawn"
    if _is_rate(question):
        what = f"a rate of {rate}"
    shares = question.kind == "compare" and question.coupled
    coupled = ", and fewer where the arms share their games" if shares else ""
    return f"for {what}{coupled}"


def _is_rate(question: Question) -> bool:
    return question.metric in COMPARED and question.metric != _SCORE


def _measured_variance(question: Question, tally: Tally) -> float:
    counts = whole_units(question, tally)
    mean = counts @ OUTCOMES / counts.sum()
    return float(counts @ (OUTCOMES - mean) ** 2 / counts.sum())


def _supposed_variance(question: Question) -> float:
    of = planning.rate_pair_variance if _is_rate(question) else planning.level_pair_variance
    return of(planning.SUPPOSED_RATE)


def _margin(question: Question, variance: float) -> float:
    """What the test tells apart, as a distance of a unit's value on [0, 1]."""
    if question.bounds is not None:
        low, high = question.bounds
        if question.scale == "normalized":
            return (high - low) * math.sqrt(GAMES_A_UNIT * variance) / NELO_PER_SIGMA
        return score_of(high) - score_of(low)
    if question.kind in MEETINGS:
        return score_of(question.margin) - 0.5
    return question.margin / 2
