"""The services of a coordinator, each a process: ``tabia serve NAME``, as a cluster starts them.

``tabia up`` and ``tabia run`` start the same ones on this machine.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import click

from tabia.engine.cli import main
from tabia.server import logs
from tabia.server.environment import read_settings

if TYPE_CHECKING:
    from tabia.server.consumer.service import Rounds
    from tabia.server.database import Database
    from tabia.server.settings import Settings

WEB_APPLICATION = "tabia.dashboards.app:create_app()"
WEB_THREADS = 8


def web_command(bind: str, threads: int = WEB_THREADS) -> Sequence[str]:
    """How to start the web server; ``bind`` is HOST:PORT, or ``fd://N`` for an open socket."""
    return (
        *(sys.executable, "-m", "gunicorn"),
        *("--bind", bind),
        *("--workers", "1", "--threads", str(threads)),
        "--no-control-socket",
        WEB_APPLICATION,
    )


@click.group()
def serve() -> None:
    """Run one service of a coordinator, as a cluster does.

    Settings come from the environment: TABIA_DATABASE_URL, TABIA_BROKER_URL and others.
    """
    logs.configure()


@serve.command()
def migrate() -> None:
    """Bring the database's tables up to date, and end."""
    _database(read_settings()).migrate()


@serve.command()
@click.option("--bind", default="127.0.0.1:8000", show_default=True, metavar="HOST:PORT")
@click.option("--threads", type=click.IntRange(min=1), default=WEB_THREADS, show_default=True)
def web(bind: str, threads: int) -> None:
    """The API and the dashboards."""
    command = web_command(bind, threads)
    os.execv(command[0], list(command))


@serve.command()
@click.option("--every", type=click.FloatRange(min=0.05), default=1.0, show_default=True)
def scheduler(every: float) -> None:
    """Put batches on the workers' queue."""
    from tabia.server.consumer.service import schedule_only

    settings = read_settings()
    schedule_only(_rounds(settings, _database(settings), every), _stopped_by_signals())


@serve.command()
def intake() -> None:
    """Take in what the workers report."""
    settings = read_settings()
    _take_in(settings, _database(settings), None)


@serve.command()
@click.option("--every", type=click.FloatRange(min=0.05), default=1.0, show_default=True)
@click.option(
    "--only",
    metavar="ID",
    multiple=True,
    help="Send batches of this experiment and of no other; may be given several times.",
)
@click.option("--alone", is_flag=True, help="No worker of an earlier life is left.")
def coordinator(every: float, only: tuple[str, ...], alone: bool) -> None:
    """Scheduler and intake in one process, on a database that it brings up to date."""
    settings = read_settings()
    database = _database(settings)
    database.migrate()
    if alone:
        from tabia.server import leases

        with database.write() as session:
            leases.reclaim(session, now=_now())
    _take_in(settings, database, _rounds(settings, database, every, only))


def _database(settings: Settings) -> Database:
    from tabia.server.database import Database

    return Database(settings.resolved_database_url)


def _broker_url(settings: Settings) -> str:
    if settings.broker_url is None:
        raise click.UsageError("TABIA_BROKER_URL: not set; allowed: the URL of a Redis or Valkey")
    return settings.broker_url


def _rounds(
    settings: Settings, database: Database, every: float, only: tuple[str, ...] = ()
) -> Rounds:
    from tabia.server import scheduler
    from tabia.server.consumer.queues import PlayQueue
    from tabia.server.consumer.service import Rounds

    queue = PlayQueue(_broker_url(settings), renew_within=settings.lease_time)
    step = partial(
        scheduler.step,
        database,
        queue.send,
        queue.revoke,
        terms=settings.terms,
        queue_minimum=settings.queue_minimum,
        clock=_now,
        only=only or None,
    )
    return Rounds(step, every_seconds=every)


def _take_in(settings: Settings, database: Database, rounds: Rounds | None) -> None:
    from tabia.server.consumer.reports import Reports
    from tabia.server.consumer.service import Intake

    reports = Reports(database, terms=settings.terms, clock=_now)
    Intake(_broker_url(settings), reports, _stopped_by_signals()).run(rounds)


def _stopped_by_signals() -> Callable[[], bool]:
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    return stopped.is_set


def _now() -> datetime:
    return datetime.now(UTC)


if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
