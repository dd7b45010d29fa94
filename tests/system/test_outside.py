"""`tabia run` with a program of others: from a file to a verdict, and what goes wrong said."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from outsiders import MOVER, children
from running import Tabia, leftovers, toml

FILE = """
name = "Against a program of one's own"
kind = "engines"
rules = "chess"
max_plies = 60

[players.a]
nodes = 20

[players.b]
program = "./mover"
nodes = 1

[test]
rule = "budget"
budget = 24
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "against.toml"
    path.write_text(FILE)
    return path


def program(folder: Path, *how: str) -> None:
    """Puts the mover into the folder of the document."""
    script = folder / "mover"
    script.write_text(f"#!/bin/sh\nexec {sys.executable} {MOVER} {' '.join(how)}\n")
    script.chmod(0o755)


def test_what_a_program_broke_off_is_told_and_does_not_count(
    tabia: Tabia, file: Path, tmp_path: Path
) -> None:
    program(tmp_path, "crash-twice", str(tmp_path / "crashes"))
    status, output, errors = tabia("run", file, "--workers", "1", "--json", tmp_path / "view.json")
    assert (status, errors) == (0, "")
    view = json.loads((tmp_path / "view.json").read_text())
    assert view["units_done"] == 24
    assert sum(tally["games"] for tally in view["tallies"].values()) == 48
    assert view["voids"]["pairs"] == 2
    assert "Void pairs, played again: 2 (Random Mover, 1 nodes: crash 2)" in output
    assert view["players"][1]["says"] == "Random Mover"
    assert leftovers(tabia.folder) == []
    assert children() == []


def test_a_program_that_always_breaks_off_fails_the_experiment_in_plain_words(
    tabia: Tabia, file: Path, tmp_path: Path
) -> None:
    program(tmp_path, "quit")
    status, output, _ = tabia("run", file, "--workers", "1")
    assert status == 1
    said = " ".join(output.split())
    assert "unit 0: void 4 times: Random Mover, 1 nodes: crash ×4" in said
    assert "(last: it ended with status 3)" in said
    assert children() == []


def test_a_program_that_is_missing_is_said_before_anything_is_played(
    tabia: Tabia, file: Path
) -> None:
    status, output, errors = tabia("run", file)
    assert (status, output) == (2, "")
    assert errors.startswith(f"tabia: {file}:players.b.program: no program ./mover: ")
    assert errors.count("\n") == 1


def test_our_engine_plays_itself_by_the_clock(tabia: Tabia, tmp_path: Path) -> None:
    path = tmp_path / "clock.toml"
    document = {"name": "clock", "kind": "engines", "rules": "chess", "max_plies": 30}
    tables = {"players.a": {"movetime_ms": 2}, "players.b": {"movetime_ms": 4}}
    test = {"test": {"rule": "budget", "budget": 6}}
    path.write_text(toml({**document, **tables, **test}))
    status, output, errors = tabia("run", path)
    assert (status, errors) == (0, "")
    assert "4 ms" in output
