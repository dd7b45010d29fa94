"""How long games are, as sums of logarithms.

Lengths are compared as ratios, because a rule that makes games longer makes long games longer by
more plies; so what is averaged is the natural logarithm of the number of plies. The mean of the
logarithms is that of a typical game: e to its power is the geometric mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from tabia.server.metrics import Game


@dataclass
class Moments:
    """The first two moments of numbers that came one by one."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """Take in one number."""
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        """The mean; 0 without a number."""
        return self.total / self.count if self.count else 0.0

    @property
    def sd(self) -> float:
        """The standard deviation; 0 without a number."""
        if not self.count:
            return 0.0
        return math.sqrt(max(self.squares / self.count - self.mean**2, 0.0))


@dataclass
class Lengths:
    """Logarithms of the lengths of units' games: of either arm, their mean, their difference."""

    a: Moments = field(default_factory=Moments)
    b: Moments = field(default_factory=Moments)
    both: Moments = field(default_factory=Moments)
    difference: Moments = field(default_factory=Moments)

    def add(self, a: Game, b: Game) -> None:
        """Count the two games of a unit."""
        first, second = (math.log(max(game["plies"], 1)) for game in (a, b))
        self.a.add(first)
        self.b.add(second)
        self.both.add((first + second) / 2)
        self.difference.add(first - second)

    def to_json(self) -> dict[str, Any]:
        """Plain data from which :meth:`from_json` makes an equal one."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Lengths:
        """What ``to_json`` made ``data`` of."""
        return cls(**{name: Moments(**moments) for name, moments in data.items()})
