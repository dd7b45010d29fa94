"""What kind of game it is, in numbers, for somebody at a terminal: lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tabia.server.local.columns import Row, columns
from tabia.server.local.progress import View, number
from tabia.server.side_by_side import is_part, rows_by_name

Figures = Mapping[str, Any]
Lines = Sequence[Figures | None]

_WIDTH = 88
_NO_BREAK = "\N{NO-BREAK SPACE}"
_BY_LETTER = {"promoted_to": "Promoted to", "survival": "Left at the end"}
"""Rows that differ in a letter, of which there may be many: they share a line."""


def game_profile(view: View) -> list[str]:
    """The profile of each rule set's games, or of all games together."""
    profile = view["profile"]
    if not profile or not view["units_done"]:
        return []
    arms = [arm for arm in ("a", "b") if profile[arm]]
    heads = ("", *(arm.upper() for arm in arms)) if len(arms) > 1 else ("", "all games")
    found = rows_by_name([profile[arm] for arm in arms])
    rows: list[Row] = [heads]
    rows += [
        (_label(name, lines), *map(_figure, lines))
        for name, lines in found.items()
        if _kind(name) not in _BY_LETTER
    ]
    return ["", "  What kind of game it is", *columns(rows), *_by_letter(found)]


def _by_letter(found: Mapping[str, Lines]) -> Iterator[str]:
    for kind, title in _BY_LETTER.items():
        lines = {name: each for name, each in found.items() if _kind(name) == kind}
        if lines:
            unit = _one_of(next(iter(lines.values())))["unit"]
            shown = (
                f"{name.partition(':')[2]} {' / '.join(map(_figure, each))}"
                for name, each in lines.items()
            )
            whole = ", ".join(each.replace(" ", _NO_BREAK) for each in shown)
            for line in textwrap.wrap(
                f"{title}, {unit}: {whole}", _WIDTH, initial_indent="  ", subsequent_indent="    "
            ):
                yield line.replace(_NO_BREAK, " ")


def _kind(name: str) -> str:
    return name.partition(":")[0]


def _label(name: str, lines: Lines) -> str:
    line = _one_of(lines)
    return f"{'  ' if is_part(name) else ''}{line['label']}, {line['unit']}"


def _one_of(lines: Lines) -> Figures:
    return next(line for line in lines if line is not None)


def _figure(line: Figures | None) -> str:
    if line is None or line["value"] is None:
        return "–"
    signed = line["unit"] == "percentage points"
    return number(line["value"], digits=1, signed=signed)
