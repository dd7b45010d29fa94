"""What a question costs: units, games and hours of a core, by rule, beside a fixed sample."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from tabia.engine.documents import DocumentError
from tabia.server.calculator.answers import Answer, Line, Table, percent, quantity, whole
from tabia.server.calculator.fields import Values
from tabia.server.statistics import planning
from tabia.server.statistics.elo import NELO_PER_SIGMA, score_of

QUESTIONS: Final = {
    "elo": "Elo of two sides",
    "normalized": "normalized Elo of two sides",
    "white_score": "White's score under two rule sets",
    "draws": "a rate under two rule sets (draws, promotions)",
}

_GAMES_A_UNIT: Final = 2

COUPLING: Final = (
    "Coupling saves games for the same overall effect only: where a tenth of the openings is "
    "touched, about a tenth of the units is needed. A rule that matters as much whenever it "
    "matters, only more rarely, needs more."
)
READING: Final = (
    "Means over many experiments; nineteen in twenty take no more than the column beside it. A "
    "fixed sample has the same error rates, may not be watched, and never says that there is no "
    "difference."
)


class _Rule(NamedTuple):
    """A rule under the name that people read; alpha a side is ``sides`` times the declared one."""

    name: str
    rule: planning.Rule
    sides: float


_RULES: Final = (
    _Rule("Three-way (Sobel–Wald)", "sobel-wald", 1.0),
    _Rule("Two hypotheses (GSPRT)", "gsprt", 1.0),
    _Rule("Fixed sample, two-sided", "fixed", 0.5),
    _Rule("Fixed sample, one-sided", "fixed", 1.0),
)


def costs(values: Values) -> Answer:
    """The answer to the form ``plan``."""
    variance = _variance(values)
    margin = _on_unit_scale(values, variance)
    plans = {
        rule: planning.plan(
            rule.rule, margin, variance, rule.sides * values["alpha"], values["beta"]
        )
        for rule in _RULES
    }
    declared = plans[_RULES[0]]
    return Answer(
        headline=(
            f"About {_units(declared.halfway.mean)} units and "
            f"{_hours(values, declared.halfway.mean)} core-hours where the truth lies halfway to "
            f"the margin; declare a budget of {_units(declared.budget)} units."
        ),
        lines=(
            Line("Variance of a unit", quantity(variance), "of its value, on [0, 1]"),
            Line("Margin", quantity(margin), "of a unit's value, on the same scale"),
            Line("Seconds a game", quantity(_seconds_a_game(values)), "on one core"),
            *_rarity(values, margin, variance),
        ),
        table=Table(
            ("Rule", "True effect", "Units", "95 % take", "Games", "Core-hours"),
            tuple(row for rule, plan in plans.items() for row in _rows(rule, plan, values)),
        ),
        notes=(READING, *((COUPLING,) if values["touched"] < 1 else ())),
    )


def _rows(rule: _Rule, plan: planning.Plan, values: Values) -> list[tuple[str, ...]]:
    lengths = {"none": plan.none, "half the margin": plan.halfway, "the margin": plan.margin}
    if rule.rule == "fixed":
        lengths = {"any": plan.none}
    return [
        (
            rule.name,
            effect,
            _units(length.mean),
            _units(length.p95),
            whole(_GAMES_A_UNIT * math.ceil(length.mean)),
            _hours(values, length.mean),
        )
        for effect, length in lengths.items()
    ]


def _variance(values: Values) -> float:
    """That of a unit's value on [0, 1], untouched units among them."""
    touched = values["variance"]
    if touched is None:
        rate = planning.SUPPOSED_RATE if values["draws"] is None else values["draws"]
        of = (
            planning.rate_pair_variance
            if values["question"] == "draws"
            else planning.level_pair_variance
        )
        touched = of(rate)
    return planning.coupled_variance(touched, values["touched"])


def _on_unit_scale(values: Values, variance: float) -> float:
    """The margin as a distance of unit values. DocumentError when no such difference can be."""
    margin, question = values["margin"], values["question"]
    if question == "normalized":
        return float(margin * math.sqrt(_GAMES_A_UNIT * variance) / NELO_PER_SIGMA)
    if question != "elo" and margin >= 1:
        raise DocumentError(
            "stats plan", "margin", f"found {margin:g}; allowed: a share below 1, as in 0.03"
        )
    found = score_of(margin) - 0.5 if question == "elo" else margin / 2
    if found > values["touched"] / 2:
        raise DocumentError(
            "stats plan",
            "margin",
            f"found {margin:g}; allowed: no more than what {percent(values['touched'])} of the "
            "units, the touched ones, can make",
        )
    return float(found)


def _rarity(values: Values, margin: float, variance: float) -> list[Line]:
    """What the margin means for a touched unit, and what it costs if it is meant there."""
    share = values["touched"]
    if share == 1 or values["question"] == "normalized":
        return []
    per_touch = planning.plan(
        "sobel-wald", share * margin, variance, values["alpha"], values["beta"]
    )
    return [
        Line(
            "If the margin is meant in touched units only",
            f"{_units(per_touch.halfway.mean)} units",
            "halfway, three-way test",
        )
    ]


def _seconds_a_game(values: Values) -> float:
    return float(values["plies"] * values["nodes"] / values["nps"])


def _hours(values: Values, units: float) -> str:
    return quantity(planning.effort(units, _GAMES_A_UNIT, _seconds_a_game(values)).core_hours)


def _units(units: float) -> str:
    return whole(math.ceil(units))
