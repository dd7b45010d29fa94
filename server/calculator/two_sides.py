"""One side against another: what game pairs, or single games, say of who is stronger."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tabia.server.calculator.answers import (
    NONE,
    Answer,
    Line,
    elo_span,
    near_certain,
    percent,
    share_span,
    signed,
    small,
    whole,
)
from tabia.server.calculator.fields import Values
from tabia.server.statistics import after_stopping, confidence, gsprt, normalized, sobel_wald
from tabia.server.statistics.elo import Summary, elo_of, score_of, summary
from tabia.server.statistics.sprt import Bounds, wald_bounds

PAIR, GAME = 2, 1

READING = (
    "A fixed-sample interval is to be read once, at a number of units that was declared before the "
    "first. The always-valid one may be watched: it holds at every moment at once."
)
ONE_LOOK = (
    "A test ends at the first look at which it crosses a bound; these are the ratios at this look, "
    "against bounds without the correction for overshoot."
)
STOPPED = (
    "SPRT-adjusted: a test that stops when it is ahead stops on a lucky day. This value is too "
    "high as often as too low, if the test stopped here."
)


def from_pairs(values: Values) -> Answer:
    """Pentanomial counts: pairs of games with 0, 1/2, 1, 1 1/2 and 2 points."""
    return _answer(values["counts"], values, PAIR)


def from_games(values: Values) -> Answer:
    """Wins, draws and losses of games that have nothing to do with each other."""
    return _answer(values["counts"][::-1], values, GAME)


def _answer(counts: Sequence[int], values: Values, games_a_unit: int) -> Answer:
    """``counts`` over equally spaced scores from 0 to 1."""
    alpha = values["alpha"]
    told = summary(counts, level=1 - alpha, games_per_unit=games_a_unit)
    tests, notes = _gsprt(counts, values, games_a_unit)
    return Answer(
        headline=_headline(told, 1 - alpha),
        lines=(
            Line("Units", whole(sum(counts)), f"{whole(games_a_unit * sum(counts))} games"),
            *_estimates(counts, told, alpha),
            *tests,
            *_three_way(counts, values),
        ),
        notes=notes_on(values) + notes,
    )


def _headline(told: Summary, level: float) -> str:
    assert told.score is not None, "counts have a unit"
    assert told.elo is not None, "a score has its Elo"
    if told.elo_low is None or told.elo_high is None:
        return (
            f"A score of {percent(told.score)}, {signed(told.elo)} Elo; every unit is alike, so "
            "nothing says how far off that is."
        )
    return (
        f"{signed(told.elo)} Elo {elo_span(told.elo_low, told.elo_high)}, if so many units were "
        f"declared beforehand ({percent(level, 0)} interval)."
    )


def _estimates(counts: Sequence[int], told: Summary, alpha: float) -> list[Line]:
    level = percent(1 - alpha, 0)
    assert told.score is not None
    assert told.elo is not None
    support = np.linspace(0, 1, len(counts))
    low, high = (float(end) for end in confidence.interval(counts, support, alpha))
    fixed_elo = (
        elo_span(told.elo_low, told.elo_high)
        if told.elo_low is not None and told.elo_high is not None
        else NONE
    )
    nelo = NONE if told.nelo is None else signed(told.nelo)
    error = "" if told.nelo_error is None else f"±{told.nelo_error:.1f}, fixed sample"
    p_value = confidence.anytime_p_value(float(confidence.log_e_value(counts, support, 0.5)))
    return [
        Line("Score", percent(told.score)),
        Line(f"Score, {level}, always valid", "", share_span(low, high)),
        Line("Elo", signed(told.elo)),
        Line(f"Elo, {level}, fixed sample", "", fixed_elo),
        Line(f"Elo, {level}, always valid", "", elo_span(elo_of(low), elo_of(high))),
        Line("Normalized Elo", nelo, error),
        Line(
            "Likelihood of superiority",
            NONE if told.los is None else near_certain(told.los),
            "fixed sample",
        ),
        Line("Equal strength, p-value", small(p_value), "from an e-value, at this look"),
    ]


def _gsprt(
    counts: Sequence[int], values: Values, games_a_unit: int
) -> tuple[list[Line], tuple[str, ...]]:
    """The test of two hypotheses on Elo, and once it is over its honest estimate."""
    if values["bounds"] is None:
        return [], ()
    low, high = values["bounds"]
    scale, alpha, beta = values["scale"], values["alpha"], values["beta"]
    limits = wald_bounds(alpha, beta)
    support = np.linspace(0, 1, len(counts))
    if scale == "normalized":
        ratio = float(normalized.llr(counts, low, high, games_per_unit=games_a_unit))
    else:
        ratio = float(gsprt.llr(counts, support, score_of(low), score_of(high)))
    lines = [
        Line(
            f"LLR of {high:g} against {low:g} {scale} Elo",
            signed(ratio, 3),
            f"bounds {_limits(limits)}: {_conclusion(ratio, limits, low, high)}",
        )
    ]
    if limits.lower < ratio < limits.upper:
        return lines, ()
    try:
        found = after_stopping.estimate(
            counts, low, high, alpha, beta, 1 - alpha, scale=scale, games_per_unit=games_a_unit
        )
    except gsprt.NoInformationError:
        return lines, ()
    lines += [
        Line(
            "Elo, SPRT-adjusted",
            signed(found.median),
            f"{elo_span(found.low, found.high)}, {percent(1 - alpha, 0)}",
        ),
        Line("Likelihood of superiority, SPRT-adjusted", near_certain(found.los)),
    ]
    return lines, (STOPPED,)


def _conclusion(ratio: float, limits: Bounds, low: float, high: float) -> str:
    if ratio >= limits.upper:
        return f"{high:g} is accepted"
    return f"{low:g} is accepted" if ratio <= limits.lower else "goes on"


def _three_way(counts: Sequence[int], values: Values) -> list[Line]:
    """Sobel and Wald's two tests: no difference against the margin on either side."""
    margin = values["margin"]
    if margin is None:
        return []
    support = np.linspace(0, 1, len(counts))
    limits = sobel_wald.bounds(values["alpha"], values["beta"])
    ratios = [float(gsprt.llr(counts, support, 0.5, score_of(side * margin))) for side in (1, -1)]
    return three_way_lines(ratios, limits, f"{margin:g} Elo")


def notes_on(values: Values) -> tuple[str, ...]:
    """How the numbers are to be read, where a test is among them and where none is."""
    tested = values["margin"] is not None or values.get("bounds") is not None
    return (READING, ONE_LOOK) if tested else (READING,)


def three_way_lines(ratios: Sequence[float], limits: Bounds, margin: str) -> list[Line]:
    """The log-likelihood ratios of a margin on either side, and what they add up to."""
    higher, lower = ratios
    if higher >= limits.upper:
        verdict = "higher"
    elif lower >= limits.upper:
        verdict = "lower"
    elif max(higher, lower) <= limits.lower:
        verdict = "no difference of that size"
    else:
        verdict = "goes on"
    bounds = f"bounds {_limits(limits)}"
    return [
        Line(f"LLR of +{margin} against 0", signed(higher, 3), bounds),
        Line(f"LLR of -{margin} against 0", signed(lower, 3), bounds),
        Line("Three-way test at these counts", verdict),
    ]


def _limits(limits: Bounds) -> str:
    return f"[{signed(limits.lower, 3)}, {signed(limits.upper, 3)}]"
