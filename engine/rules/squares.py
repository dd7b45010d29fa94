"""Squares as the core numbers them: `rank * 16 + file`, both from 0."""

from __future__ import annotations

from collections.abc import Iterable

from tabia.engine.rules.array import square_of
from tabia.engine.rules.effective import Rules

STRIDE = 16


def number(file: int, rank: int) -> int:
    """The core's number of a square."""
    return rank * STRIDE + file


def numbered(name: str) -> int:
    """The core's number of the square of that name."""
    return number(*square_of(name))


def all_squares(rules: Rules) -> list[int]:
    """Every square that can be moved to: holes and citadels cannot."""
    return squares_of(rules, range(rules.board.ranks))


def squares_of(rules: Rules, ranks: Iterable[int]) -> list[int]:
    """Those on these ranks, counted from 0."""
    board = rules.board
    shut = {square_of(name) for name in (*board.holes, *board.citadels)}
    return [
        number(file, rank)
        for rank in ranks
        for file in range(board.files)
        if (file, rank) not in shut
    ]


def absolute(rules: Rules, side: str, ranks: Iterable[int]) -> list[int]:
    """Ranks counted from the side's own first one, and from 1, as ranks of the board from 0."""
    if side == "white":
        return sorted(rank - 1 for rank in ranks)
    return sorted(rules.board.ranks - rank for rank in ranks)
