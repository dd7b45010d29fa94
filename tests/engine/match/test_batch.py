"""Batches: the same games everywhere, and games that keep to their rules."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tabia.engine import Position, _core, play_batch
from tabia.engine.compiled import compiled
from tabia.engine.match import BatchError, Experiment, estimate_units_per_second, plan_batch
from tabia.engine.match.pace import seconds_a_move

DOCUMENT = {
    "name": "Free promotion",
    "kind": "compare",
    "nodes": 120,
    "max_plies": 160,
    "arms": {"a": "grand", "b": "grand-free-promotion"},
    "test": {"budget": 100},
}


SHORT: Mapping[str, Any] = {"nodes": 60, "max_plies": 100, "test": {"budget": 100}}
OTHERS: Mapping[str, Mapping[str, Any]] = {
    "engines": {
        "name": "Twice the nodes",
        "kind": "engines",
        "rules": "chess",
        "players": {"a": {"nodes": 120}, "b": {"nodes": 60}},
        **SHORT,
    },
    "ratings": {
        "name": "A ladder",
        "kind": "ratings",
        "rules": "chess",
        "players": {"deep": {"nodes": 120}, "mid": {"nodes": 60}, "low": {"nodes": 30}},
        **SHORT,
    },
    "material": {"name": "Values", "kind": "material", "rules": "chess", **SHORT},
}
KINDS = ("compare", *OTHERS)


def experiment(**changes: Any) -> Experiment:
    return Experiment.from_document({**DOCUMENT, **changes}, "doc")


def of_kind(kind: str) -> Experiment:
    return experiment() if kind == "compare" else Experiment.from_document(OTHERS[kind], "doc")


def planned(made: Experiment, number: int, first: int, units: int) -> dict[str, Any]:
    """A batch; of kind material one that plays each imbalance in its turn."""
    if made.material is None:
        return plan_batch(made, number, first, units)
    known = made.material.matches
    matches = [known[unit % len(known)] for unit in range(first, first + units)]
    return plan_batch(made, number, first, units, matches)


def played(made: Experiment, first: int = 0, units: int = 3) -> list[dict[str, Any]]:
    return list(play_batch(planned(made, 0, first, units))["games"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_is_plain_data_and_plays_the_same_in_another_process(kind: str) -> None:
    batch = planned(of_kind(kind), 5, 10, 2)
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


@pytest.mark.parametrize("kind", KINDS)
def test_the_cut_into_batches_and_the_number_of_threads_change_no_game(kind: str) -> None:
    made = of_kind(kind)
    whole = played(made, 0, 4)
    with ThreadPoolExecutor(8) as pool:
        apart = pool.map(lambda unit: played(made, unit, 1), range(4))
    assert [game for games in apart for game in games] == whole


@pytest.mark.parametrize("kind", KINDS)
def test_the_games_are_those_that_were_planned(kind: str) -> None:
    made = of_kind(kind)
    batch = planned(made, 0, 7, 3)
    assert len(batch["matches"]) == batch["units"] == 3
    games = play_batch(batch)["games"]
    assert [(game["unit"], game["arm"], game["match"]) for game in games] == [
        (unit, arm, match) for unit, match in enumerate(batch["matches"], 7) for arm in "ab"
    ]
    for first, second in zip(games[::2], games[1::2], strict=True):
        plies = first["opening_plies"]
        assert first["moves"].split()[:plies] == second["moves"].split()[:plies]


def test_a_pool_meets_in_rounds() -> None:
    matches = plan_batch(of_kind("ratings"), 0, 0, 6)["matches"]
    assert {frozenset(match.split(":")) for match in matches[:3]} == {
        frozenset(("deep", "mid")),
        frozenset(("deep", "low")),
        frozenset(("low", "mid")),
    }
    assert matches[:3] == matches[3:]


def test_the_player_whose_turn_it_is_thinks_with_its_own_nodes() -> None:
    made = of_kind("engines")
    for game in played(made, 0, 2):
        rules = compiled(made.arms["a"])
        evaluator = _core.Evaluator.build(rules, made.weights)
        nodes = (120, 60) if game["arm"] == "a" else (60, 120)
        opening = game["moves"].split()[: game["opening_plies"]]
        again = _core.play_game(rules, evaluator, evaluator, opening, *nodes, made.max_plies)
        assert " ".join(again["moves"]) == game["moves"]
    first = made.players["a"].nodes, made.players["b"].nodes
    assert first == (120, 60)


def test_in_a_pool_the_first_of_the_two_is_white_in_game_a() -> None:
    made = of_kind("ratings")
    rules = compiled(made.arms["a"])
    evaluator = _core.Evaluator.build(rules, made.weights)
    for game in played(made, 0, 3):
        one, other = (made.players[key].nodes for key in game["match"].split(":"))
        white, black = (one, other) if game["arm"] == "a" else (other, one)
        opening = game["moves"].split()[: game["opening_plies"]]
        again = _core.play_game(rules, evaluator, evaluator, opening, white, black, made.max_plies)
        assert " ".join(again["moves"]) == game["moves"]


@pytest.mark.parametrize("kind", ["engines", "ratings"])
def test_equal_players_are_level_to_the_last_move(kind: str) -> None:
    # A against A: the second game of each unit is the first one again.
    players = {"engines": ("a", "b"), "ratings": ("one", "other", "third")}[kind]
    equal = {**OTHERS[kind], "players": {key: {"nodes": 80} for key in players}}
    games = played(Experiment.from_document(equal, "doc"), 0, 4)
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first["moves"], first["result"]) == (second["moves"], second["result"])
    assert len({game["moves"] for game in games}) == 4


def test_armies_that_differ_begin_where_they_say_and_keep_to_the_rules() -> None:
    made = of_kind("material")
    units = made.units()
    for game in played(made, 0, 4):
        fen = units.start(game["unit"], game["arm"], game["match"])
        position = Position(made.arms["a"], fen)
        army_a, army_b = game["match"].split(":")
        white, black = (army_b, army_a) if game["arm"] == "a" else (army_a, army_b)
        missing = Counter(Position(made.arms["a"]).fen().split()[0])
        missing.subtract(position.fen().split()[0])
        lacks = {letter: n for letter, n in missing.items() if letter.isalpha() and n}
        assert lacks == Counter(white) + Counter(black.lower())
        for move in game["moves"].split():
            position.push(move)
        ended = position.outcome()
        assert (game["reason"] == "ply cap") == (ended is None)


def test_what_a_unit_of_kind_material_plays_is_given_and_is_one_of_its_matches() -> None:
    made = of_kind("material")
    with pytest.raises(ValueError, match="what each of 2 units plays"):
        plan_batch(made, 0, 0, 2)
    with pytest.raises(ValueError, match="what each of 2 units plays"):
        plan_batch(made, 0, 0, 2, ["B:N"])
    with pytest.raises(ValueError, match="no match of this experiment: Q:P"):
        plan_batch(made, 0, 0, 1, ["Q:P"])
    with pytest.raises(ValueError, match="kind engines plays is not to be chosen"):
        plan_batch(of_kind("engines"), 0, 0, 1, [""])


@pytest.mark.parametrize(
    ("kind", "match"),
    [("material", "Q"), ("material", "QQ:RR"), ("ratings", "deep"), ("ratings", "deep:nobody")],
)
def test_a_batch_that_cannot_be_played_is_refused(kind: str, match: str) -> None:
    batch = {**planned(of_kind(kind), 3, 0, 1), "matches": [match]}
    with pytest.raises(BatchError, match="batch 3, unit 0: "):
        play_batch(batch)


@pytest.mark.parametrize("kind", KINDS)
def test_the_pace_of_every_kind_can_be_estimated(kind: str) -> None:
    assert estimate_units_per_second(of_kind(kind)) > 0


def test_a_pool_is_as_slow_as_its_players_in_the_mean() -> None:
    assert seconds_a_move(of_kind("ratings"), 2.0) == 140
    assert seconds_a_move(of_kind("material"), 2.0) == 120


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
