"""Rules gsprt and budget, from games to what is shown: kinds engines and rights."""

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import BLACK_IS_BETTER, EVEN, WHITE_IS_BETTER, units_of_law

from tabia.server import stopping
from tabia.server.decision import advance, estimate
from tabia.server.question import Question
from tabia.server.simulation import simulate
from tabia.server.statistics import gsprt, normalized
from tabia.server.statistics.elo import score_of
from tabia.server.statistics.sequential import H0, H1
from tabia.server.stopping import LOOK, MINIMUM_UNITS

A_IS_STRONGER = (WHITE_IS_BETTER, BLACK_IS_BETTER)
B_IS_STRONGER = (BLACK_IS_BETTER, WHITE_IS_BETTER)


def engines(bounds=(0.0, 50.0), scale="normalized", budget=20_000):
    return Question(
        "engines", True, "elo", bounds[1] - bounds[0], 0.05, 0.05, budget, "Fast", "Slow",
        rule="gsprt", bounds=bounds, scale=scale,
    )  # fmt: skip


def rights(bounds=(0.0, 50.0), scale="logistic", budget=20_000):
    return dataclasses.replace(
        engines(bounds, scale, budget), kind="rights", name_a="Optional", name_b="Mandatory"
    )


def measured(kind="engines", budget=100):
    return Question(
        kind, True, "white_score" if kind == "compare" else "elo", 0.0, 0.05, 0.05, budget,
        "Fast", "Slow", rule="budget",
    )  # fmt: skip


QUESTIONS = [engines(), engines(scale="logistic"), rights(), engines((-25.0, 25.0))]


@settings(max_examples=20)
@given(
    st.sampled_from([*QUESTIONS, measured(), measured("rights"), measured("compare")]),
    st.sampled_from([A_IS_STRONGER, B_IS_STRONGER, (EVEN, EVEN)]),
    st.sampled_from([0.0, 0.1]),
    st.lists(st.integers(0, 90), min_size=1, max_size=20),
)
def test_any_portions_give_the_same_state_snapshots_and_verdict(question, laws, capped, portions):
    units = units_of_law(300, *laws, touched=0.7, capped=capped)
    whole = advance(question, None, units)
    state, snapshots, rest = None, [], units
    for size in [*portions, len(units)]:
        step = advance(question, json.loads(json.dumps(state)), rest[:size])
        state, rest = step.state, rest[size:]
        snapshots += step.snapshots
    assert (state, snapshots, step.verdict) == (whole.state, whole.snapshots, whole.verdict)
    known = estimate(question, json.loads(json.dumps(state, allow_nan=False)))
    assert known == estimate(question, whole.state)
    json.dumps(known, allow_nan=False)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(("laws", "outcome"), [(A_IS_STRONGER, "a_higher"), (B_IS_STRONGER, "h0")])
def test_the_hypothesis_that_the_games_speak_for_is_accepted_at_a_look(question, laws, outcome):
    units = units_of_law(1000, *laws)
    step = advance(question, None, units)
    assert step.verdict["outcome"] == outcome
    at = step.verdict["at_unit"]
    assert at >= MINIMUM_UNITS
    assert at % LOOK == 0
    assert advance(question, None, units[: at - 1]).verdict is None
    test = estimate(question, step.state)["test"]
    if outcome == "a_higher":
        assert test["llr"] >= test["bounds"][1]
    else:
        assert test["llr"] <= test["bounds"][0]
    assert step.snapshots[-1]["llr"] == [test["llr"]]
    assert step.snapshots[-1]["bounds"] == [test["bounds"]]


def test_the_ratio_is_that_of_the_declared_bounds_and_scale_at_the_last_look():
    units = units_of_law(200, *A_IS_STRONGER)
    points = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}
    counts = np.zeros(5)
    for unit in units[:192]:
        counts[points[unit.a["result"]] + 2 - points[unit.b["result"]]] += 1
    for question, expected in (
        (engines((0.0, 5.0)), normalized.llr(counts, 0, 5)),
        (
            engines((0.0, 5.0), scale="logistic"),
            gsprt.llr(counts, np.linspace(0, 1, 5), 0.5, score_of(5)),
        ),
    ):
        test = estimate(question, advance(question, None, units).state)["test"]
        assert test["llr"] == pytest.approx(float(expected))
        assert (test["rule"], test["scale"]) == ("gsprt", question.scale)
        assert test["bounds_elo"] == [0, 5]
        assert (test["llr_plus"], test["llr_minus"]) == (None, None)
        assert test["lower"] == -test["upper"] == pytest.approx(np.log(0.05 / 0.95))


def test_errors_are_as_rare_as_declared():
    """1000 experiments a case, with the very code that decides real ones."""
    allowed = 0.055 + 3 * np.sqrt(0.055 * 0.945 / 1000)
    rng = np.random.default_rng(2)
    even = np.array([0.3, 0.4, 0.3, 0])
    for question in (engines((0.0, 60.0), "logistic"), rights((0.0, 60.0))):
        edge = score_of(60) - 0.5
        better = even + np.array([-edge, 0, edge, 0])
        null = simulate(question, np.outer(even, even), 1000, rng)
        assert null.share(H1) <= allowed
        real = simulate(question, np.outer(better, better), 1000, rng)
        assert real.share(H0) <= allowed
        assert real.share(H1) + real.share(H0) == 1
    # Normalized: a lead of t = 60 / 347.4 standard deviations of a game.
    edge = 60 / 347.4356 * np.sqrt(0.15)
    better = even + np.array([-edge, 0, edge, 0])
    null = simulate(engines((0.0, 60.0)), np.outer(even, even), 1000, rng)
    assert null.share(H1) <= allowed
    assert simulate(engines((0.0, 60.0)), np.outer(better, better), 1000, rng).share(H0) <= allowed


@pytest.mark.parametrize("question", QUESTIONS[:3])
def test_what_is_decided_gets_an_estimate_that_allows_for_stopping(question):
    units = units_of_law(1000, *A_IS_STRONGER)
    step = advance(question, None, units)
    at = step.verdict["at_unit"]
    known = estimate(question, step.state)
    adjusted = known["adjusted"]
    assert adjusted["low"] < adjusted["value"] < adjusted["high"]
    # It stopped because it looked good: the honest estimate is the lower one.
    assert 0 < adjusted["value"] < known["estimate"]["elo"]["value"]
    assert 0.95 < adjusted["los"] <= 1
    before = advance(question, None, units[: at - 1])
    assert estimate(question, before.state)["adjusted"] is None


def test_no_estimate_allows_for_stopping_where_nothing_stopped_the_test():
    question = engines((0.0, 1.0), budget=96)
    step = advance(question, None, units_of_law(96, EVEN, EVEN))
    assert step.verdict["outcome"] == "inconclusive"
    assert estimate(question, step.state)["adjusted"] is None
    question = measured(budget=96)
    step = advance(question, None, units_of_law(96, EVEN, EVEN))
    assert estimate(question, step.state)["adjusted"] is None


@pytest.mark.parametrize("kind", ["engines", "rights", "compare"])
def test_a_budget_is_played_to_its_end_and_then_it_is_measured(kind):
    question = measured(kind)
    units = units_of_law(130, *A_IS_STRONGER)
    assert advance(question, None, units[:99]).verdict is None
    step = advance(question, None, units)
    assert step.verdict["outcome"] == "measured"
    assert step.verdict["at_unit"] == 100
    assert "Measured over 100 openings" in step.verdict["sentence"]
    known = estimate(question, step.state)
    assert known["after_decision"] == 30
    assert known["test"]["rule"] == "budget"
    assert known["test"]["llr"] is known["test"]["llr_plus"] is known["test"]["upper"] is None
    assert 0 < known["test"]["p_value"] < 1


def test_capped_games_that_would_change_the_answer_refuse_it():
    many = advance(engines(), None, units_of_law(3000, *A_IS_STRONGER, capped=0.6))
    assert many.verdict["outcome"] == "refused"
    few = advance(engines(), None, units_of_law(3000, *A_IS_STRONGER, capped=0.05))
    assert few.verdict["outcome"] == "a_higher"
    assert few.state["course"]["tally"]["arms"]["b"]["capped"] > 0


def test_pairs_that_are_all_level_never_decide_on_normalized_elo():
    """The first mover always wins: no normalized Elo can be told from such pairs."""
    units = units_of_law(640, (0, 0, 1), (0, 0, 1))
    step = advance(engines(budget=640), None, units)
    assert step.verdict["outcome"] == "inconclusive"
    # On the logistic scale they say that the score is one half.
    assert advance(engines(scale="logistic"), None, units).verdict["outcome"] == "h0"


@pytest.mark.parametrize("law", [(0, 0, 1), (0, 1, 0), (1, 0, 0)])
@pytest.mark.parametrize("question", [*QUESTIONS, measured(budget=200)])
@pytest.mark.parametrize("capped", [0.0, 1.0])
def test_degenerate_games_have_defined_numbers(question, law, capped):
    for other in ((0, 0, 1), (1, 0, 0)):
        step = advance(question, None, units_of_law(200, law, other, capped=capped))
        known = estimate(question, step.state)
        json.dumps([known, step.state, step.snapshots, step.verdict], allow_nan=False)
        assert 0 <= known["test"]["p_value"] <= 1


def test_a_player_who_wins_everything_is_stronger_and_has_no_elo():
    step = advance(engines(), None, units_of_law(200, (0, 0, 1), (1, 0, 0)))
    assert step.verdict["outcome"] == "a_higher"
    known = estimate(engines(), step.state)
    assert known["estimate"]["elo"]["value"] is None
    assert known["estimate"]["elo"]["low"] > 100
    assert known["adjusted"] is None


def test_the_sentence_names_players_hypotheses_and_error_rates():
    units = units_of_law(1000, *A_IS_STRONGER)
    sentence = advance(engines(), None, units).verdict["sentence"]
    assert sentence.startswith("Fast is stronger than Slow: Fast scores ")
    assert "Decided for 50 normalized Elo against 0 normalized Elo after" in sentence
    assert "at most about 5 %" in sentence
    assert "promote" not in sentence

    sentence = advance(engines(), None, units_of_law(1000, *B_IS_STRONGER)).verdict["sentence"]
    assert sentence.startswith("Fast is not stronger than Slow: ")
    assert "Decided for 0 normalized Elo against 50 normalized Elo" in sentence

    shifted = engines((10.0, 60.0), "logistic")
    sentence = advance(shifted, None, units_of_law(1000, *B_IS_STRONGER)).verdict["sentence"]
    assert sentence.startswith("The lead of Fast over Slow is not above 10 Elo: ")

    sentence = advance(rights(), None, units).verdict["sentence"]
    assert sentence.startswith("The rights of Optional are worth more than those of Mandatory: ")

    budget = engines((0.0, 1.0), budget=96)
    sentence = advance(budget, None, units_of_law(96, EVEN, EVEN)).verdict["sentence"]
    assert sentence.startswith("Undecided within the budget of 96 openings, each played both ways")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rule": "sobel-wald"}, "the rule of kind engines is one of gsprt, budget"),
        ({"bounds": None}, "the rule gsprt, and no other, has bounds"),
        ({"rule": "budget"}, "the rule gsprt, and no other, has bounds"),
        ({"bounds": (5.0, 5.0)}, "bounds rise within"),
        ({"bounds": (0.0, 5000.0)}, "bounds rise within"),
        ({"metric": "draws"}, "the metric of kind engines is 'elo'"),
    ],
)
def test_a_question_that_cannot_be_decided_is_refused_by_name(change, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(engines(), **change)


def test_a_path_of_some_experiments_is_theirs():
    for question in (
        engines(),
        measured(),
        dataclasses.replace(measured("rights"), rule="sobel-wald", margin=20.0),
    ):
        path = stopping.start(question, 3)
        cells = np.random.default_rng(1).integers(0, 9, (3, 4, 4))
        path = stopping.after_look(question, path, stopping.llr(question, cells), 64)
        some = stopping.selected(path, np.array([True, False, True]))
        assert some.conclusion.tolist() == path.conclusion[[0, 2]].tolist()
        lower, upper = stopping.bounds(question, path)
        chosen = stopping.bounds(question, some)
        assert np.array_equal(chosen[0], lower[[0, 2]])
        assert np.array_equal(chosen[1], upper[[0, 2]])
