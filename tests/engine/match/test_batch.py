"""Batches: the same games everywhere, and games that keep to their rules."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tabia.engine import Position, play_batch
from tabia.engine.match import BatchError, Experiment, plan_batch

DOCUMENT = {
    "name": "Free promotion",
    "kind": "compare",
    "nodes": 120,
    "max_plies": 160,
    "arms": {"a": "grand", "b": "grand-free-promotion"},
    "test": {"budget": 100},
}


def experiment(**changes: Any) -> Experiment:
    return Experiment.from_document({**DOCUMENT, **changes}, "doc")


def played(made: Experiment, first: int = 0, units: int = 3) -> list[dict[str, Any]]:
    return list(play_batch(plan_batch(made, 0, first, units))["games"])


def test_a_batch_is_plain_data_and_plays_the_same_in_another_process() -> None:
    batch = plan_batch(experiment(), 5, 10, 2)
    code = (
        "import json, sys; from tabia.engine import play_batch;"
        "print(json.dumps(play_batch(json.load(sys.stdin))))"
    )
    other = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(batch),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(other.stdout) == play_batch(batch)


def test_the_cut_into_batches_and_the_number_of_threads_change_no_game() -> None:
    made = experiment()
    whole = played(made, 0, 4)
    with ThreadPoolExecutor(8) as pool:
        apart = pool.map(lambda unit: played(made, unit, 1), range(4))
    assert [game for games in apart for game in games] == whole


def test_games_are_legal_and_end_as_they_say() -> None:
    made = experiment()
    for game in played(made):
        position = Position(made.arms[game["arm"]])
        moves = game["moves"].split()
        assert len(moves) == game["plies"]
        for move in moves:
            assert position.outcome() is None
            position.push(move)
        ended = position.outcome()
        if game["reason"] == "ply cap":
            assert ended is None
            assert (game["result"], game["plies"]) == ("1/2-1/2", made.max_plies)
        else:
            assert ended is not None
            assert (ended.result, ended.reason) == (game["result"], game["reason"])


def test_promotions_are_counted_taken_and_declined() -> None:
    for game in played(experiment(max_plies=300), 0, 4):
        moves = game["moves"].split()
        for side, first in (("white", 0), ("black", 1)):
            promoted = [move for move in moves[first::2] if move[-1].isalpha()]
            assert sum(game["promotions"][side].values()) == len(promoted)
            assert game["declined"][side] >= 0


def test_paired_arms_share_openings_and_unpaired_ones_do_not() -> None:
    def openings(made: Experiment) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {"a": [], "b": []}
        for game in played(made, 0, 3):
            found[game["arm"]].append(" ".join(game["moves"].split()[: game["opening_plies"]]))
        return found

    together = openings(experiment())
    assert together["a"] == together["b"]
    assert len(set(together["a"])) == 3
    apart = openings(experiment(openings={"paired": False}))
    assert set(apart["a"]).isdisjoint(apart["b"])


def test_a_tweak_that_cannot_matter_touches_no_game() -> None:
    # Pieces that are nowhere on the board and that nothing promotes to.
    tweak = {
        "extends": "grand",
        "pieces": {"A": {"moves": "QN"}, "Z": {"moves": "NCZ"}},
        "promotion": {"to": "NBRCMQ"},
    }
    made = experiment(arms={"a": "grand", "b": "tweak"}, rulesets={"tweak": tweak}, nodes=400)
    games = played(made, 0, 6)
    assert [g["moves"] for g in games if g["arm"] == "a"] == [
        g["moves"] for g in games if g["arm"] == "b"
    ]


def test_rights_give_each_side_its_own_rules() -> None:
    # A piece hardly worth having: who may decline it, does.
    weak: dict[str, Any] = {
        "extends": "grand",
        "pieces": {"Z": {"moves": "bW"}},
        "promotion": {"to": "Z", "supply": "any"},
    }
    must = {**weak, "promotion": {**weak["promotion"], "optional": [], "compulsory": [8, 9, 10]}}
    made = experiment(
        kind="rights",
        arms={"a": "may", "b": "must"},
        rulesets={"may": weak, "must": must},
        nodes=200,
        max_plies=300,
    )
    games = played(made, 0, 6)
    declined = {"optional": 0, "compulsory": 0}
    for game in games:
        holder, other = ("white", "black") if game["arm"] == "a" else ("black", "white")
        declined["optional"] += game["declined"][holder]
        declined["compulsory"] += game["declined"][other]
        a, b = made.arms["a"], made.arms["b"]
        white, black = (a, b) if game["arm"] == "a" else (b, a)
        position = Position(white, black=black)
        for move in game["moves"].split():
            position.push(move)
    assert declined["compulsory"] == 0
    assert declined["optional"] > 0
    for first, second in zip(games[::2], games[1::2], strict=True):
        plies = first["opening_plies"]
        assert first["moves"].split()[:plies] == second["moves"].split()[:plies]


def test_a_batch_for_another_engine_is_refused() -> None:
    batch = plan_batch(experiment(), 0, 0, 1)
    with pytest.raises(BatchError, match="is for engine 12345"):
        play_batch({**batch, "engine": "12345"})
