"""Who meets whom: every player every other one, in rounds.

The circle method: the players stand around a circle, one of them in its middle. In each round the
one in the middle meets the one at the top, and those at the same height meet each other; then the
circle turns by one place. With an odd number of players the middle is empty, and whoever is at the
top rests. Two rounds that follow each other connect everybody: together they are one closed chain
of all players (of an odd number, one chain), so that ratings exist early.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache


def pairs(players: int) -> int:
    """How many pairs there are of so many players."""
    return players * (players - 1) // 2


def meeting(players: Sequence[str], unit: int) -> tuple[str, str]:
    """The two players of a unit, of at least two; after the last pair comes the first again."""
    order = _order(len(players))
    one, other = order[unit % len(order)]
    return players[one], players[other]


@lru_cache(maxsize=16)
def _order(players: int) -> tuple[tuple[int, int], ...]:
    circle = players - 1 if players % 2 == 0 else players
    found = []
    for top in range(circle):
        if players % 2 == 0:
            found.append((circle, top))
        found += [
            ((top + height) % circle, (top - height) % circle)
            for height in range(1, (circle + 1) // 2)
        ]
    return tuple(found)
