"""Programs as players in a document: what is frozen, what is refused, what it means for batches."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from outsiders import document, mover, programs

from tabia.engine import RuleSet, play_batch
from tabia.engine.documents import DocumentError
from tabia.engine.match import Experiment, plan_batch
from tabia.engine.match.batch import BatchError
from tabia.engine.outside.programs import VARIABLE
from tabia.engine.weights import neutral_weights


def experiment(player: dict[str, Any], folder: Path | None = None, **changes: Any) -> Experiment:
    players = {"a": {"nodes": 20}, "b": player}
    return Experiment.from_document(document(players=players, **changes), "doc", folder=folder)


MOVER = {"program": "mover", "says": "Random Mover"}


def test_what_is_frozen_names_the_program_and_what_it_says() -> None:
    frozen = experiment({**MOVER, "depth": 3, "options": {"Hash": 4}}).frozen
    assert frozen["players"] == {
        "a": {"name": "20 nodes", "nodes": 20},
        "b": {
            "name": "Random Mover, depth 3",
            "nodes": 0,
            "depth": 3,
            "program": "mover",
            "says": "Random Mover",
            "protocol": "uci",
            "options": {"Hash": 4},
        },
    }
    again = Experiment.from_frozen(frozen)
    assert again.players["b"].options == {"Hash": 4}
    assert experiment({**MOVER, "says": "Another"}).id != again.id


def test_a_player_of_ours_is_written_as_ever() -> None:
    """Another word in the frozen form would make every experiment another one."""
    plain = experiment({"nodes": 7})
    assert plain.frozen["players"]["b"] == {"name": "7 nodes", "nodes": 7}
    assert not plain.trusted_only
    assert plain.reproducible


def test_who_plays_by_the_clock_cannot_be_played_again() -> None:
    for player in ({"movetime_ms": 5}, {**MOVER, "movetime_ms": 5}):
        timed = experiment(player)
        assert timed.trusted_only
        assert not timed.reproducible
    at_nodes = experiment({**MOVER, "nodes": 5})
    assert at_nodes.trusted_only
    assert at_nodes.reproducible


@pytest.mark.parametrize(
    ("player", "problem"),
    [
        ({"nodes": 3, "movetime_ms": 3}, "b.movetime_ms: found beside nodes; allowed: one of"),
        ({**MOVER, "depth": 3, "nodes": 3}, "b.depth: found beside nodes; allowed: one of"),
        ({"depth": 3}, "b.depth: found without program; allowed: only with it"),
        ({"says": "x"}, "b.says: found without program"),
        ({"protocol": "uci"}, "b.protocol: found without program"),
        ({"options": {"Hash": 1}}, "b.options: found without program"),
        ({**MOVER, "protocol": "xboard"}, "b.nodes: not known to the protocol xboard"),
        ({**MOVER, "protocol": "xboard", "movetime_ms": 1500}, "found 1500; allowed"),
        ({**MOVER, "protocol": "usi"}, 'b.protocol: found "usi"; allowed: "uci" or "xboard"'),
        ({"program": "mover"}, "says would be needed then, and is missing"),
        ({**MOVER, "options": {"Log\nFile": 1}}, "allowed as a key: the name of an option"),
        ({**MOVER, "options": {"Log": "x\nquit"}}, "b.options.Log: found "),
        ({**MOVER, "options": {"Log": [1]}}, "b.options.Log: found "),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(player: dict[str, Any], problem: str) -> None:
    with pytest.raises(DocumentError) as caught:
        experiment(player)
    assert str(caught.value).startswith("doc:players.b.")
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_here_it_is_asked_who_it_is_and_whether_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(programs(mover()).text())
    monkeypatch.setenv(VARIABLE, str(file))
    assert experiment({"program": "mover"}).players["b"].says == "Random Mover"
    assert experiment({"program": "mover"}) == experiment(MOVER)
    with pytest.raises(DocumentError, match=r'players\.b\.program: mover says that it is "Random'):
        experiment({"program": "mover", "says": "Somebody"})
    with pytest.raises(DocumentError, match=r"options\.Hash: found 65; allowed: 1 to 64"):
        experiment({"program": "mover", "options": {"Hash": 65}})
    with pytest.raises(DocumentError, match="Random Mover plays chess alone"):
        experiment({"program": "mover"}, rules="grand")


def test_other_kinds_have_no_players_that_are_programs() -> None:
    with pytest.raises(DocumentError, match="player: not for compare; allowed for rights"):
        Experiment.from_document(
            {"name": "x", "kind": "compare", "arms": {"a": "chess", "b": "chess-torpedo"},
             "player": MOVER},
            "doc",
        )  # fmt: skip


def test_one_program_plays_both_sides_of_rights() -> None:
    """Where both have the same rights, a program that knows no variants can play them."""
    rights = Experiment.from_document(
        {"name": "x", "kind": "rights", "arms": {"a": "chess", "b": "chess"}, "max_plies": 40,
         "player": {**MOVER, "nodes": 1}, "test": {"budget": 20}},
        "doc",
    )  # fmt: skip
    assert rights.trusted_only
    result = play_batch(plan_batch(rights, 0, 0, 1), programs=programs(mover()))
    assert len(result["games"]) == 2
    with pytest.raises(BatchError, match="illegal move ×4"):
        play_batch(plan_batch(rights, 0, 0, 1), programs=programs(mover("illegal")))


def test_our_engine_meets_a_program_with_weights_of_its_own() -> None:
    weights = deepcopy(neutral_weights(RuleSet.load("chess")))
    weights["letters"]["N"].update(mid=1500, end=1500)
    duel = experiment({**MOVER, "nodes": 1}, weights={"a": weights})
    batch, here = plan_batch(duel, 0, 0, 1), programs(mover())
    own = play_batch(batch, library=duel.library, programs=here)
    shared = play_batch({**batch, "own_weights": {}}, programs=here)
    assert [game["moves"] for game in own["games"]] != [game["moves"] for game in shared["games"]]
    with pytest.raises(DocumentError, match='weights: found "b"; allowed for engines: a, all'):
        experiment(MOVER, weights={"b": weights})


def test_a_unit_is_the_same_in_whatever_batch_it_is() -> None:
    duel = experiment({**MOVER, "nodes": 1})
    together = play_batch(plan_batch(duel, 0, 0, 2), programs=programs(mover()))
    alone = play_batch(plan_batch(duel, 1, 1, 1), programs=programs(mover()))
    assert together["games"][2:] == alone["games"]
