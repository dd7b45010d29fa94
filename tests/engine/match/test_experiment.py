"""Experiment documents: what they become, and what is refused."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tabia.engine import RuleSet, bench_signature
from tabia.engine.documents import DocumentError
from tabia.engine.match import Experiment

BASIC: Mapping[str, Any] = {
    "name": "En passant in Grand Chess",
    "kind": "compare",
    "nodes": 200,
    "arms": {"a": "grand", "b": "grand-no-ep"},
    "test": {"budget": 100},
}


def experiment(**changes: Any) -> Experiment:
    return Experiment.from_document({**BASIC, **changes}, "doc")


def refusal(**changes: Any) -> str:
    with pytest.raises(DocumentError) as caught:
        experiment(**changes)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_id_is_the_hash_of_everything_that_play_depends_on() -> None:
    same, other_seed = experiment(), experiment(seed=1)
    assert same.id == experiment().id
    assert len(same.id) == 64
    assert other_seed.id != same.id
    assert experiment(nodes=201).id != same.id
    assert same.engine == bench_signature()
    assert Experiment.from_frozen(same.frozen).id == same.id
    assert Experiment.from_frozen(same.frozen).arms["b"].id == RuleSet.load("grand-no-ep").id


def test_defaults() -> None:
    made = experiment()
    assert (made.metric, made.margin, made.alpha, made.beta) == ("white_score", 0.03, 0.05, 0.05)
    assert (made.opening_plies, made.max_plies, made.paired) == (8, 400, True)
    rights = experiment(kind="rights", arms={"a": "grand", "b": "grand-mandatory-promotion"})
    assert (rights.metric, rights.margin, rights.paired) == ("elo", 20.0, True)


def test_arms_with_other_arrays_are_unpaired() -> None:
    assert not experiment(arms={"a": "grand", "b": "grander"}).paired
    assert not experiment(openings={"paired": False}).paired
    told = refusal(arms={"a": "grand", "b": "grander"}, openings={"paired": True})
    assert told.startswith("doc:openings.paired: found true; allowed: true only where")


def test_a_rule_set_of_its_own_in_the_document() -> None:
    made = experiment(
        arms={"a": "grand", "b": "slow"},
        rulesets={
            "slow": {"extends": "grand", "name": "Slow", "endings": {"n_move": {"moves": 9}}}
        },
    )
    assert made.arms["b"].name == "Slow"
    assert made.paired


def test_files_are_read_for_the_command_line_only(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('extends = "grand"\nname = "Mine"\n')
    document = {**BASIC, "arms": {"a": "grand", "b": "mine.toml"}}
    assert Experiment.from_document(document, "doc", folder=tmp_path).arms["b"].name == "Mine"
    with pytest.raises(DocumentError, match=r"arms\.b: found \"mine\.toml\""):
        Experiment.from_document(document, "doc")


ENGINES: Mapping[str, Any] = {
    "name": "Twice the nodes",
    "kind": "engines",
    "rules": "grand",
    "nodes": 100,
    "players": {"a": {"name": "Deep", "nodes": 200}, "b": {}},
    "test": {"budget": 100},
}
RATINGS: Mapping[str, Any] = {
    "name": "A ladder",
    "kind": "ratings",
    "rules": "grand",
    "players": {"deep": {"nodes": 200}, "mid": {"nodes": 100}, "low": {"nodes": 50}},
    "test": {"budget": 100},
}


def made(document: Mapping[str, Any], **changes: Any) -> Experiment:
    return Experiment.from_document({**document, **changes}, "doc")


def test_engines_are_two_players_under_one_rule_set() -> None:
    duel = made(ENGINES)
    assert {key: (player.name, player.nodes) for key, player in duel.players.items()} == {
        "a": ("Deep", 200),
        "b": ("100 nodes", 100),
    }
    assert duel.arms["a"] is duel.arms["b"]
    assert list(duel.frozen["arms"]) == ["a"]
    assert (duel.metric, duel.rule, duel.bounds, duel.scale) == (
        "elo",
        "gsprt",
        (0.0, 10.0),
        "normalized",
    )
    assert (duel.nodes, duel.paired, duel.margin) == (200, True, 10.0)
    assert made(ENGINES, players={"a": {}, "b": {}}).id != duel.id
    assert Experiment.from_frozen(duel.frozen) == duel


def test_a_pool_is_measured_and_has_no_rule_that_stops_it() -> None:
    pool = made(RATINGS)
    assert list(pool.players) == ["deep", "low", "mid"]
    assert (pool.rule, pool.bounds, pool.scale, pool.margin) == ("budget", None, None, 0.0)
    assert pool.nodes == 200
    assert Experiment.from_frozen(pool.frozen) == pool


def test_rights_can_be_asked_as_one_of_two_hypotheses() -> None:
    arms = {"a": "grand", "b": "grand-mandatory-promotion"}
    asked = experiment(
        kind="rights", arms=arms, test={"rule": "gsprt", "bounds": [-5, 15], "budget": 100}
    )
    assert (asked.rule, asked.bounds, asked.scale) == ("gsprt", (-5.0, 15.0), "logistic")
    assert asked.margin == 20.0
    normalized = {"rule": "gsprt", "scale": "normalized"}
    assert experiment(kind="rights", arms=arms, test=normalized).scale == "normalized"


def test_a_comparison_may_play_its_whole_budget() -> None:
    assert experiment().rule == "sobel-wald"
    whole = experiment(test={"rule": "budget", "budget": 100})
    assert (whole.rule, whole.margin) == ("budget", 0.03)


def test_forms_of_the_first_schema_mean_what_they_meant() -> None:
    now = experiment()
    before = {
        key: value
        for key, value in now.frozen.items()
        if key not in ("players", "material", "curve")
    }
    before["schema"] = 1
    before["test"] = {
        key: now.frozen["test"][key] for key in ("metric", "margin", "alpha", "beta", "budget")
    }
    old = Experiment.from_frozen(before)
    assert (old.rule, old.players, old.material, old.curve) == ("sobel-wald", {}, None, None)
    assert old.frozen is before
    assert (old.metric, old.margin, old.budget) == (now.metric, now.margin, now.budget)


def test_an_anchor_is_part_of_the_experiment_and_its_absence_is_not() -> None:
    free, held = made(RATINGS), made(RATINGS, ratings={"anchor": "mid", "anchor_elo": -50})
    assert free.anchor is None
    # What was frozen before there were anchors is the same experiment still.
    assert "anchor" not in free.frozen
    assert held.anchor is not None
    assert (held.anchor.player, held.anchor.elo) == ("mid", -50.0)
    assert held.frozen == {**free.frozen, "anchor": {"player": "mid", "elo": -50.0}}
    assert held.id != free.id
    at_nought = made(RATINGS, ratings={"anchor": "mid"})
    assert at_nought.anchor is not None
    assert at_nought.anchor.elo == 0
    for made_of_it in (free, held, at_nought):
        assert Experiment.from_frozen(made_of_it.frozen) == made_of_it


@pytest.mark.parametrize(
    ("document", "changes", "says"),
    [
        (ENGINES, {"arms": {"a": "grand", "b": "grand"}}, "doc:arms: not for engines; allowed for"),
        (ENGINES, {"players": {"a": {}, "c": {}}}, "doc:players: found a, c; allowed for engines"),
        (ENGINES, {"players": {"a": {}}}, "doc:players: found a table; allowed: a table of 2 to"),
        (ENGINES, {"players": None}, "doc:players: missing; needed for engines: a table for each"),
        (ENGINES, {"rules": None}, "doc:rules: missing; needed for engines: a rule set"),
        (ENGINES, {"rules": "gran"}, 'doc:rules: found "gran", which is no rule set known here;'),
        (
            ENGINES,
            {"players": {"a": {"name": "\x1b[2J"}, "b": {}}},
            "doc:players.a.name: found",
        ),
        (ENGINES, {"openings": {"paired": False}}, "doc:openings.paired: found false; allowed for"),
        (ENGINES, {"test": {"margin": 3}}, 'doc:test.margin: found with the rule "gsprt"; allowed'),
        (ENGINES, {"test": {"metric": "draws"}}, 'doc:test.metric: found "draws"; allowed for eng'),
        (
            ENGINES,
            {"test": {"rule": "sobel-wald"}},
            'doc:test.rule: found "sobel-wald"; allowed for engines: gsprt, budget',
        ),
        (
            ENGINES,
            {"test": {"rule": "sprt"}},
            'doc:test.rule: found "sprt"; allowed: "sobel-wald" or "gsprt" or "budget"',
        ),
        (
            ENGINES,
            {"test": {"bounds": [10, 0]}},
            "doc:test.bounds: found 10 and 0; allowed: the smaller one first",
        ),
        (ENGINES, {"test": {"bounds": [0]}}, "doc:test.bounds: found a list of 1; allowed: a list"),
        (ENGINES, {"test": {"bounds": [0, 500]}}, "doc:test.bounds.1: found 500; allowed: a numb"),
        (
            ENGINES,
            {"test": {"rule": "budget", "bounds": [0, 5]}},
            'doc:test.bounds: found with the rule "budget"; allowed with "gsprt"',
        ),
        (ENGINES, {"curve": {"levels": [1, 4]}}, "doc:curve: found in a document that must be"),
        (ENGINES, {"material": {}}, "doc:material: not for engines; allowed for material"),
        (
            ENGINES,
            {"players": {"a": {"nodse": 5}, "b": {}}},
            'doc:players.a.nodse: unknown key; did you mean "nodes"?',
        ),
        (
            ENGINES,
            {"players": {"a": {"nodes": 0}, "b": {}}},
            "doc:players.a.nodes: found 0; allowed: a whole number from 1 to 10000000",
        ),
        (RATINGS, {"players": {"A": {}, "b": {}}}, 'doc:players.A: found the key "A"; allowed as'),
        (
            RATINGS,
            {"test": {"budget": 2}},
            "doc:test.budget: found 2; allowed for 3 players: 3 or more, a unit for each pair",
        ),
        (RATINGS, {"test": {"rule": "gsprt"}}, 'doc:test.rule: found "gsprt"; allowed for ratings'),
        (RATINGS, {"test": {"margin": 3}}, "doc:test.margin: not for ratings; allowed for compare"),
        (
            RATINGS,
            {"ratings": {"anchor": "middle"}},
            'doc:ratings.anchor: found "middle"; allowed: the key of one of the players: deep',
        ),
        (RATINGS, {"ratings": {"anchor_elo": 0}}, "doc:ratings.anchor: missing"),
        (
            RATINGS,
            {"ratings": {"anchor": "mid", "anchor_elo": 20_000}},
            "doc:ratings.anchor_elo: found 20000; allowed: a number from -10000 to 10000",
        ),
        (
            RATINGS,
            {"ratings": {"anchor": "mid", "elo": 5}},
            "doc:ratings.elo: unknown key; allowed: anchor, anchor_elo",
        ),
        (ENGINES, {"ratings": {"anchor": "a"}}, "doc:ratings: not for engines; allowed for rati"),
        (BASIC, {"rules": "grand"}, "doc:rules: not for compare; allowed for engines and ratings"),
        (BASIC, {"players": {}}, "doc:players: not for compare; allowed for engines and ratings"),
        (BASIC, {"arms": None}, "doc:arms: missing; needed for compare: a table with the keys a,"),
        (BASIC, {"test": {"rule": "gsprt"}}, 'doc:test.rule: found "gsprt"; allowed for compare:'),
        (BASIC, {"test": {"scale": "logistic"}}, "doc:test.scale: found with the rule"),
    ],
)
def test_what_other_kinds_refuse(
    document: Mapping[str, Any], changes: dict[str, Any], says: str
) -> None:
    with pytest.raises(DocumentError) as caught:
        made(document, **changes)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"knid": "compare"}, 'doc:knid: unknown key; did you mean "kind"?'),
        ({"name": "two\nlines"}, 'doc:name: found "two'),
        ({"name": "\x1b[2J"}, "doc:name: found"),
        ({"question": "a\x00"}, "doc:question: found"),
        (
            {"kind": "duel"},
            'doc:kind: found "duel"; allowed: "compare" or "rights" or "engines" or "ratings" or',
        ),
        ({"arms": {"a": "grand", "b": "gran"}}, 'doc:arms.b: found "gran", which is no rule set'),
        ({"nodes": 0}, "doc:nodes: found 0; allowed: a whole number from 1 to 10000000"),
        ({"nodes": "many"}, 'doc:nodes: found "many"; allowed'),
        ({"test": {"metric": "speed"}}, 'doc:test.metric: found "speed"; allowed for compare'),
        ({"test": {"margin": 0.7}}, "doc:test.margin: found 0.7; allowed for compare: above 0"),
        ({"test": {"budget": 0}}, "doc:test.budget: found 0; allowed"),
        ({"openings": {"plies": 20}, "max_plies": 20}, "doc:openings.plies: found 20; allowed"),
        ({"arms": {"a": "grand", "b": "../../etc/passwd"}}, "doc:arms.b: found"),
        (
            {"kind": "rights", "arms": {"a": "grand", "b": "grander"}},
            "Grand Chess against Grander Chess:",
        ),
        (
            {"kind": "rights", "arms": {"a": "grand", "b": "chess"}},
            "Grand Chess against Western Chess:",
        ),
        (
            {"rulesets": {"x": {"extends": "x"}}, "arms": {"a": "grand", "b": "x"}},
            "doc:rulesets.x:extends: a cycle",
        ),
    ],
)
def test_refusals(changes: dict[str, Any], says: str) -> None:
    assert refusal(**changes).startswith(says)
