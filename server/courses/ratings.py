"""The course of a ``ratings`` experiment: a pool of players, everybody against everybody.

Nothing stops it before its budget: a rating list has no question to be answered early. Until then
its intervals may be watched; at the declared end, they are those of a fixed sample.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from tabia.engine.match.anchor import Anchor
from tabia.server import rating_words
from tabia.server.courses.course import Json
from tabia.server.courses.matches import UNKNOWN, Matches
from tabia.server.ranking import Ranking
from tabia.server.statistics import ratings
from tabia.server.statistics.gsprt import Floats
from tabia.server.tally import profiled, shown

_VALUES = (0.0, 0.5, 1.0, 0.5)
"""What the classes of a game are worth; a capped one is worth one half."""


@dataclass(frozen=True)
class Rated:
    """One pool with its ratings: players who can be compared, by their place in the document."""

    players: tuple[int, ...]
    fitted: ratings.Ratings | None
    """None for a player alone, and where the results leave a rating undetermined."""
    has_advantage: bool
    anchor: Anchor | None = None
    """Who is held, and where, if it is one of them; else their mean is at 0."""

    @property
    def elo(self) -> Floats:
        """Their ratings (players,), where there are any."""
        assert self.fitted is not None
        return self.fitted.elo + (self.anchor.elo if self.anchor else 0.0)


class RatingList(Matches):
    """Players by key, each against each."""

    def is_good_enough(self) -> bool:
        """A rating list has no question to be answered early."""
        return False

    def estimate(self) -> Json:
        """Ratings in Elo, from the anchor or around the mean of each pool."""
        pools = self._rated()
        games = sum(arm.games for arm in self.tally.arms.values())
        draws = sum(arm.draws for arm in self.tally.arms.values())
        anchor = self.question.anchor
        return {
            "ratings": {
                "players": self._players(pools),
                "anchor": anchor and {"key": anchor.player, "elo": anchor.elo},
                "advantage": self._advantage(pools),
                "draw_rate": draws / games if games else None,
                "pools": [[self._keys[player] for player in _listed(pool)] for pool in pools],
                "watched": self.precision.watched,
            },
            "profile": profiled(self.question, self.tally),
            "tallies": shown(self.tally),
        }

    def point(self) -> Json:
        """The lead of the first over the second of the largest pool, and everybody's Elo."""
        pools = self._rated()
        lead = dict(UNKNOWN)
        largest = pools[0]
        if largest.fitted is not None:
            first, second = np.argsort(-largest.fitted.elo, kind="stable")[:2]
            lead = self.precision.interval(*largest.fitted.difference(int(first), int(second)))
        lines = {row["key"]: row["elo"] for row in self._players(pools)}
        return {**lead, "lines": lines}

    def sentence(self) -> str:
        """The order of the players, and which of them are not told apart."""
        ranked: list[rating_words.Pool] = []
        for pool in self._rated():
            names = tuple(self.question.players[self._keys[player]] for player in pool.players)
            ranking = None
            if pool.fitted is not None:
                ranking = Ranking.of(pool.elo, pool.fitted.covariance(), self.precision)
            fixed = pool.fitted.anchor if pool.fitted else None
            ranked.append(rating_words.Pool(names, ranking, fixed))
        return rating_words.sentence(ranked, self.tally, self.question.alpha)

    @property
    def _keys(self) -> list[str]:
        return list(self.question.players)

    def _rated(self) -> list[Rated]:
        """The pools, the largest first."""
        results = self._results()
        found = ratings.pools(results, len(self._keys))
        return [self._rate(ratings.within(results, pool), pool) for pool in found]

    def _rate(self, results: ratings.Pairs, pool: tuple[int, ...]) -> Rated:
        if len(pool) < 2:
            return Rated(pool, None, has_advantage=False)
        anchor = self.question.anchor
        place = None
        if anchor is not None and (held := self._keys.index(anchor.player)) in pool:
            place = pool.index(held)
        # Where one colour won every game, the first move is worth more than can be said, or less;
        # the players may be rated all the same.
        for advantage in (True, False):
            with suppress(ratings.NoFiniteRatingError):
                fitted = ratings.fit(results, len(pool), advantage=advantage, anchor=place)
                return Rated(pool, fitted, advantage, None if place is None else anchor)
        return Rated(pool, None, has_advantage=False)

    def _results(self) -> ratings.Pairs:
        labels = sorted(self.matches.cells)
        seats = [[self._keys.index(key) for key in label.split(":")] for label in labels]
        pairs = np.array(seats, dtype=np.int64).reshape(-1, 2)
        return ratings.Pairs(pairs[:, 0], pairs[:, 1], self.matches.joint(labels), _VALUES)

    def _players(self, pools: list[Rated]) -> list[Json]:
        games, points = self._records()
        precision = self.precision
        rows: list[Json] = []
        for pool in pools:
            for player in _listed(pool):
                key = self._keys[player]
                elo, se = _rating(pool, player)
                fixed = elo is not None and pool.anchor is not None and pool.anchor.player == key
                found = dict(UNKNOWN) if elo is None else precision.interval(elo, se)
                if fixed:
                    found |= {"low": elo, "high": elo}
                rows.append(
                    {
                        "key": key,
                        "name": self.question.players[key],
                        "elo": found["value"],
                        "low": found["low"],
                        "high": found["high"],
                        "fixed": fixed,
                        "games": int(games[player]),
                        "score": points[player] / games[player] if games[player] else None,
                    }
                )
        return rows

    def _records(self) -> tuple[Floats, Floats]:
        """Games and points of every player (n,)."""
        games, points = np.zeros(len(self._keys)), np.zeros(len(self._keys))
        for label in self.matches.cells:
            first, second = (self._keys.index(key) for key in label.split(":"))
            (pairs,) = self.matches.pentanomial([label])
            played, scored = 2 * pairs.sum(), pairs @ np.array([0, 0.5, 1, 1.5, 2])
            games[[first, second]] += played
            points[first] += scored
            points[second] += played - scored
        return games, points

    def _advantage(self, pools: list[Rated]) -> dict[str, float | None]:
        """What the first move is worth, in the largest pool."""
        largest = pools[0]
        if largest.fitted is None or not largest.has_advantage:
            return dict(UNKNOWN)
        return self.precision.interval(largest.fitted.advantage, largest.fitted.advantage_se)


def _listed(pool: Rated) -> list[int]:
    """The players of a pool, the strongest first."""
    if pool.fitted is None:
        return list(pool.players)
    order = np.argsort(-pool.fitted.elo, kind="stable")
    return [pool.players[place] for place in order]


def _rating(pool: Rated, player: int) -> tuple[float | None, float]:
    if pool.fitted is None:
        return None, 0.0
    place = pool.players.index(player)
    return float(pool.elo[place]), float(pool.fitted.se[place])
