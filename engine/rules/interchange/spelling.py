"""Writing the moves of a piece as Betza notation, as short as designers write it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import NamedTuple

from tabia.engine.rules.atoms import LEAPS
from tabia.engine.rules.directions import MeaninglessError, Vector, symmetric, tokens


class Way(NamedTuple):
    """One way to move, forward being +y.

    reach: how often the step may be repeated, 0 = to the edge. mode: one of m, c, e. modifiers:
    what else stands before the atom, in order (i, n, p, g …).
    """

    dx: int
    dy: int
    reach: int
    mode: str
    modifiers: str = ""


def spell(ways: Iterable[Way]) -> str:
    """The Betza text of these ways to move; "" for none. Raises ValueError for a vector that no
    atom has."""
    by_shape: dict[tuple[str, int, str], dict[str, set[Vector]]] = {}
    for way in _farthest(ways):
        shape = (_atom_of((way.dx, way.dy)), way.reach, way.modifiers)
        by_shape.setdefault(shape, {}).setdefault(way.mode, set()).add((way.dx, way.dy))
    groups = [
        Group(modifiers, directions_of(atom, vectors), modes, atom, reach)
        for (atom, reach, modifiers), by_mode in by_shape.items()
        for modes, vectors in _by_modes(by_mode)
    ]
    return "".join(map(str, _compounds(groups)))


def _farthest(ways: Iterable[Way]) -> list[Way]:
    """Of ways that differ in their reach only, the farthest: it can do what the others can."""
    found: dict[Way, int] = {}
    for way in ways:
        alike = way._replace(reach=0)
        before = found.get(alike, way.reach)
        found[alike] = 0 if 0 in (before, way.reach) else max(before, way.reach)
    return [way._replace(reach=reach) for way, reach in found.items()]


class Group(NamedTuple):
    """An atom with what stands before and behind it."""

    modifiers: str
    directions: str
    modes: str
    atom: str
    reach: int

    def __str__(self) -> str:
        first = "i" if "i" in self.modifiers else ""
        rest = self.modifiers.replace("i", "", 1)
        usual = 0 if self.atom in "RBQ" else 1
        reach = "" if self.reach == usual or "g" in self.modifiers else str(self.reach)
        return f"{first}{self.directions}{self.modes}{rest}{self.atom}{reach}"


def directions_of(atom: str, wanted: set[Vector]) -> str:
    """The shortest direction letters that choose these vectors of the atom and no others."""
    first = LEAPS[atom]
    every = set(symmetric(first))
    if wanted == every:
        return ""
    for size in (1, 2):
        for chosen in product(_TOKENS, repeat=size):
            if _chosen("".join(chosen), first) == wanted:
                return "".join(chosen)
    return "".join(_one(vector) for vector in sorted(wanted))


_TOKENS = (*"fbvsrl", *(a + b for a in "fb" for b in "lrs"), *(a + b for a in "lr" for b in "fbv"),
           "fh", "bh", "lh", "rh", "hl", "hr")  # fmt: skip


def _chosen(run: str, first: Vector) -> set[Vector] | None:
    try:
        tests = [test for _, test in tokens(run, first)]
    except MeaninglessError:
        return None
    return {vector for vector in symmetric(first) if any(test(vector) for test in tests)}


def _one(vector: Vector) -> str:
    """The two letters of a single diagonal or oblique vector."""
    x, y = vector
    across, along = "l" if x < 0 else "r", "b" if y < 0 else "f"
    if x == 0 or y == 0:
        return along if x == 0 else across
    return along + across if abs(x) >= abs(y) else across + along


def _atom_of(vector: Vector) -> str:
    short, long = sorted(map(abs, vector))
    for atom, first in LEAPS.items():
        if first == (short, long):
            return atom
    raise ValueError(f"no atom leaps by ({short},{long})")


def _by_modes(by_mode: Mapping[str, set[Vector]]) -> Iterator[tuple[str, set[Vector]]]:
    """Vectors of equal modes together: modes as they are written, "" for move and capture."""
    modes_of: dict[Vector, str] = {}
    for mode in "mce":
        for vector in by_mode.get(mode, ()):
            modes_of[vector] = modes_of.get(vector, "") + mode
    for modes in sorted(set(modes_of.values()), key=lambda modes: ("m" not in modes, modes)):
        chosen = {vector for vector, own in modes_of.items() if own == modes}
        yield ("" if modes == "mc" else modes, chosen)


_SLIDERS = {"W": "R", "F": "B"}


def _compounds(groups: list[Group]) -> Iterator[Group]:
    """A wazir and a ferz alike as K, a rook and a bishop alike as Q, riders by their name."""
    left = list(groups)
    for group in groups:
        if group not in left:
            continue
        left.remove(group)
        slides = group.reach != 1 or bool(set(group.modifiers) & set("pg"))
        twin = group._replace(atom={"W": "F", "F": "W"}.get(group.atom, ""))
        if twin in left and not group.directions:
            left.remove(twin)
            yield group._replace(atom="Q" if slides else "K")
        elif slides and group.atom in _SLIDERS:
            yield group._replace(atom=_SLIDERS[group.atom])
        else:
            yield group
