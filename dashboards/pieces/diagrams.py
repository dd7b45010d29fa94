"""A diagram of how a piece moves on an empty board, as chess books print it."""

from __future__ import annotations

import math
from collections.abc import Iterable

from markupsafe import Markup

from tabia.dashboards.pieces.kinds import Primitive

_CELL = 20
_BARB = 6  # length of an arrow's barb
_MIN_REACH, _MAX_REACH = 2, 7  # squares to each side of the piece


def move_diagram(letter: str, moves: Iterable[Primitive], *, name: str) -> Markup:
    """White's moves of a piece: ● moves and captures, ○ only moves, ✕ only captures, lines slide.

    ``name`` is the text alternative. Moves that are bound to squares or to en passant are dashed.
    """
    moves = list(moves)
    leaps = [m for m in moves if m["range"] != 0]
    farthest = max(
        (max(abs(m["dx"]), abs(m["dy"])) * m["range"] for m in leaps), default=_MIN_REACH
    )
    reach = min(max(farthest, _MIN_REACH), _MAX_REACH)
    size = (2 * reach + 1) * _CELL
    middle = size / 2
    parts = [
        f'<rect class="square {"light" if (i + j) % 2 else "dark"}" x="{i * _CELL}" '
        f'y="{j * _CELL}" width="{_CELL}" height="{_CELL}"/>'
        for i in range(2 * reach + 1)
        for j in range(2 * reach + 1)
    ]
    for m in moves:
        parts += _marks(m, middle, reach)
    return Markup(
        '<svg class="move-diagram" viewBox="0 0 {s} {s}" role="img" aria-label="{name}">{parts}'
        '<use href="#piece-{letter}" class="white" x="{at}" y="{at}" width="{c}" height="{c}"/>'
        "</svg>"
    ).format(
        s=size,
        name=name,
        parts=Markup("".join(parts)),  # numbers and our own words only
        letter=letter,
        at=middle - _CELL / 2,
        c=_CELL,
    )


def _marks(move: Primitive, middle: float, reach: int) -> list[str]:
    dx, dy = move["dx"], move["dy"]
    special = " special" if move.get("from") or move["mode"] == "e" else ""
    if move["range"] == 0:
        longest = max(abs(dx), abs(dy))
        near, far = 0.7 / longest, reach / longest
        x, y = middle + dx * far * _CELL, middle - dy * far * _CELL
        start = f"M{middle + dx * near * _CELL:g} {middle - dy * near * _CELL:g}"
        arrow = f"{start}L{x:g} {y:g}{_arrowhead(dx, dy)}"
        return [f'<path class="slide{special}" d="{arrow}"/>']
    marks = []
    for n in range(1, move["range"] + 1):
        if max(abs(dx), abs(dy)) * n > reach:
            break
        x, y = middle + dx * n * _CELL, middle - dy * n * _CELL
        if move["mode"] in {"c", "e"}:
            path = f"M{x - 4:g} {y - 4:g}l8 8M{x + 4:g} {y - 4:g}l-8 8"
            marks.append(f'<path class="takes{special}" d="{path}"/>')
        else:
            kind = "both" if move["mode"] == "mc" else "walks"
            marks.append(f'<circle class="{kind}{special}" cx="{x:g}" cy="{y:g}" r="4.5"/>')
    return marks


def _arrowhead(dx: int, dy: int) -> str:
    """Path data of two barbs at the end of a line that points along (dx, dy), y up."""
    angle = math.atan2(-dy, dx)
    barbs = [
        (-_BARB * math.cos(angle + turn), -_BARB * math.sin(angle + turn)) for turn in (0.6, -0.6)
    ]
    (x1, y1), (x2, y2) = barbs
    return f"m{x1:.1f} {y1:.1f}l{-x1:.1f} {-y1:.1f}l{x2:.1f} {y2:.1f}"
