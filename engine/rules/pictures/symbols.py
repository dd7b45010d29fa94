"""SVG symbols of pieces, to be drawn with ``<use href="#piece-N" class="white">``."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tabia.engine.rules.pictures.drawings import DRAWINGS
from tabia.engine.rules.pictures.kinds import kind_of
from tabia.engine.rules.pictures.paths import Primitive


def piece_symbol(letter: str, moves: Iterable[Primitive], *, royal: bool) -> str:
    """The ``<symbol id="piece-LETTER">`` of a piece, 100 by 100 units, without colours."""
    moves = list(moves)
    kind = kind_of(moves, royal=royal)
    picture = (
        "".join(f'<path class="{role}" d="{path}"/>' for role, path in DRAWINGS[kind])
        if kind
        else _token(letter, moves, royal=royal)
    )
    return f'<symbol id="piece-{letter}" viewBox="0 0 100 100">{picture}</symbol>'


def _token(letter: str, moves: list[Primitive], *, royal: bool) -> str:
    """A disc with the piece's letter, and its moves around the rim.

    A bar on the rim is a line the piece slides along, a dot is a leap, farther out if it is longer.
    How moves and captures differ is left to the diagram on the rules page.
    """
    marks = []
    for dx, dy, reach in sorted({(m["dx"], m["dy"], m["range"]) for m in moves} - {(0, 0, 1)}):
        length = math.hypot(dx, dy)
        x, y = dx / length, -dy / length
        if reach == 1:
            at = 31.5 + 2.5 * min(max(abs(dx), abs(dy)), 3)
            marks.append(
                f'<circle class="dot" cx="{50 + at * x:.1f}" cy="{50 + at * y:.1f}" r="2.7"/>'
            )
        else:
            marks.append(
                f'<path class="line" d="M{50 + 31 * x:.1f} {50 + 31 * y:.1f}'
                f'L{50 + 39.5 * x:.1f} {50 + 39.5 * y:.1f}"/>'
            )
    crown = '<path class="line" d="M42 27l3 5 5-7 5 7 3-5v9H42z"/>' if royal else ""
    return (
        f'<circle class="body" cx="50" cy="50" r="45"/>{"".join(marks)}{crown}'
        f'<text class="letter" x="50" y="{67 if royal else 63}" text-anchor="middle" '
        f'font-size="{32 if royal else 38}">{letter}</text>'
    )
