"""``tabia run`` and ``tabia up``: a coordinator on this machine, for one experiment or for all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

# What these commands need is loaded when they need it, but missed at once: the command line says
# then which extra brings it.
for _needed in ("sqlalchemy", "celery", "gunicorn", "pydantic_settings"):
    if find_spec(_needed) is None:
        raise ModuleNotFoundError(f"No module named {_needed!r}", name=_needed)

_data = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="TABIA_DATA",
    default=Path("tabia-data"),
    show_default=True,
    help="Folder of the database and the logs; also TABIA_DATA.",
)
_workers = click.option(
    "--workers",
    type=click.IntRange(min=1, max=1024),
    default=os.cpu_count() or 1,
    show_default="number of cores",
    help="Batches to play at the same time.",
)
_host = click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address at which the pages are shown."
)
_port = click.IntRange(min=0, max=65535)


@click.command()
@click.argument("experiment", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@_workers
@_data
@_host
@click.option("--port", type=_port, default=0, show_default="a free one", help="Port of the pages.")
@click.option(
    "--json",
    "json_path",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    help="Write what is known at the end to this file.",
)
@click.option("--stay", is_flag=True, help="Go on showing the pages after the verdict.")
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    help="Stop after so long and show where it stands; the same command goes on from there.",
)
def run(
    experiment: Path,
    workers: int,
    data: Path,
    host: str,
    port: int,
    json_path: Path | None,
    stay: bool,
    minutes: float | None,
) -> None:
    """Play one experiment to its verdict, or all levels of its [curve] and tell the trend.

    Everything it needs is started here and stopped again. What was played is kept in the data
    folder: after Ctrl-C, or worse, the same command goes on where it was.
    """
    from rich.console import Console

    from tabia.server.local.run import Wishes
    from tabia.server.local.run import run as play

    if json_path is not None and not os.access(json_path.absolute().parent, os.W_OK):
        raise click.UsageError(f"--json: cannot write to {json_path.absolute().parent}")
    wishes = Wishes(data, workers, host, port, json_path, stay, minutes)
    sys.exit(_in_one_line(lambda: play(experiment, wishes, Console())))


@click.command()
@_workers
@_data
@_host
@click.option("--port", type=_port, default=8000, show_default=True, help="Port of the pages.")
def up(workers: int, data: Path, host: str, port: int) -> None:
    """Run coordinator, workers and dashboards on this machine, until Ctrl-C.

    Nothing is lost when it stops: started again with the same data folder, it goes on.
    """
    from rich.console import Console

    from tabia.server.local.machine import Plan
    from tabia.server.local.up import up as stay_up

    _in_one_line(lambda: stay_up(data, Plan(workers, host, port), Console()))


def _in_one_line(work: Callable[[], Any]) -> Any:
    """What ``work`` returns; what it cannot do becomes one line and exit status 1."""
    try:
        return work()
    except _expected() as error:
        found = getattr(error, "orig", None) or error
        raise click.ClickException(str(found).partition("\n")[0]) from error


def _expected() -> tuple[type[Exception], ...]:
    # Asked for only when something went wrong.
    from sqlalchemy.exc import SQLAlchemyError

    from tabia.server.local.broker import BrokerError
    from tabia.server.local.folder import FolderInUseError
    from tabia.server.local.supervisor import ServiceError

    return BrokerError, FolderInUseError, ServiceError, SQLAlchemyError, OSError
