"""Which well-known piece a piece is, by how it moves.

Letters do not say it: C is the Cardinal in Grand Chess and a chancellor elsewhere. Moves do.
A primitive move is the core's own record (see ``tabia.engine.rules.tables``): ``dx``, ``dy``,
``range`` (0 = as far as the board goes, 1 = one leap), ``mode``, ``from`` and ``via``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Final

from tabia.engine.rules.pictures.paths import Primitive

_PLAIN: Final = frozenset(
    {"dx", "dy", "range", "mode", "from", "via", "ep", "unmoved", "victims", "ep_victims"}
)
"""Keys of moves that a drawing can stand for: no hop, no bend, no cylinder."""
_Step = tuple[int, int, int]  # dx, dy, range


def _all_ways(dx: int, dy: int, reach: int) -> frozenset[_Step]:
    """The move in every direction that turning and mirroring the board gives it."""
    return frozenset(
        (a * sx, b * sy, reach)
        for a, b in ((dx, dy), (dy, dx))
        for sx, sy in product((1, -1), repeat=2)
    )


_ROOK = _all_ways(1, 0, 0)
_BISHOP = _all_ways(1, 1, 0)
_KNIGHT = _all_ways(1, 2, 1)

_BY_STEPS: Final[dict[frozenset[_Step], str]] = {
    _KNIGHT: "knight",
    _BISHOP: "bishop",
    _ROOK: "rook",
    _ROOK | _BISHOP: "queen",
    _ROOK | _KNIGHT: "marshall",
    _BISHOP | _KNIGHT: "cardinal",
    _ROOK | _BISHOP | _KNIGHT: "amazon",
}


def _is_pawn(moves: Sequence[Primitive]) -> bool:
    """Walks straight ahead without capturing, captures one step diagonally ahead, and no more."""
    walks = [m for m in moves if m["mode"] == "m"]
    takes = [m for m in moves if m["mode"] in {"c", "e"}]
    return (
        len(walks) + len(takes) == len(moves)
        and bool(walks)
        and bool(takes)
        and all(m["dx"] == 0 and m["dy"] > 0 for m in walks)
        and all(abs(m["dx"]) == 1 and m["dy"] == 1 and m["range"] == 1 for m in takes)
    )


def kind_of(moves: Iterable[Primitive], *, royal: bool) -> str | None:
    """The name of the drawing that fits White's ``moves`` of a piece, or None if no drawing does.

    A royal piece is a king only if it moves like one; a royal knight gets no drawing, because
    either picture would lie about half of it.
    """
    # Whether a piece may also capture its own men is not for its drawing to say.
    moves = [{**m, "mode": m["mode"].removesuffix("d")} for m in moves]
    if any(m.keys() - _PLAIN for m in moves):
        return None
    if royal:
        steps = {(m["dx"], m["dy"], m["range"]) for m in moves if m["mode"] == "mc"}
        return "king" if steps == _all_ways(1, 0, 1) | _all_ways(1, 1, 1) else None
    if _is_pawn(moves):
        return "pawn"
    if any(m["mode"] != "mc" or m.get("via") or m.get("from") or m.get("unmoved") for m in moves):
        return None
    return _BY_STEPS.get(frozenset((m["dx"], m["dy"], m["range"]) for m in moves))
