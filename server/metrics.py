"""What an experiment can measure of a game: one number in [0, 1] a game, declared beforehand.

Every game falls into one of four classes: worth 0, one half or 1, or **capped**, which means that
it was stopped at the ply cap before it said what it is worth. A capped game counts one half; what
it might have been worth is looked at when a verdict is near (see :mod:`tabia.server.decision`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

Game = Mapping[str, Any]
"""A game as a batch's result holds it: unit, arm, moves, result, reason, plies, promotions, ..."""

ZERO: Final = 0
HALF: Final = 1
ONE: Final = 2
CAPPED: Final = 3
CLASSES: Final = 4

PLY_CAP: Final = "ply cap"
"""The reason of a game that was stopped at the ply cap."""

_WHITE_SCORE = {"1-0": ONE, "1/2-1/2": HALF, "0-1": ZERO}


def is_capped(game: Game) -> bool:
    """Whether the game was stopped at the ply cap."""
    return bool(game["reason"] == PLY_CAP)


def white_class(game: Game) -> int:
    """The class of the game by White's score."""
    return CAPPED if is_capped(game) else _WHITE_SCORE[game["result"]]


@dataclass(frozen=True)
class Metric:
    """One thing to measure.

    ``label`` names it on a page; ``phrase`` compares two values of it in words, with the fields
    ``a``, ``b`` (numbers) and ``name_a``, ``name_b`` (rules); ``classify`` puts a game into one of
    the classes.
    """

    name: str
    label: str
    phrase: str
    classify: Callable[[Game], int]


def _drawn(game: Game) -> int:
    if is_capped(game):
        return CAPPED
    return ONE if game["result"] == "1/2-1/2" else ZERO


def _decisive(game: Game) -> int:
    if is_capped(game):
        return CAPPED
    return ZERO if game["result"] == "1/2-1/2" else ONE


def _promoted(game: Game) -> int:
    if any(game["promotions"][side] for side in ("white", "black")):
        return ONE
    return CAPPED if is_capped(game) else ZERO


COMPARED: Final[Mapping[str, Metric]] = {
    metric.name: metric
    for metric in (
        Metric(
            "white_score",
            "White's score",
            "White scores {a} under {name_a} and {b} under {name_b}",
            white_class,
        ),
        Metric(
            "draws",
            "drawn games",
            "{a} of the games are drawn under {name_a} and {b} under {name_b}",
            _drawn,
        ),
        Metric(
            "decisive",
            "decisive games",
            "{a} of the games are won by somebody under {name_a} and {b} under {name_b}",
            _decisive,
        ),
        Metric(
            "promotions",
            "games with a promotion",
            "{a} of the games see a promotion under {name_a} and {b} under {name_b}",
            _promoted,
        ),
    )
}
"""Metrics of kind ``compare``, by name: the arms' means are compared."""

ELO: Final = "elo"
"""The metric of kind ``rights``: Elo of whoever has the rights of arm a."""


def label(name: str) -> str:
    """What a page calls the metric ``name``; KeyError if there is none."""
    return "Elo of the rights of A" if name == ELO else COMPARED[name].label
