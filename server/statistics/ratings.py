"""Ratings of a pool of players from their games: Bradley and Terry with draws and first move.

One fit a pool: every game has x = theta_white - theta_black + h, in units of 400 / ln 10 Elo, and
one of the models of :mod:`~tabia.server.statistics.draw_models` says how likely its outcomes are.
The likelihood is concave and is maximised by Newton's method; results come as counts, so that a
million games cost no more than the pairs of players that met.

**Errors.** Two games of a pair share their opening, and draws make scores vary less than the
logistic model has it, so that the inverse information is far too wide (coverage .989 where .95 was
asked for, with draws and pairs). The default is the sandwich of
:mod:`~tabia.server.statistics.sandwich`; a cluster is a game pair, or a game where single games are
given. It learns the spread from the data: of units that are all alike it says nought.

**The scale** has no origin of its own: ratings have mean 0, or one player is the anchor.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from .draw_models import MODELS, RAO_KUPPER, DrawModel
from .game_results import (
    Edges,
    GameClusters,
    Games,
    Pairs,
    clusters_of,
    totals,
    virtual_games,
    within,
)
from .gsprt import Floats
from .inverse_information import inverse_information
from .pools import strong_components
from .rating_likelihood import Likelihood, NoFiniteRatingError, RatingError
from .sandwich import Covariance

__all__ = [
    "DisconnectedError",
    "Games",
    "NoFiniteRatingError",
    "Pairs",
    "RatingError",
    "Ratings",
    "fit",
    "pools",
    "within",
]

ELO_PER_NAT = 400 / math.log(10)


class DisconnectedError(RatingError):
    """Players who cannot be compared; ``pools`` says who can."""

    def __init__(self, found: list[tuple[int, ...]]) -> None:
        super().__init__(
            f"the players fall into {len(found)} pools that cannot be compared: "
            "between any two of them, one side never scored; rate each pool apart, or add draws"
        )
        self.pools = found


@dataclass(frozen=True)
class Ratings:
    """A fitted pool; everything in Elo of the model's own scale."""

    elo: Floats
    """(players,), mean 0, or 0 for the anchor."""
    se: Floats
    """(players,): standard errors on that scale; 0 for the anchor."""
    advantage: float
    """The first move's worth to White; 0 where it was not fitted."""
    advantage_se: float
    draw_parameter: float | None
    """nu (Davidson), the draw margin in Elo (Rao and Kupper), None (logistic)."""
    draws_of_equals: float | None
    """The draw rate at a difference of nought, where the model has one."""
    log_likelihood: float
    games: Floats
    """(players,): games played."""
    score: Floats
    """(players,): points a game, in [0, 1]; a player without a game, alone in his pool, has 0.5."""
    anchor: int | None
    spread: Covariance = field(repr=False)
    """Of the ratings with mean 0 and whatever else was fitted, in the model's own unit."""

    def covariance(self) -> Floats:
        """The covariance matrix of ``elo`` (players, players), in Elo squared."""
        free = self.spread.matrix()[: self.elo.size, : self.elo.size]
        if self.anchor is not None:
            row = free[self.anchor]
            free = free - row - row[:, None] + row[self.anchor]
        return free * ELO_PER_NAT**2

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """By how many Elo ``one`` is above ``other``, and the standard error of that."""
        gap = float(self.elo[one] - self.elo[other])
        return gap, math.sqrt(self.spread.variance_of_difference(one, other)) * ELO_PER_NAT


def fit(
    results: Games | Pairs,
    players: int,
    *,
    model: Literal["logistic", "davidson", "rao_kupper"] = "logistic",
    anchor: int | None = None,
    advantage: bool = True,
    virtual_draws: float = 0.0,
    errors: Literal["clustered", "information"] = "clustered",
) -> Ratings:
    """The ratings of players 0 to ``players`` - 1, who must form one pool.

    ``anchor``: the player at 0; otherwise the mean is. ``advantage``: whether the first move has a
    worth of its own. ``virtual_draws``: so many drawn games are added for every player, spread
    evenly over the games that he played, and count as games in the errors too; with 2 (a drawn
    pair) a player who won or lost every game has a finite rating, and players need only be linked
    by games, not by points. (A model that fits draws also needs some win of either side.)

    ``errors``: "clustered", the sandwich by game pairs, or by games where those are given;
    "information", the inverse of the observed information, right only where games are independent
    and the model has the draws right.

    DisconnectedError, a RatingError, names the pools where there are several; NoFiniteRatingError
    where the points of the pool leave something undetermined or infinite; ValueError for counts
    that are none.
    """
    chosen = MODELS[model]
    if virtual_draws < 0 or not math.isfinite(virtual_draws):
        raise ValueError("virtual draws are a finite number, not below 0")
    if anchor is not None and not 0 <= anchor < players:
        raise ValueError(f"the anchor is one of players 0 to {players - 1}")
    clusters = clusters_of(results, players)
    edges = clusters.games()
    games, score = totals(edges, players)
    found = _pools(edges, players, linked=virtual_draws > 0)
    if len(found) > 1:
        raise DisconnectedError(found)
    virtual = virtual_games(edges, games, virtual_draws)
    both = edges._replace(counts=edges.counts + virtual.counts)
    likelihood = Likelihood.of(both, players, chosen, advantage=advantage)
    at, terms = likelihood.maximum()
    spread = Covariance(inverse_information(likelihood.information(terms)))
    if errors == "clustered":
        meat = likelihood.spread(clusters, terms)
        if virtual_draws > 0:
            meat = meat.plus(likelihood.spread(GameClusters(virtual), terms))
        # Where the origin is does not count as estimated.
        spread = Covariance.clustered(spread.bread, meat.merged(), clusters.size, at.size - 1)

    n = players
    elo = at[:n] - at[:n].mean()
    variances = spread.variances()
    if anchor is not None:
        elo = elo - elo[anchor]
        variances[:n] = spread.variances_from(anchor)[:n]
    se = np.sqrt(np.maximum(variances, 0.0)) * ELO_PER_NAT
    z = float(at[-1]) if likelihood.fits_draws else -math.inf
    return Ratings(
        elo=elo * ELO_PER_NAT,
        se=se[:n],
        advantage=float(at[n]) * ELO_PER_NAT if advantage else 0.0,
        advantage_se=float(se[n]) if advantage else 0.0,
        draw_parameter=_reported(chosen, z),
        draws_of_equals=_draws_of_equals(chosen, z),
        log_likelihood=likelihood.value(terms),
        games=games,
        score=score,
        anchor=anchor,
        spread=spread,
    )


def pools(
    results: Games | Pairs, players: int, *, virtual_draws: float = 0.0
) -> list[tuple[int, ...]]:
    """The players who can be rated together, the largest pool first; one means that all can.

    Without virtual draws: the strongly connected components of "has scored against". With them a
    common game is link enough. A player without a game is a pool of his own.
    """
    return _pools(clusters_of(results, players).games(), players, linked=virtual_draws > 0)


def _pools(edges: Edges, players: int, *, linked: bool) -> list[tuple[int, ...]]:
    white, black, counts = edges
    by_white, by_black = counts[:, 1:].any(axis=1), counts[:, :2].any(axis=1)
    scorer = np.concatenate([white[by_white], black[by_black]])
    other = np.concatenate([black[by_white], white[by_black]])
    if linked:
        scorer, other = np.concatenate([scorer, other]), np.concatenate([other, scorer])
    return strong_components(scorer, other, players)


def _reported(model: DrawModel, z: float) -> float | None:
    if not model.has_draw_parameter:
        return None
    if z == -math.inf:
        return 0.0
    return model.reported(z) * (ELO_PER_NAT if model is RAO_KUPPER else 1.0)


def _draws_of_equals(model: DrawModel, z: float) -> float | None:
    if not model.has_draw_parameter:
        return None
    return 0.0 if z == -math.inf else model.draws_of_equals(z)
