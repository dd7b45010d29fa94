"""`tabia uci` as a chess program runs it: a process, spoken to over pipes."""

import sys
from collections.abc import Iterator

import pytest
from programs import Program

START = [sys.executable, "-c", "from tabia.engine.cli import main; raise SystemExit(main(['uci']))"]


@pytest.fixture
def tabia() -> Iterator[Program]:
    with Program(START) as program:
        program.say("uci")
        program.until("uciok")
        yield program
