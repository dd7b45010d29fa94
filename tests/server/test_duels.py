"""Experiments of two sides through the whole road: played, decided, shown."""

from __future__ import annotations

from typing import Any

import pytest
from players import Players, stalemate_document

from tabia.server.database import Database
from tabia.server.local.report import report
from tabia.server.profile import Profile
from tabia.server.wire import ExperimentAnswer

UNITS = 48


@pytest.fixture
def players(sqlite: Database) -> Players:
    return Players(sqlite)


def engines_document(**changes: Any) -> dict[str, Any]:
    """Chess at 60 nodes against 1: the first look that may decide does."""
    document: dict[str, Any] = {
        "name": "Sixty nodes against one",
        "kind": "engines",
        "rules": "chess",
        "max_plies": 200,
        "players": {"a": {"name": "Sixty", "nodes": 60}, "b": {"name": "One", "nodes": 1}},
        "openings": {"plies": 4},
        "test": {"bounds": [0, 100], "budget": 64},
    }
    return {**document, **changes}


def rights_document(**test: Any) -> dict[str, Any]:
    return {
        "name": "Compulsory or not",
        "kind": "rights",
        "nodes": 1,
        "max_plies": 60,
        "arms": {"a": "grand", "b": "grand-mandatory-promotion"},
        "openings": {"plies": 4},
        "test": {"budget": 16, **test},
    }


def played(players: Players, document: dict[str, Any]) -> dict[str, Any]:
    experiment = players.submit(document, units_a_batch=16)
    players.finish(experiment)
    view = players.view(experiment)
    ExperimentAnswer.model_validate(view)
    return view


def text(view: dict[str, Any]) -> str:
    return "\n".join(report(view))


def test_a_stronger_player_is_found_and_everything_is_shown(players: Players) -> None:
    view = played(players, engines_document())
    assert view["state"] == "decided"
    assert (view["verdict"]["outcome"], view["verdict"]["at_unit"]) == ("a_higher", UNITS)
    assert [(each["key"], each["name"], each["nodes"]) for each in view["players"]] == [
        ("a", "Sixty", 60),
        ("b", "One", 1),
    ]
    assert view["primary"]["rule"] == view["test"]["rule"] == "gsprt"
    assert (list(view["primary"]["bounds"]), view["primary"]["scale"]) == ([0, 100], "normalized")
    assert view["adjusted"]["low"] > 0
    assert [point["units"] for point in view["history"]] == [16, 32, 48]
    for point in view["history"]:
        ((low, high),), (llr,) = point["bounds"], point["llr"]
        assert low < 0 < high
    assert llr >= high, "the last look ended it; earlier ones may not, however high they are"

    shown = text(view)
    assert "Sixty is stronger than One" in shown.replace("\n", " ")
    for part in ("LLR", "adjusted", "LOS", "p-value", "Exploratory", "What kind of game it is"):
        assert part in shown
    assert "A as White  Sixty" in shown


def test_the_verdict_is_what_a_terminal_shows_last(players: Players) -> None:
    shown = text(played(players, engines_document()))
    end = shown[shown.index("Sixty nodes against one: decided") :]
    assert "Sixty is stronger than One" in end.replace("\n", " ")
    assert len(end.splitlines()) < 10
    assert shown.index("What kind of game it is") < shown.index(end)


def test_the_profile_is_that_of_the_games_that_were_kept(players: Players) -> None:
    experiment = players.submit(stalemate_document(), units_a_batch=20)
    players.finish(experiment)
    view, games = players.view(experiment), players.games_of(experiment)
    for arm in ("a", "b"):
        profile = Profile()
        for game in games:
            if game["arm"] == arm:
                profile.add({**game, "moves": " ".join(game["moves"])})
        rows = {row["name"]: row for row in view["profile"][arm]}
        # Neither side of this question has these under its rules.
        absent = {"own_captures", "citadel_exits", "promotions_declined"}
        expected = {row["name"]: row for row in profile.rows() if row["name"] not in absent}
        assert not absent & set(rows)
        assert expected == {name: rows[name] for name in expected}
        assert {"survival:Q", "survival:P"} <= set(rows) - set(expected)
        assert "survival:K" not in rows


def test_repeated_draws_of_openings_are_stated(players: Players) -> None:
    assert players.view(players.submit(stalemate_document()))["openings"] == {
        "drawn": 0,
        "redrawn": 0,
    }
    view = played(players, engines_document(test={"rule": "budget", "budget": 8}))
    assert view["openings"]["drawn"] == 16, "one a game"
    assert view["openings"]["redrawn"] >= 0


def test_games_of_one_rule_set_are_profiled_together(players: Players) -> None:
    view = played(players, engines_document(test={"rule": "budget", "budget": 8}))
    assert view["profile"]["b"] is None
    (length,) = (row for row in view["profile"]["a"] if row["name"] == "draws")
    assert length["detail"].endswith("of 16")
    assert view["verdict"]["outcome"] == "measured"
    assert view["state"] == "decided"
    assert "\nSixty nodes against one: measured\nMeasured over 8 openings" in text(view)


def test_rights_may_be_asked_about_two_hypotheses(players: Players) -> None:
    view = played(players, rights_document(rule="gsprt", bounds=[0, 30]))
    assert view["test"]["scale"] == "logistic"
    assert view["verdict"]["outcome"] == "inconclusive"
    assert view["state"] == "out_of_budget"
    assert view["right"] is not None
    names = {row["name"] for row in view["secondary"]}
    assert {"draws", "declined_promotions", "en_passant", "length"} <= names
    assert "castling" not in names
    shown = text(view)
    assert "the right" in shown
    assert "all games" in shown


def test_a_comparison_is_shown_with_both_tests_and_all_other_metrics(players: Players) -> None:
    view = played(players, stalemate_document())
    assert [len(point["llr"]) for point in view["history"]] == [2] * len(view["history"])
    shown = text(view)
    for part in ("LLR, A higher", "LLR, B higher", "A − B", "p, adjusted", "games with castling"):
        assert part in shown
    assert "length of a game" in shown


def test_before_the_first_result_there_is_something_to_say_too(players: Players) -> None:
    for document in (engines_document(), rights_document(), stalemate_document()):
        experiment = players.submit(document)
        view = players.view(experiment)
        ExperimentAnswer.model_validate(view)
        assert view["test"]["p_value"] == 1
        assert text(view).endswith(f"\n{document['name']}: not begun\nThere is no verdict.\n")
