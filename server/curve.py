"""A node-budget curve: one question asked at several strengths, and what becomes of the answer.

A rule may seem to matter because the players are weak. So the same question is asked of players
that look at more positions, and the trend of the answers is part of the answer: a difference that
shrinks to nothing as the players grow stronger says something of the players, not of the rules.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from tabia.server import stopping
from tabia.server.numbers import signed
from tabia.server.question import Question
from tabia.server.statistics import trend
from tabia.server.statistics.elo import summary
from tabia.server.tally import Tally

_HALF = stopping.COUNTINGS.index("half")
_ELO_PER_NAT = 400 / math.log(10)


@dataclass(frozen=True)
class Level:
    """One experiment of a curve. ``level`` is what the nodes are multiplied by; ``value``, ``low``
    and ``high`` are as its own page shows them; ``error`` is the standard error of a fixed sample,
    None where there is none."""

    level: int
    nodes: int
    experiment: str
    units: int
    is_complete: bool
    value: float | None
    low: float | None
    high: float | None
    error: float | None

    def shown(self) -> dict[str, Any]:
        """For the view."""
        names = ("level", "nodes", "experiment", "units", "value", "low", "high")
        return {name: getattr(self, name) for name in names}


def standard_error(question: Question, tally: Tally) -> float | None:
    """Of the primary number, on its scale, for a fixed number of units; None without a spread.

    ``compare``: of the difference of A and B. ``rights``: of the Elo of whoever has A's rights.
    """
    if question.kind == "compare" and not question.paired:
        a, b = stopping.arm_counts(question, tally.cells)
        errors = [summary(counts[_HALF], games_per_unit=1).se for counts in (a, b)]
        known = [error for error in errors if error is not None]
        return math.hypot(*known) or None if len(known) == 2 else None
    found = summary(stopping.unit_counts(question, tally.cells)[_HALF])
    if not found.se or found.score is None:
        return None
    if question.kind == "compare":
        return 2 * found.se  # a difference d in [-1, 1] is counted as (d + 1) / 2
    return found.se * _ELO_PER_NAT / (found.score * (1 - found.score))


@dataclass(frozen=True)
class Scale:
    """How values of the primary number are said: times ``factor``, with ``unit``, e.g. "Elo"."""

    factor: float
    unit: str

    def __call__(self, value: float) -> str:
        return f"{signed(self.factor * value)} {self.unit}"

    @classmethod
    def of(cls, kind: str) -> Scale:
        """Of a kind of experiment that can have a curve."""
        return cls(1, "Elo") if kind == "rights" else cls(100, "percentage points")


def curve(levels: Sequence[Level], *, kind: str, alpha: float) -> dict[str, Any]:
    """The trend through the levels, in rising order: keys levels, slope, label, sentence, complete.

    The slope is told when every level has played its budget. Before that its interval would be one
    of a fixed sample, and somebody would watch it.
    """
    complete = all(level.is_complete for level in levels)
    fitted = _fit(levels, alpha) if complete else None
    return {
        "levels": [level.shown() for level in levels],
        "slope": {
            "value": None if fitted is None else fitted.slope,
            "low": None if fitted is None else fitted.low,
            "high": None if fitted is None else fitted.high,
        },
        "label": None if fitted is None else fitted.label,
        "sentence": _sentence(levels, fitted, Scale.of(kind), alpha),
        "complete": complete,
    }


def _fit(levels: Sequence[Level], alpha: float) -> trend.Trend | None:
    """None where a level has no value or no error."""
    known = [
        (level.value, level.error)
        for level in levels
        if level.value is not None and level.error is not None
    ]
    if len(known) < len(levels):
        return None
    values, errors = zip(*known, strict=True)
    return trend.fit([level.level for level in levels], values, errors, level=1 - alpha)


def _sentence(levels: Sequence[Level], fitted: trend.Trend | None, say: Scale, alpha: float) -> str:
    if not all(level.is_complete for level in levels):
        done = sum(level.is_complete for level in levels)
        return (
            f"{done} of {len(levels)} strengths have played their budget; whether the answer "
            "changes with strength is told when all have."
        )
    if fitted is None:
        return "The games of one strength or more are all alike: no trend can be told."
    first, last = levels[0], levels[-1]
    assert first.value is not None
    assert last.value is not None
    path = f"from {say(first.value)} at {first.nodes} nodes to {say(last.value)} at {last.nodes}"
    change = f"{say(fitted.slope)} ({say(fitted.low)} to {say(fitted.high)})"
    told = {
        "robust": f"The answer holds at every strength that was tried: {path}; a doubling of the "
        f"nodes changes it by {change}.",
        "strength-dependent": f"The answer depends on strength: {path}; a doubling of the nodes "
        f"changes it by {change}.",
        "tested only": f"Tested from {first.nodes} to {last.nodes} nodes only: {path}; a doubling "
        f"of the nodes changes it by {change}, which settles no trend.",
    }[fitted.label]
    return told + _fate(first, last, fitted, alpha)


def _fate(first: Level, last: Level, fitted: trend.Trend, alpha: float) -> str:
    """What became of the difference that the weakest players showed, if they showed one."""
    z = NormalDist().inv_cdf(1 - alpha / 2)
    weak, strong = (_sign(level, z) for level in (first, last))
    if weak == 0 or weak == strong:
        return ""
    if strong == -weak:
        return " It turns round with strength: what weak players show is not the rules' doing."
    if fitted.label == "strength-dependent":
        return (
            f" It vanishes with strength: at {last.nodes} nodes it cannot be told from nothing, "
            "so what weak players show is not the rules' doing."
        )
    return (
        f" At {last.nodes} nodes it cannot be told from nothing, and whether it vanishes with "
        "strength is not settled."
    )


def _sign(level: Level, z: float) -> int:
    """1 or -1 where the level's value is surely above or below nought, else 0."""
    assert level.value is not None
    assert level.error is not None
    return 0 if abs(level.value) <= z * level.error else (1 if level.value > 0 else -1)
