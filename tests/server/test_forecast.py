"""What is said of a test's length before it begins is what such tests then take."""

import dataclasses

import numpy as np
import pytest
from laws import EVEN, units_of_law

from tabia.server.forecast import forecast
from tabia.server.question import Question
from tabia.server.simulation import simulate
from tabia.server.stopping import MINIMUM_UNITS
from tabia.server.tally import Tally, tally_of

COMPARE = Question("compare", True, "white_score", 0.1, 0.05, 0.05, 20_000, "Grand", "Grander")
DRAWS = dataclasses.replace(COMPARE, metric="draws")
RIGHTS = Question("rights", True, "elo", 50.0, 0.05, 0.05, 20_000, "Optional", "Compulsory")
ENGINES = Question(
    "engines", True, "elo", 0.0, 0.05, 0.05, 20_000, "New", "Old",
    rule="gsprt", bounds=(0.0, 60.0), scale="normalized",
)  # fmt: skip
LOGISTIC = dataclasses.replace(ENGINES, bounds=(-10.0, 20.0), scale="logistic")


def law(question, effect):
    """Units of two independent games: three in ten drawn, or three in ten of what is counted.

    `effect`: of A, in the value of one game.
    """
    if question.metric == "draws":
        a, b = (np.array([0.7 - half, 0, 0.3 + half, 0]) for half in (effect / 2, -effect / 2))
        return np.outer(a, b)
    white, black = (np.array([0.35 - e, 0.3, 0.35 + e, 0]) for e in (effect, 0.0))
    if question.kind == "compare":
        return np.outer(white, black)
    # In the second game A is Black: what A gains, White loses.
    return np.outer(white, white)


@pytest.mark.parametrize(
    ("question", "case", "effect"),
    [
        (COMPARE, "none", 0.0),
        (COMPARE, "halfway", 0.05),
        (COMPARE, "margin", 0.1),
        (DRAWS, "none", 0.0),
        (RIGHTS, "none", 0.0),
        (ENGINES, "none", 0.0),
        (LOGISTIC, "none", -0.0144),  # -10 Elo
        (LOGISTIC, "halfway", 0.0072),  # +5 Elo
    ],
)
def test_a_test_takes_as_long_as_was_said(question, case, effect):
    said = forecast(question, Tally())
    assert not said["measured"]
    taken = simulate(question, law(question, effect), 300, np.random.default_rng(1)).units.mean()
    # It looks every 16 units and allows for half of the overshoot: up to a tenth more.
    assert 0.85 * said["units"][case] < taken < 1.25 * said["units"][case]


def test_what_was_played_goes_before_what_was_supposed():
    """Arms that share most of their games differ less, and the test is shorter for it."""
    supposed = forecast(COMPARE, Tally())
    tally = tally_of(COMPARE, units_of_law(400, EVEN, EVEN, touched=0.25, seed=1))
    said = forecast(COMPARE, tally)
    assert said["measured"]
    assert "400" in said["sentence"]
    assert said["units"]["none"] < 0.5 * supposed["units"]["none"]


def test_no_length_is_said_where_there_is_no_test_or_no_difference_yet():
    assert forecast(dataclasses.replace(COMPARE, rule="budget"), Tally()) is None
    alike = tally_of(COMPARE, units_of_law(64, EVEN, EVEN, touched=0.0, seed=1))
    assert forecast(COMPARE, alike) is None


@pytest.mark.parametrize(
    "question",
    [dataclasses.replace(COMPARE, margin=1e-9), dataclasses.replace(LOGISTIC, bounds=(0.0, 1e-9))],
)
def test_no_length_is_said_of_what_no_number_of_games_could_tell(question):
    assert forecast(question, Tally()) is None


def test_no_verdict_is_foretold_before_there_can_be_one():
    said = forecast(dataclasses.replace(COMPARE, margin=0.9), Tally())
    assert set(said["units"].values()) == {MINIMUM_UNITS}


def test_the_sentence_names_the_cases():
    assert forecast(COMPARE, Tally())["sentence"] == (
        "A verdict takes about 296 openings if there is no difference, 396 if it is half of the "
        "margin, 234 if it is the margin: means, for level games of which 30 % are drawn, and "
        "fewer where the arms share their games."
    )
    small = forecast(dataclasses.replace(COMPARE, budget=395), Tally())["sentence"]
    assert small.endswith("share their games. The budget, 395, may end it first.")
    assert "if the truth is −10 Elo, " in forecast(LOGISTIC, Tally())["sentence"]
