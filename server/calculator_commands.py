"""``tabia stats``: the calculator at a terminal. Nothing is played and nothing is stored."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from importlib.util import find_spec

import click

# Missed at once, so that the command line says which extra brings it.
if find_spec("numpy") is None:
    raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

from tabia.server.calculator.answers import Answer
from tabia.server.calculator.fields import Field
from tabia.server.calculator.forms import FORMS, Form

_WIDTH = 88


@click.group()
def stats() -> None:
    """What counts say, and what a question costs.

    Fixed-sample intervals are to be read once, at a number of units declared beforehand;
    always-valid ones may be watched.
    """


def _command(form: Form) -> click.Command:
    def callback(**texts: str | Sequence[str] | None) -> None:
        given = {name: _joined(text) for name, text in texts.items()}
        for line in printed(form.answer(given)):
            click.echo(line)

    first, *others = form.fields
    # Counts that stand alone are the argument; where a form has two rows of them, they are named.
    alone = first.name == "counts"
    parameters: list[click.Parameter] = [
        _option(field) for field in (others if alone else form.fields)
    ]
    if alone:
        parameters.insert(0, click.Argument([first.name], nargs=-1, metavar=first.name.upper()))
    about = f"{form.about}\n\n"
    if alone:
        about += f"{first.name.upper()}: {first.hint}, as in {first.example}."
    return click.Command(
        form.name, callback=callback, params=parameters, help=about, short_help=form.about
    )


def _option(field: Field) -> click.Option:
    return click.Option(
        [f"--{field.name.replace('_', '-')}", field.name],
        nargs=field.parts,
        help=field.hint + _allowed(field),
        metavar=_metavar(field),
    )


def _allowed(field: Field) -> str:
    if field.choices:
        return f": {' or '.join(field.choices)}  [default: {field.default}]"
    if field.default:
        return f"  [default: {field.default}]"
    return f", as in {field.example}" if field.example else ""


def _metavar(field: Field) -> str:
    return "WORD" if field.choices else " ".join(["NUMBER"] * field.parts)


def _joined(text: str | Sequence[str] | None) -> str:
    if text is None:
        return ""
    return text if isinstance(text, str) else " ".join(text)


def printed(answer: Answer) -> list[str]:
    """An answer as lines of text."""
    lines = [*_wrapped(answer.headline), ""]
    if answer.lines:
        label = max(len(line.label) for line in answer.lines)
        value = max(len(line.value) for line in answer.lines)
        lines += [
            f"  {line.label:{label}}  {line.value:>{value}}  {line.detail}".rstrip()
            for line in answer.lines
        ]
        lines.append("")
    if answer.table:
        lines += [*_columns([answer.table.columns, *answer.table.rows]), ""]
    for note in answer.notes:
        lines += _wrapped(note)
    return lines


def _columns(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        yield "  ".join(("", first.ljust(widths[0]), *cells)).rstrip()


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


for _form in FORMS.values():
    stats.add_command(_command(_form))
