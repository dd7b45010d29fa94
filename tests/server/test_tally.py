"""What is counted of games, unit by unit."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import profile

from tabia.server.metrics import CAPPED, COMPARED, HALF, ONE, ZERO, label
from tabia.server.question import Question
from tabia.server.tally import Tally, Unit, tally_of, units_of

COMPARE = Question("compare", True, "white_score", 0.03, 0.05, 0.05, 1000, "A", "B")
RIGHTS = Question("rights", True, "elo", 20, 0.05, 0.05, 1000, "A", "B")


def game(unit=0, arm="a", result="1-0", **facts):
    """A game as the engine's results hold it."""
    return {
        "unit": unit,
        "arm": arm,
        "moves": "e2e4 e7e5",
        "opening_plies": 1,
        "result": result,
        "reason": "checkmate",
        "plies": 2,
        "promotions": {"white": {}, "black": {}},
        "declined": {"white": 0, "black": 0},
        "profile": profile(),
    } | facts


def capped(**facts):
    return game(result="1/2-1/2", reason="ply cap", **facts)


def promoting(white=None, black=None, **facts):
    return game(promotions={"white": white or {}, "black": black or {}}, **facts)


def test_units_come_in_schedule_order_whatever_the_order_of_the_games():
    games = [game(7, "b"), game(6, "a"), game(7, "a"), game(6, "b", "0-1")]
    units = units_of(games)
    assert [unit.number for unit in units] == [6, 7]
    assert (units[0].a, units[0].b) == (games[1], games[3])


@pytest.mark.parametrize(
    "games",
    [
        [game(3, "a")],
        [game(3, "a"), game(3, "a")],
        [game(3, "a"), game(3, "b"), game(3, "b")],
        [game(3, "a"), game(3, "c")],
    ],
)
def test_a_unit_is_one_game_of_each_arm(games):
    with pytest.raises(ValueError, match="unit 3"):
        units_of(games)


def test_only_the_next_unit_of_the_schedule_is_counted():
    tally = Tally()
    tally.add(COMPARE, Unit(0, game(), game()))
    for number in (0, 2):
        with pytest.raises(ValueError, match=f"unit 1 comes next, not {number}"):
            tally.add(COMPARE, Unit(number, game(), game()))
    assert tally.units == 1


@pytest.mark.parametrize(
    ("metric", "one", "expected"),
    [
        ("white_score", game(result="1-0"), ONE),
        ("white_score", game(result="1/2-1/2"), HALF),
        ("white_score", game(result="0-1"), ZERO),
        ("white_score", capped(), CAPPED),
        ("draws", game(result="1/2-1/2", reason="stalemate"), ONE),
        ("draws", game(result="0-1"), ZERO),
        ("draws", capped(), CAPPED),
        ("decisive", game(result="0-1"), ONE),
        ("decisive", game(result="1/2-1/2"), ZERO),
        ("decisive", capped(), CAPPED),
        ("promotions", promoting(white={"Q": 1}), ONE),
        ("promotions", promoting(black={"R": 2}), ONE),
        ("promotions", game(), ZERO),
        # A capped game without a promotion might have seen one; with one, it has.
        ("promotions", capped(), CAPPED),
        ("promotions", capped() | {"promotions": {"white": {"Q": 1}, "black": {}}}, ONE),
    ],
)
def test_what_a_game_is_worth(metric, one, expected):
    assert COMPARED[metric].classify(one) == expected
    assert label(metric, "compare")


@pytest.mark.parametrize(
    ("first", "second", "cell"),
    [
        # White has A's rights first, Black has them second.
        (game(result="1-0"), game(arm="b", result="0-1"), (ONE, ONE)),
        (game(result="1-0"), game(arm="b", result="1-0"), (ONE, ZERO)),
        (game(result="0-1"), game(arm="b", result="1/2-1/2"), (ZERO, HALF)),
        (capped(), game(arm="b", result="0-1"), (CAPPED, ONE)),
        (game(result="0-1"), capped(arm="b"), (ZERO, CAPPED)),
    ],
)
def test_in_rights_the_score_is_that_of_whoever_has_the_rights_of_a(first, second, cell):
    tally = tally_of(RIGHTS, [Unit(0, first, second)])
    assert tally.cells[cell[0]][cell[1]] == 1
    assert sum(map(sum, tally.cells)) == 1


def test_one_capped_game_seen_under_both_rules_is_level():
    same = Unit(0, capped(), capped(arm="b"))
    other = Unit(1, capped(unit=1), capped(unit=1, arm="b", moves="d2d4 d7d5"))
    for question in (COMPARE, RIGHTS):
        tally = tally_of(question, [same, other])
        assert tally.cells[HALF][HALF] == 1
        assert tally.cells[CAPPED][CAPPED] == 1
        assert tally.arms["a"].capped == tally.arms["b"].capped == 2


def test_touched_means_that_a_move_or_the_result_differs():
    units = [
        Unit(0, game(), game(arm="b")),
        Unit(1, game(), game(arm="b", moves="e2e4 c7c5")),
        Unit(2, game(result="1/2-1/2"), game(arm="b", result="0-1", reason="stalemate")),
    ]
    assert tally_of(COMPARE, units).touched == 2


def test_an_arm_s_games_by_result_end_length_and_promotion():
    units = [
        Unit(0, game(plies=10), game(arm="b")),
        Unit(1, game(result="0-1", plies=20), game(arm="b")),
        Unit(2, game(result="1/2-1/2", reason="stalemate", plies=30), game(arm="b")),
        Unit(3, capped(plies=400), game(arm="b")),
        Unit(
            4,
            promoting({"Q": 2}, {"N": 1}, plies=40, declined={"white": 1, "black": 3}),
            game(arm="b"),
        ),
    ]
    arm = tally_of(COMPARE, units).arms["a"]
    assert (arm.games, arm.white_wins, arm.draws, arm.black_wins, arm.capped) == (5, 2, 1, 1, 1)
    assert arm.mean_plies == 100
    assert arm.reasons == {"checkmate": 3, "stalemate": 1, "ply cap": 1}
    assert (arm.promotions, arm.declined) == (3, 4)


def test_a_right_is_used_declined_or_never_arises_and_it_is_told_by_whom():
    declined_by_white = {"declined": {"white": 1, "black": 0}}
    units = [
        Unit(0, game(), game(arm="b")),
        # White has A's rights in the first game, B's in the second.
        Unit(1, promoting(white={"Q": 1}), promoting(white={"Q": 1}, arm="b")),
        Unit(2, game(**declined_by_white), game(arm="b")),
        Unit(3, promoting(black={"Q": 1}), game(arm="b", **declined_by_white)),
    ]
    right = tally_of(RIGHTS, units).right
    assert (right.used, right.declined, right.arose) == (2, 2, 3)
    assert right.used_by == {"a": 1, "b": 2}
    assert right.declined_by == {"a": 1, "b": 1}


games = st.builds(
    game,
    result=st.sampled_from(["1-0", "0-1", "1/2-1/2"]),
    moves=st.sampled_from(["e2e4", "d2d4"]),
    plies=st.integers(0, 400),
    reason=st.sampled_from(["checkmate", "stalemate", "repetition"]),
    promotions=st.fixed_dictionaries(
        {side: st.dictionaries(st.sampled_from("QRBN"), st.integers(1, 3)) for side in ("white",)}
        | {"black": st.just({})}
    ),
)


@given(st.lists(st.tuples(games, games), max_size=12))
def test_a_tally_survives_its_json_and_does_not_share_with_it(drawn):
    units = [Unit(number, a, b) for number, (a, b) in enumerate(drawn)]
    tally = tally_of(COMPARE, units)
    stored = tally.to_json()
    text = json.dumps(stored)
    back = Tally.from_json(stored)
    assert back == tally
    back.add(COMPARE, Unit(len(units), game(), promoting({"Q": 1}, arm="b")))
    assert json.dumps(stored) == text
    assert tally_of(COMPARE, units) == tally
