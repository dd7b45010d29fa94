"""A finished game as the positions it went through, ready to be shown one by one."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from tabia.dashboards.board import move_squares, placement

_RESULTS = {"1-0": "White wins", "0-1": "Black wins", "1/2-1/2": "Drawn"}
_MOVE = re.compile(r"([a-p]\d+)((?:[a-p]\d+,[a-p]\d+)*)([a-p]\d+)(\S*)")


class Player(Protocol):
    """What is needed of ``tabia.engine.Position``."""

    def push(self, move: str, /) -> None:
        """Plays a move in UCI notation."""

    def fen(self) -> str:
        """The position as FEN."""

    def in_check(self) -> bool:
        """Whether the side to move is in check."""


@dataclass(frozen=True)
class Ply:
    """A position of a game and the move that led to it; ply 0 is the start and has no move."""

    number: int
    fen: str
    move: str | None
    label: str
    """The move in long algebraic notation, empty for ply 0."""
    caption: str
    """What happened, in a sentence for people."""

    @property
    def squares(self) -> tuple[int, ...]:
        """From and to of the move, to be marked on the board."""
        return (self.move and move_squares(self.move)) or ()


def replay(
    position: Player,
    moves: Sequence[str],
    *,
    pawns: Collection[str],
    opening_plies: int,
    result: str,
    reason: str,
) -> list[Ply]:
    """All positions of a game that starts in ``position`` and ends with ``result`` by ``reason``.

    ``pawns`` are the letters that notation leaves out. Moves are played by the engine: a move that
    the rules do not allow raises its ``ValueError``.
    """
    fen = position.fen()
    plies = [Ply(0, fen, None, "", "The array, before the first move.")]
    for number, move in enumerate(moves, start=1):
        position.push(move)
        before, fen = fen, position.fen()
        last = number == len(moves)
        mate = last and reason == "checkmate"
        check = "#" if mate else "+" if position.in_check() else ""
        label = long_algebraic(move, before, fen, pawns) + check
        caption = f"Ply {number}: {_side_to_move(before)} {label}."
        if number <= opening_plies:
            caption += " Still in the opening."
        if last:
            caption += f" {_RESULTS[result]}: {reason}."
        plies.append(Ply(number, fen, move, label, caption))
    return plies


def long_algebraic(move: str, before: str, after: str, pawns: Collection[str]) -> str:
    """``e3e5`` -> ``e3–e5``, ``b2c4`` taking -> ``Nb2×c4``, ``g9g10q`` -> ``g9–g10=Q``, and
    ``e4e5,e5f6``, which takes on e5, -> ``Le4×e5–f6``.

    Written from the two positions, not from the rules: what stood on the square that the move left
    is what moved, and if there are fewer men afterwards something was taken.
    """
    parts = _MOVE.fullmatch(move)
    squares = move_squares(move)
    if parts is None or squares is None:
        return move
    start, legs, end, suffix = parts.groups()
    taken = re.findall(r"([a-p]\d+),", legs)
    men, later = placement(before), placement(after)
    moved = men.get(squares[0], "").upper()
    now = later.get(squares[1], "").upper()
    sign = "×" if len(later) + len(taken) < len(men) else "–"
    way = "".join(f"×{square}" for square in taken)
    text = f"{'' if moved in pawns else moved}{start}{way}{sign}{end}"
    return f"{text}={now}" if suffix and now and now != moved else text + suffix


def _side_to_move(fen: str) -> str:
    return "White" if fen.split()[1] == "w" else "Black"


def board_label(fen: str) -> str:
    """The text alternative of a board."""
    return f"Board, {_side_to_move(fen)} to move. FEN: {fen}"


@dataclass(frozen=True)
class MoveRow:
    """One line of a move list: its number, White's ply and Black's; either can be absent."""

    number: int
    white: Ply | None
    black: Ply | None


def move_rows(plies: Sequence[Ply]) -> list[MoveRow]:
    """The plies of a game in lines of two, starting with Black's if Black moved first."""
    ahead = 0 if _side_to_move(plies[0].fen) == "White" else 1
    cells: list[Ply | None] = [None] * ahead + list(plies[1:])
    if len(cells) % 2:
        cells.append(None)
    return [
        MoveRow(number, white, black)
        for number, (white, black) in enumerate(zip(cells[::2], cells[1::2], strict=True), start=1)
    ]
