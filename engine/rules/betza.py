"""Betza notation: how designers write the moves of a piece, read into steps.

The notation is Ralph Betza's, as the Interactive Diagrams of the Chess Variant Pages extend it and
XBoard reads it. `groups` reads the text; here the groups become steps, each one straight path.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from tabia.engine.rules.atoms import ATOMS, COMPOUNDS, EXTENDED, LEAPS, SYNONYMS
from tabia.engine.rules.directions import Vector
from tabia.engine.rules.groups import (
    MAX_LENGTH,
    MAX_RANGE,
    MODES,
    REFUSED,
    TO_THE_EDGE,
    BetzaError,
    Group,
    canonical,
    parse,
)
from tabia.engine.rules.turns import turned

__all__ = [
    "ATOMS",
    "COMPOUNDS",
    "EXTENDED",
    "LEAPS",
    "MAX_LENGTH",
    "MAX_RANGE",
    "MAX_STEPS",
    "REFUSED",
    "SYNONYMS",
    "TO_THE_EDGE",
    "BetzaError",
    "Group",
    "Step",
    "canonical",
    "parse",
    "path",
    "steps",
]

MAX_STEPS = 128
FAR_TOO_MANY_STEPS = 4096
START: Vector = (0, 0)


class Step(NamedTuple):
    """One way to move: along one vector, of some modes. Forward is +y whoever moves.

    mode: of "m", "c", "d" in that order, or "e" alone; via and over: squares, as offsets from the
    start, that must be empty and occupied (single leaps only); first: a bent ride's first leap, to
    a square that must be empty; start: the first square of a ride that may be landed on; hop: ""
    or as in `Group`; lame: the squares of `via` were passed over by a leap, so that a move without
    capture may leave them open to capture en passant; takes and takes_own: squares of the way,
    nearest to the start first, on which an enemy man and an own man are captured. A step of (0, 0)
    comes back to where the man stood.
    """

    dx: int
    dy: int
    reach: int
    mode: str
    initial: bool = False
    via: tuple[Vector, ...] = ()
    over: tuple[Vector, ...] = ()
    first: Vector | tuple[()] = ()
    start: int = 1
    hop: str = ""
    wraps: bool = False
    tame: bool = False
    lame: bool = False
    takes: tuple[Vector, ...] = ()
    takes_own: tuple[Vector, ...] = ()

    @property
    def passing(self) -> bool:
        """Whether the move leaves the squares it passes over open to capture en passant."""
        return self.lame and self.mode == "m"

    def targets(self) -> Iterator[Vector]:
        """Every offset that the step may lead to, on a board without edges."""
        x, y = self.first or (0, 0)
        for times in range(1, (self.reach or MAX_RANGE) + 1):
            x, y = x + self.dx, y + self.dy
            if max(abs(x), abs(y)) > MAX_RANGE:
                return
            if times >= self.start:
                yield x, y


@lru_cache(maxsize=256)  # one string is asked about once for each other piece, and more
def steps(text: str) -> tuple[Step, ...]:
    """The steps of a string, each once: a step that another covers wholly is left out.

    Several steps may lead to one square. Raises BetzaError, also for a string of more steps than
    any piece needs, and where a move to an empty square would and would not leave squares open to
    capture en passant.
    """
    reach: dict[Step, dict[str, int]] = {}
    for group in dict.fromkeys(parse(text)):
        moves = False
        for step in _paths(group):
            moves = True
            by_mode = reach.setdefault(step._replace(reach=0, mode=""), {})
            for mode in step.mode:
                by_mode[mode] = _longer(by_mode.get(mode), step.reach)
            if len(reach) > FAR_TOO_MANY_STEPS:  # so many ways that even to list them takes long
                raise BetzaError(
                    f"more than {FAR_TOO_MANY_STEPS} different steps in one piece; "
                    f"allowed: {MAX_STEPS}"
                )
        if not moves:
            raise BetzaError(
                f"{group} is no move on any board: its legs ask for what cannot be; "
                "allowed: moves that can be made"
            )
    for way, by_mode in reach.items():
        always = reach.get(way._replace(initial=False), {}) if way.initial else {}
        for mode in [m for m in by_mode if m in always and _covers(always[m], by_mode[m])]:
            del by_mode[mode]
    found = []
    for way, by_mode in reach.items():
        for far in dict.fromkeys(by_mode.values()):
            modes = [mode for mode in MODES if by_mode.get(mode) == far]
            if "e" in modes:
                found.append(way._replace(reach=far, mode="e"))
                modes.remove("e")
            if modes:
                found.append(way._replace(reach=far, mode="".join(modes)))
    if len(found) > MAX_STEPS:
        raise BetzaError(f"{len(found)} different steps in one piece; allowed: {MAX_STEPS}")
    _require_one_passing(found)
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


def _paths(group: Group) -> Iterator[Step]:
    if group.legs:
        for vector in group.vectors:
            for way in _ways(group, (_Crossed(vector, group.crosses),), vector):
                yield from _gone(group, way)
        return
    for vector in group.vectors:
        yield Step(
            *vector,
            reach=group.reach,
            mode=group.modes,
            initial=group.initial,
            via=path(vector) if group.lame else (),
            over=path(vector) if group.jumps else (),
            start=1 + group.skips,
            hop=group.hop,
            wraps=group.wraps,
            tame=group.tame,
            lame=group.lame,
        )


class _Crossed(NamedTuple):
    """Where a leg ends, and what may stand there; of the last leg the modes."""

    square: Vector
    holds: str


def _ways(
    group: Group, way: tuple[_Crossed, ...], heading: Vector
) -> Iterator[tuple[_Crossed, ...]]:
    """The squares at the ends of the legs, whichever way the piece turns."""
    if len(way) > len(group.legs):
        yield way
        return
    leg = group.legs[len(way) - 1]
    x, y = way[-1].square
    for turn in leg.turns:
        ahead = turned(heading, turn)
        there = _Crossed((x + ahead[0], y + ahead[1]), leg.crosses or group.modes)
        yield from _ways(group, (*way, there), ahead)


def _gone(group: Group, way: tuple[_Crossed, ...]) -> Iterator[Step]:
    """The steps that lead along such a way."""
    if group.crosses == "y":
        first, second = way[0].square, way[1].square
        if second == START:
            raise BetzaError(
                f"the ride of {group} leads back over where the piece stands; allowed: other turns"
            )
        ride = (second[0] - first[0], second[1] - first[1])
        yield Step(*ride, TO_THE_EDGE, group.modes, group.initial, first=first, tame=group.tame)
    elif any(c.square == START or {"c", "d"} & {*c.holds} for c in way[:-1]) or way[-1][0] == START:
        for choice in product(*(crossed.holds for crossed in way[:-1])):
            step = _taking(group, [c.square for c in way], choice)
            if step is not None:
                yield step
    else:
        held: dict[Vector, str] = {}
        for square, holds in way[:-1]:
            if held.setdefault(square, holds) != holds:
                raise BetzaError(
                    f"two legs of {group} ask different things of one square; allowed: one"
                )
        yield _leap(group, way[-1].square, group.modes, held)


def _taking(group: Group, squares: list[Vector], choice: tuple[str, ...]) -> Step | None:
    """The step over squares that hold just that; None where that cannot be.

    The piece's own square is empty meanwhile, and so is the square of a man captured before.
    """
    held: dict[Vector, str] = {}
    for square, holds in zip(squares, choice, strict=False):
        before = "m" if square == START else held.get(square, holds)
        before = "m" if before in "cd" and square in held else before
        if before != holds and not (before == "p" and holds in "cd"):
            return None
        if square != START and not (square in held and holds == "m"):
            held[square] = holds
    to = squares[-1]
    modes = group.modes
    there = "m" if to == START else held.get(to)
    if there == "p":
        modes = modes.replace("m", "")
    elif there is not None:  # on a man captured before: as if captured by landing there
        modes = there if "m" in modes else ""
    held.pop(to, None)
    return _leap(group, to, modes, held) if modes else None


def _leap(group: Group, to: Vector, modes: str, held: dict[Vector, str]) -> Step:
    """The leap to that square over squares that hold that."""

    def squares(what: str) -> tuple[Vector, ...]:
        return tuple(square for square, holds in held.items() if holds == what)

    return Step(
        *to,
        reach=1,
        mode=modes,
        initial=group.initial,
        via=squares("m"),
        over=squares("p"),
        tame=group.tame,
        takes=tuple(sorted(squares("c"), key=_nearest_first)),
        takes_own=tuple(sorted(squares("d"), key=_nearest_first)),
    )


def _nearest_first(square: Vector) -> tuple[int, int, int]:
    x, y = square
    return max(abs(x), abs(y)), y, x


def _require_one_passing(found: list[Step]) -> None:
    """A move is one move, whatever way it goes: so it does or does not leave squares open."""
    for step in found:
        if not step.passing:
            continue
        target = (step.dx, step.dy)
        for other in found:
            same = other is step or other._replace(initial=step.initial) == step
            takes = other.takes or other.takes_own
            if "m" in other.mode and not takes and not same and target in other.targets():
                raise BetzaError(
                    f"two ways to one empty square, {abs(target[0])} across and {abs(target[1])} "
                    "along, of which one leaves squares open to capture en passant and one does "
                    "not, or others; allowed: one"
                )


def _longer(one: int | None, other: int) -> int:
    if one is None:
        return other
    return TO_THE_EDGE if TO_THE_EDGE in (one, other) else max(one, other)


def _covers(one: int, other: int) -> bool:
    return _longer(one, other) == one
