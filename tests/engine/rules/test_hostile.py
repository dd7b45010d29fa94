"""Rule sets from strangers: each is refused in one line or can be played, within bounds.

Two searchers: hypothesis, which finds the smallest document that fails, and `hostile`, which tries
documents by number under limits of memory and time. `make nightly` tries a million of the latter;
TABIA_HOSTILE_FILES says how many instead, TABIA_HOSTILE_FIRST where to go on.
"""

import copy
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import hostile
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabia.engine import FenError, Position, RuleSet, _core
from tabia.engine.documents import DocumentError
from tabia.engine.rules.resolve import catalog_ids
from tabia.engine.rules.tables import core_tables

Trail = tuple[str, ...]

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
     "limits", "tiers", "when_none", "bare_king", "result", "answer", "citadels_count",
     "check", "royals", "home"]
) | st.text(max_size=6)  # fmt: skip


def tables(data: dict[str, Any], path: Trail = ()) -> list[Trail]:
    found = [path]
    for key, value in data.items():
        if isinstance(value, dict):
            found.extend(tables(value, (*path, key)))
    return found


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    """A rule set of the catalog in which a few things were put, replaced or taken away."""
    games = [*catalog_ids(), *sorted(hostile.GAMES.glob("*.toml"))]
    form = RuleSet.load(draw(st.sampled_from(games))).canonical
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
        if position.outcome() is None:
            assert position.search(nodes=10).best_move in moves
        position.push(rng.choice(moves))


def tried(first: int, count: int, folder: Path) -> hostile.Cost:
    """What trying those files cost, in a process of its own; fails when one ended it."""
    at = folder / "at"
    at.write_bytes(bytes(8))
    done = subprocess.run(
        [sys.executable, "-m", "hostile", str(first), str(count), at],
        cwd=Path(hostile.__file__).parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    number = int.from_bytes(at.read_bytes(), "little")
    assert done.returncode == 0, (
        f"file {number} ended the process ({done.returncode}): python -m hostile {number} 1 FILE\n"
        f"{done.stderr[-3000:]}"
    )
    return hostile.Cost(**json.loads(done.stdout))


def test_files_by_number(tmp_path: Path) -> None:
    cost = tried(0, 300, tmp_path)
    assert cost.tried == 300
    assert cost.played > 30
    assert cost.megabytes <= hostile.MOST_MEGABYTES


@pytest.mark.nightly
def test_a_million_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = int(os.environ.get("TABIA_HOSTILE_FIRST", "0"))
    end = first + int(os.environ.get("TABIA_HOSTILE_FILES", "1000000"))
    chunk = 2000  # a new process now and then: a leak is not taken for what one file costs
    for start in range(first, end, chunk):
        cost = tried(start, min(chunk, end - start), tmp_path)
        with capsys.disabled():
            print(f"\nfiles {start} to {start + cost.tried - 1}: {cost}", end="", flush=True)
        assert cost.seconds <= hostile.MOST_SECONDS, f"file {cost.slowest} took too long"
        assert cost.megabytes <= hostile.MOST_MEGABYTES


def test_the_largest_that_a_file_may_ask_for() -> None:
    # 26 types on 16x16 squares; what a rule set costs grows with the steps, which have a bound.
    letters = "ABCDEFGHIJLMNOPQRSTUVWXYZ"
    data: dict[str, Any] = {
        "board": {"files": 16, "ranks": 16},
        "pieces": {letter: {"moves": "yafsWmF"} for letter in letters},
        "array": {"16": "k15", "15": "p" * 16, "2": "P" * 16, "1": "K" + letters[:15]},
        "promotion": {"compulsory": [16], "to": "A"},
    }
    data["pieces"]["K"] = {"moves": "K", "royal": True}
    position = Position(RuleSet.from_document(data))
    assert position.search(nodes=30).best_move in position.legal_moves()
    for letter in letters:
        data["pieces"][letter] = {"moves": "FyafsFmNmCmZ"}
    with pytest.raises(
        DocumentError, match=r"pieces: \d+ different steps in all pieces together; allowed: 400"
    ):
        RuleSet.from_document(data)


def test_a_promotion_rank_without_squares() -> None:
    holes = [f"{file}9" for file in "abcdefgh"]
    data = {
        "extends": "chess",
        "board": {"ranks": 9, "holes": holes},
        "promotion": {"compulsory": [9]},
    }
    position = Position(RuleSet.from_document(data))
    assert position.search(nodes=30).best_move in position.legal_moves()


def test_the_core_itself_refuses_a_castling_that_ends_on_one_square() -> None:
    # No rule file can say so, but tables can, and two men on a square would spoil the board.
    tables = core_tables(RuleSet.load("chess"))
    castling = tables["sides"][0]["castling"][0]
    castling["rook_to"] = castling["king_to"]
    with pytest.raises(ValueError, match="castling: of two men to two squares"):
        _core.Rules.compile(tables)


def test_a_board_full_of_royal_men() -> None:
    for rule in ("every", "last", "duple"):
        rules = RuleSet.from_document(
            {
                "board": {"files": 16, "ranks": 16},
                "pieces": {"K": {"moves": "QNCZ", "royal": True}, "P": {"moves": "mfWcfF"}},
                "array": {
                    **{str(rank): "k" * 16 for rank in (13, 14, 15, 16)},
                    "12": "p" * 16,
                    "5": "P" * 16,
                    **{str(rank): "K" * 16 for rank in (1, 2, 3, 4)},
                },
                "check": {"royals": rule},
                "promotion": {"compulsory": [16], "to": "K"},
            }
        )
        position = Position(rules)
        assert position.search(nodes=200).best_move in position.legal_moves()
