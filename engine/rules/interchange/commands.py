"""`tabia rules import` and `tabia rules export`."""

from __future__ import annotations

from pathlib import Path

import click

from tabia.engine.documents import DocumentError, one_line
from tabia.engine.rules.interchange.fairy_stockfish.writing import write_section
from tabia.engine.rules.interchange.importing import (
    Imported,
    import_each,
    import_rules,
    read_rules,
)
from tabia.engine.rules.ruleset import RuleSet

FORMATS = {"fairy-stockfish": write_section}
"""What `export` writes, by the name of the format: a rule set, and the name that it gets there."""


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--variant", help="Which section of a variants.ini.")
@click.option(
    "--list", "survey", is_flag=True, help="Which sections can be imported, and if not why."
)
@click.option("--output", type=click.Path(path_type=Path), help="Write there, not to the terminal.")
def import_(file: Path, variant: str | None, survey: bool, output: Path | None) -> None:
    """FILE, a variants.ini of Fairy-Stockfish or a page with an Interactive Diagram, as a rule set.

    What is left out or read otherwise is said on standard error.
    """
    text = read_rules(file)
    if survey:
        _survey(text, str(file))
        return
    imported = import_rules(text, str(file), variant)
    _playable(imported, str(file))
    for remark in imported.remarks:
        click.echo(f"tabia: {one_line(f'{file}: {remark}')}", err=True)
    _write(imported.text, output)


@click.command()
@click.argument("rule_set")
@click.option("--format", "format_", type=click.Choice(list(FORMATS)), required=True)
@click.option("--name", help="The name of the section; by default the rule set's id.")
@click.option("--output", type=click.Path(path_type=Path), help="Write there, not to the terminal.")
def export(rule_set: str, format_: str, name: str | None, output: Path | None) -> None:
    """RULE_SET, a catalog id or a file, as other programs read it."""
    _write(str(FORMATS[format_](RuleSet.load(rule_set), name)), output)


def _survey(text: str, source: str) -> None:
    accepted = total = 0
    for name, result in import_each(text, source):
        total += 1
        if isinstance(result, Imported):
            try:
                _playable(result, source)
            except DocumentError as error:
                result = error
            else:
                accepted += 1
        said = "can be imported" if isinstance(result, Imported) else f"refused: {result}"
        click.echo(f"{name}: {said}")
    click.echo(f"{accepted} of {total} can be imported")


def _playable(imported: Imported, source: str) -> None:
    # Imported here: `export` needs no core.
    from tabia.engine import Position

    try:
        Position(imported.rule_set)
    except ValueError as error:
        raise DocumentError(source, "startFen", str(error)) from None


def _write(text: str, output: Path | None) -> None:
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DocumentError(str(output), "", f"cannot be written: {error.strerror}") from None
