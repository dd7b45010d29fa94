"""The questions that can be asked of the calculator: their fields, and who answers them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tabia.server.calculator import costs, two_rules, two_sides
from tabia.server.calculator.answers import Answer
from tabia.server.calculator.fields import (
    Field,
    Values,
    counts,
    number,
    one_of,
    read_fields,
    rising,
)
from tabia.server.statistics.planning import SUPPOSED_RATE


@dataclass(frozen=True)
class Form:
    """One question: ``tabia stats NAME``, and a form of the page."""

    name: str
    title: str
    about: str
    fields: tuple[Field, ...]
    work: Callable[[Values], Answer]

    def answer(self, given: Mapping[str, str]) -> Answer:
        """The answer to the fields' texts. Raises DocumentError, its key the name of a field."""
        return self.work(read_fields(self.fields, given, f"stats {self.name}"))


def _choice(name: str, label: str, hint: str, choices: Mapping[str, str]) -> Field:
    first = next(iter(choices))
    return Field(name, label, hint, one_of(choices), first, choices=choices)


_ALPHA = Field(
    "alpha",
    "α",
    "false alarms allowed; intervals are of 1 − α",
    number(0.0001, 0.5),
    default="0.05",
)
_BETA = Field(
    "beta", "β", "effects of the margin that may be missed", number(0.0001, 0.5), default="0.05"
)
_BOUNDS = Field(
    "bounds",
    "GSPRT bounds, Elo",
    "two hypotheses to test against each other; may be left out",
    rising(-1000, 1000),
    default=None,
    example="0 10",
    parts=2,
)
_SCALE = _choice(
    "scale",
    "Bounds in",
    "Elo of the GSPRT's bounds",
    {"normalized": "normalized Elo", "logistic": "logistic Elo"},
)
_ELO_MARGIN = Field(
    "margin",
    "Margin, Elo",
    "for the three-way test: the smallest difference that matters; may be left out",
    number(0, 1000, open_ends=True),
    default=None,
    example="20",
)
_SHARE_MARGIN = Field(
    "margin",
    "Margin",
    "for the three-way test: 0.03 is three percentage points; may be left out",
    number(0, 1, open_ends=True),
    default=None,
    example="0.03",
)
_METRIC = _choice("metric", "Metric", "what is compared", two_rules.METRICS)


def _won_drawn_lost(arm: str, example: str) -> Field:
    return Field(
        arm,
        f"Games under {arm.upper()}",
        "won by White, drawn, won by Black",
        counts(3, example),
        example=example,
        parts=3,
    )


_FORMS: Final = (
    Form(
        "pairs",
        "Game pairs",
        "Two players, or two sets of rights: each opening played twice with the colours swapped.",
        (
            Field(
                "counts",
                "Pairs by points",
                "how many pairs brought 0, ½, 1, 1½ and 2 points, five numbers",
                counts(5, "16 219 530 240 25"),
                example="16 219 530 240 25",
                parts=5,
            ),
            _BOUNDS,
            _SCALE,
            _ELO_MARGIN,
            _ALPHA,
            _BETA,
        ),
        two_sides.from_pairs,
    ),
    Form(
        "games",
        "Single games",
        "Wins, draws and losses of games that share nothing. Of pairs, give the pairs: it is "
        "nearer to the truth.",
        (
            Field(
                "counts",
                "Won, drawn, lost",
                "three numbers",
                counts(3, "620 900 480"),
                example="620 900 480",
                parts=3,
            ),
            _BOUNDS,
            _SCALE,
            _ELO_MARGIN,
            _ALPHA,
            _BETA,
        ),
        two_sides.from_games,
    ),
    Form(
        "differences",
        "Paired differences",
        "Two rule sets that share their openings: what the game under A was worth more than the "
        "game under B.",
        (
            Field(
                "counts",
                "Openings by difference",
                "how many differed by −1, −½, 0, ½ and 1, five numbers",
                counts(5, "31 12 880 18 59"),
                example="31 12 880 18 59",
                parts=5,
            ),
            _SHARE_MARGIN,
            _ALPHA,
            _BETA,
        ),
        two_rules.from_differences,
    ),
    Form(
        "arms",
        "Two arms",
        "Two rule sets that share no openings.",
        (
            _won_drawn_lost("a", "410 330 260"),
            _won_drawn_lost("b", "380 350 270"),
            _METRIC,
            _SHARE_MARGIN,
            _ALPHA,
            _BETA,
        ),
        two_rules.from_arms,
    ),
    Form(
        "plan",
        "What it costs",
        "From the smallest difference that matters and the error rates to units, games and "
        "core-hours, by rule.",
        (
            _choice("question", "Question", "what the margin is a difference of", costs.QUESTIONS),
            Field(
                "margin",
                "Margin",
                "the smallest difference that matters: Elo, or a share (0.03 is three points)",
                number(0, 1000, open_ends=True),
                example="20",
            ),
            _ALPHA,
            _BETA,
            Field(
                "draws",
                "Draw rate",
                "of a game, or the rate in question; "
                f"{SUPPOSED_RATE} if neither this nor a variance is given",
                number(0, 0.999),
                default=None,
                example="0.3",
            ),
            Field(
                "variance",
                "Variance",
                "of a touched unit's value on [0, 1], from a pilot; it goes before the draw rate",
                number(0, 0.25, open_ends=True),
                default=None,
                example="0.0625",
            ),
            Field(
                "touched",
                "Touched share",
                "of units whose two games differ at all",
                number(0.0001, 1),
                default="1",
            ),
            Field("nodes", "Nodes a move", "of either player", number(1, 10**7), default="4000"),
            Field(
                "nps",
                "Nodes a second",
                "of one core; tabia bench prints yours",
                number(1, 10**9),
                default="200000",
            ),
            Field("plies", "Plies a game", "a mean", number(1, 4000), default="100"),
        ),
        costs.costs,
    ),
)

FORMS: Final[Mapping[str, Form]] = {form.name: form for form in _FORMS}
"""By name, in the order in which they are offered."""
