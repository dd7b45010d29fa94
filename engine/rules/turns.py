"""Directions of a further leg: relative to the leg before, `f` straight on.

They are counted in eighths of a turn to the right, 0 to 7, and read as XBoard reads them: one
letter is one direction (`r` a quarter turn), two perpendicular letters are the eighths between
(`fr` one eighth to the right, `fs` one eighth to either side). An odd turn makes a diagonal step of
an orthogonal one and the reverse.
"""

from __future__ import annotations

from tabia.engine.rules.directions import MeaninglessError, Vector

_COMPASS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
_ALONE = {"f": {0}, "r": {2}, "b": {4}, "l": {6}, "v": {0, 4}, "s": {2, 6}}
_WIDE = {
    "f": {7, 0, 1},
    "r": {1, 2, 3},
    "b": {3, 4, 5},
    "l": {5, 6, 7},
    "v": {7, 0, 1, 3, 4, 5},
    "s": {1, 2, 3, 5, 6, 7},
}
_SPELT = ("ff", "fr", "rr", "br", "bb", "bl", "ll", "fl")
_SHORT = {
    (0,): "f",
    (2,): "r",
    (4,): "b",
    (6,): "l",
    (0, 4): "v",
    (2, 6): "s",
    (1, 7): "fs",
    (3, 5): "bs",
}

USUAL = (0, 2, 6)
USUAL_KING = (0, 1, 2, 3, 5, 6, 7)
"""Without letters: any way but back, for K through all eight directions."""


def turns(letters: str, atom: str) -> tuple[int, ...]:
    """The turns that those letters before that atom mean, ascending. Raises MeaninglessError."""
    if not letters:
        return USUAL_KING if atom == "K" else USUAL
    found: set[int] = set()
    while letters:
        pair = letters[:2]
        if "h" in pair:
            raise MeaninglessError('"h" (half) has no meaning in the directions of a further leg')
        if pair[0] in "fblr" and len(pair) == 2 and (pair[0] in "fb") != (pair[1] in "fbv"):
            found |= _WIDE[pair[0]] & _WIDE[pair[1]]
            letters = letters[2:]
        else:
            found |= _ALONE[pair[0]]
            letters = letters[2 if pair[0] == pair[1:] else 1 :]
    return tuple(sorted(found))


def spelling(turned: tuple[int, ...], atom: str) -> str:
    """Letters that `turns` reads as these."""
    if turned == (USUAL_KING if atom == "K" else USUAL):
        return ""
    return _SHORT.get(turned) or "".join(_SPELT[turn] for turn in turned)


def turned(vector: Vector, turn: int) -> Vector:
    """An orthogonal or diagonal vector turned by so many eighths, of the same number of squares."""
    x, y = vector
    size = max(abs(x), abs(y))
    here = _COMPASS.index((x // size, y // size))
    across, along = _COMPASS[(here + turn) % 8]
    return across * size, along * size
