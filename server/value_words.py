"""Measured piece values in plain words: the order, and what a published order makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabia.server.numbers import signed
from tabia.server.ranking import Ranking
from tabia.server.rating_words import capped_games
from tabia.server.tally import Tally


@dataclass(frozen=True)
class Weighed:
    """What was found. ``names`` by place in the ranking, which is of values in pawns; ``halves``:
    the half-width of each value's own interval, infinite where it is not bounded; ``pawn``: the
    place of the man that is worth 1; ``expected``: a published order as places, the dearest first;
    ``untold``: names of men that the games say nothing of.
    """

    names: tuple[str, ...]
    ranking: Ranking
    halves: tuple[float, ...]
    pawn: int
    expected: tuple[int, ...]
    untold: tuple[str, ...]


def sentence(
    weighed: Weighed | None, tally: Tally, *, alpha: float, target: float, reached: bool
) -> str:
    """The verdict of a ``material`` experiment; None where nothing can be told.

    ``reached``: whether every value is known to the ``target``.
    """
    after = f"After {tally.units} openings, each played both ways round"
    if weighed is None:
        return (
            f"{after}: no value in pawns can be told. The games do not tie every man to the pawn, "
            f"or they do not show that a pawn is worth anything.{capped_games(tally)}"
        )
    aim = "as was asked for" if reached else "which was not reached"
    untold = f" Nothing can be said of {', '.join(weighed.untold)}." if weighed.untold else ""
    return (
        f"{after}: {_values(weighed)}. Every value was to be known to ± {target:g} pawns, {aim}."
        f"{untold}{_close(weighed, alpha)}{_expected(weighed)}{capped_games(tally)}"
    )


def _values(weighed: Weighed) -> str:
    return ", ".join(_value(weighed, man) for man in weighed.ranking.order)


def _value(weighed: Weighed, man: int) -> str:
    value = f"{weighed.names[man]} {weighed.ranking.values[man]:.2f}"
    if man == weighed.pawn:
        return f"{weighed.names[man]} 1"
    half = weighed.halves[man]
    return f"{value} ± {half:.2f}" if half < float("inf") else f"{value} (no bound)"


def _close(weighed: Weighed, alpha: float) -> str:
    pairs = weighed.ranking.close()
    confidence = f"with {100 * (1 - alpha):g} % confidence for all of them together"
    if not pairs:
        return f" All neighbours are told apart, {confidence}."
    return f" Not told apart, {confidence}: {_pairs(weighed, pairs)}."


def _expected(weighed: Weighed) -> str:
    expected, ranking = weighed.expected, weighed.ranking
    if len(expected) < 2:
        return ""
    order = ", ".join(weighed.names[man] for man in expected)
    wrong, still_open = ranking.contradicted(expected), ranking.open(expected)
    if wrong:
        return (
            f" The published order ({order}) is contradicted: "
            f"{_pairs(weighed, [(other, one) for one, other in wrong])} the other way round."
        )
    if still_open:
        return (
            f" The published order ({order}) is not contradicted, and not settled: "
            f"{_pairs(weighed, still_open)} may be either way round."
        )
    return f" The published order ({order}) is confirmed."


def _pairs(weighed: Weighed, pairs: Sequence[tuple[int, int]]) -> str:
    return "; ".join(
        f"{weighed.names[one]} and {weighed.names[other]} "
        f"({signed(weighed.ranking.gap(one, other), 2)} ± {weighed.ranking.halves[one, other]:.2f})"
        for one, other in pairs
    )
