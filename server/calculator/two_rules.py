"""One rule set against another: what paired differences, or two separate arms, say of a metric."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from tabia.server.calculator.answers import (
    Answer,
    Line,
    percent,
    points_span,
    share_span,
    signed,
    small,
    whole,
)
from tabia.server.calculator.fields import Values
from tabia.server.calculator.two_sides import notes_on, three_way_lines
from tabia.server.statistics import confidence, gsprt, sobel_wald, two_arm
from tabia.server.statistics.gsprt import Floats

METRICS = {"white_score": "White's score", "draws": "drawn games", "decisive": "decisive games"}

_DIFFERENCES = np.linspace(-1, 1, 5)
_UNIT = np.linspace(0, 1, 5)
_GAME = np.array([0.0, 0.5, 1.0])


def from_differences(values: Values) -> Answer:
    """Counts of openings by what the game under A was worth more than the one under B."""
    counts, alpha = np.array(values["counts"], dtype=np.float64), values["alpha"]
    units = counts.sum()
    mean = float(counts @ _DIFFERENCES / units)
    error = math.sqrt(float(counts @ (_DIFFERENCES - mean) ** 2)) / units
    # A difference d in [-1, 1] is bet on as (d + 1) / 2.
    watched = tuple(2 * float(end) - 1 for end in confidence.interval(counts, _UNIT, alpha))
    p_value = confidence.anytime_p_value(float(confidence.log_e_value(counts, _UNIT, 0.5)))
    apart = 1 - counts[2] / units
    return Answer(
        headline=_headline(mean, error, alpha),
        lines=(
            Line("Units", whole(units), f"{whole(2 * units)} games"),
            Line("Openings with a difference", percent(apart)),
            *_difference_lines(mean, error, (watched[0], watched[1]), alpha),
            Line("No difference, p-value", small(p_value), "from an e-value, at this look"),
            *_tests(
                values,
                [
                    float(gsprt.llr(counts, _DIFFERENCES, 0, side * values["margin"]))
                    for side in (1, -1)
                    if values["margin"]
                ],
            ),
        ),
        notes=notes_on(values),
    )


def from_arms(values: Values) -> Answer:
    """White's wins, draws and losses under A and under B, where no openings are shared."""
    metric, alpha = values["metric"], values["alpha"]
    a, b = (_cells(values[arm], metric) for arm in ("a", "b"))
    means = [float(arm @ _GAME / arm.sum()) for arm in (a, b)]
    variances = [
        float(arm @ (_GAME - mean) ** 2 / arm.sum() ** 2)
        for arm, mean in zip((a, b), means, strict=True)
    ]
    mean, error = means[0] - means[1], math.sqrt(sum(variances))
    # Each arm's interval at half of alpha: then both hold together, and so does the difference.
    (low_a, high_a), (low_b, high_b) = (
        [float(end) for end in confidence.interval(arm, _GAME, alpha / 2)] for arm in (a, b)
    )
    shown = [
        Line(
            f"{METRICS[metric]}, {name}",
            percent(value),
            f"{share_span(*(float(end) for end in confidence.interval(arm, _GAME, alpha)))}, "
            f"{percent(1 - alpha, 0)}, always valid",
        )
        for name, value, arm in zip("AB", means, (a, b), strict=True)
    ]
    return Answer(
        headline=_headline(mean, error, alpha),
        lines=(
            Line("Games", whole(a.sum() + b.sum())),
            *shown,
            *_difference_lines(mean, error, (low_a - high_b, high_a - low_b), alpha),
            *_tests(
                values,
                [
                    float(two_arm.llr(a, b, _GAME, 0, side * values["margin"]))
                    for side in (1, -1)
                    if values["margin"]
                ],
            ),
        ),
        notes=notes_on(values),
    )


def _cells(won_drawn_lost: Sequence[int], metric: str) -> Floats:
    """Counts over 0, 1/2 and 1 of a metric, from White's wins, draws and losses."""
    won, drawn, lost = won_drawn_lost
    cells = {
        "white_score": (lost, drawn, won),
        "draws": (won + lost, 0, drawn),
        "decisive": (drawn, 0, won + lost),
    }[metric]
    return np.array(cells, dtype=np.float64)


def _headline(mean: float, error: float, alpha: float) -> str:
    if error == 0:
        return (
            f"A difference of {signed(100 * mean)} percentage points; every unit is alike, so "
            "nothing says how far off that is."
        )
    return (
        f"{signed(100 * mean)} percentage points {points_span(*_fixed(mean, error, alpha))}, if so "
        f"many units were declared beforehand ({percent(1 - alpha, 0)} interval)."
    )


def _difference_lines(
    mean: float, error: float, watched: tuple[float, float], alpha: float
) -> list[Line]:
    level = percent(1 - alpha, 0)
    fixed = points_span(*_fixed(mean, error, alpha)) if error else "–"
    return [
        Line("A minus B, percentage points", signed(100 * mean)),
        Line(f"A minus B, {level}, fixed sample", "", fixed),
        Line(f"A minus B, {level}, always valid", "", points_span(*watched)),
    ]


def _fixed(mean: float, error: float, alpha: float) -> tuple[float, float]:
    half = NormalDist().inv_cdf(1 - alpha / 2) * error
    return max(mean - half, -1.0), min(mean + half, 1.0)


def _tests(values: Values, ratios: list[float]) -> list[Line]:
    if not ratios:
        return []
    limits = sobel_wald.bounds(values["alpha"], values["beta"])
    return three_way_lines(ratios, limits, f"{100 * values['margin']:g} points")
