"""Programs as processes: in bounds, and gone with whoever started them."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from outsiders import MOVER, children
from running import until

from tabia.engine.outside.misconduct import MisconductError, Reason
from tabia.engine.outside.process import MOST_ERRORS, LateError, Process
from tabia.engine.outside.programs import Program

START = """
import sys, time
from tabia.engine.outside.process import Process
from tabia.engine.outside.programs import Program
process = Process(Program("mover", (sys.executable, sys.argv[1], "hang-with-child")))
for line in ("uci", "position startpos", "go nodes 1"):
    process.say(line)
print("started", flush=True)
time.sleep(3600)
"""


@contextmanager
def shell(script: str, **bounds: int) -> Iterator[Process]:
    process = Process(Program("shell", ("/bin/sh", "-c", script), **bounds))
    yield process
    process.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux tells of a parent's death")
def test_a_program_and_its_children_die_with_a_worker_that_is_killed() -> None:
    worker = subprocess.Popen(
        [sys.executable, "-c", START, str(MOVER)], stdout=subprocess.PIPE, text=True
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == "started\n"
    until(lambda: children("sleep 3600"), "the program's child", 30)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    worker.stdout.close()
    until(lambda: not children() and not children("sleep 3600"), "the end of all of them", 30)


def test_closing_ends_what_a_program_started() -> None:
    with shell("sleep 3601 & echo ready; wait") as process:
        assert process.line(time.monotonic() + 20) == "ready"
    # Killed they are; the kernel may take a moment to be rid of them.
    until(lambda: not children("sleep 3601"), "the end of the program's child", 30)


def test_errors_are_kept_short_and_the_last_ones() -> None:
    with shell("seq 100000 >&2; echo done") as process:
        assert process.line(time.monotonic() + 20) == "done"
        said = process.complaints()
        assert len(said) <= MOST_ERRORS
        assert said.endswith("100000\n")


def test_a_program_cannot_take_the_memory_of_the_computer() -> None:
    script = f"exec {sys.executable} -S -c 'b = bytearray(300 << 20); print(len(b))'"
    with shell(script, memory_mb=256) as process, pytest.raises(MisconductError) as caught:
        process.line(time.monotonic() + 20)
    assert caught.value.reason is Reason.CRASH
    assert "MemoryError" in caught.value.detail
    with shell(script, memory_mb=1024) as process:
        assert process.line(time.monotonic() + 20) == str(300 << 20)


def test_a_program_cannot_fill_the_disk() -> None:
    with shell("head -c 100000000 /dev/zero > diary; wc -c < diary") as process:
        assert int(process.line(time.monotonic() + 20)) == 64 * 1024 * 1024


def test_nobody_is_waited_for_longer_than_said() -> None:
    with shell("sleep 3602") as process, pytest.raises(LateError):
        process.line(time.monotonic() + 0.1)


def test_one_who_does_not_listen_is_not_told_for_ever() -> None:
    wanted = "does not read what it is told"
    with shell("sleep 3603") as process, pytest.raises(MisconductError, match=wanted):
        process.say("x" * 10_000_000, patience=0.2)


def test_a_last_line_without_an_end_is_no_line() -> None:
    wanted = "ended with status 0"
    with shell("printf 'bestmove e2e4'") as process, pytest.raises(MisconductError, match=wanted):
        process.line(time.monotonic() + 20)
