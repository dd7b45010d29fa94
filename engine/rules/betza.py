"""Betza notation: how designers write the moves of a piece, read into steps.

The notation is Ralph Betza's, as the Interactive Diagrams of the Chess Variant Pages extend it and
XBoard reads it. `groups` reads the text; here the groups become steps, each one straight path.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
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
MAX_CROSSED = 4


class Step(NamedTuple):
    """One way to move: along one vector, of some modes. Forward is +y whoever moves.

    mode: of "m", "c", "d" in that order, or "e" alone; via and over: squares, as offsets from the
    start, that must be empty and occupied (single leaps only); first: a bent ride's first leap, to
    a square that must be empty; start: the first square of a ride that may be landed on; hop: ""
    or as in `Group`; lame: the squares of `via` were passed over by a leap, so that a move without
    capture may leave them open to capture en passant.
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
    for group in parse(text):
        for step in _paths(group):
            by_mode = reach.setdefault(step._replace(reach=0, mode=""), {})
            for mode in step.mode:
                by_mode[mode] = _longer(by_mode.get(mode), step.reach)
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
            yield from _continued(group, 0, vector, vector, {vector: group.crosses})
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


def _continued(
    group: Group, index: int, here: Vector, heading: Vector, crossed: dict[Vector, str]
) -> Iterator[Step]:
    """The ways on from a square between two legs; crossed: what the squares so far must be."""
    leg = group.legs[index]
    for turn in leg.turns:
        ahead = turned(heading, turn)
        there = (here[0] + ahead[0], here[1] + ahead[1])
        if there == (0, 0):
            raise BetzaError(
                f"a leg of {group} leads back to where the piece stands; allowed: other turns"
            )
        if group.crosses == "y":
            yield Step(*ahead, TO_THE_EDGE, group.modes, group.initial, first=here, tame=group.tame)
        elif leg.crosses:
            if crossed.get(there, leg.crosses) != leg.crosses:
                raise BetzaError(
                    f"two legs of {group} ask different things of one square; allowed: one"
                )
            onward = {**crossed, there: leg.crosses}
            yield from _continued(group, index + 1, there, ahead, onward)
        else:
            via = tuple(square for square, what in crossed.items() if what == "m")
            over = tuple(square for square, what in crossed.items() if what == "p")
            yield Step(*there, 1, group.modes, group.initial, via, over, tame=group.tame)


def _require_one_passing(found: list[Step]) -> None:
    """A move is one move, whatever way it goes: so it does or does not leave squares open."""
    for step in found:
        if not step.passing:
            continue
        target = (step.dx, step.dy)
        for other in found:
            same = other is step or other._replace(initial=step.initial) == step
            if "m" in other.mode and not same and target in other.targets():
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
