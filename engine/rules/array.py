"""The array: the rows of the board as a FEN writes them, and the squares they fill."""

from __future__ import annotations

import re
from collections.abc import Iterable

EMPTY = ""


class RowError(ValueError):
    """What is wrong with a row."""


def parse_row(row: str, files: int) -> list[str]:
    """The contents of a row from file a on: a letter, capital for White, or EMPTY. Blanks may have
    several digits. Raises RowError."""
    cells: list[str] = []
    for part in re.findall(r"[0-9]+|.", row, flags=re.DOTALL):
        if part.isascii() and part.isdigit():
            if part.startswith("0") or len(part) > 2:
                raise RowError(f"{part} blanks; allowed: 1 to {files}")
            cells.extend([EMPTY] * int(part))
        elif part.isascii() and part.isalpha():
            cells.append(part)
        else:
            raise RowError(f'the character "{part}"; allowed: letters of pieces and numbers')
    if len(cells) != files:
        raise RowError(f"{len(cells)} squares; allowed: exactly {files}, the files of the board")
    return cells


def format_row(cells: Iterable[str]) -> str:
    """The row of a FEN for these contents."""
    row = ""
    blanks = 0
    for cell in cells:
        if cell == EMPTY:
            blanks += 1
            continue
        row += f"{blanks or ''}{cell}"
        blanks = 0
    return f"{row}{blanks or ''}"


def square_name(file: int, rank: int) -> str:
    """The name of a square; file and rank count from 0."""
    return f"{'abcdefghijklmnop'[file]}{rank + 1}"


def square_of(name: str) -> tuple[int, int]:
    """File and rank, from 0, of a square's name."""
    return "abcdefghijklmnop".index(name[0]), int(name[1:]) - 1
