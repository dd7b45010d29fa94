"""The imbalances of a ``material`` experiment as numbers, and which of them to play next.

``Q:NR`` says that the first army has a queen where the second has knight and rook. As a row of
numbers, in the order of the declared men: one queen more, one knight and one rook fewer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from tabia.server.match_tally import MatchTally
from tabia.server.question import Material
from tabia.server.statistics import design, piece_values
from tabia.server.statistics.gsprt import Floats
from tabia.server.statistics.piece_values import Values

GUESSED_PAWN: Final = 60.0
"""Elo of a hundred centipawns before anything is known: what was found for engines of a thousand
nodes or so."""

GUESS_ERROR: Final = 0.5
"""The guess of what a man is worth counts as a measurement with a standard error of this part of
it. Estimates of the first few units are wild, and a design made for them would be a bad one."""

EXPLORED: Final = 0.1
"""The part of a stage that goes to all imbalances alike. The best design for the values as they are
believed to be plays a few dozen imbalances only; these units show where the belief is wrong, and
whether men are worth the same in other company."""

_TOLERANCE: Final = 0.05
"""How far the sum of variances may be from the least possible: more exact than the beliefs are."""


def pawn(material: Material) -> int:
    """The column of the man that is worth 1."""
    return material.men.index(material.pawn)


def weigh(material: Material, tally: MatchTally) -> Values | None:
    """What the counts say of the men; None while one-sided scores leave a value infinite."""
    counts = tally.pentanomial(material.matches)
    try:
        return piece_values.fit(differences(material), counts, pawn(material))
    except piece_values.NoFiniteValueError:
        return None


def in_pawns(found: Values, men: Sequence[int]) -> tuple[Floats, Floats]:
    """Values of some of the men, all of them determined, and their covariance: (n,) and (n, n).

    By the delta method, v = theta / theta_P: the rows of L are (e_i - v_i e_P) / theta_P.
    """
    theta, scale = found.strengths, found.strengths[found.pawn]
    rows = np.eye(theta.size)
    rows[:, found.pawn] -= theta / scale
    chosen = rows[list(men)] / scale
    return theta[list(men)] / scale, np.asarray(chosen @ found.covariance @ chosen.T)


def allotted(material: Material, tally: MatchTally, units: int) -> dict[str, int]:
    """How many of the next ``units`` units each imbalance gets; those without one are left out.

    So many that all units up to then come near the best design for what is believed now.
    """
    best = _shares(material, tally)
    mixed = (1 - EXPLORED) * best + EXPLORED / best.size
    played = tally.pentanomial(material.matches).sum(axis=1)
    given = design.apportion(mixed, units, played)
    return {
        label: int(count) for label, count in zip(material.matches, given, strict=True) if count
    }


def reach(material: Material, tally: MatchTally, budget: int, alpha: float) -> float:
    """How far the widest interval of a value is expected to reach at the budget, to either side:
    in pawns, of a fixed sample, if the rest of it is played like the units so far."""
    played = tally.pentanomial(material.matches).sum(axis=1)
    shares = played / played.sum() if played.any() else _shares(material, tally)
    widths = design.reach(
        differences(material),
        strengths(material, tally),
        pawn(material),
        shares,
        budget,
        variances=_variances(material, tally),
        level=1 - alpha,
    )
    return float(widths.max())


def strengths(material: Material, tally: MatchTally) -> Floats:
    """What each man is believed to be worth, in Elo (k,): the guess and the counts, weighed by
    their precision. The guess is the engine's: what it plays by."""
    guess = GUESSED_PAWN * np.array([material.guess[man] for man in material.men])
    found = weigh(material, tally)
    if found is None:
        return guess
    of_guess = np.diag(1 / (GUESS_ERROR * guess) ** 2)
    of_counts = np.linalg.pinv(found.covariance, hermitian=True)
    believed = np.linalg.solve(of_guess + of_counts, of_guess @ guess + of_counts @ found.strengths)
    # A design in pawns needs a pawn that is worth something.
    return guess if believed[pawn(material)] <= 0 else np.asarray(believed)


def differences(material: Material) -> Floats:
    """How many men of each kind the first army has more: (m, k), imbalances by men."""
    return _differences(material.matches, material.men)


@lru_cache(maxsize=64)
def _differences(matches: tuple[str, ...], men: tuple[str, ...]) -> Floats:
    rows = []
    for label in matches:
        first, _, second = label.partition(":")
        has, misses = Counter(first), Counter(second)
        rows.append([has[man] - misses[man] for man in men])
    made = np.array(rows, dtype=np.float64).reshape(-1, len(men))
    made.flags.writeable = False  # every caller gets the same array
    return made


def _variances(material: Material, tally: MatchTally) -> Floats | None:
    """Of a pair's score in each imbalance; None where only a guess can be made."""
    found = weigh(material, tally)
    return None if found is None or not found.units.any() else found.variances


def _shares(material: Material, tally: MatchTally) -> Floats:
    """The best design for what is believed now: the part of all units for each imbalance (m,)."""
    variances = _variances(material, tally)
    return _best(
        material.matches,
        material.men,
        pawn(material),
        tuple(strengths(material, tally)),
        None if variances is None else tuple(variances),
    )


@lru_cache(maxsize=64)
def _best(
    matches: tuple[str, ...],
    men: tuple[str, ...],
    pawn: int,
    strengths: tuple[float, ...],
    variances: tuple[float, ...] | None,
) -> Floats:
    """Kept, because it takes a while and is asked for whenever somebody looks at an experiment that
    has not begun."""
    shares = design.allocate(
        _differences(matches, men), strengths, pawn, variances, tolerance=_TOLERANCE
    )
    shares.flags.writeable = False
    return shares
