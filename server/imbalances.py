"""The imbalances of a ``material`` experiment as numbers, and which of them to play next.

``Q:NR`` says that the first army has a queen where the second has knight and rook. As a row of
numbers, in the order of the declared men: one queen more, one knight and one rook fewer.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np

from tabia.server import allocation
from tabia.server.match_tally import OUTCOMES, MatchTally
from tabia.server.question import Material
from tabia.server.statistics import design, piece_values
from tabia.server.statistics.gsprt import Floats

GUESSED_PAWN: Final = 60.0
"""Elo of a pawn before anything is known: what was found for engines of a thousand nodes or so."""

GUESSED_VARIANCE: Final = 0.06
"""Of a pair score, before anything is known."""

_STEADYING_UNITS = 16
"""Units at the mean variance that are added to those of every imbalance: a handful of units of one
imbalance says little of its own variance."""


def differences(material: Material) -> Floats:
    """How many men of each kind the first army has more: (m, k), imbalances by men."""
    rows = []
    for label in material.matches:
        first, _, second = label.partition(":")
        has, misses = Counter(first), Counter(second)
        rows.append([has[man] - misses[man] for man in material.men])
    return np.array(rows, dtype=np.float64).reshape(-1, len(material.men))


def pawn(material: Material) -> int:
    """The column of the man that is worth 1."""
    return material.men.index(material.pawn)


def values(material: Material, tally: MatchTally) -> piece_values.Values | None:
    """The men's values by the counts so far; None while the counts do not tie all men together."""
    counts = tally.pentanomial(material.matches)
    try:
        return piece_values.fit(differences(material), counts, pawn(material))
    except piece_values.UnidentifiedError:
        return None


def shares(material: Material, tally: MatchTally) -> Floats:
    """The best design for what is believed now: the part of all units for each imbalance (m,)."""
    return design.allocate(
        differences(material),
        strengths(material, tally),
        variances(material, tally),
        pawn(material),
    )


def allotted(material: Material, tally: MatchTally, units: int) -> dict[str, int]:
    """How many of the next ``units`` units each imbalance gets; those without one are left out."""
    played = tally.pentanomial(material.matches).sum(axis=1)
    given = allocation.allotment(shares(material, tally), played, units)
    return {
        label: int(count) for label, count in zip(material.matches, given, strict=True) if count
    }


def strengths(material: Material, tally: MatchTally) -> Floats:
    """What each man is believed to be worth, in Elo (k,): as counted, or else as guessed.

    The guess is the engine's: what it plays by. It stands until a pawn is known to be worth
    something.
    """
    found = values(material, tally)
    if found is None or not found.pawn_elo > 0:
        return GUESSED_PAWN * np.array([material.guess[man] for man in material.men])
    return np.asarray(found.values * found.pawn_elo)


def variances(material: Material, tally: MatchTally) -> Floats:
    """The believed variance of each imbalance's pair score (m,), always above 0."""
    counts = tally.pentanomial(material.matches)
    units = counts.sum(axis=1)
    mean = counts @ OUTCOMES / np.maximum(units, 1)
    squares = counts @ OUTCOMES**2 - units * mean**2
    free = np.maximum(units - 1, 0).sum()
    pooled = (squares.sum() + GUESSED_VARIANCE * _STEADYING_UNITS) / (free + _STEADYING_UNITS)
    return np.asarray((squares + pooled * _STEADYING_UNITS) / (units + _STEADYING_UNITS))
