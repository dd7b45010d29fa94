"""`tabia bench`: the signature, and how fast it came about."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click


@click.command()
@click.option("--record", is_flag=True, help="Record the result in this installation's source.")
def bench(record: bool) -> None:
    """Print the bench signature: it changes only when the engine plays differently.

    Exit status 1 when it is not the recorded one.
    """
    from tabia.engine.match import signature

    started = time.perf_counter()
    counts = signature.bench()
    seconds = time.perf_counter() - started
    for catalog_id, nodes in counts.items():
        click.echo(f"{catalog_id:32} {nodes:>10}")
    click.echo(f"signature {signature.total(counts)}")
    click.echo(f"{sum(counts.values()) / seconds:.0f} nodes/s, {seconds:.2f} s", err=True)
    if record:
        Path(str(signature.RECORD)).write_text(json.dumps(counts, indent=2) + "\n")
    elif counts != signature.recorded():
        changed = sorted(key for key, _ in counts.items() ^ signature.recorded().items())
        raise click.ClickException(f"not what is recorded: {', '.join(dict.fromkeys(changed))}")
