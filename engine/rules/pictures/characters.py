"""The same pictures for a terminal: boards and move diagrams of characters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tabia.engine.rules.pictures.diagrams import reach_of
from tabia.engine.rules.pictures.paths import Mark, Primitive, paths

SIGNS: Mapping[tuple[Mark, bool], str] = {
    ("both", False): "●",
    ("walks", False): "○",
    ("takes", False): "×",
    ("both", True): "◆",
    ("walks", True): "◇",
    ("takes", True): "+",
}
LEGEND = {
    "●": "moves and captures",
    "○": "only moves",
    "×": "only captures",
    "◆": "moves and captures, on conditions",
    "◇": "only moves, on conditions",
    "+": "only captures, on conditions",
}
"""Sign -> what it says; the words beside the diagram say the conditions."""

_EMPTY = "·"


def move_characters(letter: str, moves: Iterable[Primitive]) -> list[str]:
    """The rows of a diagram of White's moves of a piece, its letter in the middle."""
    moves = list(moves)
    reach = max(reach_of(moves), 3 if any(path.last == 0 for path in paths(moves)) else 2)
    marks: dict[tuple[int, int], str] = {}
    for path in paths(moves):
        for square in path.squares(reach):
            marks[square] = _together(marks.get(square), SIGNS[path.mark, path.special])
    marks[0, 0] = letter
    around = range(-reach, reach + 1)
    return [" ".join(marks.get((x, y), _EMPTY) for x in around) for y in reversed(around)]


def board_characters(
    rows: Mapping[int, list[str]], ranks: int, files: int, holes: Iterable[int]
) -> list[str]:
    """The rows of the board with its coordinates. rows: rank from 1 -> letters, "" for none; holes:
    as `rank * 16 + file`, left blank."""
    missing = set(holes)
    lines = []
    for rank in range(ranks, 0, -1):
        cells = [
            cell or (" " if (rank - 1) * 16 + file in missing else _EMPTY)
            for file, cell in enumerate(rows[rank])
        ]
        lines.append(f"{rank:>2}  {' '.join(cells)}")
    lines.append(f"    {' '.join('abcdefghijklmnop'[:files])}")
    return lines


def _together(one: str | None, other: str) -> str:
    """Of two signs on one square the one that says more."""
    if one is None or one == other:
        return other
    plain = {"●", "○", "×"}
    if {one, other} <= {"○", "×", "●"}:
        return "●"
    if not {one, other} & plain:
        return "◆"
    return one if one in plain else other
