"""A finished rating list in plain words: the order, and what it leaves open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tabia.server.numbers import share, signed
from tabia.server.ranking import Ranking
from tabia.server.tally import Tally


@dataclass(frozen=True)
class Pool:
    """Names of players who can be compared, and how; None where no rating can be told. ``fixed``:
    which of them is the anchor, whose rating was declared."""

    names: tuple[str, ...]
    ranking: Ranking | None
    fixed: int | None = None


def sentence(pools: Sequence[Pool], tally: Tally, alpha: float) -> str:
    """The verdict of a ``ratings`` experiment."""
    after = f"After {tally.units} openings, each played both ways round: "
    rated = [pool for pool in pools if pool.ranking is not None]
    if not rated:
        return f"{after}no two players can be compared, because one of them lost every game."
    lists = "; and apart from them ".join(_order(pool) for pool in rated)
    return f"{after}{lists} Elo.{_close(rated, alpha)}{_apart(pools)}{capped_games(tally)}"


def _order(pool: Pool) -> str:
    assert pool.ranking is not None
    return ", ".join(
        f"{pool.names[index]} {signed(pool.ranking.values[index])}"
        f"{' (fixed)' if index == pool.fixed else ''}"
        for index in pool.ranking.order
    )


def _close(rated: Sequence[Pool], alpha: float) -> str:
    confidence = f"with {100 * (1 - alpha):g} % confidence for all of them together"
    pairs = [
        f"{pool.names[one]} and {pool.names[other]} ({signed(pool.ranking.gap(one, other))} "
        f"{_error(pool.ranking.halves[one, other])})"
        for pool in rated
        if pool.ranking is not None
        for one, other in pool.ranking.close()
    ]
    if not pairs:
        return f" All neighbours are told apart, {confidence}."
    return f" Not told apart, {confidence}: {'; '.join(pairs)}."


def _error(half: float) -> str:
    return f"± {half:.1f}" if math.isfinite(half) else "by games all alike, which tell no error"


def _apart(pools: Sequence[Pool]) -> str:
    if len(pools) == 1:
        return ""
    alone = [name for pool in pools if pool.ranking is None for name in pool.names]
    unrated = f": {', '.join(alone)} cannot be rated" if alone else ""
    return (
        f" The results fall into {len(pools)} pools that cannot be compared, because between any "
        f"two of them one side never scored{unrated}."
    )


def capped_games(tally: Tally) -> str:
    """What is said of games that were stopped, where there are any."""
    games = sum(arm.games for arm in tally.arms.values())
    capped = sum(arm.capped for arm in tally.arms.values())
    if not capped:
        return ""
    return (
        f" Of {games} games {capped} ({share(capped / games)}) were stopped at the ply cap and "
        "count one half."
    )
