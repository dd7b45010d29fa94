"""The moves of a piece in the core's tables, as Fairy-Stockfish's steps where it knows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tabia.engine.rules.atoms import LEAPS
from tabia.engine.rules.directions import Vector
from tabia.engine.rules.interchange.fairy_stockfish.betza import LAME, RIDING, Kind, Step
from tabia.engine.rules.interchange.spelling import Way, spell
from tabia.engine.rules.squares import STRIDE

Primitive = Mapping[str, Any]

_ATOM = {vector: atom for atom, vector in LEAPS.items()}
_LACKING = {
    "first": "a path with a bend",
    "start": "a ride that begins further on",
    "over": "a leap over a man",
    "takes": "captures on the way",
    "takes_own": "captures of own men on the way",
    "wrap": "files that wrap round",
    "ep_victims": "captures en passant of certain men only",
}


class Inexpressible(ValueError):  # noqa: N818 - a fact about the piece, no mistake
    """What of a piece's moves Fairy-Stockfish has no words for."""


@dataclass(frozen=True)
class Movement:
    """A piece as Fairy-Stockfish moves it. region: the squares that its initial steps start from,
    None without such steps; takes: the vectors by which it captures en passant; leaves: whether its
    initial steps can be captured so."""

    steps: frozenset[Step]
    region: frozenset[int] | None
    takes: frozenset[Vector]
    leaves: bool


def movement(
    primitives: Iterable[Primitive],
    forward: int,
    home: frozenset[int],
    every: frozenset[int],
    confined: frozenset[int],
) -> Movement:
    """The movement of one side's piece. home: the squares on which its array has that piece;
    every: all squares; confined: those that it may move to. Raises Inexpressible."""
    steps: set[Step] = set()
    takes: set[Vector] = set()
    regions: set[frozenset[int]] = set()
    leaves = False
    for primitive in primitives:
        vector = (primitive["dx"], primitive["dy"] * forward)
        for key, what in _LACKING.items():
            if primitive.get(key):
                raise Inexpressible(what)
        if vector == (0, 0):
            raise Inexpressible("moves that end where they began")
        mode = primitive["mode"]
        if "d" in mode:
            raise Inexpressible("captures of own men")
        if mode == "e":
            takes.add(vector)
            continue
        kind, reach = _kind(primitive, vector, forward)
        region = _region(primitive, home, _towards(primitive, every, confined))
        if primitive["ep"]:
            # Only initial steps can be captured en passant there; the region may be the board.
            leaves = True
            region = every if region is None else region
        if region is not None:
            regions.add(region)
            if "c" in mode:
                raise Inexpressible("captures from some squares only")
        steps |= {Step(*vector, kind, reach, one, region is not None) for one in mode}
    if len(regions) > 1:
        raise Inexpressible("steps that start from different squares")
    return Movement(frozenset(steps), regions.pop() if regions else None, frozenset(takes), leaves)


def in_betza(moves: Movement) -> str:
    """The movement as Fairy-Stockfish's Betza. Raises Inexpressible."""
    ways = []
    for step in moves.steps:
        if step.reach > 9:
            raise Inexpressible(f"the range {step.reach}; its ranges are one digit")
        sign = {"leap": "", "slide": "", "lame": "n", "hop": "p", "grasshopper": "g"}[step.kind]
        reach = step.reach if step.kind in ("slide", "hop") else 1
        ways.append(Way(step.dx, step.dy, reach, step.mode, "i" * step.initial + sign))
    captures = {(s.dx, s.dy) for s in moves.steps if s.mode == "c"}
    ways.extend(Way(*vector, 1, "e", "") for vector in moves.takes & captures)
    return spell(ways)


def _kind(primitive: Primitive, vector: Vector, forward: int) -> tuple[Kind, int]:
    short, long = sorted(map(abs, vector))
    atom = _ATOM.get((short, long))
    reach = primitive["range"]
    hop = primitive.get("hop")
    via = [(x, y * forward) for x, y in primitive["via"]]
    if atom is None:
        raise Inexpressible(f"leaps of ({long},{short})")
    if hop is not None:
        if atom not in "WF" or reach == 1:
            raise Inexpressible("hops but along ranks, files and diagonals")
        return ("grasshopper", 1) if hop == "behind" else ("hop", reach)
    if via:
        pawn_triple = atom == "H" and primitive["ep"]
        if (atom not in LAME and not pawn_triple) or via != straight_path(vector):
            raise Inexpressible(
                "lame leaps by another path than straight ahead and then diagonally"
            )
        return "lame", 0
    if reach == 1:
        return "leap", 0
    if atom not in RIDING:
        raise Inexpressible(f"repeated leaps of ({long},{short})")
    return "slide", reach


def straight_path(vector: Vector) -> list[Vector]:
    """The squares that a lame leap of Fairy-Stockfish passes."""
    x = y = 0
    passed: list[Vector] = []
    while True:
        across, along = abs(vector[0]) - abs(x), abs(vector[1]) - abs(y)
        x += ((vector[0] > 0) - (vector[0] < 0)) * (across >= along)
        y += ((vector[1] > 0) - (vector[1] < 0)) * (along >= across)
        if (x, y) == vector:
            return passed
        passed.append((x, y))


def _towards(
    primitive: Primitive, every: frozenset[int], confined: frozenset[int]
) -> frozenset[int]:
    """The squares from which a step leads to a rank that the piece is confined to."""
    ranks = {square // STRIDE for square in confined}
    return frozenset(square for square in every if square // STRIDE + primitive["dy"] in ranks)


def _region(
    primitive: Primitive, home: frozenset[int], towards: frozenset[int]
) -> frozenset[int] | None:
    squares = primitive["from"]
    if squares is not None and frozenset(squares) == towards:
        squares = None
    if primitive.get("unmoved"):
        return home if squares is None else home & frozenset(squares)
    return None if squares is None else frozenset(squares)
