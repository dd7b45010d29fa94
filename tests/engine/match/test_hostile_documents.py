"""Experiment documents from strangers: whatever stands in one, it is an experiment or one line."""

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tabia.engine.documents import DocumentError
from tabia.engine.match import Experiment

TEST: Mapping[str, Any] = {"alpha": 0.05, "beta": 0.05, "budget": 100, "metric": None, "rule": None}
WHOLE: Mapping[str, Mapping[str, Any]] = {
    "compare": {
        "arms": {"a": "chess", "b": "chess-no-castling"},
        "curve": {"levels": [1, 2]},
        "openings": {"plies": 2, "paired": True},
        "test": {**TEST, "margin": 0.1},
        "rulesets": {"mine": {"extends": "chess"}},
    },
    "rights": {
        "arms": {"a": "chess", "b": "chess-no-castling"},
        "test": {**TEST, "rule": "gsprt", "bounds": [0, 10], "scale": "logistic"},
    },
    "engines": {
        "rules": "chess",
        "players": {"a": {"name": "A", "nodes": 10}, "b": {"name": "B", "nodes": 20}},
        "test": {**TEST, "bounds": [0, 10], "scale": "normalized"},
    },
    "ratings": {
        "rules": "chess",
        "players": {"one": {"nodes": 10}, "other": {}},
        "ratings": {"anchor": "one", "anchor_elo": 100},
        "test": TEST,
    },
    "material": {
        "rules": "chess",
        "material": {"men": ["N", "B", "R"], "pawn": "P", "target": 0.5, "most_men": 2},
        "test": TEST,
    },
}
STRANGE: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    10**400,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "\n",
    "compare",
    [],
    [[]],
    ["P", "P"],
    {},
    {"a": {}},
)


def paths(table: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in table.items():
        yield (*above, key)
        if isinstance(value, Mapping):
            yield from paths(value, (*above, key))


def said_of(document: Mapping[str, Any]) -> str:
    """The refusal, or the id of the experiment, which survives being stored."""
    try:
        first, *_ = Experiment.family(document, "doc")
    except DocumentError as error:
        return str(error)
    assert Experiment.from_frozen(first.frozen) == first
    return first.id


@pytest.mark.parametrize("kind", WHOLE)
def test_no_value_of_any_key_is_more_than_one_line(kind: str) -> None:
    whole = {"name": "Mine", "kind": kind, "nodes": 10, "seed": 0, "max_plies": 20, **WHOLE[kind]}
    assert Experiment.family(whole, "doc")
    for path in paths(whole):
        for strange in STRANGE:
            document = copy.deepcopy(whole)
            place = document
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = strange
            assert "\n" not in said_of(document)
