"""Which units a batch holds: a pure function of sizes that are fixed when an experiment starts.

The first batches take about a second, so that a designer sees numbers at once; then they grow to
about a minute, where the cost of carrying a batch no longer shows. They shrink again towards the
budget, so that no worker plays alone at the end. The speed that the sizes come from is measured
once, before the first game: the statistics need units in a fixed order, and a worker that dies must
be replaced by one that plays exactly the same batch.

No batch straddles a cut: a unit number at which something is decided that the units after it need.
Batches shrink towards a cut as they do towards the budget, because everybody waits there for the
last of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

FIRST_SECONDS = 1.0
"""How long a core is busy with the first batches."""
FULL_SECONDS = 60.0
"""How long a core is busy with a batch in the middle of a long experiment."""
SHARE = 16
"""A batch is at most this part of what comes before it, and of what is left."""
MOST_PLIES = 1_000_000
"""A batch's games have at most this many plies in all, to keep results within a few megabytes."""
MAX_BATCHES = 20_000
"""More batches than this would cost the database more than they gain."""


@dataclass(frozen=True)
class UnitRange:
    """The units ``first … first + count - 1``."""

    first: int
    count: int

    @property
    def end(self) -> int:
        """The first unit after the range."""
        return self.first + self.count


@dataclass(frozen=True)
class Schedule:
    """The sizes of all batches of an experiment, in order, in units."""

    sizes: tuple[int, ...]

    @property
    def batches(self) -> int:
        """How many batches there are."""
        return len(self.sizes)

    @property
    def units(self) -> int:
        """How many units there are in all: the budget."""
        return sum(self.sizes)

    def ranges(self) -> list[UnitRange]:
        """The units of every batch, in order; together they are ``0 … units - 1``."""
        starts = accumulate(self.sizes, initial=0)
        return [UnitRange(first, count) for first, count in zip(starts, self.sizes, strict=False)]

    def runs(self) -> list[list[int]]:
        """The sizes as pairs [how many batches, units in each], for storage."""
        return [[len(list(group)), size] for size, group in groupby(self.sizes)]

    @classmethod
    def from_runs(cls, runs: list[list[int]]) -> Schedule:
        """What :meth:`runs` gave."""
        return cls(tuple(size for count, size in runs for _ in range(count)))


def plan(
    budget: int, units_per_second: float, plies_a_unit: int, cuts: Sequence[int] = ()
) -> Schedule:
    """Divide ``budget`` units (at least 1) into batches for cores of the measured speed.

    plies_a_unit: the most that a unit's games can have together. cuts: unit numbers at which a
    batch must begin; those outside 1 … budget - 1 say nothing. Raises ValueError when a number is
    not positive.
    """
    if budget < 1 or not units_per_second > 0 or plies_a_unit < 1:
        raise ValueError(f"a budget of {budget} units at {units_per_second} units/s has no batches")
    floor = -(-budget // MAX_BATCHES)
    most = max(floor, MOST_PLIES // plies_a_unit, 1)
    first = min(most, max(floor, round(FIRST_SECONDS * units_per_second), 1))
    full = min(most, max(first, round(FULL_SECONDS * units_per_second)))
    sizes: list[int] = []
    done = 0
    for end in (*sorted(cut for cut in cuts if 0 < cut < budget), budget):
        while done < end:
            left = end - done
            size = min(left, max(first, min(full, done // SHARE, left // SHARE)))
            sizes.append(size)
            done += size
    return Schedule(tuple(sizes))
