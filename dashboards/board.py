"""A board on a page: the engine's picture of it as markup, and what a FEN and a move say of it.

Squares are ``rank * 16 + file``, both from 0, as everywhere in Tabia.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from markupsafe import Markup

from tabia.engine.rules.pictures import board as pictures
from tabia.engine.rules.pictures.board import MARGIN, SQUARE, Geometry

__all__ = ["MARGIN", "SQUARE", "Geometry", "board_svg", "move_squares", "placement", "square_name"]

_TOKEN = re.compile(r"\d+|[A-Za-z]|\*")
_SQUARE_NAME = re.compile(r"([a-p])(1[0-6]|[1-9])")


def square_name(square: int) -> str:
    """``0`` -> ``a1``, ``9 * 16 + 4`` -> ``e10``."""
    return f"{chr(ord('a') + square % 16)}{square // 16 + 1}"


def move_squares(move: str) -> tuple[int, int] | None:
    """From and to of a UCI move (``e10e9q`` -> e10, e9; ``e4e5,e5f6`` -> e4, f6), or None for a
    move without two squares."""
    found = [
        (int(rank) - 1) * 16 + ord(file) - ord("a") for file, rank in _SQUARE_NAME.findall(move)
    ]
    return (found[0], found[-1]) if len(found) > 1 else None


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
    return Markup(pictures.board_svg(geometry, men, symbols, label=label, marked=marked))
