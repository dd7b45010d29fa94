"""``tabia worker``: lend this computer."""

from __future__ import annotations

import os
import platform
import signal
import time
from types import FrameType
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tabia.worker.volunteer import Orders

_PATIENCE_SECONDS = 600


@click.command()
@click.option("--server", "url", required=True, metavar="URL", help="The coordinator's address.")
@click.option(
    "--workers",
    type=click.IntRange(min=1, max=1024),
    default=os.cpu_count() or 1,
    show_default="number of cores",
    help="Batches to play at the same time, each in a process of its own.",
)
@click.option(
    "--name",
    default=platform.node() or "anonymous",
    show_default="this computer's name",
    help="What the coordinator calls this computer.",
)
@click.option(
    "--patience",
    type=click.IntRange(min=0),
    default=_PATIENCE_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long to go on asking a server that does not answer.",
)
def worker(url: str, workers: int, name: str, patience: int) -> None:
    """Lend this computer to a coordinator.

    Ctrl-C: finish the batches in hand, then stop. Ctrl-C again: give them back at once.
    """
    # The engine and the client are loaded late: `tabia --help` should not wait for them.
    from tabia.worker.lender import Lender, UrlError
    from tabia.worker.playing import own_engine
    from tabia.worker.volunteer import Hand, Orders, lend

    try:
        lender = Lender(url)
    except UrlError as problem:
        raise click.UsageError(f"--server: {problem}") from None
    orders = Orders()
    _obey_signals(orders)
    engine = own_engine()
    _say(f"{name} plays for {lender.url} with {workers} at a time, engine {engine}")
    hands = [
        Hand(lender, orders, worker=name, engine=engine, patience=patience, say=_say)
        for _ in range(workers)
    ]
    error = lend(hands, orders)
    lender.close()
    if error is not None:
        raise click.ClickException(str(error))


def _obey_signals(orders: Orders) -> None:
    def finish_then_drop(_number: int, _frame: FrameType | None) -> None:
        if orders.finish.is_set():
            orders.drop.set()
        else:
            orders.finish.set()
            _say("finishing the batches in hand; Ctrl-C again gives them back at once")

    def drop(_number: int, _frame: FrameType | None) -> None:
        orders.finish.set()
        orders.drop.set()

    signal.signal(signal.SIGINT, finish_then_drop)
    signal.signal(signal.SIGTERM, drop)
    signal.signal(signal.SIGHUP, drop)


def _say(line: str) -> None:
    click.echo(f"{time.strftime('%H:%M:%S')} {line}")
