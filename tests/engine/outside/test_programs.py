"""Names of programs on a machine: said by its operator, and by nobody else."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tabia.engine.documents import DocumentError
from tabia.engine.outside.misconduct import ProgramError
from tabia.engine.outside.programs import Patience, Program, Programs, read_programs

FILE = """
[fairy-stockfish]
command = "/usr/games/fairy-stockfish"
memory_mb = 512
margin_ms = 250
options = { EvalFile = "/srv/grand.nnue", Hash = 8 }

[mine]
command = ["/opt/mine", "--uci"]
"""


def executable(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("#!/bin/sh\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


def test_a_file_says_where_programs_are_and_what_they_may(tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(FILE)
    known = read_programs(str(file))
    assert known["fairy-stockfish"] == Program(
        "fairy-stockfish",
        ("/usr/games/fairy-stockfish",),
        512,
        {"EvalFile": "/srv/grand.nnue", "Hash": 8},
        Patience(margin=0.25),
    )
    assert known["mine"].command == ("/opt/mine", "--uci")
    again = tmp_path / "again.toml"
    again.write_text(Programs(known).text())
    assert read_programs(str(again)) == known


def test_a_line_says_where_programs_are() -> None:
    assert read_programs("a=/usr/games/a:b=/opt/b") == {
        "a": Program("a", ("/usr/games/a",)),
        "b": Program("b", ("/opt/b",)),
    }
    assert read_programs("") == {}


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("a=/x:=/y", "found '=/y'; allowed: name=path, or the path of a TOML file"),
        ("A=/x", "found 'A=/x'"),
        ("/nowhere/engines.toml", "No such file"),
    ],
)
def test_a_setting_that_is_wrong_is_said_in_one_line(setting: str, problem: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_programs(setting)
    assert "TABIA_ENGINES" in str(caught.value)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[a]\ncommand = 3", "engines.a.command: found 3; allowed: a file, or a list of words"),
        ("[a]\ncommand = []", "allowed: a file, or a list of words"),
        (
            "[a]\ncommand = '/x'\nmemory = 3",
            "engines.a.memory: unknown key; did you mean",
        ),
        ("[a]\nmemory_mb = 30", "engines.a.command: missing"),
        ("[A]\ncommand = '/x'", "small letters, digits"),
        (
            "[a]\ncommand = '/x'\noptions = { Hash = [1] }",
            "allowed: true, false, a number or a text",
        ),
        ("a = '/x'", "engines.a"),
    ],
)
def test_a_file_that_is_wrong_is_said_in_one_line(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(text)
    with pytest.raises(DocumentError) as caught:
        read_programs(str(file))
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_setting_that_is_wrong_harms_only_who_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABIA_ENGINES", "/nowhere/engines.toml")
    there = Programs.here()
    with pytest.raises(ProgramError, match=r"TABIA_ENGINES: /nowhere/engines\.toml: No such file"):
        there.find("mover")


def test_strangers_have_names_and_no_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = executable(tmp_path / "mine")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("TABIA_ENGINES", f"known={mine}")
    strangers = Programs.here()
    assert strangers.find("known").command == (str(mine),)
    for reference in (str(mine), "./mine", "../mine", "mine", "Known", "~/mine"):
        with pytest.raises(ProgramError):
            strangers.find(reference)


def test_ones_own_document_has_paths_and_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executable(tmp_path / "bin" / "found")
    beside = executable(tmp_path / "documents" / "My Engine")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("TABIA_ENGINES", raising=False)
    own = Programs.here(tmp_path / "documents")
    assert own.find("found").command == (str(tmp_path / "bin" / "found"),)
    assert own.find("./My Engine") == Program("my-engine", (str(beside),))
    assert own.name_of("./My Engine") == "my-engine"
    for reference in ("./missing", "missing", "."):
        with pytest.raises(ProgramError, match="no program"):
            own.find(reference)


def test_two_programs_are_not_one(tmp_path: Path) -> None:
    executable(tmp_path / "a" / "engine")
    executable(tmp_path / "b" / "engine")
    own = Programs({}, tmp_path)
    assert own.find("a/engine").name == "engine"
    with pytest.raises(ProgramError, match="would be called engine"):
        own.find("b/engine")
