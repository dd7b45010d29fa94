"""Figures in columns, and lists of names with what there is to say of them."""

from __future__ import annotations

from collections.abc import Sequence

Row = Sequence[str]


def columns(rows: Sequence[Row]) -> list[str]:
    """Columns of figures, to the right; the first is to the left."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join(("", first.ljust(widths[0]), *cells)).rstrip())
    return lines


def listed(rows: Sequence[Row]) -> list[str]:
    """Names and what there is to say."""
    width = max(len(name) for name, _ in rows)
    return [f"  {name.ljust(width)}  {text}" for name, text in rows]
