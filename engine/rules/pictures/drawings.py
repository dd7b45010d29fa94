"""The piece drawings: our own, path data on a 100 by 100 grid, y downwards (CC0, see LICENSE).

A drawing is a list of SVG paths in three roles: ``body`` is filled with the side's colour and
outlined; ``line`` (a stroke) and ``dot`` (filled) are details in the side's contrasting colour.
Colours are not in here: the style sheet gives them, so that one drawing serves both sides.

The family has one idea: everything stands on the same foot, and what a piece can do is on its head.
A compound with the knight is the knight in the other half's hat: the Marshall (rook and knight)
wears battlements, the Cardinal (bishop and knight) a mitre, the Amazon (queen, knight) a coronet.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Role = Literal["body", "line", "dot"]


class Stroke(NamedTuple):
    """One path of a drawing: what it is for, and its SVG path data."""

    role: Role
    path: str


def _disc(x: float, y: float, radius: float) -> str:
    """Path data of a circle, so that a drawing needs no other SVG element than ``path``."""
    return (
        f"M{x - radius:g} {y:g}a{radius:g} {radius:g} 0 1 0 {2 * radius:g} 0"
        f"a{radius:g} {radius:g} 0 1 0 {-2 * radius:g} 0z"
    )


_FOOT = Stroke("body", "M25 91h50a4 4 0 0 0 4-4v-1a7 7 0 0 0-7-7H28a7 7 0 0 0-7 7v1a4 4 0 0 0 4 4z")

_PAWN = [
    Stroke("body", "M43 50c1 12-5 19-13 29h40c-8-10-14-17-13-29z"),
    Stroke("body", _disc(50, 35, 13.5)),
    Stroke("body", "M39 48h22a3.2 3.2 0 0 1 0 6.5H39a3.2 3.2 0 0 1 0-6.5z"),
    _FOOT,
]

_ROOK = [
    Stroke("body", "M35 47h30l4 32H31z"),
    Stroke(
        "body", "M27 18h10.5v8h7.5v-8h10v8h7.5v-8H73v19q0 4-3 6.5L65 47.5H35l-5-4q-3-2.5-3-6.5z"
    ),
    Stroke("line", "M31.5 36.5h37"),
    _FOOT,
]

_BISHOP = [
    Stroke("body", "M41 63c0 8-5 11-10 16h38c-5-5-10-8-10-16z"),
    Stroke("body", _disc(50, 14.5, 5)),
    Stroke(
        "body",
        "M50 19.5c10 8 18.5 18 18.5 29 0 6.5-4 11.5-9 14.5h-19"
        "c-5-3-9-8-9-14.5 0-11 8.5-21 18.5-29z",
    ),
    Stroke("body", "M37 61h26a3.2 3.2 0 0 1 0 6.5H37a3.2 3.2 0 0 1 0-6.5z"),
    Stroke("line", "M50 34v17M42.5 41.5h15"),
    _FOOT,
]

_CORONET_BALLS = [(16, 33), (32.5, 22), (50, 17), (67.5, 22), (84, 33)]

_QUEEN = [
    Stroke("body", "M17 37l13 42h40l13-42-14.5 17.5-2-30L54 51l-4-31-4 31-12.5-26.5-2 30z"),
    *(Stroke("body", _disc(x, y, 5)) for x, y in _CORONET_BALLS),
    Stroke("line", "M30.5 69.5q19.5-6 39 0"),
    _FOOT,
]

_KING = [
    Stroke("body", "M47 8h6v6.5h6.5v6H53V29h-6v-8.5h-6.5v-6H47z"),
    Stroke("body", "M50 28c7 0 10 5 8 11-2 5-4 8-8 14-4-6-6-9-8-14-2-6 1-11 8-11z"),
    Stroke(
        "body",
        "M30 79c-3-8-15-13-15-25 0-9 7-14.5 15-14.5 10 0 17 6 20 14.5"
        "c3-8.5 10-14.5 20-14.5 8 0 15 5.5 15 14.5 0 12-12 17-15 25z",
    ),
    Stroke("line", "M31 70q19-6 38 0"),
    _FOOT,
]

# The horse looks left. Its crown (where a hat sits) is near (47, 24).
_HORSE = (
    "M72 79c3-18 3-36-9-48-4-4-8-6.5-13-8l-3-10-8 10.5c-8 4-12 11-14.5 19.5L16.5 56"
    "c-1.5 4 .5 8.5 4.5 9.5 4 1 6.5-.5 8.5-3.5l9-4c6 .5 10-1.5 13-6.5 1.5 11-13 15-15.5 27.5z"
)
_KNIGHT = [
    Stroke("body", _HORSE),
    Stroke("line", "M57.5 32.5c8.5 10 9.5 25 8 41"),
    Stroke("dot", _disc(37, 37.5, 2.8)),
    Stroke("dot", _disc(22, 58.5, 1.7)),
    _FOOT,
]

# The same horse, its head lowered and its ear tucked in to make room for a hat at (33-67, 8-40).
_BOWED_HORSE = (
    "M72 79c2.6-15 3-28-7-38-4-4-9-6-15-6-5 0-9 1-13 4-6 4-9 9-11 15.5L18 63"
    "c-1.4 3.4.4 7 4 7.8 3.5.8 5.7-.4 7.5-3l8-3.3c5.3.4 9-1.3 11.5-5.3 1 9-12 10.8-14 20z"
)


def _knight_in(*hat: Stroke) -> list[Stroke]:
    """A compound with the knight: the bowed horse under the hat of its other half."""
    return [
        Stroke("body", _BOWED_HORSE),
        Stroke("line", "M60.5 46c6 8 6.5 17 5.5 28"),
        Stroke("dot", _disc(37.5, 49.5, 2.7)),
        Stroke("dot", _disc(23, 64.5, 1.6)),
        *hat,
        _FOOT,
    ]


_MARSHALL = _knight_in(
    Stroke("body", "M31 12h9.5v7h5.5v-7h10v7h5.5v-7H71l-3 21q-1 6-7 5.5-10-2-19 2-6 1-7.5-5z"),
    Stroke("line", "M36 30q16-4 31-1.5"),
)

_CARDINAL = _knight_in(
    Stroke(
        "body",
        "M51 9c10 6 16.5 12.5 16.5 20 0 5-2 9-5 12q-13-4.5-24.5 1"
        "-4.5-5-4.5-11.5C33.5 22 41 14 51 9z",
    ),
    Stroke("body", _disc(51, 8.5, 4)),
    Stroke("line", "M50.5 19.5v15M43 26.5h15"),
)

_AMAZON = _knight_in(
    Stroke("body", "M29 17l7.5 24.5q14-6 28 0L72 17 60.5 27 50.5 10 40.5 27z"),
    *(Stroke("body", _disc(x, y, 4)) for x, y in [(28.5, 15), (50.5, 9), (72.5, 15)]),
)

DRAWINGS: Final[dict[str, list[Stroke]]] = {
    "pawn": _PAWN,
    "knight": _KNIGHT,
    "bishop": _BISHOP,
    "rook": _ROOK,
    "queen": _QUEEN,
    "king": _KING,
    "marshall": _MARSHALL,
    "cardinal": _CARDINAL,
    "amazon": _AMAZON,
}
