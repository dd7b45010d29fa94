"""The Betza notation that Fairy-Stockfish understands, which is less than an Interactive Diagram's.

What it does not know it skips; here it is refused by name and place. What it knows is read exactly
as it plays it: `fsK` is sideways as a wazir and forward as a ferz, an `i` never captures, and of
two ranges for one direction the later one counts.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from tabia.engine.rules.atoms import LEAPS, SLIDERS, SYNONYMS
from tabia.engine.rules.betza import BetzaError
from tabia.engine.rules.directions import Vector, symmetric

Kind = Literal["leap", "lame", "slide", "hop", "grasshopper"]

ATOMS = {**{atom: (vector,) for atom, vector in LEAPS.items()}, "K": ((0, 1), (1, 1))}
LAME = "NAZD"
RIDING = ("W", "F", "N")
VERTICAL, HORIZONTAL = "fbvh", "rlsh"
MODIFIERS = "f b l r v s h, m, c, e, i, n, p, g"
MAX_TEXT = 400


class Step(NamedTuple):
    """One way to move, forward being +y. reach: 0 = to the edge; of a hopper, counted from its
    square. mode: "m" to an empty square, "c" a capture. initial: only from the region of double
    steps."""

    dx: int
    dy: int
    kind: Kind
    reach: int
    mode: str
    initial: bool


def parse(text: str) -> frozenset[Step]:
    """The steps of a piece. Raises BetzaError for what Fairy-Stockfish would skip."""
    if len(text) > MAX_TEXT:
        raise BetzaError(f"{len(text)} characters of Betza notation; allowed: {MAX_TEXT}")
    reach: dict[tuple[int, int, str, str, bool], tuple[Kind, int]] = {}
    at = 0
    while at < len(text):
        at = _group(text, at, reach)
    return frozenset(
        Step(dx, dy, kind, distance, mode, initial)
        for (dx, dy, _, mode, initial), (kind, distance) in reach.items()
    )


def takes_en_passant(text: str) -> bool:
    """Whether an `e` stands anywhere in it, which is all that Fairy-Stockfish looks for."""
    return "e" in text


def _group(
    text: str, at: int, found: dict[tuple[int, int, str, str, bool], tuple[Kind, int]]
) -> int:
    start = at
    modes, directions = "", []
    hop = grasshopper = lame = initial = False
    while at < len(text) and text[at].islower():
        letter = text[at]
        if letter in "mc":
            modes += letter
        elif letter in "pg":
            hop, grasshopper = True, grasshopper or letter == "g"
        elif letter == "n":
            lame = True
        elif letter == "i":
            initial = True
        elif letter in VERTICAL or letter in HORIZONTAL:
            pair = text[at : at + 2]
            combined = len(pair) == 2 and (
                pair[1] == letter
                or (letter in VERTICAL and pair[1] in HORIZONTAL)
                or (letter in HORIZONTAL and pair[1] in VERTICAL)
            )
            directions.append(pair if combined else letter * 2)
            at += combined
        elif letter != "e":
            raise BetzaError(_skipped(text, at))
        at += 1
    if at == len(text):
        raise BetzaError(f"{_place(text, start)}: modifiers without an atom")
    atom = SYNONYMS.get(text[at], text[at])
    if atom not in ATOMS and atom not in SLIDERS:
        raise BetzaError(_skipped(text, at))
    rides, distance, end = atom in SLIDERS, 0, at + 1
    following = text[end : end + 1]
    if following and (following in "0123456789" or following == text[at]):
        rides, end = True, end + 1
        distance = 0 if following == text[at] else int(following)
        if text[end : end + 1].isdigit():
            raise BetzaError(f"{_place(text, end)}: a second digit; allowed: ranges 0 to 9")
    bases = [base for part in SLIDERS.get(atom, (atom,)) for base in ATOMS[part]]
    _require_played(text, at, bases, rides=rides, hop=hop, lame=lame)
    if hop and distance == 1 and not grasshopper:
        raise BetzaError(
            f"{_place(text, end - 1)}: a hopper of range 1 is Fairy-Stockfish's sign for a "
            "grasshopper; allowed: g, or another range"
        )
    if grasshopper and distance > 1:
        grasshopper = False  # a range makes it a hopper of that range
    kind: Kind = (
        ("grasshopper" if grasshopper else "hop")
        if hop
        else "slide"
        if rides
        else "lame"
        if lame
        else "leap"
    )
    table = "hop" if hop else "slide" if rides else "step"
    whole = len(bases) > 1
    for pair in directions:
        if not any(_directed(base, [pair], whole=whole) for base in bases):
            raise BetzaError(f'{_place(text, start)}: "{pair[0]}" chooses no direction of {atom}')
    if initial and modes == "c":
        raise BetzaError(
            f"{_place(text, start)}: Fairy-Stockfish has no captures from the start only"
        )
    for mode in "m" if initial else modes or "mc":
        for base in bases:
            for dx, dy in _directed(base, directions, whole=whole):
                found[dx, dy, table, mode, initial] = (
                    kind,
                    1 if kind == "grasshopper" else distance,
                )
    return end


def _require_played(
    text: str, at: int, bases: list[Vector], *, rides: bool, hop: bool, lame: bool
) -> None:
    names = {LEAPS[name]: name for name in LEAPS}
    for base in bases:
        name = names[base]
        if hop and name not in "WF":
            raise BetzaError(
                f"{_place(text, at)}: Fairy-Stockfish hops along ranks, files and diagonals only, "
                f"not by steps of {name}; allowed: p and g on R B Q W F K"
            )
        if rides and not hop and name not in RIDING:
            raise BetzaError(
                f"{_place(text, at)}: Fairy-Stockfish repeats no steps of {name}; "
                f"allowed: ranges on {' '.join(RIDING)} and their compounds"
            )
        if lame and (rides or hop or name not in LAME):
            raise BetzaError(
                f"{_place(text, at)}: Fairy-Stockfish skips n (stopped on the way) here; "
                f"allowed: on single leaps, {' '.join(LAME)}"
            )


def _directed(base: Vector, directions: list[str], *, whole: bool) -> list[Vector]:
    """The vectors of an atom that the direction letters choose. On the rank and file atoms two
    different letters are two directions, but not where the atom is a compound (`whole`)."""
    if not directions:
        return symmetric(base)
    short, long = base
    chosen = set()
    for pair in directions:
        split = short == 0 and not whole and pair[0] != pair[1]
        for letters in (pair[0] * 2, pair[1] * 2) if split else (pair,):
            for signs, along, names in _ORIENTATIONS:
                if letters in names:
                    x, y = (short, long) if along else (long, short)
                    chosen.add((signs[0] * x, signs[1] * y))
    return sorted(chosen)


# Signs of a vector, whether its longer part is along the files, and the letters that choose it.
_ORIENTATIONS: tuple[tuple[tuple[int, int], bool, frozenset[str]], ...] = (
    ((1, 1), True, frozenset({"ff", "vv", "rf", "rv", "fh", "rh", "hr"})),
    ((-1, -1), True, frozenset({"bb", "vv", "lb", "lv", "bh", "lh", "hr"})),
    ((1, -1), False, frozenset({"rr", "ss", "br", "bs", "bh", "rh", "hr"})),
    ((-1, 1), False, frozenset({"ll", "ss", "fl", "fs", "fh", "lh", "hr"})),
    ((1, 1), False, frozenset({"rr", "ss", "fr", "fs", "fh", "rh", "hl"})),
    ((-1, -1), False, frozenset({"ll", "ss", "bl", "bs", "bh", "lh", "hl"})),
    ((1, -1), True, frozenset({"bb", "vv", "rb", "rv", "bh", "rh", "hl"})),
    ((-1, 1), True, frozenset({"ff", "vv", "lf", "lv", "fh", "lh", "hl"})),
)


def _place(text: str, at: int) -> str:
    return f'position {at + 1} of "{text}"'


def _skipped(text: str, at: int) -> str:
    return (
        f'{_place(text, at)}: "{text[at]}" means nothing to Fairy-Stockfish, which would skip it; '
        f"modifiers: {MODIFIERS}; atoms: {' '.join(LEAPS)} L J K R B Q"
    )
