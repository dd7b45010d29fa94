"""One experiment from file to verdict, with everything it needs on this machine."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from rich.console import Console

from tabia.engine.documents import parse_toml
from tabia.engine.match import Experiment
from tabia.engine.match.players import named_programs
from tabia.engine.outside.programs import Programs
from tabia.server import logs
from tabia.server.local.folder import DataFolder
from tabia.server.local.interrupts import Interrupts
from tabia.server.local.machine import GRACE_SECONDS, Machine, Plan
from tabia.server.local.progress import progress_on
from tabia.server.local.report import curve_report, report

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
    """Play the experiments of the file ``path`` to their end; returns the exit status.

    There is one, or one for each level of the file's ``[curve]``. Raises DocumentError,
    FolderInUseError, BrokerError, ServiceError, OSError, SQLAlchemyError.
    """
    document = parse_toml(path.read_text(encoding="utf-8"), str(path))
    experiments = Experiment.family(document, str(path), folder=path.parent)
    ids = tuple(experiment.id for experiment in experiments)
    with (
        DataFolder(wishes.data) as folder,
        Interrupts() as interrupts,
        Machine(_plan(wishes, ids, _engines(document, path, folder)), folder) as machine,
        folder.log("run").open("a") as log,
    ):
        machine.start_playing()
        logs.configure(stream=log)
        database = folder.database()
        read = Reader(database, ids, _submit(database, document, path))
        say = partial(console.print, highlight=False, soft_wrap=True)
        say(f"{experiments[0].name}: {machine.address}{read.page}")
        for view in read()[:1]:
            if view["expected"]:
                say(view["expected"]["sentence"])

        time_is_up = _timer(wishes.minutes)
        views = _watch(machine, lambda: interrupts.asked() or time_is_up(), console, read)
        if any(_goes_on(view) for view in views):
            say(f"Stopping: the batches in hand have {GRACE_SECONDS:.0f} s (Ctrl-C: none).")
            machine.stop(grace=GRACE_SECONDS, hurry=interrupts.insisted)
            views = read()
            if not interrupts.asked():
                _tell(say, views, read.curve())
                say(_address(wishes.data, read.page))
            kept = sum(view["units_played"] for view in views)
            say(f"{kept} openings are kept; the same command goes on from there.")
            status = INTERRUPTED if interrupts.asked() else DONE
        else:
            machine.stop_playing(grace=0.0)
            _tell(say, views, read.curve())
            if wishes.stay:
                _stay(machine, interrupts.asked, say, read.page)
            machine.stop(grace=0.0)
            views = read()
            say(_address(wishes.data, read.page))
            status = DONE if all(view["state"] in _ENDED_STATES for view in views) else FAILED
        known = read.known()
        database.close()
    if wishes.json is not None:
        wishes.json.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")
    return status


def _plan(wishes: Wishes, ids: tuple[str, ...], engines: Path | None) -> Plan:
    return Plan(wishes.workers, wishes.host, wishes.port, only=ids, engines=engines)


def _engines(document: Mapping[str, Any], path: Path, folder: DataFolder) -> Path | None:
    """The file that tells our workers which programs they may start: those of TABIA_ENGINES, and
    those that the document names. None where it names none."""
    programs = Programs.here(path.parent)
    named = named_programs(document)
    if not named:
        return None
    for reference in named:
        programs.find(reference)
    file = folder.path / "engines.toml"
    file.write_text(programs.text(), encoding="utf-8")
    return file


class Reader:
    """Reads the views of the experiments that are played."""

    def __init__(self, database: Database, ids: Sequence[str], family: str | None) -> None:
        self._database = database
        self._ids = ids
        self._family = family

    @property
    def page(self) -> str:
        """Where the pages show them."""
        if self._family is not None:
            return f"/curves/{self._family}"
        return f"/experiments/{self._ids[0]}"

    def __call__(self) -> list[View]:
        """All experiments, as they stand now."""
        from tabia.server import views

        with self._database.read() as session:
            return [views.experiment_view(session, each, now=_now()) for each in self._ids]

    def curve(self) -> View | None:
        """The trend, if they are the levels of a curve."""
        from tabia.server import views

        if self._family is None:
            return None
        with self._database.read() as session:
            return views.curve_view(session, self._family)

    def known(self) -> View:
        """All that is known, for a file: the experiment, or the curve with its experiments."""
        curve = self.curve()
        return self()[0] if curve is None else {**curve, "experiments": self()}


def _goes_on(view: View) -> bool:
    return view["state"] in _OPEN_STATES and not view["blocked"]


def _tell(say: Say, views: Sequence[View], curve: View | None) -> None:
    for view in views:
        for line in report(view):
            say(line)
    if curve is not None:
        for line in curve_report(curve):
            say(line)


def _timer(minutes: float | None) -> Callable[[], bool]:
    """Says whether that many minutes have passed since it was made; None = never."""
    if minutes is None:
        return lambda: False
    end = time.monotonic() + 60 * minutes
    return lambda: time.monotonic() >= end


def _address(data: Path, page: str) -> str:
    return f"The page: tabia up --data {quote(str(data))}, then {DEFAULT_ADDRESS}{page}"


def _submit(database: Database, document: Mapping[str, Any], path: Path) -> str | None:
    """Store the experiments of a document; the name of their family, if they are one."""
    from tabia.server import submission

    database.migrate()
    return submission.submit(database, document, str(path), now=_now(), folder=path.parent).family


def _watch(
    machine: Machine, asked: Callable[[], bool], console: Console, read: Reader
) -> list[View]:
    """Show how the experiments go until all are over or we are asked to stop; the last views."""
    progress = progress_on(console)
    web_at = time.monotonic() + _WEB_AT_LATEST_SECONDS
    try:
        while True:
            views = read()
            at_work = [view for view in views if _goes_on(view)]
            progress.show((at_work or views)[0])
            if not at_work or asked():
                return views
            # The pages can wait until somebody plays: it takes all cores to get there.
            if any(view["units_played"] for view in views) or time.monotonic() > web_at:
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
