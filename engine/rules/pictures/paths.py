"""Where a piece goes on an empty board: the paths of its moves, for whoever draws them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Primitive = Mapping[str, Any]
Offset = tuple[int, int]
Mark = Literal["both", "walks", "takes"]
MOST = 15


@dataclass(frozen=True)
class Path:
    """One straight part of a move, as offsets from the piece, +y up the board.

    start: where it sets out, the piece's own square but for moves with a bend; step; first, last:
    which steps may end the move, last 0 = to the edge; mark: whether it moves and captures, only
    moves or only captures; special: it depends on more than the square it leads to.
    """

    start: Offset
    step: Offset
    first: int
    last: int
    mark: Mark
    special: bool

    def squares(self, most: int) -> Iterator[Offset]:
        """The squares that it may end on, as far as `most` squares from the piece."""
        for times in range(self.first, (self.last or MOST) + 1):
            x, y = (self.start[0] + times * self.step[0], self.start[1] + times * self.step[1])
            if max(abs(x), abs(y)) > most:
                return
            yield x, y


def paths(moves: Iterable[Primitive]) -> list[Path]:
    """The paths of a piece's primitive moves (see `tabia.engine.rules.tables`); to the squares on
    which it captures on its way, too, where it cannot simply capture."""
    found = []
    moves = list(moves)
    leaps = {(m["dx"], m["dy"]) for m in moves if "c" in m["mode"]}
    for move in moves:
        taken = {(x, y) for key in ("takes", "takes_own") for x, y in move.get(key, ())} - leaps
        found += [Path((0, 0), square, 1, 1, "takes", True) for square in sorted(taken)]
        if move["dx"] or move["dy"]:  # else it ends where it stood
            found.append(_path(move))
    return found


def farthest_leap(moves: Iterable[Primitive]) -> int:
    """How far from the piece its moves lead that do not go on to the edge."""
    leaps = [path for path in paths(moves) if path.last]
    return max(
        (max(abs(s + path.last * d) for s, d in zip(path.start, path.step, strict=True))
         for path in leaps),
        default=0,
    )  # fmt: skip


def _path(move: Primitive) -> Path:
    mode = move["mode"]
    takes = bool(set(mode) & set("cde"))
    mark: Mark = "both" if "m" in mode and takes else "walks" if "m" in mode else "takes"
    start = tuple(move.get("first") or (0, 0))
    hop = move.get("hop")
    # Behind its hurdle, which on an empty board is nowhere: drawn from the second square on.
    first = 2 if hop else move.get("start") or 1
    return Path(
        start=(start[0], start[1]),
        step=(move["dx"], move["dy"]),
        first=first,
        last=move["range"],
        mark=mark,
        special=bool(
            mode == "e"
            or move.get("from")
            or move.get("unmoved")
            or hop
            or move.get("over")
            or move.get("takes")
            or move.get("takes_own")
            or mode == "d"
        ),
    )
