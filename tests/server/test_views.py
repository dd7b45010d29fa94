"""What a page says of an experiment's speed and standing is true."""

from __future__ import annotations

from datetime import timedelta

import pytest
from players import Players, material_document, stalemate_document

from tabia.server import views
from tabia.server.database import Database

MINUTE = timedelta(minutes=1)


@pytest.fixture
def players(sqlite: Database) -> Players:
    return Players(sqlite)


def play_one_batch(players: Players, experiment: str) -> None:
    lease = players.lease(experiment)
    assert lease is not None
    players.now += MINUTE
    players.deliver(lease)


def test_speed_is_games_a_minute_up_to_the_last_result(players: Players) -> None:
    experiment = players.submit(stalemate_document(), units_a_batch=2)
    assert players.view(experiment)["games_per_minute"] == 0
    for _ in range(3):
        play_one_batch(players, experiment)
        assert players.view(experiment)["games_per_minute"] == 4
    players.now += 4 * MINUTE
    assert players.view(experiment)["games_per_minute"] == 4, "nothing new, nothing changed"


def test_speed_is_of_the_last_minutes_not_of_last_night(players: Players) -> None:
    experiment = players.submit(stalemate_document(), units_a_batch=2)
    play_one_batch(players, experiment)
    players.now += 600 * MINUTE
    assert players.view(experiment)["games_per_minute"] == 0, "nobody plays any more"
    play_one_batch(players, experiment)
    assert players.view(experiment)["games_per_minute"] == pytest.approx(4 / 5)


def test_the_speed_of_a_finished_experiment_is_that_of_the_whole(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    for _ in range(3):
        play_one_batch(players, experiment)
    players.now += 600 * MINUTE
    view = players.view(experiment)
    assert view["state"] == "out_of_budget"
    assert view["games_per_minute"] == pytest.approx(2 * 20 / 3, abs=0.05)


def test_rule_sets_of_an_experiment_can_be_played(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    with players.database.read() as session:
        arms = views.rule_sets(session, experiment)
    assert {key: rules.name for key, rules in arms.items()} == {
        arm["key"]: arm["name"] for arm in players.view(experiment)["arms"]
    }


def test_estimates_lie_within_their_intervals(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    for _ in range(2):
        play_one_batch(players, experiment)
    estimate = players.view(experiment)["estimate"]
    for name in ("a", "b", "difference"):
        assert estimate[name]["low"] <= estimate[name]["value"] <= estimate[name]["high"]


def test_a_list_leaves_out_the_imbalances_of_which_there_may_be_thousands(
    players: Players,
) -> None:
    experiment = players.submit(material_document())
    lease = players.lease(experiment)
    assert lease is not None
    players.deliver(lease)
    assert players.view(experiment)["values"]["matches"]
    with players.database.read() as session:
        (listed,) = views.list_view(session, now=players.now)["experiments"]
    assert set(players.view(experiment)["values"]) - set(listed["values"]) == {"matches"}


def test_before_the_first_game_nothing_is_claimed(players: Players) -> None:
    view = players.view(players.submit(stalemate_document()))
    assert view["estimate"]["difference"]["value"] is None
    assert view["tallies"]["a"]["games"] == 0
    assert (view["history"], view["verdict"]) == ([], None)
