"""rules_id: the same for the same rules however written, another for other rules, and stable."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.engine.rules import RuleSet
from tabia.engine.rules.resolve import catalog_ids, from_catalog
from tabia.engine.rules.tables import core_tables
from tabia.engine.rules.toml_text import toml_text

GOLDEN = Path(__file__).parents[2] / "data" / "rules_ids.json"

DEFAULTS = {
    "castling": {"partner": "R"},
    "promotion": {"pieces": "P", "when_none": "immobile"},
    "endings": {
        "repetition": {"count": 3, "result": "draw"},
        "n_move": {"resets": ["P", "capture"], "result": "draw"},
        "dead_position": "draw",
    },
}


def test_the_catalog_keeps_its_ids() -> None:
    # An id names the rules that finished experiments were about. A change here is a change of
    # rules (then the catalog's notes say so), or a fault.
    assert {name: RuleSet.load(name).id for name in catalog_ids()} == json.loads(GOLDEN.read_text())


def resolved(name: str) -> dict[str, Any]:
    """A rule set of the catalog as one document, without `extends`."""
    form = RuleSet.load(name).canonical
    return {key: value for key, value in form.items() if key != "schema"}


def with_defaults(data: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """The document with defaults written out wherever it does not say otherwise."""
    written = dict(data)
    for key, value in defaults.items():
        if key not in written:
            written[key] = value
        elif isinstance(value, dict):
            written[key] = with_defaults(written[key], value)
    return written


def shuffled(data: Any, rng: random.Random) -> Any:
    if not isinstance(data, dict):
        return data
    keys = list(data)
    rng.shuffle(keys)
    return {key: shuffled(data[key], rng) for key in keys}


@given(st.sampled_from(catalog_ids()), st.randoms(use_true_random=False), st.booleans())
def test_order_comments_labels_and_written_defaults_change_no_id(
    name: str, rng: random.Random, defaults: bool
) -> None:
    data = resolved(name)
    if defaults:
        data = with_defaults(data, DEFAULTS)
    data["promotion"]["to"] = "".join(rng.sample(data["promotion"]["to"], k=len(set(
        data["promotion"]["to"]))))  # fmt: skip
    text = toml_text(shuffled(data, rng)).replace("\n\n", "\n# a comment\n\n")
    text = f'author = "Anybody"\nyear = {rng.randrange(3000)}\n{text}'
    again = RuleSet.from_toml(text)
    original = RuleSet.load(name)
    assert again.id == original.id
    assert again.canonical == original.canonical
    # One id, one game: the core gets the same tables in the same order.
    assert core_tables(again) == core_tables(original)
    assert original.diff(again) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[pieces.P]\nmoves = 'fmWfceFifmnD'", "[pieces.P]\nmoves = 'ifnmDfecFmfW'"),
        ("[promotion]\nto = 'QRBN'", "[promotion]\nto = 'NBRQN'"),
        ("[promotion]\noptional = [7, 6]", "[promotion]\noptional = [6, 7, 7]"),
        ("[array]\n3 = '8'", ""),
        ("castling.kingside.to = 'f'", ""),
        ("[white]\n[black]", ""),
        ("[black.promotion]\ncompulsory = [8]", ""),
        (
            "[white.endings]\nstalemate='win'\n[black.endings]\nstalemate='win'",
            "[endings]\nstalemate='win'",
        ),
        (
            "[white.pieces.P]\nmoves='fmWfcF'",
            "[pieces.P]\nmoves='fmWfcF'\n[black.pieces.P]\nmoves='fmWifmnDfceF'",
        ),
        ("[pieces.N]\nname = 'Horse'", "notes = ['none']"),
    ],
)
def test_two_ways_to_say_one_thing(one: str, other: str) -> None:
    ids = {RuleSet.from_toml(f'extends = "chess"\n{text}').id for text in (one, other)}
    assert len(ids) == 1


@pytest.mark.parametrize(
    "tweak",
    [
        "[board]\nranks = 9",
        "[board]\nholes = ['a4']",
        "[pieces.P]\nmoves = 'fmWfceF'",
        "[pieces.X]\nmoves = 'A'",
        "[array]\n3 = 'N7'",
        "castling = false",
        "[black]\ncastling = false",
        "[white]\ncastling = false",
        "castling.queenside = false",
        "castling.kingside.king = 'f'",
        "[promotion]\nto = 'Q'",
        "[promotion]\nsupply = 'captured'",
        "[promotion]\noptional = [7]",
        "[black.promotion]\noptional = [7]",
        "[endings]\nstalemate = 'loss'",
        "[white.endings]\nstalemate = 'loss'",
        "[endings]\nrepetition = { count = 0 }",
        "[endings]\nn_move = { moves = 75 }",
        "[endings]\nn_move = { resets = ['capture'] }",
        "[endings]\ndead_position = 'play on'",
    ],
)
def test_another_rule_is_another_id(tweak: str) -> None:
    tweaked = RuleSet.from_toml(f'extends = "chess"\n{tweak}')
    parent = RuleSet.load("chess")
    assert tweaked.id != parent.id
    assert tweaked.diff(parent) != []
    assert tweaked.diff(tweaked) == []


@pytest.mark.parametrize("name", catalog_ids())
def test_documents_and_canonical_forms_read_back(name: str) -> None:
    original = RuleSet.load(name)
    document = json.loads(json.dumps(original.document))
    again = RuleSet.from_canonical(document)
    assert again == original
    bare = RuleSet.from_canonical(json.loads(json.dumps(original.canonical)))
    assert bare.id == original.id
    assert core_tables(bare) == core_tables(original)


def test_sides_of_their_own_read_back() -> None:
    original = RuleSet.from_toml(
        """
        extends = "grand"
        [white.promotion]
        compulsory = [8, 9, 10]
        optional = []
        [black.pieces.P]
        moves = "fmWfcF"
        [black.endings]
        stalemate = "win"
        """
    )
    again = RuleSet.from_canonical(json.loads(json.dumps(original.canonical)))
    assert again.canonical == original.canonical
    assert core_tables(again) == core_tables(original)
    assert [str(d) for d in RuleSet.load("grand").diff(again)] == [
        "white.promotion.optional: ranks 8, 9 -> none",
        "white.promotion.compulsory: rank 10 -> ranks 8, 9, 10",
        "black.pieces.P.moves: fceFfmWifmnD, captures en passant -> fcFfmW",
        "black.endings.stalemate: draw -> the stalemated side wins",
    ]


def test_the_catalog_says_what_its_tweaks_change() -> None:
    for name in catalog_ids():
        found = from_catalog(name)
        assert found is not None
        assert found.data["id"] == name
        assert found.data["name"]
        parent = found.data.get("extends")
        if parent is not None:
            assert RuleSet.load(parent).id != RuleSet.load(name).id
