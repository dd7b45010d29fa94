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


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"knid": "compare"}, 'doc:knid: unknown key; did you mean "kind"?'),
        ({"kind": "duel"}, 'doc:kind: found "duel"; allowed: "compare" or "rights"'),
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
