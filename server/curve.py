"""A node-budget curve: one question asked at several strengths, and what becomes of the answer.

A rule may seem to matter because the players are weak. So the same question is asked of players
that look at more positions, and the trend of the answers is part of the answer: a difference that
shrinks to nothing as the players grow stronger says something of the players, not of the rules.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

from tabia.server import stopping
from tabia.server.estimates import HALF, Figure, primary, whole_units
from tabia.server.numbers import signed
from tabia.server.question import Question
from tabia.server.ranking import finite
from tabia.server.statistics import trend
from tabia.server.statistics.elo import Summary, summary
from tabia.server.statistics.gsprt import Floats
from tabia.server.tally import Tally

_ELO_PER_NAT = 400 / math.log(10)


@dataclass(frozen=True)
class Level:
    """One experiment of a curve. ``level`` is what the nodes are multiplied by; ``figures`` are the
    primary number and its interval as its own page shows them."""

    level: int
    nodes: int
    experiment: str
    question: Question
    tally: Tally
    figures: Figure

    @property
    def is_complete(self) -> bool:
        """Whether it has played its budget."""
        return self.tally.units >= self.question.budget

    @property
    def value(self) -> float | None:
        """The primary number."""
        return self.figures["value"]

    def at_the_end(self) -> Figure:
        """The primary number with the interval of a fixed sample, for a budget played whole: what
        the trend is weighed by. No interval where the units leave no error."""
        error = standard_error(self.question, self.tally)
        if self.value is None or error is None:
            return {"value": self.value, "low": None, "high": None}
        reach = NormalDist().inv_cdf(1 - self.question.alpha / 2) * error
        return {"value": self.value, "low": self.value - reach, "high": self.value + reach}

    def shown(self, *, complete: bool) -> dict[str, Any]:
        """For the view; ``complete``: every level of the curve has played its budget."""
        return {
            "level": self.level,
            "nodes": self.nodes,
            "experiment": self.experiment,
            "units": self.tally.units,
            **(self.at_the_end() if complete else self.figures),
        }


def standard_error(question: Question, tally: Tally) -> float | None:
    """Of the primary number, on its scale, for a fixed number of units; None where there is none.

    ``compare``: of the difference of A and B. ``rights``: of the Elo of whoever has A's rights.
    Where all units are alike it is that of as many of which one is worth a half more or less: a
    level that has not shown a difference yet must not outweigh all others together.
    """
    if question.kind == "compare" and not question.paired:
        errors = [
            _error(summary(counts[HALF], games_per_unit=1), counts[HALF])
            for counts in stopping.arm_counts(question, tally.cells)
        ]
        known = [error for error in errors if error is not None]
        return math.hypot(*known) if len(known) == len(errors) else None
    counts = whole_units(question, tally)
    found = summary(counts)
    error = _error(found, counts)
    if error is None or found.score is None:
        return None
    if question.kind == "compare":
        return 2 * error  # a difference d in [-1, 1] is counted as (d + 1) / 2
    slope = found.score * (1 - found.score)
    return error * _ELO_PER_NAT / slope if slope else None


def _error(found: Summary, counts: Floats) -> float | None:
    """Of a mean of units on [0, 1]; never 0."""
    return found.se or 0.5 / float(counts.sum()) if found.se is not None else None


@dataclass(frozen=True)
class Scale:
    """How values of the primary number are said: times ``factor``, with ``unit``, e.g. "Elo"."""

    factor: float
    unit: str

    def __call__(self, value: float) -> str:
        return f"{self.number(value)} {self.unit}"

    def number(self, value: float) -> str:
        """The number alone; an infinite one is no bound."""
        return signed(self.factor * value) if math.isfinite(value) else "no bound"

    @classmethod
    def of(cls, kind: str) -> Scale:
        """Of a kind of experiment that can have a curve."""
        return cls(1, "Elo") if kind == "rights" else cls(100, "percentage points")


def curve(levels: Sequence[Level]) -> dict[str, Any]:
    """The trend through the levels, in rising order: keys levels, slope, label, sentence, complete.

    When every level has played its budget the trend and the levels' intervals are those of fixed
    samples. Before that all intervals may be watched.
    """
    complete = all(level.is_complete for level in levels)
    found = _trend(levels, complete=complete)
    return {
        "levels": [level.shown(complete=complete) for level in levels],
        "slope": {
            "value": None if found is None else found.slope,
            "low": None if found is None else finite(found.low),
            "high": None if found is None else finite(found.high),
        },
        "label": None if found is None else found.label,
        "sentence": _sentence(levels, found, complete=complete),
        "complete": complete,
    }


def _trend(levels: Sequence[Level], *, complete: bool) -> trend.Trend | None:
    """None where a level says nothing yet, or has no error."""
    asked = [level.level for level in levels]
    alpha = levels[0].question.alpha
    values = [level.value for level in levels if level.value is not None]
    if len(values) < len(levels):
        return None
    if complete:
        found = [standard_error(level.question, level.tally) for level in levels]
        errors = [error for error in found if error is not None]
        if len(errors) < len(levels):
            return None
        return trend.trend(asked, values, errors, level=1 - alpha)
    # So that all of them hold together with confidence 1 - alpha, whenever somebody looks.
    stricter = [
        primary(replace(level.question, alpha=alpha / len(levels)), level.tally) for level in levels
    ]
    lows = [-math.inf if each["low"] is None else each["low"] for each in stricter]
    highs = [math.inf if each["high"] is None else each["high"] for each in stricter]
    return trend.watched(asked, values, lows, highs)


def _sentence(levels: Sequence[Level], found: trend.Trend | None, *, complete: bool) -> str:
    if found is None:
        if complete:
            return "The scores of one strength or more leave no error to weigh it by: no trend."
        return "Not every strength has been played yet."
    say = Scale.of(levels[0].question.kind)
    first, last = levels[0], levels[-1]
    path = (
        f"from {say(_known(first))} at {first.nodes} nodes to {say(_known(last))} at {last.nodes}"
    )
    low, high = (say.number(end) for end in (found.low, found.high))
    change = f"a doubling of the nodes changes it by {say(found.slope)} ({low} to {high})"
    told = {
        "robust": f"The answer holds at every strength that was tried, {path}: {change}.",
        "strength-dependent": f"The answer depends on strength, {path}: {change}.",
        "tested only": f"Tested from {first.nodes} to {last.nodes} nodes only, {path}: {change}, "
        "which settles no trend.",
    }[found.label]
    if complete:
        return told + _fate(first, last, found)
    done = sum(level.is_complete for level in levels)
    return f"So far, with {done} of {len(levels)} strengths played to the end: {told}"


def _fate(first: Level, last: Level, found: trend.Trend) -> str:
    """What became of the difference that the weakest players showed, if they showed one."""
    weak, strong = _sign(first), _sign(last)
    if weak == 0 or weak == strong:
        return ""
    if strong == -weak:
        return " It turns round with strength: what weak players show is not the rules' doing."
    if found.label == "strength-dependent":
        return (
            f" It vanishes with strength: at {last.nodes} nodes it cannot be told from nothing, "
            "so what weak players show is not the rules' doing."
        )
    return (
        f" At {last.nodes} nodes it cannot be told from nothing, and whether it vanishes with "
        "strength is not settled."
    )


def _sign(level: Level) -> int:
    """1 or -1 where the level's number is surely above or below nought, else 0; at its end."""
    found = level.at_the_end()
    assert found["low"] is not None, "a trend has been fitted"
    assert found["high"] is not None
    return int(found["low"] > 0) - int(found["high"] < 0)


def _known(level: Level) -> float:
    assert level.value is not None, "a trend has been fitted"
    return level.value
