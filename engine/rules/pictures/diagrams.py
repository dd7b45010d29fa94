"""A diagram of how a piece moves on an empty board, as chess books print it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

from tabia.engine.rules.pictures.paths import Path, Primitive, farthest_leap, paths

_CELL = 20
_BARB = 6  # length of an arrow's barb
_MIN_REACH, _MAX_REACH = 2, 7  # squares to each side of the piece

LEGEND = (
    "● moves and captures, ○ only moves, ✕ only captures; a line goes on until something stands in "
    "the way. Dashed: on conditions that the words beside it say."
)


def move_diagram(letter: str, moves: Iterable[Primitive], *, name: str) -> str:
    """The SVG of White's moves of a piece, see `LEGEND`; it uses the symbol of that letter.

    ``name`` is the text alternative.
    """
    moves = list(moves)
    reach = reach_of(moves)
    size = (2 * reach + 1) * _CELL
    middle = size / 2
    parts = [
        f'<rect class="square {"light" if (i + j) % 2 else "dark"}" x="{i * _CELL}" '
        f'y="{j * _CELL}" width="{_CELL}" height="{_CELL}"/>'
        for i in range(2 * reach + 1)
        for j in range(2 * reach + 1)
    ]
    for path in dict.fromkeys(paths(moves)):
        parts += _marks(path, middle, reach)
    at = middle - _CELL / 2
    return (
        f'<svg class="move-diagram" viewBox="0 0 {size} {size}" role="img" '
        f'aria-label="{escape(name)}">{"".join(parts)}'
        f'<use href="#piece-{letter}" class="white" x="{at}" y="{at}" width="{_CELL}" '
        f'height="{_CELL}"/></svg>'
    )


def reach_of(moves: Iterable[Primitive]) -> int:
    """How many squares to each side of the piece a diagram shows."""
    return min(max(farthest_leap(moves), _MIN_REACH), _MAX_REACH)


def _marks(path: Path, middle: float, reach: int) -> list[str]:
    special = " special" if path.special else ""
    if path.last == 0:
        return [_arrow(path, middle, reach, special)]
    marks = []
    for x, y in path.squares(reach):
        cx, cy = middle + x * _CELL, middle - y * _CELL
        if path.mark == "takes":
            cross = f"M{cx - 4:g} {cy - 4:g}l8 8M{cx + 4:g} {cy - 4:g}l-8 8"
            marks.append(f'<path class="takes{special}" d="{cross}"/>')
        else:
            marks.append(f'<circle class="{path.mark}{special}" cx="{cx:g}" cy="{cy:g}" r="4.5"/>')
    return marks


def _arrow(path: Path, middle: float, reach: int, special: str) -> str:
    (sx, sy), (dx, dy) = path.start, path.step
    longest = max(abs(dx), abs(dy))
    near = path.first - 1 + 0.7 / longest if path.start == (0, 0) else 0.4 / longest
    room = [(reach - s * (1 if d > 0 else -1)) / abs(d) for s, d in ((sx, dx), (sy, dy)) if d != 0]
    far = min(room)
    x, y = middle + (sx + dx * far) * _CELL, middle - (sy + dy * far) * _CELL
    start = f"M{middle + (sx + dx * near) * _CELL:g} {middle - (sy + dy * near) * _CELL:g}"
    if path.start != (0, 0):
        start = f"M{middle:g} {middle:g}L{middle + sx * _CELL:g} {middle - sy * _CELL:g}" + start
    kind = " takes-line" if path.mark == "takes" else ""
    return f'<path class="slide{kind}{special}" d="{start}L{x:g} {y:g}{_arrowhead(dx, dy)}"/>'


def _arrowhead(dx: int, dy: int) -> str:
    """Path data of two barbs at the end of a line that points along (dx, dy), y up."""
    angle = math.atan2(-dy, dx)
    barbs = [
        (-_BARB * math.cos(angle + turn), -_BARB * math.sin(angle + turn)) for turn in (0.6, -0.6)
    ]
    (x1, y1), (x2, y2) = barbs
    return f"m{x1:.1f} {y1:.1f}l{-x1:.1f} {-y1:.1f}l{x2:.1f} {y2:.1f}"
