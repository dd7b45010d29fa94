"""Scores and Elo: the logistic scale, and the normalized one.

An expected score s and an Elo difference e say the same thing, s = 1 / (1 + 10^(-e/400)).
Normalized Elo (Van den Bergh, "Normalized Elo", 2021) divides the edge of a game by the standard
deviation of a game, so that a test of a given number of nElo needs the same number of games
whatever the draw rate.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

NELO_PER_SIGMA = 800 / math.log(10)
"""Normalized Elo of an edge of one standard deviation of a game: 347.4356."""


def score_of(elo: float) -> float:
    """The expected score in (0, 1) of a player who is ``elo`` stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


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
    n = np.asarray(counts, dtype=np.float64)
    scores = np.linspace(0, 1, n.size)
    units = n.sum()
    if units == 0:
        return None
    mean = float(n @ scores / units)
    variance = float(n @ (scores - mean) ** 2 / units)
    if variance == 0:
        return None
    return (mean - 0.5) / math.sqrt(games_per_unit * variance) * NELO_PER_SIGMA
