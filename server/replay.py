"""Play one batch of a stored experiment here and now, and print its result.

    python -m tabia.server.replay EXPERIMENT BATCH

This is the command that a failed experiment names: it does what the workers did, in the foreground.
Nothing is stored. If a result is recorded for the batch, the last line says whether it is the same.
"""

from __future__ import annotations

import json
import sys

import click

from tabia.engine import play_batch
from tabia.engine.outside.programs import Programs
from tabia.server.coordinator import utc_now
from tabia.server.database import Database
from tabia.server.library import library_of
from tabia.server.planning import batch_of
from tabia.server.results import digest
from tabia.server.settings import Settings
from tabia.server.staging import NotOpenError
from tabia.server.views import NotFoundError, require_batch


@click.command()
@click.argument("experiment")
@click.argument("batch", type=click.IntRange(min=0))
def replay(experiment: str, batch: int) -> None:
    """Play BATCH of the stored EXPERIMENT and print its result as JSON."""
    database = Database(Settings().resolved_database_url)
    try:
        with database.read() as session:
            recorded = require_batch(session, experiment, batch).digest
            planned = batch_of(session, experiment, batch)
            weights = library_of(session, planned)
    except (NotFoundError, NotOpenError) as error:
        click.echo(f"tabia: {error}", err=True)
        sys.exit(2)
    finally:
        database.close()
    started = utc_now()
    result = play_batch(planned, library=weights, programs=Programs.here())
    click.echo(json.dumps(result))
    click.echo(f"played in {(utc_now() - started).total_seconds():.1f} s", err=True)
    if recorded is None:
        click.echo("no result is recorded for this batch", err=True)
    elif recorded == digest(result):
        click.echo("the recorded result is the same", err=True)
    else:
        click.echo("the recorded result is another one", err=True)
        sys.exit(1)


if __name__ == "__main__":
    replay()
