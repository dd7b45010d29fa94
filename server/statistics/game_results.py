"""What a rating fit is given: counts of game results, by single games or by game pairs.

Either is a list of clusters, within which results depend on each other: a game, or two games on one
opening. A cluster tells the fit its games, and how far its slope of the log-likelihood strays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from .draw_models import SCORES, Terms
from .edge_form import Ints, sums
from .gsprt import Floats


class Games(NamedTuple):
    """Results of single games: each row says how White did against Black, with how many games.

    Five arrays (g,): indexes of the players, and counts; a pair of players may have several rows.
    """

    white: ArrayLike
    black: ArrayLike
    wins: ArrayLike
    """White's."""
    draws: ArrayLike
    losses: ArrayLike
    """White's."""


class Pairs(NamedTuple):
    """Results of game pairs: two games on one opening, colours swapped.

    ``cells`` (p, k, k): entry [m, i, j] is the number of pairs of ``first[m]`` and ``second[m]``
    in which the first player scored ``values[i]`` with White and ``values[j]`` with Black. A value
    is 0, 0.5 or 1; a table that keeps games apart that count alike (draws, and games that were
    stopped) has several rows and columns of one value: ``values=(0, 0.5, 1, 0.5)``.
    """

    first: ArrayLike
    second: ArrayLike
    cells: ArrayLike
    values: Sequence[float] = (0.0, 0.5, 1.0)


Results = TypeVar("Results", Games, Pairs)


def within(results: Results, pool: Sequence[int]) -> Results:
    """The results among the players of a pool, who are numbered by their place in it."""
    one, other = (np.asarray(side, dtype=np.int64) for side in results[:2])
    members = np.asarray(pool, dtype=np.int64)
    place = np.full(max(int(side.max(initial=-1)) for side in (one, other, members)) + 1, -1)
    place[members] = np.arange(members.size)
    one, other = place[one], place[other]
    inside = (one >= 0) & (other >= 0)
    if isinstance(results, Pairs):
        cells = np.asarray(results.cells)[inside]
        return Pairs(one[inside], other[inside], cells, results.values)
    counts = (np.asarray(count)[inside] for count in results[2:])
    return Games(one[inside], other[inside], *counts)


class Edges(NamedTuple):
    """Games by (white, black): counts (e, 3) of White's losses, draws and wins."""

    white: Ints
    black: Ints
    counts: Floats


class GameClusters(NamedTuple):
    """Every game is a cluster."""

    edges: Edges

    @property
    def size(self) -> float:
        """How many clusters there are."""
        return float(self.edges.counts.sum())

    def games(self) -> Edges:
        return self.edges

    def slopes(self, terms: Terms) -> tuple[Floats, Floats, Floats, Floats]:
        """Counts (e, c), and the clusters' slopes in the first player's lead, h and z (e, c)."""
        return self.edges.counts, terms.slope, terms.slope, terms.slope_draw


class PairClusters(NamedTuple):
    """Every game pair is a cluster: ``cells`` (p, 3, 3) as in :class:`Pairs`."""

    first: Ints
    second: Ints
    cells: Floats

    @property
    def size(self) -> float:
        """How many clusters there are."""
        return float(self.cells.sum())

    def games(self) -> Edges:
        """All first games, then all second games."""
        return Edges(
            np.concatenate([self.first, self.second]),
            np.concatenate([self.second, self.first]),
            # In the second game the second player has White.
            np.concatenate([self.cells.sum(axis=2), self.cells.sum(axis=1)[:, ::-1]]),
        )

    def slopes(self, terms: Terms) -> tuple[Floats, Floats, Floats, Floats]:
        """As for single games; ``terms`` belong to :meth:`games`."""
        p = len(self.first)

        def both(slope: Floats, sign: int) -> Floats:
            later = slope[p:, ::-1]
            return (slope[:p, :, None] + sign * later[:, None, :]).reshape(p, 9)

        return (
            self.cells.reshape(p, 9),
            both(terms.slope, -1),
            both(terms.slope, 1),
            both(terms.slope_draw, 1),
        )


Clusters = GameClusters | PairClusters


def clusters_of(results: Games | Pairs, players: int) -> Clusters:
    if players < 1:
        raise ValueError("a pool has a player at least")
    one, other = (np.asarray(side, dtype=np.int64).reshape(-1) for side in results[:2])
    if one.shape != other.shape:
        raise ValueError("every row has two players")
    for side in (one, other):
        if side.size and not (side.min() >= 0 and side.max() < players):
            raise ValueError(f"players are numbered 0 to {players - 1}")
    if np.any(one == other):
        raise ValueError("nobody plays against himself")
    if isinstance(results, Pairs):
        return PairClusters(one, other, _three_by_three(results, one.size))
    columns = (results.losses, results.draws, results.wins)
    counts = np.stack([_counts(column, (one.size,)) for column in columns], axis=1)
    return GameClusters(Edges(one, other, counts))


def _three_by_three(pairs: Pairs, rows: int) -> Floats:
    """The cells by outcome: values that count alike are put together."""
    values = np.asarray(pairs.values, dtype=np.float64)
    which = values[:, None] == SCORES
    if not which.any(axis=1).all():
        raise ValueError("a game scores 0, 0.5 or 1")
    cells = _counts(pairs.cells, (rows, values.size, values.size))
    gather = which.astype(np.float64)
    return np.asarray(np.einsum("ki,pkl,lj->pij", gather, cells, gather, optimize=True))


def _counts(given: ArrayLike, shape: tuple[int, ...]) -> Floats:
    counts = np.asarray(given, dtype=np.float64)
    if counts.size == 0:
        counts = counts.reshape(shape)
    if counts.shape != shape:
        raise ValueError(f"counts of shape {shape} are expected, not {counts.shape}")
    if not np.all(np.isfinite(counts)) or np.any(counts < 0):
        raise ValueError("counts are finite and not negative")
    return counts


def totals(edges: Edges, players: int) -> tuple[Floats, Floats]:
    """Games (players,) and points a game."""
    white, black, counts = edges
    size, points = counts.sum(axis=1), counts @ SCORES
    games = sums(white, size, players) + sums(black, size, players)
    total = sums(white, points, players) + sums(black, size - points, players)
    return games, np.divide(total, games, out=np.full(players, 0.5), where=games > 0)


def virtual_games(edges: Edges, games: Floats, draws: float) -> Edges:
    """So many drawn games for every player, spread over the rows as the games he played."""
    white, black, counts = edges
    size = counts.sum(axis=1)
    shares = [
        np.divide(size, games[side], out=np.zeros_like(size), where=size > 0)
        for side in (white, black)
    ]
    added = np.zeros_like(counts)
    added[:, 1] = draws * (shares[0] + shares[1])
    return Edges(white, black, added)
