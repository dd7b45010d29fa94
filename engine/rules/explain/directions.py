"""Directions in words: which of the ways that a step has are meant. Forward is the mover's."""

from __future__ import annotations

from collections.abc import Iterable

from tabia.engine.rules.directions import Vector, symmetric
from tabia.engine.rules.explain.phrases import listed, number

_STRAIGHT = {(0, 1): "forward", (0, -1): "backward", (1, 0): "to the right", (-1, 0): "to the left"}


def along(vectors: Iterable[Vector]) -> str:
    """Where steps along ranks, files and diagonals lead: `in any direction`, `diagonally forward`,
    `forward or sideways`. All are of one length, or straight and diagonal ones of the same."""
    signs = {(_sign(x), _sign(y)) for x, y in vectors}
    straight = {sign for sign in signs if 0 in sign}
    diagonal = signs - straight
    if len(straight) == 4 and len(diagonal) == 4:
        return "in any direction"
    parts = []
    if straight:
        parts.append("along rank or file" if len(straight) == 4 else _straight(straight))
    if diagonal:
        parts.append("diagonally" if len(diagonal) == 4 else _diagonal(diagonal))
    return listed(parts, "or")


def leap_in_words(vectors: set[Vector]) -> str:
    """An oblique leap: `two squares along rank or file and one across`, or each way that is left of
    it, `two forward and one to the left`."""
    short, long = sorted(map(abs, next(iter(vectors))))
    if vectors == set(symmetric((short, long))):
        return f"{number(long)} squares along rank or file and {number(short)} across"
    forward = {vector for vector in symmetric((short, long)) if vector[1] > 0}
    narrow = {vector for vector in forward if vector[1] == long}
    if vectors == forward:
        return f"({long},{short}) in the forward directions"
    if vectors == narrow:
        return f"{number(long)} squares forward and {number(short)} to either side"
    return listed((_single(vector) for vector in sorted(vectors, reverse=True)), "or")


def _straight(signs: set[Vector]) -> str:
    left = dict(_STRAIGHT)
    parts = []
    if {(0, 1), (0, -1)} <= signs:
        parts.append("forward or backward")
    else:
        parts += [left[sign] for sign in ((0, 1), (0, -1)) if sign in signs]
    if {(1, 0), (-1, 0)} <= signs:
        parts.append("sideways")
    else:
        parts += [left[sign] for sign in ((1, 0), (-1, 0)) if sign in signs]
    return listed(parts, "or")


def _diagonal(signs: set[Vector]) -> str:
    for wanted, word in (
        ({(1, 1), (-1, 1)}, "diagonally forward"),
        ({(1, -1), (-1, -1)}, "diagonally backward"),
    ):
        if signs == wanted:
            return word
    names = (
        f"diagonally {'forward' if y > 0 else 'backward'} to the {'right' if x > 0 else 'left'}"
        for x, y in sorted(signs, key=lambda sign: (-sign[1], -sign[0]))
    )
    return listed(names, "or")


def _single(vector: Vector) -> str:
    x, y = vector
    side = f"{number(abs(x))} to the {'right' if x > 0 else 'left'}"
    return f"{number(abs(y))} {'forward' if y > 0 else 'backward'} and {side}"


def _sign(number_: int) -> int:
    return (number_ > 0) - (number_ < 0)
