"""From games to a verdict, whatever the portions in which they arrive."""

import dataclasses
import json
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import BLACK_IS_BETTER, EVEN, WHITE_IS_BETTER, units_of_law

from tabia.server.courses.course import is_charted
from tabia.server.decision import VERSION, advance, estimate
from tabia.server.metrics import OBSERVED
from tabia.server.question import Question
from tabia.server.stopping import COUNTINGS, LOOK, MINIMUM_UNITS
from tabia.server.tally import Unit


def compare(budget=20_000, *, paired=True, metric="white_score", margin=0.1):
    return Question(
        "compare", paired, metric, margin, 0.05, 0.05, budget, "Grand Chess", "Grander Chess"
    )


def rights(budget=20_000, margin=50.0):
    return Question(
        "rights", True, "elo", margin, 0.05, 0.05, budget, "Optional", "Mandatory promotion"
    )


OBSERVING = dataclasses.replace(compare(), observed=tuple(OBSERVED))
QUESTIONS = [OBSERVING, compare(paired=False), compare(metric="draws"), rights()]


def counting_capped_as(worth, units):
    """The same units, each capped game ended: as a draw, or as it hurts or suits A most.

    What suits A is the same in both kinds: that White wins the first game and Black the second.
    """

    def ended(unit, game):
        if game["reason"] != "ply cap" or unit.alike:
            return game
        if worth == "half":
            return game | {"reason": "stalemate"}
        white_wins = (game is unit.a) == (worth == "for_a")
        return game | {"result": "1-0" if white_wins else "0-1", "reason": "checkmate"}

    return [Unit(unit.number, ended(unit, unit.a), ended(unit, unit.b)) for unit in units]


@settings(max_examples=25)
@given(
    st.sampled_from(QUESTIONS),
    st.sampled_from([(EVEN, EVEN), (WHITE_IS_BETTER, EVEN), (EVEN, WHITE_IS_BETTER)]),
    st.sampled_from([0.0, 0.03, 0.3]),
    st.integers(0, 1000),
    st.lists(st.integers(0, 90), min_size=1, max_size=40),
)
def test_any_portions_give_the_same_state_snapshots_and_verdict(
    question, laws, capped, seed, portions
):
    units = units_of_law(500, *laws, touched=0.5, capped=capped, seed=seed)
    whole = advance(question, None, units)
    state, snapshots, rest, verdicts = None, [], units, []
    for size in [*portions, len(units)]:
        # As the database gives it back.
        step = advance(question, json.loads(json.dumps(state)), rest[:size])
        state, rest = step.state, rest[size:]
        snapshots += step.snapshots
        verdicts += [step.verdict] if step.verdict else []
        assert step.units == len(units) - len(rest)
    assert state == whole.state
    assert snapshots == whole.snapshots
    assert all(verdict == whole.verdict for verdict in verdicts)
    assert estimate(question, json.loads(json.dumps(state))) == estimate(question, whole.state)


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize(
    ("law_a", "law_b", "outcome"),
    [
        (WHITE_IS_BETTER, BLACK_IS_BETTER, "a_higher"),
        (BLACK_IS_BETTER, WHITE_IS_BETTER, "b_higher"),
        (EVEN, EVEN, "equivalent"),
    ],
)
def test_a_planted_difference_of_rules_is_found_with_its_sign(paired, law_a, law_b, outcome):
    question = compare(paired=paired)
    verdict = advance(question, None, units_of_law(1000, law_a, law_b)).verdict
    assert verdict["outcome"] == outcome


@pytest.mark.parametrize(
    ("law_a", "law_b", "outcome"),
    [
        # White has A's rights in the first game, B's in the second.
        (WHITE_IS_BETTER, BLACK_IS_BETTER, "a_higher"),
        (BLACK_IS_BETTER, WHITE_IS_BETTER, "b_higher"),
        # A first-move advantage is nobody's right.
        (WHITE_IS_BETTER, WHITE_IS_BETTER, "equivalent"),
    ],
)
def test_a_planted_worth_of_rights_is_found_with_its_sign(law_a, law_b, outcome):
    step = advance(rights(), None, units_of_law(1000, law_a, law_b))
    assert step.verdict["outcome"] == outcome
    elo = estimate(rights(), step.state)["estimate"]["elo"]["value"]
    assert abs(elo) < 50 if outcome == "equivalent" else (elo > 0) == (outcome == "a_higher")


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("seed", range(5))
def test_a_verdict_comes_at_a_look_and_later_games_change_nothing(question, seed):
    units = units_of_law(900, WHITE_IS_BETTER, EVEN, seed=seed)
    step = advance(question, None, units)
    at = step.verdict["at_unit"]
    assert at >= MINIMUM_UNITS
    assert at % LOOK == 0
    assert advance(question, None, units[: at - 1]).verdict is None
    there = advance(question, None, units[:at])
    assert there.verdict == step.verdict
    assert there.snapshots == step.snapshots
    assert there.snapshots[-1]["units"] == at
    later = estimate(question, step.state)
    assert later["after_decision"] == 900 - at
    assert later | {"after_decision": 0} == estimate(question, there.state)


@pytest.mark.parametrize("budget", [1, 40, 160, 163])
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_budget_ends_an_open_question(question, budget):
    question = dataclasses.replace(question, budget=budget, margin=question.margin / 10)
    step = advance(question, None, units_of_law(budget + 30, EVEN, EVEN))
    assert step.verdict["outcome"] == "inconclusive"
    assert step.verdict["at_unit"] == budget
    assert step.snapshots[-1]["units"] == budget
    assert advance(question, None, units_of_law(budget - 1, EVEN, EVEN)).verdict is None


@pytest.mark.parametrize("question", QUESTIONS)
def test_units_out_of_turn_are_refused(question):
    units = units_of_law(400, WHITE_IS_BETTER, BLACK_IS_BETTER)
    with pytest.raises(ValueError, match="unit 0 comes next, not 1"):
        advance(question, None, units[1:])
    state = advance(question, None, units[:100]).state
    with pytest.raises(ValueError, match="unit 100 comes next, not 99"):
        advance(question, state, units[99:])
    decided = advance(question, None, units)
    assert decided.verdict["at_unit"] < 400
    with pytest.raises(ValueError, match="unit 400 comes next, not 0"):
        advance(question, decided.state, units)


def test_a_state_is_not_changed_by_who_reads_it():
    units = units_of_law(64, EVEN, EVEN)
    state = advance(rights(), None, units[:32]).state
    text = json.dumps(state)
    advance(rights(), state, units[32:])
    estimate(rights(), state)
    assert json.dumps(state) == text


def test_a_state_of_another_rule_is_not_continued():
    state = advance(rights(), None, units_of_law(16, EVEN, EVEN)).state
    with pytest.raises(ValueError, match=f"version 0, not {VERSION}"):
        advance(rights(), state | {"version": 0}, [])


@settings(max_examples=40)
@given(
    st.sampled_from([compare(), rights(), compare(paired=False)]),
    st.sampled_from([(EVEN, EVEN), (WHITE_IS_BETTER, EVEN), (WHITE_IS_BETTER, BLACK_IS_BETTER)]),
    st.sampled_from([0.01, 0.05, 0.2, 0.6]),
    st.sampled_from([0.3, 1.0]),
    st.integers(0, 1000),
)
def test_no_verdict_hangs_on_what_capped_games_are_counted_as(
    question, laws, capped, touched, seed
):
    touched = touched if question.paired else 1.0
    units = units_of_law(600, *laws, touched=touched, capped=capped, seed=seed)
    verdict = advance(question, None, units).verdict
    if verdict is None:
        return
    decided_on = units[: verdict["at_unit"]]
    counted = [
        advance(question, None, counting_capped_as(worth, decided_on)).verdict
        for worth in COUNTINGS
    ]
    said = {each["outcome"] for each in counted if each}
    if verdict["outcome"] == "refused":
        assert len(said) > 1
    else:
        assert None not in counted
        assert said == {verdict["outcome"]}


def test_many_capped_games_refuse_a_verdict_and_a_few_do_not():
    laws = (WHITE_IS_BETTER, BLACK_IS_BETTER)
    many = advance(compare(), None, units_of_law(2000, *laws, capped=0.6)).verdict
    assert many["outcome"] == "refused"
    assert re.search(
        r"\d+ of \d+ games \(\d\d\.\d %\) were stopped at the ply cap", many["sentence"]
    )
    few = advance(compare(), None, units_of_law(2000, *laws, capped=0.03))
    assert few.verdict["outcome"] == "a_higher"
    assert few.state["course"]["tally"]["arms"]["b"]["capped"] > 0


def test_capped_games_that_the_rules_never_touched_refuse_nothing():
    units = units_of_law(400, EVEN, EVEN, touched=0.0, capped=0.6)
    for question in (compare(), rights()):
        assert advance(question, None, units).verdict["outcome"] == "equivalent"


def test_rules_that_never_matter_are_equivalent_and_said_never_to_have_mattered():
    units = units_of_law(400, WHITE_IS_BETTER, EVEN, touched=0.0)
    step = advance(compare(), None, units)
    assert step.verdict["outcome"] == "equivalent"
    assert "never mattered" in step.verdict["sentence"]
    known = estimate(compare(), step.state)
    assert known["touched"] == {"units": 0, "share": 0.0}
    assert known["estimate"]["difference"]["value"] == 0
    assert known["test"]["p_value"] == 1


def test_rights_that_are_worth_nothing_are_told_from_rights_that_never_arose():
    units = units_of_law(400, EVEN, EVEN)
    step = advance(rights(), None, units)
    assert step.verdict["outcome"] == "equivalent"
    right = estimate(rights(), step.state)["right"]
    arose = step.verdict["at_unit"] - right["never_arose"]
    assert 0 < arose < step.verdict["at_unit"]
    assert f"A pawn could promote in {arose} of them" in step.verdict["sentence"]

    bare = {"promotions": {"white": {}, "black": {}}, "declined": {"white": 0, "black": 0}}
    never = [Unit(each.number, dict(each.a) | bare, dict(each.b) | bare) for each in units]
    sentence = advance(rights(), None, never).verdict["sentence"]
    assert "No pawn could promote in any of them" in sentence


def test_a_sentence_states_what_was_seen_how_many_units_it_took_and_how_often_it_errs():
    units = units_of_law(1000, WHITE_IS_BETTER, BLACK_IS_BETTER)
    step = advance(compare(), None, units)
    known = estimate(compare(), step.state)["estimate"]
    sentence, at = step.verdict["sentence"], step.verdict["at_unit"]
    assert f"White scores {100 * known['a']['value']:.1f} % under Grand Chess" in sentence
    assert f"{100 * known['b']['value']:.1f} % under Grander Chess" in sentence
    assert f"a difference of {100 * known['difference']['value']:+.1f} percentage" in sentence
    assert f"{at} openings" in sentence
    assert "at most 5 %" in sentence

    equivalent = advance(compare(), None, units_of_law(1000, EVEN, EVEN)).verdict["sentence"]
    assert "below the margin of 10" in equivalent
    assert "about 5 %" in equivalent

    open_question = compare(budget=200, margin=0.01)
    step = advance(open_question, None, units_of_law(200, EVEN, EVEN))
    known = estimate(open_question, step.state)["estimate"]["difference"]
    assert "Undecided within the budget of 200 openings" in step.verdict["sentence"]
    assert (
        f"from {100 * known['low']:+.1f} to {100 * known['high']:+.1f}" in step.verdict["sentence"]
    )


def test_two_rule_sets_of_one_name_are_told_apart():
    question = dataclasses.replace(compare(), name_b="Grand Chess")
    verdict = advance(question, None, units_of_law(1000, WHITE_IS_BETTER, BLACK_IS_BETTER)).verdict
    assert "under Grand Chess (A)" in verdict["sentence"]
    assert "under Grand Chess (B)" in verdict["sentence"]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    ("law", "count"),
    [(EVEN, 0), (EVEN, 1), ((0, 1, 0), 200), ((0, 0, 1), 200), ((1, 0, 0), 200), (EVEN, 17)],
)
@pytest.mark.parametrize("capped", [0.0, 1.0])
def test_degenerate_games_have_defined_numbers(question, law, count, capped):
    step = advance(question, None, units_of_law(count, law, law, touched=0.5, capped=capped))
    known = estimate(question, step.state)
    # No NaN and no infinity, which JSON does not have.
    json.dumps([known, step.state, step.snapshots, step.verdict], allow_nan=False)
    assert 0 <= known["test"]["p_value"] <= 1
    for value in known["estimate"].values():
        if value["value"] is not None and value.get("low") is not None:
            assert value["low"] <= value["value"]


def test_without_a_unit_everything_is_possible():
    for state in (None, {}, advance(compare(), None, []).state):
        known = estimate(compare(), state)
        assert known["estimate"]["a"] == {"value": None, "low": 0, "high": 1}
        assert known["estimate"]["difference"] == {"value": None, "low": -1, "high": 1}
        assert known["touched"] == {"units": 0, "share": 0}
    assert estimate(rights(), None)["estimate"]["elo"] == {"value": None, "low": None, "high": None}


def test_all_games_won_have_no_elo_but_a_lower_bound():
    units = units_of_law(48, (0, 0, 1), (1, 0, 0))
    elo = estimate(rights(), advance(rights(), None, units).state)["estimate"]["elo"]
    assert elo["value"] is None
    assert elo["high"] is None
    assert elo["low"] > 0


def test_what_is_shown_of_an_arm_is_what_was_played():
    units = units_of_law(100, WHITE_IS_BETTER, EVEN, capped=0.1)
    known = estimate(compare(), advance(compare(budget=200, margin=0.01), None, units).state)
    for arm, games in (("a", [unit.a for unit in units]), ("b", [unit.b for unit in units])):
        shown = known["tallies"][arm]
        uncapped = [game["result"] for game in games if game["reason"] != "ply cap"]
        assert shown["games"] == 100
        assert shown["white_wins"] == uncapped.count("1-0")
        assert shown["draws"] == uncapped.count("1/2-1/2")
        assert shown["black_wins"] == uncapped.count("0-1")
        assert shown["capped"] == 100 - len(uncapped)
        assert shown["mean_plies"] == sum(game["plies"] for game in games) / 100
        score = (shown["white_wins"] + (shown["draws"] + shown["capped"]) / 2) / 100
        assert known["estimate"][arm]["value"] == pytest.approx(score)


def test_the_touched_are_counted_only_where_both_games_began_alike():
    units = units_of_law(32, EVEN, EVEN, touched=0.5)
    different = sum(not unit.alike for unit in units)
    for question in (compare(), rights()):
        known = estimate(question, advance(question, None, units).state)
        assert known["touched"] == {"units": different, "share": different / 32}
    assert estimate(compare(paired=False), None)["touched"] is None
    assert estimate(compare(), None)["right"] is None


def test_a_chart_has_a_bounded_number_of_points_and_none_far_apart():
    points = [units for units in range(LOOK, 1_000_001, LOOK) if is_charted(units)]
    assert len(points) < 250
    assert points[:32] == [LOOK * number for number in range(1, 33)]
    assert all(after <= before * 1.07 for before, after in pairwise(points[31:]))


def test_a_snapshot_is_the_estimate_at_that_moment():
    units = units_of_law(160, WHITE_IS_BETTER, EVEN)
    for question, key in ((compare(margin=0.01), "difference"), (rights(margin=1), "elo")):
        for snapshot in advance(question, None, units).snapshots:
            then = advance(question, None, units[: snapshot["units"]]).state
            known = estimate(question, then)["estimate"][key]
            assert {key: snapshot[key] for key in known} == known


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "chess"}, "kind is one of compare, rights"),
        ({"metric": "elo"}, "metric is one of white_score"),
        ({"margin": 0}, "margin lies in"),
        ({"margin": 1.0}, "margin lies in"),
        ({"alpha": 0.0}, "alpha and beta"),
        ({"budget": 0}, "budget is 1 unit or more"),
    ],
)
def test_a_question_that_cannot_be_decided_is_refused_by_name(change, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(compare(), **change)


def test_a_question_is_what_an_experiment_declares():
    @dataclasses.dataclass(frozen=True)
    class Rules:
        name: str

    @dataclasses.dataclass(frozen=True)
    class Declared:
        kind: str = "compare"
        paired: bool = True
        metric: str = "white_score"
        margin: float = 0.1
        alpha: float = 0.05
        beta: float = 0.05
        budget: int = 20_000
        rule: str = "sobel-wald"
        bounds: None = None
        scale: None = None
        players: dict = dataclasses.field(default_factory=dict)
        material: None = None
        own_weights: dict = dataclasses.field(default_factory=dict)
        arms: dict = dataclasses.field(
            default_factory=lambda: {"a": Rules("Grand Chess"), "b": Rules("Grander Chess")}
        )

    assert Question.from_experiment(Declared()) == compare()
    units = units_of_law(300, WHITE_IS_BETTER, EVEN)
    assert advance(Declared(), None, units) == advance(compare(), None, units)


@pytest.mark.parametrize("question", [compare(margin=0.01), rights(margin=2)])
def test_a_p_value_never_rises_and_falls_when_there_is_something_to_see(question):
    units = units_of_law(640, WHITE_IS_BETTER, BLACK_IS_BETTER)
    state, seen = None, []
    for begin in range(0, 640, LOOK):
        state = advance(question, state, units[begin : begin + LOOK]).state
        seen.append(estimate(question, state)["test"]["p_value"])
    assert seen == sorted(seen, reverse=True)
    assert seen[-1] < 1e-6
