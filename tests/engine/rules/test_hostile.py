"""Rule sets from strangers: each is refused in one line or can be played."""

import copy
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tabia.engine import FenError, Position, RuleSet
from tabia.engine.documents import DocumentError
from tabia.engine.rules.resolve import catalog_ids

Path = tuple[str, ...]

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 20)
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.text("KQRBNPkqrbnp0123456789", max_size=8)
    | st.text("fblrvshmceindtpgoyjaWFDNAHCZGKRBQXY0123456789", max_size=16)
)
VALUES = SCALARS | st.lists(SCALARS, max_size=4) | st.dictionaries(st.text(max_size=3), SCALARS)
KEYS = st.sampled_from(
    ["board", "files", "ranks", "holes", "pieces", "P", "X", "K", "moves", "royal", "array", "1",
     "10", "castling", "kingside", "king", "partner", "to", "promotion", "optional", "compulsory",
     "supply", "endings", "stalemate", "n_move", "resets", "repetition", "count", "white", "black",
     "extends", "name", "notes", "citadels", "initial", "initial_ranks", "ranks", "own_victims",
     "not_over", "not_onto", "ep_victims", "en_passant", "givers", "also", "from_move", "reserve",
     "limits", "tiers", "when_none", "bare_king", "result", "answer", "citadels_count"]
) | st.text(max_size=6)  # fmt: skip


def tables(data: dict[str, Any], path: Path = ()) -> list[Path]:
    found = [path]
    for key, value in data.items():
        if isinstance(value, dict):
            found.extend(tables(value, (*path, key)))
    return found


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    """A rule set of the catalog in which a few things were put, replaced or taken away."""
    form = RuleSet.load(draw(st.sampled_from(catalog_ids()))).canonical
    data = copy.deepcopy({key: value for key, value in form.items() if key != "schema"})
    for _ in range(draw(st.integers(1, 4))):
        table = data
        for key in draw(st.sampled_from(tables(data))):
            table = table[key]
        present = draw(st.booleans()) and bool(table)
        key = draw(st.sampled_from(sorted(table)) if present else KEYS)
        if draw(st.integers(0, 4)) == 0:
            table.pop(key, None)
        else:
            table[key] = draw(VALUES)
    return data


@settings(max_examples=400)
@given(mutated(), st.integers(0, 2**32))
def test_refused_in_one_line_or_playable(data: dict[str, Any], seed: int) -> None:
    try:
        rule_set = RuleSet.from_document(data, "stranger.toml")
        position = Position(rule_set)
    except (DocumentError, FenError) as refused:
        line = str(refused)
        assert line.isprintable()
        assert len(line) < 1000
        return
    assert RuleSet.from_canonical(rule_set.canonical).id == rule_set.id
    rng = random.Random(seed)
    for _ in range(12):
        moves = position.legal_moves()
        if not moves:
            break
        assert len(moves) == len(set(moves))
        position.push(rng.choice(moves))
