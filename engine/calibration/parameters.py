"""The weights as a list of numbers: whatever terms the evaluation has, by the path to each.

A path is the keys that lead to a number in the weights, ("letters", "N", "mid") say, or
("letters", "P", "advance_mid", 3). So a new term of the evaluation needs nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tabia.engine.weights import Weights
from tabia.engine.weights_file import MOST

Path = tuple[str | int, ...]

WORTH = ("mid", "end")
"""What a man is worth wherever it stands."""
BY_RANK = "advance"
"""Rows whose name begins like this have a number a rank, and none at all stands for noughts."""
FIXED = ("phase", "mobility", "supply")
"""Terms of these names say when the middlegame ends, what the usual number of squares is and how
much promises are worth, and are not fitted: the evaluation is not linear in them."""


def parameters(weights: Weights) -> list[Path]:
    """The paths of all numbers that can be fitted, in the order of the weights."""
    return [path for path, _ in _numbers(weights, ()) if path[-1] not in FIXED]


def opened(weights: Weights, ranks: int) -> Weights:
    """A copy that plays the same and has a number for each rank where a man had no row of them."""
    copy = _copy(weights)
    for terms in copy["letters"].values():
        for key, row in terms.items():
            if key.startswith(BY_RANK) and row == []:
                terms[key] = [0] * ranks
    return dict(copy)


def value(weights: Weights, path: Path) -> int:
    """The number there."""
    at: Any = weights
    for key in path:
        at = at[key]
    return int(at)


def changed(weights: Weights, numbers: Mapping[Path, int]) -> Weights:
    """A copy with other numbers at these paths, each within the bounds of all weights."""
    copy = _copy(weights)
    for path, number in numbers.items():
        at: Any = copy
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = max(-MOST, min(MOST, number))
    return dict(copy)


def slack(weights: Weights, path: Path) -> float:
    """How far the number may plausibly be from what it is now: the standard deviation of the fit's
    prior, in centipawns. A man's worth by a fifth of it; squares and the rest by half, 12 to 40."""
    now = abs(value(weights, path))
    if path[-1] in WORTH:
        return max(20.0, 0.2 * now)
    return max(12.0, min(40.0, 0.5 * now))


def _numbers(at: Any, path: Path) -> Iterator[tuple[Path, int]]:
    if isinstance(at, Mapping):
        for key, below in at.items():
            yield from _numbers(below, (*path, key))
    elif isinstance(at, list):
        for index, below in enumerate(at):
            yield from _numbers(below, (*path, index))
    else:
        yield path, at


def _copy(at: Any) -> Any:
    if isinstance(at, Mapping):
        return {key: _copy(below) for key, below in at.items()}
    return [_copy(below) for below in at] if isinstance(at, list) else at
