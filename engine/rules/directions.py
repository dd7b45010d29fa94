"""Direction letters of Betza notation: which of an atom's vectors `f`, `fl`, `lh` … mean.

Forward is +y. What a letter means depends on the atom: on W each is a direction of its own, on F it
is two diagonals. On the oblique atoms we follow XBoard: one letter is the narrow pair (`fN` the two
moves furthest forward), two letters are the half-plane of the first within the pair of the second
(`fsN`, `lfN`), `fh`, `lh` … are half-planes, `hl` and `hr` the two windmills.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Vector = tuple[int, int]
Test = Callable[[Vector], bool]
Token = tuple[str, Test]
"""One or two letters, and which vectors they mean."""


class MeaninglessError(ValueError):
    """A combination of direction letters without a meaning; the text names it."""


def symmetric(first: Vector) -> list[Vector]:
    """A vector turned and mirrored in every way, the furthest forward first."""
    a, b = first
    turned = {(sx * x, sy * y) for x, y in ((a, b), (b, a)) for sx in (1, -1) for sy in (1, -1)}
    return sorted(turned, key=lambda v: (-v[1], v[0]))


def tokens(run: str, first: Vector) -> list[Token]:
    """The letters of a run read as directions of the atom with that vector. Raises
    MeaninglessError."""
    if 0 in first:
        return _orthogonal(run)
    return _diagonal(run) if abs(first[0]) == abs(first[1]) else _oblique(run)


def spelling(letters: Iterable[str]) -> str:
    """Tokens in one order, so that they read the same when they stand in one run."""
    spelt = sorted(set(letters))
    alone = len(spelt) == 1 and spelt[0] in ("ff", "bb", "ll", "rr", "vv", "ss")
    return spelt[0][0] if alone else "".join(spelt)


_WIDE: dict[str, Test] = {
    "f": lambda v: v[1] > 0,
    "b": lambda v: v[1] < 0,
    "l": lambda v: v[0] < 0,
    "r": lambda v: v[0] > 0,
    "v": lambda v: v[1] != 0,
    "s": lambda v: v[0] != 0,
}
_HALVES = ("fh", "bh", "lh", "rh")
_WINDMILLS: dict[str, Test] = {
    "hr": lambda v: (abs(v[1]) > abs(v[0])) == (v[0] * v[1] > 0),
    "hl": lambda v: (abs(v[1]) > abs(v[0])) == (v[0] * v[1] < 0),
}


def _narrow(letter: str) -> Test:
    upright = letter in "fbv"
    return lambda v: _WIDE[letter](v) and (abs(v[1]) > abs(v[0])) == upright


def _both(one: Test, other: Test) -> Test:
    return lambda v: one(v) and other(v)


def _perpendicular(pair: str) -> bool:
    return len(pair) == 2 and (pair[0] in "fbv") != (pair[1] in "fbv")


def _orthogonal(run: str) -> list[Token]:
    """W, D, H, R: every letter stands for itself, `fs` is forward and sideways."""
    if "h" in run:
        raise MeaninglessError('"h" (half) has no meaning in the directions')
    return [(letter, _WIDE[letter]) for letter in run]


def _diagonal(run: str) -> list[Token]:
    """F, A, G, B: two perpendicular letters are what they have in common, `fl` one diagonal."""
    if "h" in run:
        raise MeaninglessError('"h" (half) has no meaning in the directions')
    found: list[Token] = []
    while run:
        size = 2 if _perpendicular(run[:2]) or run[:1] == run[1:2] else 1
        one, other = run[0], run[size - 1]
        found.append((one + other, _both(_WIDE[one], _WIDE[other])))
        run = run[size:]
    return found


def _oblique(run: str) -> list[Token]:
    """N, C, Z: see the head of this module."""
    found: list[Token] = []
    while run:
        pair = run[:2]
        size = 2
        if pair in _HALVES:
            found.append((pair, _WIDE[pair[0]]))
        elif pair in _WINDMILLS:
            found.append((pair, _WINDMILLS[pair]))
        elif "h" in pair or pair in ("vl", "vr", "sf", "sb", "vs", "sv"):
            raise MeaninglessError(f'"{pair}" has no meaning in the directions')
        elif _perpendicular(pair):
            found.append((pair, _both(_WIDE[pair[0]], _narrow(pair[1]))))
        else:
            size = 2 if pair[0] == pair[1:] else 1
            found.append((pair[0] * 2, _narrow(pair[0])))
        run = run[size:]
    return found
