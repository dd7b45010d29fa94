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


def stages(cuts: Sequence[int], budget: int) -> tuple[UnitRange, ...]:
    """The stages of ``budget`` units that are cut before each unit number of ``cuts``."""
    ends = [0, *sorted({cut for cut in cuts if 0 < cut < budget}), budget]
    return tuple(UnitRange(first, end - first) for first, end in pairwise(ends))


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
