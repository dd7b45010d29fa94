"""Which imbalance each unit of a ``material`` experiment plays: decided in stages.

The units of an experiment are cut into stages at fixed numbers. What the units of a stage play is
decided when the stage opens, at once and for good, from the counts of all units before it: nothing
else goes in, neither the time nor who played, so that an experiment that is killed and started
again makes the same decisions. The first stage has nothing but the engine's own weights to go by.

A stage's **allotment** says how many of its units each imbalance gets. Within a stage the
imbalances are spread evenly (:func:`order`), so that any prefix of the schedule has about the same
mixture as the whole stage: whatever drifts along the schedule drifts for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tabia.server.schedule import UnitRange

Whole = NDArray[np.int64]

EXPLORED = 0.1
"""The part of a stage that goes to all imbalances alike. The best design for the values as they are
believed to be plays a few dozen imbalances only; these units show where the belief is wrong, and
whether men are worth the same in other company."""


def stages(cuts: Sequence[int], budget: int) -> tuple[UnitRange, ...]:
    """The stages of ``budget`` units that are cut before each unit number of ``cuts``."""
    ends = [0, *sorted({cut for cut in cuts if 0 < cut < budget}), budget]
    return tuple(UnitRange(first, end - first) for first, end in pairwise(ends))


def allotment(shares: ArrayLike, played: ArrayLike, units: int) -> Whole:
    """How many of a stage's ``units`` each of m imbalances gets: whole numbers (m,).

    ``shares`` (m,), of sum 1: the best design of all units up to the end of the stage. ``played``
    (m,): the units before the stage. The stage gives what that design still lacks, but for the part
    ``EXPLORED`` that is spread over all; rounded by the largest remainders, of equal ones the first.
    """
    wanted = np.asarray(shares, dtype=np.float64)
    before = np.asarray(played, dtype=np.float64)
    lacking = np.maximum(wanted * (before.sum() + units) - before, 0)
    lacking = lacking / lacking.sum() if lacking.any() else wanted
    spread = EXPLORED / wanted.size
    return _rounded(((1 - EXPLORED) * lacking + spread) * units, units)


def order(allotted: ArrayLike) -> Whole:
    """The imbalance (an index) of each unit of a stage, from how many units each imbalance gets.

    The k-th of n units of an imbalance stands at (k + 1/2) / n of the way through the stage, so in
    any stretch every imbalance has its share to within a unit or so; of equal places the imbalance
    that comes first in the list is played first.
    """
    counts = np.asarray(allotted, dtype=np.int64)
    index = np.repeat(np.arange(counts.size), counts)
    begins = np.repeat(np.cumsum(counts) - counts, counts)
    place = (np.arange(index.size) - begins + 0.5) / np.repeat(counts, counts)
    return np.asarray(index[np.lexsort((index, place))])


def _rounded(quotas: NDArray[np.float64], total: int) -> Whole:
    """Whole numbers near the quotas, of this sum (Hamilton's method of largest remainders)."""
    # What differs in the last digits between two machines must not decide who gets a unit.
    settled = np.round(quotas, 6)
    counts = np.floor(settled).astype(np.int64)
    missing = total - int(counts.sum())
    order_of_remainders = np.argsort(-np.round(settled - counts, 6), kind="stable")
    counts[order_of_remainders[:missing]] += 1
    return counts
