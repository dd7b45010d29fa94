"""Units of matches, made up: who won is said by the test."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from laws import profile

from tabia.server.tally import Unit

RESULTS = {"w": "1-0", "d": "1/2-1/2", "l": "0-1"}
"""Of White's game: won, drawn, lost."""


def game(match: str, white: str, *, moves: str = "e2e4", reason: str = "") -> dict[str, Any]:
    """A game of a match that White won (w), drew (d) or lost (l)."""
    return {
        "match": match,
        "moves": moves,
        "opening_plies": 0,
        "result": RESULTS[white],
        "reason": reason or ("repetition" if white == "d" else "checkmate"),
        "plies": 1,
        "promotions": {"white": {}, "black": {}},
        "declined": {"white": 0, "black": 0},
        "profile": profile(),
    }


def units(played: Iterable[tuple[str, str]]) -> list[Unit]:
    """Units in schedule order, each a match and what its first side got: ``wl`` is a win with White
    and a loss with Black."""
    swapped = {"w": "l", "d": "d", "l": "w"}
    return [
        Unit(number, game(match, got[0]), game(match, swapped[got[1]], moves="d2d4"))
        for number, (match, got) in enumerate(played)
    ]
