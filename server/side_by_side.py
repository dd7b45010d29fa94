"""The game profiles of two arms beside each other: which row stands where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

Row = Mapping[str, Any]

PARTS: Final = frozenset({"drawn_by", "won_by", "promoted_to", "survival"})
"""What comes before the colon in the names of rows that break down another one."""


def is_part(name: str) -> bool:
    """Whether the row breaks down another one: draws by repetition, promotions to a queen."""
    return name.partition(":")[0] in PARTS


def rows_by_name(columns: Sequence[Sequence[Row]]) -> dict[str, list[Row | None]]:
    """The row of each column by name, None where a column has none of that name.

    In the order of the columns; what only some of them have stands where those have it: after what
    precedes it there.
    """
    by_name = [{row["name"]: row for row in column} for column in columns]
    names: list[str] = []
    for column in by_name:
        place = 0
        for name in column:
            if name in names:
                place = names.index(name) + 1
            else:
                names.insert(place, name)
                place += 1
    return {name: [column.get(name) for column in by_name] for name in names}
