"""A board as SVG: any size up to 16 by 16, holes, coordinates, the last move.

Squares are ``rank * 16 + file``, both from 0. The picture is drawn from White's side, 100 units a
square, and holds no colours: the style sheet has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape

SQUARE = 100
MARGIN = 42  # for the coordinates, left and below


@dataclass(frozen=True)
class Geometry:
    """The shape of a board: files and ranks, and the squares that are not there."""

    files: int
    ranks: int
    holes: frozenset[int] = frozenset()


def board_svg(
    geometry: Geometry,
    men: Mapping[int, str],
    symbols: Iterable[str],
    *,
    label: str,
    marked: Iterable[int] = (),
) -> str:
    """The board with ``men`` on it and the squares of the last move ``marked``.

    ``symbols`` are the pictures it uses, ``label`` is its text alternative.
    """
    width = geometry.files * SQUARE + MARGIN
    height = geometry.ranks * SQUARE + MARGIN
    marks = "".join(f'<rect class="mark" {_box(geometry, square)}/>' for square in marked)
    pieces = "".join(
        f'<use href="#piece-{letter.upper()}" class="{"white" if letter.isupper() else "black"}" '
        f"{_box(geometry, square)}/>"
        for square, letter in sorted(men.items())
    )
    return (
        f'<svg class="board" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(label)}" data-files="{geometry.files}" '
        f'data-ranks="{geometry.ranks}" data-margin="{MARGIN}">'
        f"<defs>{''.join(symbols)}</defs>"
        f'<g class="squares">{_squares(geometry)}</g><g class="marks">{marks}</g>'
        f'<g class="coordinates" aria-hidden="true">{_coordinates(geometry)}</g>'
        f'<g class="men">{pieces}</g></svg>'
    )


def _corner(geometry: Geometry, square: int) -> tuple[int, int]:
    """Top left corner of a square on the picture."""
    return MARGIN + square % 16 * SQUARE, (geometry.ranks - 1 - square // 16) * SQUARE


def _box(geometry: Geometry, square: int) -> str:
    x, y = _corner(geometry, square)
    return f'x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}"'


def _squares(geometry: Geometry) -> str:
    return "".join(
        f'<rect class="square {"light" if (file + rank) % 2 else "dark"}" '
        f"{_box(geometry, rank * 16 + file)}/>"
        for rank in range(geometry.ranks)
        for file in range(geometry.files)
        if rank * 16 + file not in geometry.holes
    )


def _coordinates(geometry: Geometry) -> str:
    def text(x: int, y: int, what: object) -> str:
        return f'<text x="{x}" y="{y}" text-anchor="middle">{what}</text>'

    names = [
        text(MARGIN + f * SQUARE + SQUARE // 2, geometry.ranks * SQUARE + 33, chr(97 + f))
        for f in range(geometry.files)
    ]
    names += [
        text(MARGIN // 2 - 2, (geometry.ranks - 1 - r) * SQUARE + SQUARE // 2 + 10, r + 1)
        for r in range(geometry.ranks)
    ]
    return "".join(names)
