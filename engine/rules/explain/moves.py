"""The moves of a piece in words, read off the primitives that the core plays by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tabia.engine.rules.directions import Vector, symmetric
from tabia.engine.rules.explain.directions import along, leap_in_words
from tabia.engine.rules.explain.phrases import counted, listed, number, ranks_in_words, sentence
from tabia.engine.rules.explain.through import goes_through, through_in_words
from tabia.engine.rules.squares import STRIDE

Primitive = Mapping[str, Any]


@dataclass(frozen=True)
class Point:
    """From where the moves are looked at: forward is 1 for White, -1 for Black; squares: all of the
    board, as numbers; ranks: how many; confined: the ranks of the board (from 0) that the piece may
    move to, none = all; name: what a piece type is called."""

    forward: int
    squares: frozenset[int]
    ranks: int
    confined: frozenset[int]
    name: Callable[[int], str]


class _Shape(NamedTuple):
    """What moves have in common that are told in one phrase."""

    kind: str
    short: int
    long: int
    reach: int
    start: int
    detail: tuple[Any, ...]


class _Case(NamedTuple):
    """When moves can be made: only from squares, only by an unmoved man; what they leave open."""

    origins: tuple[int, ...] | None
    unmoved: bool
    leaves: bool
    hop: tuple[int, ...]
    spares: tuple[int, ...]
    victims: tuple[int, ...]


def moves_in_words(primitives: Iterable[Primitive], point: Point) -> list[str]:
    """The moves as sentences; one sentence for a piece that cannot move."""
    paths: dict[tuple[_Shape, _Case, Any], set[str]] = defaultdict(set)
    ways: dict[tuple[_Shape, Any], set[tuple[Any, ...]]] = defaultdict(set)
    takes: set[Vector] = set()
    of_whom: set[int] = set()
    through: dict[_Case, list[Primitive]] = defaultdict(list)
    for primitive in primitives:
        if goes_through(primitive):
            through[_case(primitive, point)].append(primitive)
            continue
        vector = (primitive["dx"], primitive["dy"] * point.forward)
        if primitive["mode"] == "e":
            takes.add(vector)
            of_whom |= set(primitive.get("ep_victims", ()))
            continue
        shape, which = _shape(primitive, vector, point.forward)
        ways[shape, which].add(_via(primitive, point.forward))
        paths[shape, _case(primitive, point), which] |= set(primitive["mode"])
    grouped: dict[tuple[str, _Case, _Shape], set[Any]] = defaultdict(set)
    for (shape, case, which), modes in paths.items():
        grouped["".join(m for m in "mcd" if m in modes), case, shape].add(which)
    told = _Told(point, ways)
    sentences = [told.sentence(key, shapes) for key, shapes in _by_mode_and_case(grouped)]
    for case in sorted(through, key=str):
        sentences.extend(told.through(case, through[case]))
    if takes:
        sentences.append(_en_passant(takes, grouped, of_whom, point))
    if point.confined:
        own = sorted(r + 1 if point.forward > 0 else point.ranks - r for r in point.confined)
        sentences.append(f"It moves to its own {ranks_in_words(own)} only.")
    return sentences or ["It cannot move."]


_MODES = ("mc", "mcd", "m", "c", "cd", "md", "d")


def _by_mode_and_case(
    grouped: Mapping[tuple[str, _Case, _Shape], set[Any]],
) -> list[tuple[tuple[str, _Case], dict[_Shape, set[Any]]]]:
    found: dict[tuple[str, _Case], dict[_Shape, set[Any]]] = {}
    for (modes, case, shape), which in grouped.items():
        found.setdefault((modes, case), {})[shape] = which
    # What can be done anywhere comes before what can be done on conditions.
    return sorted(
        found.items(),
        key=lambda item: (
            item[0][1].unmoved or item[0][1].origins is not None,
            _MODES.index(item[0][0]),
            str(item[0][1]),
        ),
    )


class _Told:
    def __init__(
        self, point: Point, ways: Mapping[tuple[_Shape, Any], set[tuple[Any, ...]]]
    ) -> None:
        self.point = point
        self.ways = ways

    def sentence(self, key: tuple[str, _Case], shapes: Mapping[_Shape, set[Any]]) -> str:
        modes, case = key
        phrases = self.phrases(shapes)
        joint = "; or " if any("," in phrase for phrase in phrases) else " or "
        text = f"{self.when(case)}{self.verb(modes, case)} {joint.join(phrases)}"
        if case.hop:
            text += f", but not over a {self.names(case.hop)}"
        if case.spares:
            text += f"; it cannot capture a {self.names(case.spares)}"
        after = (
            " Right after that it can be captured en passant on a square it passed over."
            if case.leaves
            else ""
        )
        return sentence(text) + after

    def through(self, case: _Case, primitives: Iterable[Primitive]) -> list[str]:
        own = f"own {self.names(case.victims)}" if case.victims else "own men"
        unless = f", but not over a {self.names(case.hop)}" if case.hop else ""
        unless += f"; it cannot capture a {self.names(case.spares)}" if case.spares else ""
        return [
            sentence(f"{self.when(case)}{text}{unless}")
            for text in through_in_words(primitives, self.point.forward, own)
        ]

    def when(self, case: _Case) -> str:
        if case.unmoved:
            return "as its first move it "
        if case.origins is None:
            return "it "
        return f"from {self.places(case.origins)} it "

    def places(self, origins: tuple[int, ...]) -> str:
        ranks = sorted({square // STRIDE for square in origins})
        whole = {square for square in self.point.squares if square // STRIDE in ranks}
        if set(origins) == whole:
            up = self.point.forward > 0
            own = sorted(rank + 1 if up else self.point.ranks - rank for rank in ranks)
            return f"its own {ranks_in_words(own)}"
        names = [f"{'abcdefghijklmnop'[s % STRIDE]}{s // STRIDE + 1}" for s in sorted(origins)]
        return listed(names, "or")

    def verb(self, modes: str, case: _Case) -> str:
        own = ""
        if "d" in modes:
            own = f"own {self.names(case.victims)}" if case.victims else "own men"
        return {
            "mc": "moves or captures",
            "m": "moves without capturing",
            "c": "captures",
            "mcd": f"moves or captures, {own} too,",
            "md": f"moves, or captures {own},",
            "cd": f"captures, {own} too,",
            "d": f"captures {own}",
        }[modes]

    def names(self, types: Iterable[int]) -> str:
        return listed(map(self.point.name, types), "or")

    def phrases(self, shapes: Mapping[_Shape, set[Any]]) -> list[str]:
        """One phrase a shape; straight and diagonal steps of one length are told together."""
        left = dict(shapes)
        phrases = []
        for shape, which in sorted(shapes.items(), key=lambda item: _telling_order(item[0])):
            if left.pop(shape, None) is None:
                continue
            twin = shape._replace(short=shape.long if shape.short == 0 else 0)
            straight = shape.short in (0, shape.long)
            together = straight and shape.kind != "bent" and twin in left
            vectors = which | left.pop(twin) if together else which
            phrases.append(self.phrase(shape, vectors, straight=straight))
        return phrases

    def phrase(self, shape: _Shape, which: set[Any], *, straight: bool) -> str:
        if shape.kind == "bent":
            return self.bent(shape, which)
        if not straight:
            return self.oblique(shape, which)
        where = along(which)
        if (known := _known(shape, which)) is not None:
            where = f"{where}, as a {known}"
        if shape.kind == "behind":
            return f"{where}, over the first man it meets, to the square right behind him"
        if shape.kind in ("ride", "over"):
            far = (
                "any number of squares"
                if shape.reach == 0
                else f"up to {counted(shape.reach * shape.long, 'square')}"
            )
            if shape.long > 1:
                far = f"any number of times {number(shape.long)} squares"
            text = f"{far} {where}"
            if shape.kind == "over":
                text += ", hopping over exactly one man of either side on the way"
            if shape.start > 1:
                skipped = counted(shape.start - 1, "square")
                text += f", whatever stands on the first {skipped}"
            return text + self.round(shape)
        if shape.long == 1:
            return f"one square {where}" + self.round(shape)
        text = f"{number(shape.long)} squares {where}"
        return text + self.between(shape, which) + self.round(shape)

    def oblique(self, shape: _Shape, which: set[Any]) -> str:
        leap = leap_in_words(which)
        if (known := _known(shape, which)) is not None:
            leap = f"{leap}, as a {known}"
        if shape.kind == "ride":
            often = "any number of times" if shape.reach == 0 else f"up to {shape.reach} times"
            return f"{often} by a leap of {leap}, each time the same way and to an empty square"
        return f"by a leap of {leap}" + self.between(shape, which, oblique=True) + self.round(shape)

    def bent(self, shape: _Shape, which: set[Any]) -> str:
        firsts = {first for first, _ in which}
        rides = {ride for _, ride in which}
        upright, level = any(y for _, y in rides), any(x for x, _ in rides)
        slants = any(x and y for x, y in rides)
        way = (
            "along a diagonal"
            if slants
            else "along rank or file"
            if upright and level
            else "along the file"
            if upright
            else "along the rank"
        )
        far = "any number of squares" if shape.reach == 0 else counted(shape.reach, "square")
        steps = max(max(map(abs, first)) for first in firsts)
        return (
            f"{counted(steps, 'square')} {along(firsts)} to an empty square and from there {far} "
            f"on {way}, away from where it stood"
        )

    def between(self, shape: _Shape, which: set[Any], *, oblique: bool = False) -> str:
        """What must stand on the squares that a leap passes."""
        if shape.kind == "jump":
            return (
                ", if a man stands on every square between"
                if not oblique
                else (", over men on the squares between")
            )
        number_of_ways = max(len(self.ways[shape, vector]) for vector in which
                             if (shape, vector) in self.ways)  # fmt: skip
        if shape.kind == "lame" and number_of_ways > 1:
            return f", by any of {number(number_of_ways)} paths of king's steps that is empty"
        if shape.kind == "lame":
            between = "square between is" if shape.long == 2 else "squares between are"
            return (
                f", if the {between} empty"
                if not oblique
                else (", straight ahead and then diagonally, if the squares on that path are empty")
            )
        return ", leaping over whatever stands between" if not oblique else ""

    def round(self, shape: _Shape) -> str:
        return (
            ", and round the edge from the last file to the first" if "wrap" in shape.detail else ""
        )


_KNOWN = {
    ("ride", 0, 1): "rook",
    ("ride", 1, 1): "bishop",
    ("leap", 1, 2): "knight",
}
_KINDS = ("ride", "over", "behind", "leap", "lame", "jump", "bent")


def _known(shape: _Shape, which: set[Any]) -> str | None:
    """The piece of chess that moves so, which everybody knows."""
    if shape.reach not in (0, 1) or shape.start > 1 or shape.detail:
        return None
    if shape.kind in ("ride", "leap") and len(which) == 8 and shape.long == 1:
        return "queen" if shape.kind == "ride" else "king"
    every = which == set(symmetric((shape.short, shape.long)))
    return _KNOWN.get((shape.kind, shape.short, shape.long)) if every else None


def _telling_order(shape: _Shape) -> tuple[bool, int, int, int]:
    return (
        shape.kind != "ride" and shape.long > 1,
        _KINDS.index(shape.kind),
        shape.long,
        shape.short,
    )


def _shape(primitive: Primitive, vector: Vector, forward: int) -> tuple[_Shape, Any]:
    short, long = sorted(map(abs, vector))
    detail = ("wrap",) if primitive.get("wrap") else ()
    start = primitive.get("start") or 1
    if primitive.get("first"):
        x, y = primitive["first"]
        shape = _Shape("bent", 0, 0, primitive["range"], 1, detail)
        return shape, ((x, y * forward), vector)
    if primitive.get("hop"):
        kind = primitive["hop"]
    elif primitive.get("over"):
        kind = "jump"
    elif primitive["via"]:
        kind = "lame"
    else:
        kind = "leap" if primitive["range"] == 1 else "ride"
    return _Shape(kind, short, long, primitive["range"], start, detail), vector


def _via(primitive: Primitive, forward: int) -> tuple[Any, ...]:
    return tuple((x, y * forward) for x, y in primitive["via"])


def _case(primitive: Primitive, point: Point) -> _Case:
    origins = primitive["from"]
    if origins is not None and point.confined:
        towards = {s for s in point.squares if s // STRIDE + primitive["dy"] in point.confined}
        origins = None if set(origins) == towards else origins
    return _Case(
        None if origins is None else tuple(sorted(origins)),
        bool(primitive.get("unmoved")),
        bool(primitive["ep"]),
        tuple(primitive.get("not_over", ())),
        tuple(primitive.get("not_onto", ())),
        tuple(primitive.get("victims", ()))
        if "d" in primitive["mode"] or "takes_own" in primitive
        else (),
    )


def _en_passant(
    takes: set[Vector],
    grouped: Mapping[tuple[str, _Case, _Shape], set[Any]],
    of_whom: set[int],
    point: Point,
) -> str:
    captures = {
        which
        for (modes, _, shape), all_of_them in grouped.items()
        if "c" in modes and shape.kind == "leap"
        for which in all_of_them
    }
    whom = f" {listed(map(point.name, sorted(of_whom)), 'or')}" if of_whom else ""
    if takes <= captures:
        return f"It captures{whom} en passant{'' if takes == captures else ', ' + along(takes)}."
    return f"It captures{whom} en passant one square {along(takes)}."
