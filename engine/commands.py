"""`tabia bench`: the signature, and how fast it came about."""

from __future__ import annotations

import time

import click


@click.command()
def bench() -> None:
    """Print the bench signature: it changes only when the engine plays differently."""
    from tabia.engine.match import signature

    started = time.perf_counter()
    suite = signature.bench()
    seconds = time.perf_counter() - started
    for catalog_id, nodes in suite:
        click.echo(f"{catalog_id:32} {nodes:>10}")
    click.echo(f"signature {signature.bench_signature()}")
    total = sum(nodes for _, nodes in suite)
    click.echo(f"{total / seconds:.0f} nodes/s, {seconds:.2f} s", err=True)
