"""The real thing: `tabia` as a process, with every process that it starts."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from players import stalemate_document

from tabia.server.local.broker import binary

TABIA = Path(sys.executable).with_name("tabia")
PATIENCE = 240.0

Answer = Any


def until(holds: Callable[[], Answer], what: str, patience: float = PATIENCE) -> Answer:
    """The first true answer of ``holds``."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if answer := holds():
            return answer
        time.sleep(0.05)
    pytest.fail(f"waited in vain for {what}")


def clean_environment(**more: str) -> dict[str, str]:
    """Our environment without settings of Tabia, and with these."""
    ours = {key: value for key, value in os.environ.items() if not key.startswith("TABIA_")}
    return {**ours, "COLUMNS": "100", **more}


@dataclass(frozen=True)
class Process:
    """A process of this machine."""

    pid: int
    parent: int
    command: str


def processes() -> list[Process]:
    """All processes that run now; those that are dead and not yet buried do not count."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue  # it ended while we looked
        state, parent = stat.rpartition(")")[2].split()[:2]
        if state != "Z":
            found.append(Process(int(folder.name), int(parent), command))
    return found


def leftovers(folder: Path) -> list[str]:
    """The command lines of processes that were started for the data folder."""
    found = []
    for process in processes():
        with suppress(OSError):
            settings = Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0")
            if b"TABIA_DATA=" + os.fsencode(folder) in settings:
                found.append(process.command)
    return found


@dataclass
class Run:
    """A command of `tabia` that was started."""

    popen: subprocess.Popen[str]
    folder: Path

    def family(self) -> list[Process]:
        """The processes below the command's own."""
        everybody = processes()
        family: list[Process] = []
        parents = {self.popen.pid}
        while parents:
            children = [process for process in everybody if process.parent in parents]
            family += children
            parents = {process.pid for process in children}
        return family

    def named(self, name: str) -> list[Process]:
        """Those of the family whose command line has ``name`` in it."""
        return [process for process in self.family() if name in process.command]

    def until(self, holds: Callable[[], Answer], what: str) -> Answer:
        """The first true answer of ``holds`` while the command runs."""

        def holds_or_ended() -> Answer:
            answer = holds()
            if not answer and self.popen.poll() is not None:
                pytest.fail(f"it ended before {what}:\n{''.join(self.popen.communicate())}")
            return answer

        return until(holds_or_ended, what)

    def wait_for(self, name: str) -> list[Process]:
        """Those of the family with that name, as soon as there are any."""
        found: list[Process] = self.until(lambda: self.named(name), f"a process {name!r}")
        return found

    def signal(self, number: int) -> None:
        """Send the command a signal."""
        self.popen.send_signal(number)

    def wait_to_say(self, words: str) -> str:
        """The first line from now on that has ``words`` in it."""
        assert self.popen.stdout is not None
        for line in self.popen.stdout:
            if words in line:
                return line
        pytest.fail(f"it ended without saying {words!r}")

    def end(self) -> tuple[int, str, str]:
        """Wait for the end: exit status, standard output, standard error."""
        output, errors = self.popen.communicate(timeout=PATIENCE)
        return self.popen.returncode, output, errors

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the folder's SQLite database says; nothing while it has no tables."""
        path = self.folder / "tabia.sqlite3"
        if not path.exists():
            return []
        with closing(sqlite3.connect(path, timeout=30)) as database:
            try:
                return database.execute(query, values).fetchall()
            except sqlite3.OperationalError as error:
                if "no such table" in str(error):
                    return []
                raise

    def batches_done(self) -> int:
        """How many batches are recorded."""
        ((done,),) = self.rows("SELECT count(*) FROM batches WHERE state = 'done'") or [(0,)]
        return int(done)

    def games(self) -> list[tuple[Any, ...]]:
        """All games that are kept: unit, arm, moves, result, reason, in schedule order."""
        return self.rows("SELECT unit, arm, moves, result, reason FROM games ORDER BY unit, arm")


@dataclass
class Tabia:
    """Starts `tabia` in a data folder; ends what a test leaves running."""

    folder: Path
    environment: dict[str, str] = field(default_factory=clean_environment)
    started: list[Run] = field(default_factory=list)

    def start(self, *arguments: str | Path) -> Run:
        """Start ``tabia`` with these arguments, in this folder's parent."""
        popen = subprocess.Popen(
            [TABIA, *map(str, arguments)],
            cwd=self.folder.parent,
            env={"TABIA_DATA": str(self.folder), **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        run = Run(popen, self.folder)
        self.started.append(run)
        return run

    def __call__(self, *arguments: str | Path) -> tuple[int, str, str]:
        """Run ``tabia`` to its end."""
        return self.start(*arguments).end()

    def logs(self) -> str:
        """What all services said."""
        logs = sorted((self.folder / "logs").glob("*.log"))
        return "\n".join(f"--- {log.name}\n{log.read_text()}" for log in logs)


@contextmanager
def valkey_server(folder: Path) -> Iterator[str]:
    """The URL of a Valkey server on a free TCP port, without the number of a database."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with (folder / "valkey.log").open("wb") as log:
        server = subprocess.Popen(
            [binary(), "--port", str(port), "--bind", "127.0.0.1", "--save", ""],
            cwd=folder, stdout=log, stderr=log,
        )  # fmt: skip

    def answers() -> bool:
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port)).close()
            return True
        return False

    until(answers, "Valkey", 30)
    yield f"redis://127.0.0.1:{port}"
    server.terminate()
    server.wait(timeout=30)


SMALL: Mapping[str, Any] = stalemate_document(
    name="Stalemate in a small experiment",
    max_plies=60,
    test={"metric": "white_score", "margin": 0.01, "budget": 40},
)

LONGER: Mapping[str, Any] = {
    **SMALL,
    "name": "Long enough to be killed",
    "nodes": 150,
    "test": {"metric": "white_score", "margin": 0.001, "budget": 500},
}


def toml(document: Mapping[str, Any]) -> str:
    """A document of plain values and one level of tables, as TOML."""
    plain = {key: value for key, value in document.items() if not isinstance(value, Mapping)}
    lines = [f"{key} = {json.dumps(value)}" for key, value in plain.items()]
    for name, table in document.items():
        if isinstance(table, Mapping):
            lines += ["", f"[{name}]"]
            lines += [f"{key} = {json.dumps(value)}" for key, value in table.items()]
    return "\n".join(lines) + "\n"
