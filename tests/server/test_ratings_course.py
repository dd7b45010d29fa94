"""A pool of players from its first unit to the rating list."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from rounds import units

from tabia.engine.match.anchor import Anchor
from tabia.server.decision import advance, estimate
from tabia.server.question import Question

PLAYERS = {"deep": "Deep", "mid": "Middle", "flat": "Shallow"}
PAIRS = ("deep:mid", "flat:deep", "mid:flat")


def question(budget: int = 120, **changes: Any) -> Question:
    declared: dict[str, Any] = {
        "kind": "ratings", "paired": True, "metric": "elo", "margin": 0, "alpha": 0.05,
        "beta": 0.05, "budget": budget, "name_a": "Grand", "name_b": "Grand", "rule": "budget",
        "players": PLAYERS,
    }  # fmt: skip
    return Question(**{**declared, **changes})


def pool(rounds: int) -> list[tuple[str, str]]:
    """The pairs in turn: deep mostly beats mid, mid and flat are even, deep beats flat."""
    scores = {
        "deep:mid": itertools.cycle(["ww", "wd", "wl", "dd"]),
        "flat:deep": itertools.cycle(["ll", "dl", "ld", "wl"]),
        "mid:flat": itertools.cycle(["wl", "lw", "dd", "wd", "dl"]),
    }
    return [(pair, next(scores[pair])) for _ in range(rounds) for pair in PAIRS]


def known(played: list[tuple[str, str]], asked: Question) -> dict[str, Any]:
    return estimate(asked, advance(asked, None, units(played)).state)


def test_the_list_has_the_strongest_first_with_games_scores_and_errors() -> None:
    asked = question()
    ratings = known(pool(40), asked)["ratings"]
    assert [player["key"] for player in ratings["players"]] == ["deep", "mid", "flat"]
    assert [player["name"] for player in ratings["players"]] == ["Deep", "Middle", "Shallow"]
    assert {player["games"] for player in ratings["players"]} == {160}
    deep = ratings["players"][0]
    # Of four rounds deep makes 1 + .75 + .5 + .5 of mid, and as much and .5 of flat.
    assert deep["score"] == pytest.approx((0.6875 + 0.75) / 2)
    assert deep["low"] < deep["elo"] < deep["high"]
    assert sum(player["elo"] for player in ratings["players"]) == pytest.approx(0, abs=1e-6)
    assert ratings["pools"] == [["deep", "mid", "flat"]]
    assert 0 < ratings["draw_rate"] < 1
    assert ratings["advantage"]["low"] < ratings["advantage"]["high"]


def test_it_ends_at_the_budget_and_not_before() -> None:
    asked = question(budget=120)
    moved = advance(asked, None, units(pool(40))[:119])
    assert moved.verdict is None
    moved = advance(asked, moved.state, units(pool(40))[119:])
    assert moved.verdict is not None
    assert (moved.verdict["outcome"], moved.verdict["at_unit"]) == ("measured", 120)


def test_the_intervals_are_wider_while_they_may_be_watched() -> None:
    played = pool(40)
    running, over = (known(played, question(budget)) for budget in (121, 120))
    assert running["ratings"]["watched"]
    assert not over["ratings"]["watched"]
    for during, after in zip(
        running["ratings"]["players"], over["ratings"]["players"], strict=True
    ):
        assert during["elo"] == after["elo"]
        assert during["low"] < after["low"]
        assert during["high"] > after["high"]


def test_the_sentence_names_the_order_and_who_is_not_told_apart() -> None:
    moved = advance(question(), None, units(pool(40)))
    assert moved.verdict is not None
    said = moved.verdict["sentence"]
    assert said.startswith("After 120 openings, each played both ways round: Deep +")
    assert said.index("Deep") < said.index("Middle") < said.index("Shallow")
    assert "Not told apart, with 95 % confidence for all of them together: Middle and" in said
    assert "Deep and Middle" not in said


def test_players_that_no_points_connect_are_listed_apart() -> None:
    played = [(pair, "ww" if pair == "deep:mid" else "ll" if pair == "flat:deep" else "wl")
              for _ in range(10) for pair in PAIRS]  # fmt: skip
    asked = question(budget=30)
    found = known(played, asked)["ratings"]
    assert found["pools"] == [["mid", "flat"], ["deep"]]
    deep = found["players"][-1]
    assert (deep["elo"], deep["low"], deep["high"], deep["score"]) == (None, None, None, 1)
    moved = advance(asked, None, units(played))
    assert moved.verdict is not None
    assert "fall into 2 pools that cannot be compared" in moved.verdict["sentence"]
    assert "Deep cannot be rated" in moved.verdict["sentence"]


def test_the_anchor_is_where_it_was_declared_and_has_no_error_of_its_own() -> None:
    played = pool(40)
    free = {player["key"]: player for player in known(played, question())["ratings"]["players"]}
    asked = question(anchor=Anchor("mid", 1500.0))
    found = known(played, asked)["ratings"]
    assert found["anchor"] == {"key": "mid", "elo": 1500.0}
    held = {player["key"]: player for player in found["players"]}
    assert list(held) == ["deep", "mid", "flat"]
    mid = held["mid"]
    assert (mid["elo"], mid["low"], mid["high"], mid["fixed"]) == (1500, 1500, 1500, True)
    assert not held["deep"]["fixed"]
    for key in ("deep", "flat"):
        assert held[key]["elo"] - 1500 == pytest.approx(free[key]["elo"] - free["mid"]["elo"])
        assert held[key]["low"] < held[key]["elo"] < held[key]["high"]
    # What is told apart, and how the first move does, is not the anchor's business.
    ratings = known(played, question())["ratings"]
    assert ratings["anchor"] is None
    for end in ("value", "low", "high"):
        assert found["advantage"][end] == pytest.approx(ratings["advantage"][end])
    moved, free_moved = (advance(each, None, units(played)) for each in (asked, question()))
    assert moved.verdict is not None
    assert free_moved.verdict is not None
    assert "Deep +" in moved.verdict["sentence"]
    assert ", Middle +1500.0 (fixed), Shallow +" in moved.verdict["sentence"]
    said, freely = (each.verdict["sentence"].split(" Elo.")[1] for each in (moved, free_moved))
    assert said == freely
    assert moved.snapshots[-1]["lines"]["mid"] == 1500
    assert moved.snapshots[-1]["value"] == pytest.approx(free_moved.snapshots[-1]["value"])


def test_a_pool_without_the_anchor_keeps_its_own_mean() -> None:
    """Nothing connects it to the anchor, so nothing could be said from there."""
    played = [(pair, "ww" if pair == "deep:mid" else "ll" if pair == "flat:deep" else "wl")
              for _ in range(10) for pair in PAIRS]  # fmt: skip
    elsewhere = known(played, question(30, anchor=Anchor("deep", 100.0)))["ratings"]
    assert elsewhere["pools"] == [["mid", "flat"], ["deep"]]
    assert [player["elo"] for player in elsewhere["players"]] == [
        pytest.approx(0, abs=1e-6), pytest.approx(0, abs=1e-6), None,
    ]  # fmt: skip
    assert not any(player["fixed"] for player in elsewhere["players"])
    among_them = known(played, question(30, anchor=Anchor("flat", 100.0)))["ratings"]
    assert [player["elo"] for player in among_them["players"]] == [
        pytest.approx(100), pytest.approx(100), None,
    ]  # fmt: skip
    assert [player["key"] for player in among_them["players"] if player["fixed"]] == ["flat"]


def test_nobody_is_rated_before_the_first_game() -> None:
    found = estimate(question(), None)["ratings"]
    assert [player["elo"] for player in found["players"]] == [None] * 3
    assert [player["score"] for player in found["players"]] == [None] * 3
    assert found["draw_rate"] is None


def test_the_first_move_may_win_every_game() -> None:
    played = [(pair, "wl") for _ in range(10) for pair in PAIRS]
    found = known(played, question(budget=30))["ratings"]
    assert [player["elo"] for player in found["players"]] == pytest.approx([0, 0, 0], abs=1e-6)
    assert found["advantage"] == {"value": None, "low": None, "high": None}


def test_games_that_are_all_drawn_tell_no_error() -> None:
    """The sandwich learns the spread from the games: of these it would say that there is none."""
    asked, played = question(), [(pair, "dd") for _ in range(40) for pair in PAIRS]
    for player in known(played, asked)["ratings"]["players"]:
        assert (player["elo"], player["low"], player["high"]) == (0, None, None)
    moved = advance(asked, None, units(played))
    assert moved.verdict is not None
    assert "Deep and Middle (0.0 by games all alike" in moved.verdict["sentence"]


def test_the_chart_shows_the_lead_and_everybody() -> None:
    moved = advance(question(), None, units(pool(40)))
    assert [point["units"] for point in moved.snapshots] == [*range(16, 120, 16), 120]
    last = moved.snapshots[-1]
    elo = last["lines"]
    assert last["value"] == pytest.approx(elo["deep"] - elo["mid"])
    assert last["low"] < last["value"] < last["high"]


def test_portions_change_nothing() -> None:
    asked, played = question(), units(pool(40))
    whole = advance(asked, None, played)
    state, points = None, []
    for first in range(0, 120, 7):
        moved = advance(asked, state, played[first : first + 7])
        state, points = moved.state, points + moved.snapshots
    assert (state, points, moved.verdict) == (whole.state, whole.snapshots, whole.verdict)
