"""Starts a Celery worker that plays: ``python -m tabia.worker.cluster``.

It says to Celery what ``celery --app tabia.worker.app worker --queues play --pool prefork
--without-gossip --without-mingle --without-heartbeat -O fair`` says, without loading the rest of
Celery's command line: a worker is ready in half the time, and somebody waits for its first game.

Workers of Tabia need not know of each other, so the chatter between Celery workers is off; whether
one lives, its leases show.
"""

from __future__ import annotations

import logging
import os
import sys

import click

from tabia.worker.app import PLAY_QUEUE, app


@click.command()
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    show_default=True,
    help="Processes that play, one batch each.",
)
@click.option("--name", default="tabia", show_default=True, help="What this worker calls itself.")
def main(workers: int, name: str) -> None:
    """Play batches from the broker at TABIA_BROKER_URL until told to stop.

    SIGTERM: after the batches in hand. SIGQUIT: after a minute at most.
    """
    worker = app.Worker(
        hostname=name,
        queues=[PLAY_QUEUE],
        pool="prefork",
        concurrency=workers,
        optimization="fair",
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        loglevel=logging.INFO,
        quiet=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


if __name__ == "__main__":
    main()
