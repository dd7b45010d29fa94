"""Values with intervals that may be watched, for the primary metric of A against B."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from tabia.server import stopping
from tabia.server.question import MEETINGS, Question
from tabia.server.statistics import confidence, normalized
from tabia.server.statistics.elo import elo_of, normalized_elo
from tabia.server.statistics.gsprt import Floats
from tabia.server.tally import Tally

Figure = dict[str, float | None]
"""``{"value", "low", "high"}``; None for what is unknown or unbounded."""

HALF = stopping.COUNTINGS.index("half")
OUTCOMES = np.linspace(0, 1, 5)
"""What a unit can be worth: a pair's score, or a difference d as (d + 1) / 2."""


def whole_units(question: Question, tally: Tally) -> Floats:
    """Counts (5,) of the units by what they are worth, capped games worth one half."""
    return np.asarray(stopping.unit_counts(question, tally.cells)[HALF])


def arm_rows(question: Question, cells: Any) -> Floats:
    """Counts (..., 2 arms, 5) of the games of a and b by what they are worth, from joint cells."""
    a, b = (counts[..., HALF, :] for counts in stopping.arm_counts(question, cells))
    rows = np.zeros((*a.shape[:-1], 2, OUTCOMES.size))
    rows[..., 0, ::2], rows[..., 1, ::2] = a, b
    return rows


def figures(rows: Floats, alpha: float) -> list[Figure]:
    """Mean and confidence sequence of counts (r, 5) over OUTCOMES, one a row."""
    lows, highs = confidence.interval(rows, OUTCOMES, alpha)
    return [
        _figure(row, float(low), float(high))
        for row, low, high in zip(rows, lows, highs, strict=True)
    ]


def as_difference(half: Mapping[str, float | None]) -> Figure:
    """A difference d in [-1, 1] that was bet on as (d + 1) / 2."""
    return {key: None if each is None else 2 * each - 1 for key, each in half.items()}


def estimates(question: Question, tally: Tally) -> dict[str, Figure]:
    """Everything that is known of the primary metric, by name.

    ``compare``: a, b, difference. Where A and B meet: score, elo, normalized_elo, all A's.
    """
    units = whole_units(question, tally)
    if question.kind in MEETINGS:
        score = figures(units[None], question.alpha)[0]
        return {
            "score": score,
            "elo": _elo(score),
            "normalized_elo": _normalized(units, question.alpha),
        }
    rows = np.concatenate([arm_rows(question, tally.cells), units[None]])
    a, b, half = figures(rows, question.alpha)
    return {"a": a, "b": b, "difference": as_difference(half)}


def primary(question: Question, tally: Tally) -> Figure:
    """The number that the experiment is about, on the scale of the margin."""
    half = figures(whole_units(question, tally)[None], question.alpha)[0]
    return _elo(half) if question.kind in MEETINGS else as_difference(half)


def _figure(counts: Floats, low: float, high: float) -> Figure:
    size = counts.sum()
    return {"value": float(counts @ OUTCOMES / size) if size else None, "low": low, "high": high}


def _elo(score: Figure) -> Figure:
    return {key: None if each is None else _finite(elo_of(each)) for key, each in score.items()}


def _normalized(pairs: Floats, alpha: float) -> Figure:
    """None where all pairs are alike, and have no spread to measure the edge by."""
    value = normalized_elo(pairs)
    if value is None:
        return {"value": None, "low": None, "high": None}
    low, high = (float(end) for end in normalized.interval(pairs, alpha))
    return {"value": value, "low": _finite(low), "high": _finite(high)}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
