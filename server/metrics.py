"""What an experiment can measure of a game: one number in [0, 1] a game, declared beforehand.

Every game falls into one of four classes: worth 0, one half or 1, or **capped**, which means that
it was stopped at the ply cap before it said what it is worth. A capped game counts one half; what
it might have been worth is looked at when a verdict is near (see :mod:`tabia.server.stopping`).
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
    if any(any(game["promotions"][side].values()) for side in ("white", "black")):
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


def _event(name: str, label: str, happened: Callable[[Game], bool]) -> Metric:
    """Whether something happened in the game as it was played; a capped game is no exception."""

    def classify(game: Game) -> int:
        return ONE if happened(game) else ZERO

    phrase = f"{{a}} are {label} under {{name_a}} and {{b}} under {{name_b}}"
    return Metric(name, label, phrase, classify)


def _made(name: str, label: str, counted: str) -> Metric:
    """Whether either side made a move of a kind that the game's profile counts."""
    return _event(name, label, lambda game: any(game["profile"][counted].values()))


def _ended(name: str, label: str, reason: str) -> Metric:
    """Whether the game ended for this reason, in the engine's words."""
    return _event(name, label, lambda game: bool(game["reason"] == reason))


OBSERVED: Final[Mapping[str, Metric]] = {
    metric.name: metric
    for metric in (
        *COMPARED.values(),
        _event(
            "declined_promotions",
            "games with a promotion declined",
            lambda game: any(game["declined"].values()),
        ),
        _made("castling", "games with castling", "castlings"),
        _made("en_passant", "games with a capture en passant", "en_passant"),
        _made("own_captures", "games with a capture of an own man", "own_captures"),
        _made("citadel_exits", "games with a move out of a citadel", "citadel_exits"),
        _event(
            "lead_changes",
            "games in which the lead changed hands",
            lambda game: game["profile"]["lead_changes"] > 0,
        ),
        _ended("stalemate", "games that end by stalemate", "stalemate"),
        _ended("repetition", "games that end by repetition", "repetition"),
        _ended("n_move_rule", "games that end by the n-move rule", "n-move rule"),
        _ended("dead_position", "games that end in a dead position", "dead position"),
        _ended("bare_king", "games that end with a bare king", "bare king"),
    )
}
"""Everything that is looked at beside the primary metric, where the rules have it."""

LENGTH: Final = "length"
"""How long a game is. It has no upper bound, so it is none of the metrics above."""

LENGTH_LABEL: Final = "length of a game"

ELO: Final = "elo"
"""The metric of ``rights`` and ``engines``: Elo of whoever has the rights of A, or is player A."""

PIECE_VALUES: Final = "piece_values"
"""The metric of ``material``."""

_ELO_LABELS = {"rights": "Elo of the rights of A", "engines": "Elo of A", "ratings": "Elo"}


def label(name: str, kind: str) -> str:
    """What a page calls the metric ``name`` of an experiment; KeyError if there is none."""
    if name == ELO:
        return _ELO_LABELS[kind]
    return "piece values" if name == PIECE_VALUES else COMPARED[name].label
