"""Castling in an Interactive Diagram: `O` groups among the king's moves, such as `KisO2`.

The king goes exactly so many squares, towards the outermost man of his side on his rank, who comes
to stand on the square beside him that he passed. Several groups for one direction let him choose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_GROUP = re.compile(r"([a-z]*)O([0-9]{0,2})")


def split_castling(moves: str) -> tuple[str, list[tuple[str, int]]]:
    """The moves without their castling groups, and those as (modifiers, squares)."""
    groups = [(modifiers, int(squares or 2)) for modifiers, squares in _GROUP.findall(moves)]
    return _GROUP.sub("", moves), groups


def castling_of(
    men: Mapping[tuple[int, int], str], king: str, groups: list[tuple[str, int]], files: int
) -> tuple[dict[str, Any], list[str]]:
    """The castling table of the side whose king has that letter, and remarks. men: square from 0 ->
    letter."""
    square = next(each for each, man in men.items() if man == king)
    table: dict[str, Any] = {}
    remarks = []
    for wing, step, letters in (("kingside", 1, "rs"), ("queenside", -1, "ls")):
        lengths = sorted(
            {n for modifiers, n in groups if not set(modifiers) & set("lrs")
             or set(modifiers) & set(letters)}
        )  # fmt: skip
        partner = _outermost(men, square, step, files, king)
        if not lengths or partner is None:
            continue
        ends = [square[0] + step * n for n in lengths]
        reached = [end for end in ends if abs(end - square[0]) < abs(partner[0] - square[0])]
        if len(reached) < len(ends):
            remarks.append(
                f"castling to the {'right' if step > 0 else 'left'}: O with "
                f"{lengths[len(reached)]} squares ends on the partner's square or beyond; left out"
            )
        if not reached:
            continue
        letter = men[partner].upper()
        if table.setdefault("partner", letter) != letter:
            remarks.append(f"castling on the {wing}: another partner than on the other; left out")
            continue
        table[wing] = {
            "king": _file(reached[0]),
            "partner": _file(partner[0]),
            **({"also": [_file(end) for end in reached[1:]]} if len(reached) > 1 else {}),
        }
    return (table if len(table) > 1 else {}), remarks


def _outermost(
    men: Mapping[tuple[int, int], str], king: tuple[int, int], step: int, files: int, letter: str
) -> tuple[int, int] | None:
    """The first man from the edge inwards, if he is of the king's side."""
    edge = files - 1 if step > 0 else 0
    for file in range(edge, king[0], -step):
        man = men.get((file, king[1]))
        if man is not None:
            return (file, king[1]) if man.isupper() == letter.isupper() else None
    return None


def _file(file: int) -> str:
    return "abcdefghijklmnop"[file]
