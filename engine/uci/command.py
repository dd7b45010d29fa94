"""`tabia uci`: the engine for UCI chess programs."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version

import click


@click.command()
@click.option(
    "--rules", "paths", multiple=True, help="A rule file to offer as a variant; repeatable."
)
def uci(paths: tuple[str, ...]) -> None:
    """Speak UCI on standard input and output."""
    # Imported here: `tabia --help` must not wait for the core.
    from tabia.engine.uci.session import Session

    def say(line: str) -> None:
        # One write a line: the search speaks from a thread of its own.
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    session = Session(say, _version())
    for path in paths:
        session.answer(f"setoption name VariantPath value {path}")
    for line in sys.stdin:
        if not session.answer(line):
            return
    session.close()


def _version() -> str:
    try:
        return version("tabia")
    except PackageNotFoundError:
        return "not installed"
