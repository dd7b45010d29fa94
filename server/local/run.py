"""One experiment from file to verdict, with everything it needs on this machine."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from rich.console import Console

from tabia.engine.documents import parse_toml
from tabia.engine.match import Experiment
from tabia.server import logs
from tabia.server.local.folder import DataFolder
from tabia.server.local.interrupts import Interrupts
from tabia.server.local.machine import GRACE_SECONDS, Machine, Plan
from tabia.server.local.progress import progress_on
from tabia.server.local.report import report

if TYPE_CHECKING:
    from tabia.server.database import Database

DONE, FAILED, INTERRUPTED = 0, 1, 130
DEFAULT_ADDRESS = "http://127.0.0.1:8000"
"""Where `tabia up` shows its pages if it isn't told otherwise."""

_OPEN_STATES = ("queued", "running")
_ENDED_STATES = ("decided", "out_of_budget")
_LOOK_SECONDS = 0.05
_VIEW_EVERY_SECONDS = 0.5
_WEB_AT_LATEST_SECONDS = 3.0

View = dict[str, Any]
Say = Callable[[str], None]


@dataclass(frozen=True)
class Wishes:
    """How to run an experiment; the options of ``tabia run``."""

    data: Path
    workers: int
    host: str
    port: int
    json: Path | None
    stay: bool
    minutes: float | None = None


def run(path: Path, wishes: Wishes, console: Console) -> int:
    """Play the experiment in the file ``path`` to its end; returns the exit status.

    Raises DocumentError, FolderInUseError, BrokerError, ServiceError, OSError, SQLAlchemyError.
    """
    document = parse_toml(path.read_text(encoding="utf-8"), str(path))
    experiment = Experiment.from_document(document, str(path), folder=path.parent)
    plan = Plan(wishes.workers, wishes.host, wishes.port, only=experiment.id)
    with (
        DataFolder(wishes.data) as folder,
        Interrupts() as interrupts,
        Machine(plan, folder) as machine,
        folder.log("run").open("a") as log,
    ):
        machine.start_playing()
        logs.configure(stream=log)
        database = folder.database()
        _submit(database, document, path)
        read = _reader(database, experiment.id)
        page = f"/experiments/{experiment.id}"
        say = partial(console.print, highlight=False, soft_wrap=True)
        say(f"{experiment.name}: {machine.address}{page}")

        time_is_up = _timer(wishes.minutes)
        view = _watch(machine, lambda: interrupts.asked() or time_is_up(), console, read)
        if view["state"] in _OPEN_STATES and not view["blocked"]:
            say(f"Stopping: the batches in hand have {GRACE_SECONDS:.0f} s (Ctrl-C: none).")
            machine.stop(grace=GRACE_SECONDS, hurry=interrupts.insisted)
            view = read()
            if not interrupts.asked():
                for line in report(view):
                    say(line)
                say(_address(wishes.data, page))
            say(f"{view['units_played']} openings are kept; the same command goes on from there.")
            status = INTERRUPTED if interrupts.asked() else DONE
        else:
            machine.stop_playing(grace=0.0)
            for line in report(view):
                say(line)
            if wishes.stay:
                _stay(machine, interrupts.asked, say, page)
            machine.stop(grace=0.0)
            view = read()
            say(_address(wishes.data, page))
            status = DONE if view["state"] in _ENDED_STATES else FAILED
        database.close()
    if wishes.json is not None:
        wishes.json.write_text(json.dumps(view, indent=2) + "\n", encoding="utf-8")
    return status


def _timer(minutes: float | None) -> Callable[[], bool]:
    """Says whether that many minutes have passed since it was made; None = never."""
    if minutes is None:
        return lambda: False
    end = time.monotonic() + 60 * minutes
    return lambda: time.monotonic() >= end


def _address(data: Path, page: str) -> str:
    return f"The page: tabia up --data {quote(str(data))}, then {DEFAULT_ADDRESS}{page}"


def _submit(database: Database, document: Mapping[str, Any], path: Path) -> None:
    from tabia.server import submission

    database.migrate()
    submission.submit(database, document, str(path), now=_now(), folder=path.parent)


def _reader(database: Database, experiment_id: str) -> Callable[[], View]:
    from tabia.server import views

    def read() -> View:
        with database.read() as session:
            return views.experiment_view(session, experiment_id, now=_now())

    return read


def _watch(
    machine: Machine, asked: Callable[[], bool], console: Console, read: Callable[[], View]
) -> View:
    """Show how the experiment goes until it is over or we are asked to stop; the last view."""
    progress = progress_on(console)
    web_at = time.monotonic() + _WEB_AT_LATEST_SECONDS
    try:
        while True:
            view = read()
            progress.show(view)
            if view["state"] not in _OPEN_STATES or view["blocked"] or asked():
                return view
            # The pages can wait until somebody plays: it takes all cores to get there.
            if view["units_played"] or time.monotonic() > web_at:
                machine.start_web()
            _look(machine, asked, _VIEW_EVERY_SECONDS)
    finally:
        progress.close()


def _stay(machine: Machine, asked: Callable[[], bool], say: Say, page: str) -> None:
    machine.start_web()
    say(f"The page: {machine.address}{page} (until Ctrl-C)")
    while not asked():
        _look(machine, asked, _VIEW_EVERY_SECONDS)


def _look(machine: Machine, asked: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not asked():
        machine.look()
        time.sleep(_LOOK_SECONDS)


def _now() -> datetime:
    return datetime.now(UTC)
