"""A board as SVG: any size up to 16 by 16, holes, coordinates, the last move.

Squares are ``rank * 16 + file``, both from 0, as everywhere in Tabia. The picture is drawn from
White's side, 100 units a square, and holds no colours: the style sheet has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

SQUARE = 100
MARGIN = 42  # for the coordinates, left and below

_TOKEN = re.compile(r"\d+|[A-Za-z]|\*")
_SQUARE_NAME = re.compile(r"([a-p])(1[0-6]|[1-9])")


@dataclass(frozen=True)
class Geometry:
    """The shape of a board: files and ranks, and the squares that are not there."""

    files: int
    ranks: int
    holes: frozenset[int] = frozenset()


def square_name(square: int) -> str:
    """``0`` -> ``a1``, ``9 * 16 + 4`` -> ``e10``."""
    return f"{chr(ord('a') + square % 16)}{square // 16 + 1}"


def move_squares(move: str) -> tuple[int, int] | None:
    """From and to of a UCI move (``e10e9q`` -> e10, e9), or None for a move without two squares."""
    found = [
        (int(rank) - 1) * 16 + ord(file) - ord("a") for file, rank in _SQUARE_NAME.findall(move)[:2]
    ]
    return (found[0], found[1]) if len(found) == 2 else None


def placement(fen: str) -> dict[int, str]:
    """The men of a FEN: square -> letter, capital for White. Blanks may have two digits."""
    rows = fen.split(maxsplit=1)[0].split("[", maxsplit=1)[0].split("/")
    men: dict[int, str] = {}
    for rank, row in zip(reversed(range(len(rows))), rows, strict=True):
        file = 0
        for token in _TOKEN.findall(row):
            if token.isdigit():
                file += int(token)
                continue
            if token != "*":  # a hole takes a square and holds nothing
                men[rank * 16 + file] = token
            file += 1
    return men


def board_svg(
    geometry: Geometry,
    men: Mapping[int, str],
    symbols: Iterable[Markup],
    *,
    label: str,
    marked: Iterable[int] = (),
) -> Markup:
    """The board with ``men`` on it and the squares of the last move ``marked``.

    ``symbols`` are the pictures it uses, ``label`` is its text alternative.
    """
    width = geometry.files * SQUARE + MARGIN
    height = geometry.ranks * SQUARE + MARGIN
    return Markup(
        '<svg class="board" viewBox="0 0 {w} {h}" role="img" aria-label="{label}" '
        'data-files="{files}" data-ranks="{ranks}" data-margin="{margin}">'
        "<defs>{symbols}</defs>"
        '<g class="squares">{squares}</g><g class="marks">{marks}</g>'
        '<g class="coordinates" aria-hidden="true">{coordinates}</g><g class="men">{men}</g></svg>'
    ).format(
        w=width,
        h=height,
        label=label,
        files=geometry.files,
        ranks=geometry.ranks,
        margin=MARGIN,
        symbols=Markup("").join(symbols),
        squares=_squares(geometry),
        marks=Markup("").join(
            Markup('<rect class="mark" {}/>').format(_box(geometry, square)) for square in marked
        ),
        coordinates=_coordinates(geometry),
        men=Markup("").join(
            Markup('<use href="#piece-{}" class="{}" {}/>').format(
                letter.upper(), "white" if letter.isupper() else "black", _box(geometry, square)
            )
            for square, letter in sorted(men.items())
        ),
    )


def _corner(geometry: Geometry, square: int) -> tuple[int, int]:
    """Top left corner of a square on the picture."""
    return MARGIN + square % 16 * SQUARE, (geometry.ranks - 1 - square // 16) * SQUARE


def _box(geometry: Geometry, square: int) -> Markup:
    x, y = _corner(geometry, square)
    return Markup('x="{}" y="{}" width="{}" height="{}"').format(x, y, SQUARE, SQUARE)


def _squares(geometry: Geometry) -> Markup:
    return Markup("").join(
        Markup('<rect class="square {}" {}/>').format(
            "light" if (file + rank) % 2 else "dark", _box(geometry, rank * 16 + file)
        )
        for rank in range(geometry.ranks)
        for file in range(geometry.files)
        if rank * 16 + file not in geometry.holes
    )


def _coordinates(geometry: Geometry) -> Markup:
    text = Markup('<text x="{}" y="{}" text-anchor="middle">{}</text>')
    names = [
        text.format(MARGIN + f * SQUARE + SQUARE // 2, geometry.ranks * SQUARE + 33, chr(97 + f))
        for f in range(geometry.files)
    ]
    names += [
        text.format(MARGIN // 2 - 2, (geometry.ranks - 1 - r) * SQUARE + SQUARE // 2 + 10, r + 1)
        for r in range(geometry.ranks)
    ]
    return Markup("").join(names)
