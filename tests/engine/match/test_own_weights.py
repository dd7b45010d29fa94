"""`[weights]`: who judges by weights of their own, from the document to the moves."""

import json
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tabia.engine import RuleSet, play_batch
from tabia.engine.documents import DocumentError
from tabia.engine.match import Experiment, UnknownWeightsError, needed_weights, plan_batch
from tabia.engine.weights import Weights, neutral_weights
from tabia.engine.weights_file import FORMAT, weights_hash, weights_text

CHESS = RuleSet.load("chess")
ENGINES: Mapping[str, Any] = {
    "name": "Own against shared",
    "kind": "engines",
    "nodes": 40,
    "max_plies": 60,
    "rules": "chess",
    "players": {"a": {}, "b": {}},
}
COMPARE: Mapping[str, Any] = {
    "name": "Stalemate",
    "kind": "compare",
    "nodes": 40,
    "max_plies": 60,
    "arms": {"a": "chess", "b": "chess-stalemate-win"},
}


def odd() -> Weights:
    """Weights that think the world of knights."""
    weights = deepcopy(neutral_weights(CHESS))
    weights["letters"]["N"].update(mid=1500, end=1500)
    return weights


def experiment(base: Mapping[str, Any], **changes: Any) -> Experiment:
    return Experiment.from_document({**base, **changes}, "doc")


def refusal(base: Mapping[str, Any] = ENGINES, **changes: Any) -> str:
    with pytest.raises(DocumentError) as caught:
        experiment(base, **changes)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def played(made: Experiment, units: int = 3) -> list[dict[str, Any]]:
    batch = json.loads(json.dumps(plan_batch(made, 0, 0, units)))
    return list(play_batch(batch, library=made.library)["games"])


def moves(games: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(game["arm"], game["moves"]) for game in games]


def test_the_frozen_form_and_the_batch_have_the_hash_alone() -> None:
    made = experiment(ENGINES, weights={"a": odd()})
    name = weights_hash(odd())
    assert made.frozen["own_weights"] == {"a": name} == dict(made.own_weights)
    assert made.library == {name: odd()}
    batch = plan_batch(made, 0, 0, 1)
    assert needed_weights(batch) == [name]
    assert "1500" not in json.dumps(batch)
    again = Experiment.from_frozen(json.loads(json.dumps(made.frozen)))
    assert (again.id, again.own_weights) == (made.id, made.own_weights)


def test_without_weights_of_ones_own_nothing_changes() -> None:
    made = experiment(ENGINES)
    assert "own_weights" not in made.frozen
    assert needed_weights(plan_batch(made, 0, 0, 1)) == []
    assert made.id == experiment(ENGINES, weights={}).id


def test_the_player_of_that_name_has_them_as_either_colour() -> None:
    """With equal players both games of a unit are the same game."""
    alike = played(experiment(ENGINES))
    assert [game["moves"] for game in alike[::2]] == [game["moves"] for game in alike[1::2]]
    one = played(experiment(ENGINES, weights={"a": odd()}))
    other = played(experiment(ENGINES, weights={"b": odd()}))
    assert any(a["moves"] != b["moves"] for a, b in zip(one[::2], one[1::2], strict=True))
    both = played(experiment(ENGINES, weights={"all": odd()}))
    assert [game["moves"] for game in both[::2]] == [game["moves"] for game in both[1::2]]
    assert {game["moves"] for game in one}.isdisjoint(game["moves"] for game in both)
    # Openings differ between experiments: but White with odd weights plays like no other.
    assert moves(one) != moves(other)


def test_an_arm_of_a_comparison_has_them_on_both_sides() -> None:
    made = experiment(COMPARE, weights={"a": odd()})
    batch = plan_batch(made, 0, 0, 3)
    shared = {**batch, "own_weights": {}}
    mine = moves(play_batch(batch, library=made.library)["games"])
    theirs = moves(play_batch(shared)["games"])
    assert [each for each in mine if each[0] == "b"] == [each for each in theirs if each[0] == "b"]
    assert [each for each in mine if each[0] == "a"] != [each for each in theirs if each[0] == "a"]
    everywhere = {**batch, "weights": odd(), "own_weights": {}}
    wholly = moves(play_batch(everywhere)["games"])
    assert [each for each in mine if each[0] == "a"] == [each for each in wholly if each[0] == "a"]


def test_a_batch_is_not_played_without_them_or_with_others() -> None:
    made = experiment(ENGINES, weights={"a": odd()})
    batch, name = plan_batch(made, 0, 0, 1), weights_hash(odd())
    with pytest.raises(UnknownWeightsError, match=f"the weights {name} are not at hand"):
        play_batch(batch)
    with pytest.raises(UnknownWeightsError, match="is something else"):
        play_batch(batch, library={name: neutral_weights(CHESS)})


def test_a_file_a_table_and_a_hash_are_the_same(tmp_path: Path) -> None:
    text = weights_text(odd(), CHESS, {"games": 1})
    (tmp_path / "odd.weights.json").write_text(text)
    inline = experiment(ENGINES, weights={"a": odd()})
    whole = experiment(ENGINES, weights={"a": json.loads(text)})
    file = Experiment.from_document(
        {**ENGINES, "weights": {"a": "odd.weights.json"}}, "doc", folder=tmp_path
    )
    by_hash = Experiment.from_document(
        {**ENGINES, "weights": {"a": weights_hash(odd())}},
        "doc",
        known={weights_hash(odd()): odd()}.get,
    )
    assert inline.id == whole.id == file.id == by_hash.id
    assert by_hash.library == inline.library


def test_everybody_can_have_them() -> None:
    ratings = {**ENGINES, "kind": "ratings", "players": {"x": {}, "y": {"nodes": 20}}}
    made = experiment(ratings, weights={"y": odd()}, test={"budget": 10})
    assert set(made.own_weights) == {"y"}
    material = {key: value for key, value in ENGINES.items() if key != "players"}
    made = experiment({**material, "kind": "material"}, weights={"all": odd()})
    assert set(made.own_weights) == {"all"}
    rights = {**COMPARE, "kind": "rights", "arms": {"a": "chess", "b": "chess-no-castling"}}
    assert set(experiment(rights, weights={"b": odd()}).own_weights) == {"b"}


def test_what_is_refused() -> None:
    assert refusal(weights={"c": odd()}) == (
        'doc:weights: found "c"; allowed for engines: a, b, all'
    )
    assert refusal(weights={"a": "odd.json"}).startswith(
        'doc:weights.a: found "odd.json"; allowed: the weights themselves'
    )
    assert refusal(weights={"a": "0" * 64}).startswith("doc:weights.a: weights of that hash are")
    assert refusal(weights={"a": 5}).startswith("doc:weights.a: found 5; allowed: what `tabia")
    changed = {"format": FORMAT, "sha256": weights_hash(odd()), "weights": neutral_weights(CHESS)}
    assert refusal(weights={"a": changed}).endswith("of these weights: they were changed")
    assert refusal(weights={"a": {**changed, "format": "x"}}).startswith("doc:weights.a.format: ")
    assert "what `tabia calibrate` writes" in refusal(weights={"a": {"x": 1}})


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("letters", "N", "mid"), 3001, "weights.a.letters.N.mid: found 3001; allowed: a whole"),
        (("letters", "N", "mid"), 1.5, "weights.a.letters.N.mid: found 1.5"),
        (("letters", "N", "mid"), True, "weights.a.letters.N.mid: found true"),
        (("letters", "N"), 5, "weights.a.letters.N: found 5; allowed: a table"),
        (("letters", "P", "advance_mid"), [1] * 65, "letters.P.advance_mid: found a list of 65"),
        (("letters", "P", "advance_mid"), [1, "x"], 'letters.P.advance_mid: found "x"'),
        (("tempo",), None, "weights.a.tempo: found nothing"),
        (("letters", "N", "magic"), 1, "weights.a.letters.N.magic: unknown to this engine"),
        (("magic",), 1, "weights.a.magic: unknown to this engine"),
        (("letters", "N", "phase"), -1, "phase from 0 to 100"),
        (("letters", "nn"), neutral_weights(CHESS)["letters"]["N"], "letters A to Z"),
    ],
)
def test_weights_of_another_shape_are_refused(path: tuple[str, ...], value: Any, said: str) -> None:
    weights: Any = odd()
    at = weights
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    assert said in refusal(weights={"a": weights})


def test_weights_know_every_man_of_the_rules() -> None:
    weights = odd()
    del weights["letters"]["Q"]
    assert refusal(weights={"a": weights}).startswith("doc:weights.a.letters.Q: missing")
    more = {**odd(), "letters": {**odd()["letters"], "Z": odd()["letters"]["Q"]}}
    assert experiment(ENGINES, weights={"a": more}).own_weights


def test_files_that_are_none(tmp_path: Path) -> None:
    def said(name: str) -> str:
        with pytest.raises(DocumentError) as caught:
            Experiment.from_document({**ENGINES, "weights": {"a": name}}, "d", folder=tmp_path)
        return str(caught.value)

    (tmp_path / "text").write_text("not JSON")
    (tmp_path / "list").write_text("[]")
    (tmp_path / "long").write_text(" " * 70_000)
    assert "cannot be read" in said("none")
    assert "is no weights file" in said("text")
    assert "found a list of 0" in said("list")
    assert "longer than 64 KiB" in said("long")
