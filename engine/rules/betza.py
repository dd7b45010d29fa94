"""Betza notation: how designers write the moves of a piece, read into steps.

The notation is Ralph Betza's, as the Interactive Diagrams of the Chess Variant Pages write it. A
string is a row of groups, each some modifiers (small letters), an atom (a capital) and perhaps a
range: `fmW` is one step forward without capture, `R4` a rook of at most four squares. What we do
not play yet is refused by name and place; nothing is skipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tabia.engine.rules.directions import (
    MeaninglessError,
    Token,
    Vector,
    spelling,
    symmetric,
    tokens,
)

MAX_LENGTH = 200
MAX_RANGE = 15
MAX_STEPS = 128
TO_THE_EDGE = 0

# Atom -> the first of its vectors (0 <= across <= along) and, for the sliders, the usual range.
LEAPS = {
    "W": (0, 1),
    "F": (1, 1),
    "D": (0, 2),
    "N": (1, 2),
    "A": (2, 2),
    "H": (0, 3),
    "C": (1, 3),
    "Z": (2, 3),
    "G": (3, 3),
}
SYNONYMS = {"L": "C", "J": "Z"}
SLIDERS = {"R": ("W",), "B": ("F",), "Q": ("W", "F")}
COMPOUNDS = {"K": ("W", "F"), **SLIDERS}
ATOMS = "W F D N A H C(=L) Z(=J) G K R B Q"

MODES = "mce"
DIRECTIONS = "fblrvsh"
MODIFIERS = "f b l r v s h, m c e, i, n"

NOT_YET = {
    "p": "hop over a piece",
    "g": "hop and land right behind",
    "j": "must jump, or skip the first square",
    "y": "change of range on an empty square",
    "a": "a further leg",
    "o": "leave the board on one side and come in on the other",
    "d": "capture of own pieces",
    "u": "unload what was captured",
    "x": "lend or borrow moves",
    "t": "restriction on what may be captured or hopped over",
    "z": "crooked path",
    "q": "circular path",
    "k": "restriction to royal targets",
    "O": "castling, which has its own section here, [castling]",
    "U": "leap to any square",
    "I": "imitation of the last move",
    "X": "longer leap, outward along the ranks and files",
    "Y": "longer leap, outward along the diagonals",
    "[": "path with a bend",
    "(": "leap by coordinates",
}


class BetzaError(ValueError):
    """What in a string of Betza notation is not understood or not played, and where."""


@dataclass(frozen=True)
class Group:
    """One atom with its modifiers.

    vectors: the steps it takes, as (files to the right, ranks forward); reach: how often the step
    may be repeated, 0 = until something stands in the way; modes: of "m" (to an empty square),
    "c" (capture), "e" (capture en passant); initial: only from where the array has the piece;
    lame: stopped by a man on a square passed over.
    """

    atom: str
    directions: str
    vectors: tuple[Vector, ...]
    reach: int
    modes: str
    initial: bool
    lame: bool

    def __str__(self) -> str:
        modes = "" if self.modes == "mc" else self.modes
        usual = TO_THE_EDGE if self.atom in SLIDERS else 1
        reach = "" if self.reach == usual else str(self.reach)
        before, after = "i" * self.initial, "n" * self.lame
        return f"{before}{self.directions}{modes}{after}{self.atom}{reach}"


class Step(NamedTuple):
    """One way to move: along one vector, of one mode. Forward is +y whoever moves.

    via: the squares passed over, as offsets from the start, that must be empty (lame steps only).
    """

    dx: int
    dy: int
    reach: int
    mode: str
    initial: bool
    via: tuple[Vector, ...]


def parse(text: str) -> tuple[Group, ...]:
    """The groups of a string, "" for a piece that cannot move. Raises BetzaError."""
    if len(text) > MAX_LENGTH:
        raise BetzaError(f"{len(text)} characters of Betza notation; allowed: {MAX_LENGTH}")
    groups = []
    at = 0
    while at < len(text):
        group, at = _group(text, at)
        groups.append(group)
    return tuple(groups)


def canonical(text: str) -> str:
    """One spelling for all strings that differ in the order of groups and modifiers only."""
    spelt = sorted({str(group): group for group in parse(text)}.items())
    whole = ""
    for one, group in reversed(spelt):
        # An atom right before the same atom would read as a doubled one.
        doubled = one[-1] == whole[:1]
        whole = one + (str(group.reach) if doubled else "") + whole
    return whole


def steps(text: str) -> tuple[Step, ...]:
    """The steps of a string, each once: a step that another covers wholly is left out.

    A step from the start (`initial`) and one along the same vector from anywhere may still share
    squares; no other two do. Raises BetzaError, also for a string of more steps than any piece
    needs, and for two paths to one square: the core would make two moves of them.
    """
    reach: dict[tuple[Vector, bool, bool], dict[str, int]] = {}
    for group in parse(text):
        for vector in group.vectors:
            by_mode = reach.setdefault((vector, group.initial, group.lame), {})
            for mode in group.modes:
                by_mode[mode] = _longer(by_mode.get(mode), group.reach)
    for (vector, initial, lame), by_mode in reach.items():
        always = reach.get((vector, False, lame), {})
        if initial:
            for mode in [m for m in by_mode if m in always and _covers(always[m], by_mode[m])]:
                del by_mode[mode]
    found = []
    for (vector, initial, lame), by_mode in reach.items():
        via = path(vector) if lame else ()
        if "m" in by_mode and by_mode["m"] == by_mode.get("c"):
            del by_mode["c"]
            found.append(Step(*vector, by_mode.pop("m"), "mc", initial, via))
        found.extend(Step(*vector, far, mode, initial, via) for mode, far in by_mode.items())
    if len(found) > MAX_STEPS:
        raise BetzaError(f"{len(found)} different steps in one piece; allowed: {MAX_STEPS}")
    _require_one_path(found)
    return tuple(found)


def path(vector: Vector) -> tuple[Vector, ...]:
    """The squares a lame leap passes: straight ahead first, then diagonally (so a lame N is the
    horse of Xiangqi, as in Fairy-Stockfish)."""
    x = y = 0
    passed: list[Vector] = []
    while True:
        across, along = abs(vector[0]) - abs(x), abs(vector[1]) - abs(y)
        x += (vector[0] > 0) - (vector[0] < 0) if across >= along else 0
        y += (vector[1] > 0) - (vector[1] < 0) if along >= across else 0
        if (x, y) == vector:
            return tuple(passed)
        passed.append((x, y))


def _require_one_path(found: list[Step]) -> None:
    taken: dict[tuple[Vector, str], Step] = {}
    for step in found:
        for times in range(1, (step.reach or MAX_RANGE) + 1):
            target = (times * step.dx, times * step.dy)
            if max(map(abs, target)) > MAX_RANGE:
                break
            for mode in step.mode:
                other = taken.setdefault((target, mode), step)
                one_way = other[:2] == step[:2] and other.via == step.via
                if not one_way:
                    raise BetzaError(
                        f"two paths to one square, {abs(target[0])} across and {abs(target[1])} "
                        f"along: by steps of ({abs(other.dx)},{abs(other.dy)}) and of "
                        f"({abs(step.dx)},{abs(step.dy)}); not supported yet; allowed: one"
                    )


def _longer(one: int | None, other: int) -> int:
    if one is None:
        return other
    return TO_THE_EDGE if TO_THE_EDGE in (one, other) else max(one, other)


def _covers(one: int, other: int) -> bool:
    return _longer(one, other) == one


def _group(text: str, at: int) -> tuple[Group, int]:
    """The group that starts there, and where the next one starts."""
    start = at
    runs, modes, flags = [""], "", ""
    while at < len(text) and text[at].islower():
        letter = text[at]
        if letter in DIRECTIONS:
            runs[-1] += letter
        else:
            runs.append("")
            if letter in MODES:
                modes += letter
            elif letter in "in":
                flags += letter
            else:
                raise _unknown(text, at)
            if (modes + flags).count(letter) > 1:
                raise BetzaError(f"{_place(text, at)}: the modifier is doubled; allowed: once")
        at += 1
    if at == len(text):
        raise BetzaError(f"{_place(text, start)}: modifiers without an atom; atoms: {ATOMS}")
    atom = SYNONYMS.get(text[at], text[at])
    if atom not in LEAPS and atom not in COMPOUNDS:
        raise _unknown(text, at)
    reach, end = _range(text, at, atom)
    lame = "n" in flags
    directions, vectors = "", []
    for base in COMPOUNDS.get(atom, (atom,)):
        directions, some = _directed(text, at, atom, LEAPS[base], [run for run in runs if run])
        vectors.extend(some)
    if lame and (reach != 1 or atom in "WFK"):
        raise BetzaError(
            f'{_place(text, at)}: "n" (stopped on the way) has no meaning on {atom} with range '
            f"{reach or 'to the edge'}; allowed: on single leaps, D N A H C Z G"
        )
    if "e" in modes and (reach != 1 or lame):
        found = '"n"' if lame else f"range {reach or 'to the edge'}"
        raise BetzaError(
            f'{_place(text, at)}: "e" (en passant) with {found} is not supported yet; '
            "allowed: on single steps that nothing can stop"
        )
    group = Group(
        atom=atom,
        directions=directions,
        vectors=tuple(vectors),
        reach=reach,
        modes="".join(mode for mode in MODES if mode in modes) or "mc",
        initial="i" in flags,
        lame=lame,
    )
    return group, end


def _range(text: str, at: int, atom: str) -> tuple[int, int]:
    """The range behind the atom at that place, and where the next group starts."""
    usual = TO_THE_EDGE if atom in SLIDERS else 1
    end = at + 1
    if text[end : end + 1] == text[at]:
        if atom in SLIDERS:
            raise BetzaError(f"{_place(text, end)}: {atom} goes to the edge already; allowed: once")
        return TO_THE_EDGE, end + 1
    while end < len(text) and text[end] in "0123456789":
        end += 1
    digits = text[at + 1 : end]
    if not digits:
        return usual, end
    if len(digits) > 1 and digits[0] == "0":
        raise BetzaError(
            f"{_place(text, at + 1)}: {digits} (exactly so many steps) is not supported yet; "
            f"allowed: 1 to {MAX_RANGE}, or 0 = to the edge"
        )
    if len(digits) > 2 or int(digits) > MAX_RANGE:
        raise BetzaError(
            f"{_place(text, at + 1)}: found range {digits}; allowed: 1 to {MAX_RANGE}, "
            "or 0 = to the edge"
        )
    return int(digits), end


def _directed(
    text: str, at: int, atom: str, first: Vector, runs: list[str]
) -> tuple[str, list[Vector]]:
    """The atom's vectors in the directions of those runs of letters, and the directions in a
    spelling that reads the same when it stands in one run."""
    vectors = symmetric(first)
    if not runs:
        return "", vectors
    if atom in "KQ":
        raise BetzaError(
            f"{_place(text, at)}: directions on {atom} mean one thing to XBoard and another to "
            "Fairy-Stockfish; write its parts, such as fWfF" + (" or fRfB" if atom == "Q" else "")
        )
    chosen: list[Token] = []
    for run in runs:
        try:
            chosen.extend(tokens(run, first))
        except MeaninglessError as error:
            raise BetzaError(f"{_place(text, at)}: {error} of the atom {atom}") from None
    wanted = [v for v in vectors if any(test(v) for _, test in chosen)]
    return spelling(token for token, _ in chosen), wanted


def _place(text: str, at: int) -> str:
    return f'position {at + 1} of "{text}"'


def _unknown(text: str, at: int) -> BetzaError:
    found = text[at]
    meaning = NOT_YET.get(found)
    if meaning:
        problem = f'"{found}" ({meaning}) is not supported yet'
    else:
        problem = f'"{found}" is not known'
    return BetzaError(f"{_place(text, at)}: {problem}; modifiers: {MODIFIERS}; atoms: {ATOMS}")
