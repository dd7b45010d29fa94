"""Metrics beside the primary one: what is counted, what is concluded, and what cannot occur."""

import dataclasses
import json
import math

import numpy as np
import pytest
from laws import EVEN, WHITE_IS_BETTER, profile, units_of_law

from tabia.engine import RuleSet
from tabia.server.decision import advance, estimate
from tabia.server.metrics import LENGTH, OBSERVED
from tabia.server.occurrence import observable
from tabia.server.question import Question
from tabia.server.statistics import confidence
from tabia.server.statistics.multiplicity import holm
from tabia.server.tally import Unit

ALL = tuple(OBSERVED)
COMPARE = Question(
    "compare", True, "white_score", 0.001, 0.05, 0.05, 20_000, "A", "B", observed=ALL
)
ENGINES = Question(
    "engines", True, "elo", 0.0, 0.05, 0.05, 20_000, "A", "B", rule="budget", observed=ALL
)


def secondary(question, units):
    rows = estimate(question, advance(question, None, units).state)["secondary"]
    return {row["name"]: row for row in rows}


def castling_under_a(units, share):
    """The same units, with castling in that share of A's games and in none of B's."""
    return [
        Unit(
            unit.number,
            {**unit.a, "profile": profile(castlings=int(unit.number % 10 < 10 * share))},
            {**unit.b, "profile": profile()},
        )
        for unit in units
    ]


def test_each_metric_has_both_arms_and_their_difference_with_intervals():
    units = units_of_law(320, WHITE_IS_BETTER, EVEN)
    rows = secondary(COMPARE, units)
    assert list(rows) == [name for name in ALL if name != "white_score"] + [LENGTH]
    drawn = [[game["result"] == "1/2-1/2" for game in (unit.a, unit.b)] for unit in units]
    shares = np.mean(drawn, axis=0)
    draws = rows["draws"]
    assert (draws["a"]["value"], draws["b"]["value"]) == pytest.approx(tuple(shares))
    assert draws["difference"]["value"] == pytest.approx(shares[0] - shares[1])
    # One arm alone: the confidence sequence of a share.
    k = int(sum(a for a, _ in drawn))
    low, high = confidence.interval([320 - k, k], [0.0, 1.0], 0.05)
    assert (draws["a"]["low"], draws["a"]["high"]) == pytest.approx((low, high), abs=1e-6)
    for row in rows.values():
        for figures in (row["a"], row["b"], row["difference"]):
            assert figures["low"] <= figures["value"] <= figures["high"]


def test_a_planted_difference_is_found_and_the_others_are_left_alone():
    rows = secondary(COMPARE, castling_under_a(units_of_law(640, EVEN, EVEN), 0.3))
    castling = rows["castling"]
    assert castling["difference"]["value"] == pytest.approx(0.3, abs=0.02)
    assert castling["p_holm"] < 1e-6
    assert castling["difference"]["low"] > 0
    assert all(row["p_holm"] > 0.05 for name, row in rows.items() if name != "castling")


def test_p_values_are_holm_adjusted_together_and_never_rise():
    units = castling_under_a(units_of_law(320, EVEN, EVEN), 0.1)
    state, before = None, None
    for begin in range(0, 320, 16):
        state = advance(COMPARE, state, units[begin : begin + 16]).state
        rows = estimate(COMPARE, json.loads(json.dumps(state)))["secondary"]
        p = [row["p_value"] for row in rows]
        assert [row["p_holm"] for row in rows] == pytest.approx(holm(p).tolist())
        if before:
            assert all(now <= then for now, then in zip(p, before, strict=True))
        before = p
    assert min(before) < 1e-3


def test_the_length_is_compared_as_a_ratio():
    units = [
        Unit(unit.number, {**unit.a, "plies": 2 * unit.b["plies"]}, dict(unit.b))
        for unit in units_of_law(160, EVEN, EVEN)
    ]
    # Not exactly twice as long, or there would be nothing to be uncertain of.
    units[0].a["plies"] += 10
    length = secondary(COMPARE, units)[LENGTH]
    assert (length["scale"], length["asymptotic"]) == ("percent", True)
    assert length["difference"]["value"] == pytest.approx(100, abs=1)
    assert length["difference"]["low"] > 0
    mean = math.exp(np.mean([math.log(unit.b["plies"]) for unit in units]))
    assert length["b"]["value"] == pytest.approx(mean)
    assert length["b"]["low"] < mean < length["b"]["high"]
    assert length["p_holm"] < 1e-6


def test_an_asymptotic_interval_is_not_offered_early():
    length = secondary(COMPARE, units_of_law(96, EVEN, EVEN))[LENGTH]
    assert length["difference"]["value"] is not None
    assert length["difference"]["low"] is length["difference"]["high"] is None
    assert length["p_value"] == 1
    assert secondary(COMPARE, units_of_law(112, EVEN, EVEN))[LENGTH]["a"]["low"] is not None


def test_a_difference_in_length_that_hangs_on_few_openings_has_no_interval():
    """Of 400 openings the rules touched some; the first 100 alone would bound it at nought."""
    units = units_of_law(400, EVEN, EVEN)

    def touching(few):
        return [
            unit if unit.number < few else Unit(unit.number, dict(unit.a), dict(unit.a))
            for unit in units
        ]

    length = secondary(COMPARE, touching(49))[LENGTH]
    assert length["difference"]["value"] is not None
    assert length["difference"]["low"] is length["difference"]["high"] is None
    assert length["p_value"] == 1
    assert length["a"]["low"] is not None
    assert secondary(COMPARE, touching(50))[LENGTH]["difference"]["low"] is not None


def test_capped_games_are_stated_beside_the_length():
    length = secondary(COMPARE, units_of_law(160, EVEN, EVEN, capped=0.5))[LENGTH]
    assert "games were stopped at the ply cap" in length["note"]
    assert secondary(COMPARE, units_of_law(160, EVEN, EVEN))[LENGTH]["note"] is None


def test_where_a_and_b_meet_there_is_one_value_of_all_games():
    units = units_of_law(160, WHITE_IS_BETTER, EVEN)
    rows = secondary(ENGINES, units)
    results = [game["result"] for unit in units for game in (unit.a, unit.b)]
    score = (results.count("1-0") + results.count("1/2-1/2") / 2) / len(results)
    assert rows["white_score"]["a"]["value"] == pytest.approx(score)
    assert rows["white_score"]["a"]["low"] < score < rows["white_score"]["a"]["high"]
    for row in rows.values():
        assert row["b"] is row["difference"] is row["p_value"] is row["p_holm"] is None


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("castling", {"profile": profile(castlings=1)}),
        ("lead_changes", {"profile": profile(lead_changes=2)}),
        ("en_passant", {"profile": profile() | {"en_passant": {"white": 0, "black": 1}}}),
        ("own_captures", {"profile": profile() | {"own_captures": {"white": 2, "black": 0}}}),
        ("citadel_exits", {"profile": profile() | {"citadel_exits": {"white": 1, "black": 0}}}),
        ("declined_promotions", {"declined": {"white": 1, "black": 0}}),
        ("stalemate", {"reason": "stalemate", "result": "1-0"}),
        ("repetition", {"reason": "repetition"}),
        ("n_move_rule", {"reason": "n-move rule"}),
        ("dead_position", {"reason": "dead position"}),
        ("bare_king", {"reason": "bare king"}),
    ],
)
def test_what_happens_in_a_game_is_seen(name, change):
    (unit,) = units_of_law(1, (0, 0, 1), (0, 0, 1))
    plain = {**unit.b, "profile": profile(), "declined": {"white": 0, "black": 0}}
    assert OBSERVED[name].classify(plain) == 0
    assert OBSERVED[name].classify(plain | change) == 2


@pytest.mark.parametrize(
    ("catalog_id", "has", "lacks"),
    [
        ("chess", {"castling", "en_passant"}, {"own_captures", "bare_king", "declined_promotions"}),
        ("grand", {"en_passant", "declined_promotions"}, {"castling", "citadel_exits"}),
        ("grand-no-ep", {"declined_promotions"}, {"en_passant"}),
        ("chess-self-capture", {"own_captures"}, {"citadel_exits"}),
        ("shatranj", {"bare_king"}, {"castling", "en_passant", "declined_promotions"}),
        ("great", {"citadel_exits", "castling"}, set()),
    ],
)
def test_only_what_the_rules_allow_is_looked_at(catalog_id, has, lacks):
    found = set(observable([RuleSet.load(catalog_id)]))
    assert has <= found
    assert not lacks & found
    assert {"white_score", "draws", "stalemate", "repetition"} <= found


def test_what_one_arm_alone_has_is_compared():
    found = observable([RuleSet.load("grand-no-ep"), RuleSet.load("grand")])
    assert "en_passant" in found


def test_the_primary_metric_is_not_among_the_others():
    question = dataclasses.replace(COMPARE, metric="draws")
    rows = secondary(question, units_of_law(32, EVEN, EVEN))
    assert "draws" not in rows
    assert "white_score" in rows


def test_false_alarms_of_all_secondary_metrics_together_are_rare():
    """Holm over anytime p-values: 100 experiments without any difference, watched throughout."""
    alarms = 0
    for seed in range(100):
        units = units_of_law(256, EVEN, EVEN, seed=seed)
        rows = secondary(COMPARE, units).values()
        alarms += any(row["p_holm"] <= 0.05 for row in rows)
    assert alarms <= 5 + 3 * math.sqrt(100 * 0.05 * 0.95)
