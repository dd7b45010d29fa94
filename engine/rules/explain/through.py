"""Moves that capture on the way, or end where they began, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tabia.engine.rules.directions import Vector
from tabia.engine.rules.explain.directions import along
from tabia.engine.rules.explain.phrases import counted, listed, number

START: Vector = (0, 0)
STRAIGHT = frozenset({(0, 1), (0, -1), (1, 0), (-1, 0)})
DIAGONAL = frozenset({(1, 1), (1, -1), (-1, 1), (-1, -1)})


class Way(NamedTuple):
    """Squares as offsets from the piece, forward up: which enemy men and which own men it takes on
    the way, which squares must be empty and which occupied; mode: what it may do where it ends."""

    takes: tuple[Vector, ...]
    takes_own: tuple[Vector, ...]
    empty: tuple[Vector, ...]
    occupied: tuple[Vector, ...]
    mode: str


def goes_through(primitive: Mapping[str, Any]) -> bool:
    """Whether a primitive is such a move."""
    back = primitive["dx"] == primitive["dy"] == 0
    return back or "takes" in primitive or "takes_own" in primitive


def through_in_words(primitives: Iterable[Mapping[str, Any]], forward: int, own: str) -> list[str]:
    """What the piece does, as parts of sentences after "it". own: what its own men are called whom
    it may capture."""
    ends: dict[Way, set[Vector]] = defaultdict(set)
    for primitive in primitives:
        takes, own_men, empty, occupied = (
            tuple(sorted(((x, y * forward) for x, y in primitive.get(key, ())), key=_nearest_first))
            for key in ("takes", "takes_own", "via", "over")
        )
        end = (primitive["dx"], primitive["dy"] * forward)
        ends[Way(takes, own_men, empty, occupied, primitive["mode"])].add(end)
    alike: dict[tuple[str, str], list[tuple[Vector, ...]]] = defaultdict(list)
    for way, there in sorted(ends.items(), reverse=True):
        mirrored = _mirrored(way), {(-x, y) for x, y in there}
        twins = mirrored != (way, there) and ends.get(mirrored[0]) == mirrored[1]
        for text, heading in _told(way, there, own):
            if heading or not twins:
                alike[text].append(heading)
            elif (way, sorted(there)) > (mirrored[0], sorted(mirrored[1])):  # told once for both
                alike[text[0], "; or all this to the other side"].append(heading)
    return [
        before + along([v for heading in headings for v in heading]) + after
        if headings[0]
        else before + after
        for (before, after), headings in sorted(alike.items(), key=lambda item: not item[1][0])
    ]


def _mirrored(way: Way) -> Way:
    """The way with left and right exchanged."""

    def turned(squares: tuple[Vector, ...]) -> tuple[Vector, ...]:
        return tuple(sorted(((-x, y) for x, y in squares), key=_nearest_first))

    return Way(
        takes=turned(way.takes),
        takes_own=turned(way.takes_own),
        empty=turned(way.empty),
        occupied=turned(way.occupied),
        mode=way.mode,
    )


def _nearest_first(square: Vector) -> tuple[int, int, int]:
    x, y = square
    return max(abs(x), abs(y)), -y, -x


def _told(
    way: Way, ends: set[Vector], own: str
) -> Iterable[tuple[tuple[str, str], tuple[Vector, ...]]]:
    """The words before and after a direction, and the direction; none, if the words say all."""
    left = set(ends)
    simple = len(way.takes) + len(way.takes_own) == 1 and not way.empty and not way.occupied
    victim = (*way.takes, *way.takes_own)[0] if simple else START
    man = "an enemy man" if way.takes else f"one of its {own}"
    if simple and max(map(abs, victim)) == 1:
        x, y = victim
        if START in left:
            left.remove(START)
            yield (f"captures {man} one square ", ", without moving"), (victim,)
        onward = {(ex - x, ey - y) for ex, ey in left} | {(-x, -y)}
        on = None
        if left == {(2 * x, 2 * y)}:
            on = ", jumping over him to the square right behind"
        elif left == {(-x, -y)}:
            on = " by a step of one square straight away from him"
        elif left and onward in (STRAIGHT, DIAGONAL, STRAIGHT | DIAGONAL):
            on = f" and goes on one square {along(onward)}, but not back"
        if on is not None:
            left.clear()
            yield (f"captures {man} one square ", on + _landing(way.mode)), (victim,)
    elif simple and len(left) == 1 and max(map(abs, victim)) == 2:
        x, y = (coordinate // 2 for coordinate in victim)
        if left == {(x, y)} and victim == (2 * x, 2 * y):
            left.clear()
            after = f"{_landing(way.mode)}, and captures {man} on the square right beyond"
            yield ("goes one square ", after), ((x, y),)
    elif left == {START} and not way.takes and not way.takes_own:
        asked = (*way.empty, *way.occupied)
        if len(asked) == 1 and max(map(abs, asked[0])) == 1:
            left.clear()
            what = "is empty" if way.empty else "is occupied"
            yield ("may stay where it is, as a move, if a square next to it, ", f", {what}"), asked
    if left:
        yield (_in_full(way, left, own), ""), ()


def _landing(mode: str) -> str:
    return {
        "m": ", if that is empty",
        "c": ", where it captures an enemy man too",
        "mc": ", where it may capture again",
    }.get(mode, ", where it may capture again, own men too")


def _in_full(way: Way, ends: set[Vector], own: str) -> str:
    """The move square by square."""
    parts = []
    if way.takes:
        men = "an enemy man" if len(way.takes) == 1 else "enemy men"
        parts.append(f"captures {men} {_places(way.takes, 'and')}")
    if way.takes_own:
        men = f"one of its {own}" if len(way.takes_own) == 1 else f"its {own}"
        parts.append(f"captures {men} {_places(way.takes_own, 'and')}")
    if START in ends:
        parts.append("stays where it is" if len(ends) == 1 else "stays where it is or goes on")
    if left := ends - {START}:
        capture = {"m": "", "c": ", capturing there", "mc": ", perhaps capturing there"}
        how = capture.get(way.mode, ", perhaps capturing there, own men too")
        parts.append(f"ends {_places(sorted(left, key=_nearest_first), 'or')}{how}")
    asked = []
    if way.empty:
        asked.append(f"nobody stands {_places(way.empty, 'or')}")
    if way.occupied:
        asked.append(f"men stand {_places(way.occupied, 'and')}")
    return listed(parts) + (f", if {listed(asked)}" if asked else "")


def _places(squares: Iterable[Vector], last: str) -> str:
    return listed(map(_place, squares), last)


def _place(square: Vector) -> str:
    x, y = square
    parts = []
    if y:
        parts.append(f"{counted(abs(y), 'square')} {'forward' if y > 0 else 'backward'}")
    if x:
        side = f"to the {'right' if x > 0 else 'left'}"
        parts.append(f"{number(abs(x))} {side}" if y else f"{counted(abs(x), 'square')} {side}")
    return " and ".join(parts)
