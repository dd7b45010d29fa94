"""Scores and Elo: the logistic scale, and the normalized one.

An expected score s and an Elo difference e say the same thing, s = 1 / (1 + 10^(-e/400)).
Normalized Elo (Van den Bergh, "Normalized Elo", 2021) divides the edge of a game by the standard
deviation of a game, so that a test of a given number of nElo needs the same number of games
whatever the draw rate.
"""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

NELO_PER_SIGMA = 800 / math.log(10)
"""Normalized Elo of an edge of one standard deviation of a game: 347.4356."""


def score_of(elo: float) -> float:
    """The expected score in [0, 1] of a player who is ``elo`` stronger; 0 or 1 when infinitely."""
    if math.isnan(elo):
        raise ValueError("an Elo difference is a number")
    # Arranged so that the power never grows: e^(-|x|) / (1 + e^(-|x|)) is the weaker side's score.
    odds = 10 ** (-abs(elo) / 400)
    return 1 / (1 + odds) if elo >= 0 else odds / (1 + odds)


def elo_of(score: float) -> float:
    """The Elo difference at which ``score`` in [0, 1] is expected; -inf at 0, +inf at 1."""
    if not 0 <= score <= 1:
        raise ValueError(f"a score lies in [0, 1], not at {score}")
    if score in (0, 1):
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def normalized_elo(counts: ArrayLike, *, games_per_unit: int = 2) -> float | None:
    """Normalized Elo of one player from counts over equally spaced scores 0 .. 1, lowest first.

    ``counts`` has shape (k,): five cells for game pairs, three for single games
    (``games_per_unit=1``). The standard deviation of a game is that of a unit times the root of
    ``games_per_unit``. None when there is no unit, or no spread to divide by.
    """
    return summary(counts, games_per_unit=games_per_unit).nelo


class Summary(NamedTuple):
    """What counts say when their number was fixed beforehand; None where they say nothing.

    Without a unit nothing can be said. Without spread (every unit alike) there is a score and an
    Elo, and no measure of how far off they are.
    """

    score: float | None
    """Mean score of a game, in [0, 1]."""
    se: float | None
    """Its standard error, 0 when every unit is alike."""
    elo: float | None
    """Logistic Elo of the score; -inf at 0, +inf at 1."""
    elo_low: float | None
    elo_high: float | None
    """The ends score -+ z se on the Elo scale; infinite where they leave (0, 1)."""
    nelo: float | None
    """Normalized Elo."""
    nelo_error: float | None
    """Half of the width of its interval: z 347.4356 / sqrt(games)."""
    los: float | None
    """Likelihood of superiority Phi((score - 1/2) / se)."""


def summary(counts: ArrayLike, *, level: float = 0.95, games_per_unit: int = 2) -> Summary:
    """Elo, normalized Elo and LOS of a **fixed** number of units, each with its interval.

    ``counts`` (k,) over equally spaced scores 0 .. 1, lowest first, as for :func:`normalized_elo`:
    five cells for game pairs, three for single games (``games_per_unit=1``). ``level`` in (0, 1)
    is that of both intervals, z = Phi^-1((1 + level) / 2).

    To be read once, at a number of units that was declared: an interval like this one, watched
    after every game, misses the truth in more than half of all experiments. What a running
    experiment shows comes from :mod:`.confidence`, what a test that stopped early does from
    :mod:`.after_stopping`.
    """
    if not 0 < level < 1:
        raise ValueError(f"a level lies in (0, 1), not at {level}")
    n, scores = _cells(counts)
    units = float(n.sum())
    if units == 0:
        return Summary(None, None, None, None, None, None, None, None)
    score = min(float(n @ scores / units), 1.0)
    variance = float(n @ (scores - score) ** 2 / units) if np.count_nonzero(n) > 1 else 0.0
    if variance == 0:
        return Summary(score, 0.0, elo_of(score), None, None, None, None, None)
    z = NormalDist().inv_cdf((1 + level) / 2)
    se = math.sqrt(variance / units)
    return Summary(
        score=score,
        se=se,
        elo=elo_of(score),
        elo_low=elo_of(max(score - z * se, 0)),
        elo_high=elo_of(min(score + z * se, 1)),
        nelo=(score - 0.5) / math.sqrt(games_per_unit * variance) * NELO_PER_SIGMA,
        nelo_error=z * NELO_PER_SIGMA / math.sqrt(games_per_unit * units),
        los=NormalDist().cdf((score - 0.5) / se),
    )


def _cells(counts: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Counts as an array, and the equally spaced scores they belong to."""
    n = np.asarray(counts, dtype=np.float64)
    if n.ndim != 1 or n.size < 2:
        raise ValueError(f"counts are one row of two cells or more, not of shape {n.shape}")
    if not np.all(np.isfinite(n)) or np.any(n < 0):
        raise ValueError("counts are finite and not negative")
    return n, np.linspace(0, 1, n.size)
