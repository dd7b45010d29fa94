"""A node-budget curve: one question asked at several strengths, and what becomes of the answer.

A rule may seem to matter because the players are weak. So the same question is asked of players
that look at more positions, and the trend of the answers is part of the answer: a difference that
shrinks to nothing as the players grow stronger says something of the players, not of the rules.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
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
