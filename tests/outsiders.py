"""Programs to play with: real ones of Debian, and one that behaves as badly as it is told to."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from running import processes

from tabia.engine.outside.programs import Patience, Program, Programs

MOVER = Path(__file__).parent / "engine" / "outside" / "engines" / "mover.py"
IMPATIENT = Patience(start=20.0, move=1.0, margin=0.5, stop=1.0)


def require(name: str) -> str:
    """The path of a program of Debian's; without it the test says what is missing."""
    found = shutil.which(name) or shutil.which(name, path="/usr/games")
    if found is None:
        pytest.skip(f"no {name} here: `make ci-deps` installs it")
    return found


def mover(*how: str, **bounds: Any) -> Program:
    """A program that plays chess at random and misbehaves like that."""
    return Program("mover", (sys.executable, str(MOVER), *how), patience=IMPATIENT, **bounds)


def children(name: str = MOVER.name) -> list[str]:
    """The command lines of such programs that run now."""
    return [each.command for each in processes() if name in each.command]


def programs(*known: Program) -> Programs:
    return Programs({program.name: program for program in known})


def document(**changes: Any) -> dict[str, Any]:
    """Our engine against the mover, at chess."""
    return {
        "name": "Against a program",
        "kind": "engines",
        "rules": "chess",
        "max_plies": 60,
        "openings": {"plies": 4},
        "players": {
            "a": {"nodes": 20},
            "b": {"program": "mover", "says": "Random Mover", "nodes": 1},
        },
        "test": {"budget": 20},
        **changes,
    }
