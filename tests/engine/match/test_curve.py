"""The node-budget curve: one question at several strengths."""

from typing import Any

import pytest

from tabia.engine.documents import DocumentError
from tabia.engine.match import Experiment

DOCUMENT: dict[str, Any] = {
    "name": "En passant in Grand Chess",
    "kind": "compare",
    "nodes": 50,
    "arms": {"a": "grand", "b": "grand-no-ep"},
    "curve": {"levels": [1, 4, 16]},
    "test": {"budget": 100},
}


def family(**changes: Any) -> list[Experiment]:
    return Experiment.family({**DOCUMENT, **changes}, "doc")


def test_each_level_is_an_experiment_with_its_own_nodes_and_the_same_budget() -> None:
    levels = family()
    assert [experiment.nodes for experiment in levels] == [50, 200, 800]
    assert {(experiment.rule, experiment.budget) for experiment in levels} == {("budget", 100)}
    assert [experiment.curve and experiment.curve["level"] for experiment in levels] == [1, 4, 16]
    assert len({experiment.id for experiment in levels}) == 3
    curves = [dict(experiment.curve or {}) for experiment in levels]
    assert all(curve["levels"] == [1, 4, 16] for curve in curves)
    assert [Experiment.from_frozen(experiment.frozen) for experiment in levels] == levels


def test_levels_differ_in_nothing_but_their_nodes() -> None:
    forms = [dict(experiment.frozen) for experiment in family()]
    for form in forms:
        del form["nodes"], form["curve"]
    assert forms[0] == forms[1] == forms[2]


def test_a_family_is_one_question() -> None:
    def named(**changes: Any) -> str:
        (name,) = {str((experiment.curve or {})["family"]) for experiment in family(**changes)}
        return name

    assert named() == named()
    others = [
        named(nodes=60),
        named(seed=1),
        named(curve={"levels": [1, 4]}),
        named(test={"budget": 101}),
    ]
    assert len({named(), *others}) == 5


def test_a_document_without_a_curve_is_a_family_of_one() -> None:
    document = {key: value for key, value in DOCUMENT.items() if key != "curve"}
    (alone,) = Experiment.family(document, "doc")
    assert alone == Experiment.from_document(document, "doc")
    assert (alone.curve, alone.rule) == (None, "sobel-wald")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"curve": {}}, "doc:curve.levels: missing; needed: a list of 2 to 8, each a whole number"),
        ({"curve": {"levels": [4]}}, "doc:curve.levels: found a list of 1; allowed: a list of 2"),
        ({"curve": {"levels": [4, 1]}}, "doc:curve.levels: found 4, 1; allowed: rising, each"),
        ({"curve": {"levels": [1, 1]}}, "doc:curve.levels: found 1, 1; allowed: rising, each"),
        ({"curve": {"levels": [0, 1]}}, "doc:curve.levels.0: found 0; allowed: a whole number"),
        ({"nodes": 10**6}, "doc:curve.levels: found 16, which makes 16000000 nodes; allowed: up"),
        (
            {"test": {"rule": "sobel-wald"}},
            'doc:test.rule: found "sobel-wald"; allowed for compare with [curve]: budget',
        ),
    ],
)
def test_refusals(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(DocumentError) as caught:
        family(**changes)
    assert str(caught.value).startswith(says)


def test_where_one_experiment_is_needed_a_curve_is_refused() -> None:
    with pytest.raises(DocumentError, match="doc:curve: found in a document that must be one"):
        Experiment.from_document(DOCUMENT, "doc")
