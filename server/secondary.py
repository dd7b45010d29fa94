"""Metrics beside the primary one: exploratory, and marked so wherever they are shown.

In ``compare`` each has both arms' values, their difference, a p-value that is valid at any time,
and Holm's adjustment of it over all secondary metrics of the experiment: the chance that any of
those called different (adjusted p at most alpha) is not, is at most alpha. Where A and B meet there
are no two arms to compare: one value of all games, which says what the games are like.

All intervals are confidence sequences by betting, but for the length of a game, which has no bound
to bet against: there it is an asymptotic one, from 100 units on; of a difference, from 50 on whose
games differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tabia.server import stopping
from tabia.server.estimates import HALF, OUTCOMES, Figure, arm_rows, as_difference, figures
from tabia.server.lengths import Moments
from tabia.server.metrics import LENGTH, LENGTH_LABEL, OBSERVED
from tabia.server.question import Question
from tabia.server.statistics import asymptotic, confidence
from tabia.server.statistics.gsprt import Floats
from tabia.server.statistics.multiplicity import holm
from tabia.server.tally import Tally, no_cells

Row = dict[str, Any]


def secondary(question: Question, tally: Tally, evidence: Mapping[str, float]) -> list[Row]:
    """One row a metric; ``evidence`` has the greatest log e-value so far of each, by name."""
    if not question.observed:
        return []
    compare = question.kind == "compare"
    rows = [*(_compared(question, tally) if compare else _described(question, tally))]
    rows.append(_length(question, tally))
    if compare:
        p_values = [confidence.anytime_p_value(evidence.get(row["name"], 0.0)) for row in rows]
        for row, p, adjusted in zip(rows, p_values, holm(p_values), strict=True):
            row["p_value"], row["p_holm"] = p, float(adjusted)
    return rows


def log_e_values(question: Question, tally: Tally) -> dict[str, float]:
    """Evidence against "no difference" in each secondary metric, on the present units."""
    if question.kind != "compare" or not question.observed:
        return {}
    found = confidence.log_e_value(_units(question, tally), OUTCOMES, 0.5)
    difference = tally.lengths.difference
    of_length = asymptotic.log_e_value(
        difference.count, difference.mean, difference.sd, question.alpha, _planned(question)
    )
    by_name = dict(zip(question.secondary, found.tolist(), strict=True))
    return {**by_name, LENGTH: float(of_length) if _enough_differ(tally) else 0.0}


def _compared(question: Question, tally: Tally) -> Iterator[Row]:
    """Both arms and their difference; one call for all intervals."""
    arms = arm_rows(question, _cells(question, tally))
    rows = np.concatenate([arms, _units(question, tally)[:, None]], axis=1)
    found = figures(rows.reshape(-1, OUTCOMES.size), question.alpha)
    for name, a, b, half in zip(
        question.secondary, found[::3], found[1::3], found[2::3], strict=True
    ):
        yield _row(name, OBSERVED[name].label, a, b, as_difference(half))


def _described(question: Question, tally: Tally) -> Iterator[Row]:
    """The mean over both games of a unit."""
    found = figures(_units(question, tally), question.alpha)
    for name, both in zip(question.secondary, found, strict=True):
        yield _row(name, OBSERVED[name].label, both)


def _length(question: Question, tally: Tally) -> Row:
    """Lengths in plies, geometric means; their difference in per cent of B's length."""
    lengths = tally.lengths
    capped = sum(arm.capped for arm in tally.arms.values())
    games = sum(arm.games for arm in tally.arms.values())
    note = f"{capped} of {games} games were stopped at the ply cap" if capped else None
    style = {"scale": "percent", "asymptotic": True, "note": note}
    if question.kind != "compare":
        return _row(LENGTH, LENGTH_LABEL, _plies(question, lengths.both)) | style
    percent = _mapped(question, lengths.difference, lambda log: 100 * math.expm1(log))
    if not _enough_differ(tally):
        percent = {**percent, "low": None, "high": None}
    a, b = _plies(question, lengths.a), _plies(question, lengths.b)
    return _row(LENGTH, LENGTH_LABEL, a, b, percent) | style


def _row(
    name: str, label: str, a: Figure, b: Figure | None = None, difference: Figure | None = None
) -> Row:
    return {
        "name": name,
        "label": label,
        "a": a,
        "b": b,
        "difference": difference,
        "p_value": None,
        "p_holm": None,
        "scale": "share",
        "asymptotic": False,
        "note": None,
    }


def _cells(question: Question, tally: Tally) -> Floats:
    """The joint cells (m, 4, 4) of the secondary metrics."""
    cells = [tally.others.get(name) or no_cells() for name in question.secondary]
    return np.array(cells, dtype=np.float64)


def _units(question: Question, tally: Tally) -> Floats:
    """Counts (m, 5) of the units by what they are worth in each secondary metric."""
    return np.asarray(stopping.unit_counts(question, _cells(question, tally))[:, HALF])


def _plies(question: Question, logs: Moments) -> Figure:
    return _mapped(question, logs, math.exp)


def _mapped(question: Question, logs: Moments, scale: Any) -> Figure:
    """The mean of logarithms with its interval, on another scale."""
    if not logs.count:
        return {"value": None, "low": None, "high": None}
    low, high = asymptotic.interval(
        logs.count, logs.mean, logs.sd, question.alpha, _planned(question)
    )
    ends = (float(end) if np.isfinite(end) else None for end in (low, high))
    shown = [None if end is None else scale(end) for end in ends]
    return {"value": scale(logs.mean), "low": shown[0], "high": shown[1]}


def _enough_differ(tally: Tally) -> bool:
    """Whether the difference of the arms rests on more than a few units."""
    return tally.touched >= asymptotic.MINIMUM_DIFFERENT


def _planned(question: Question) -> float:
    """The number of units at which an asymptotic interval is narrowest: a quarter of the budget,
    for a test often stops there. It is declared with the budget, before the first game."""
    return max(question.budget / 4, asymptotic.MINIMUM_UNITS)
