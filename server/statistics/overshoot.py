"""How far a path jumps over its bounds, learnt from the path itself.

Wald's bounds are exact for a path that stops on them. One that is looked at now and then jumps
over them by some excess, which makes the test longer and its errors smaller than asked for. The
excess over a far bound is about E[H^2] / (2 E[H]), H being the height by which one record of the
path beats the one before (Siegmund, "Sequential Analysis", 1985, corollary 8.33). The records so
far estimate it, and the bounds move inwards by that much (Van den Bergh, "Dynamic overshoot
correction").
"""

from typing import NamedTuple

import numpy as np

from .gsprt import Floats
from .sprt import Bounds

_LARGEST = 1e150


class Records(NamedTuple):
    """The records of paths that start at 0, one path an array element."""

    high: Floats
    """The highest value so far: the sum of the heights of all upward records."""
    high_squares: Floats
    """The sum of the squared heights of the upward records."""
    low: Floats
    """The lowest value so far, not above 0."""
    low_squares: Floats

    @classmethod
    def none(cls, *shape: int) -> "Records":
        """The records of paths that have not been looked at."""
        zeros = np.zeros(shape)
        return cls(zeros, zeros, zeros, zeros)

    def after(self, value: Floats) -> "Records":
        """The records once the paths have been seen at ``value``."""
        if not np.all(np.abs(value) <= _LARGEST):
            raise ValueError("a path is seen at a finite number")
        up = np.maximum(value - self.high, 0)
        down = np.maximum(self.low - value, 0)
        return Records(
            self.high + up,
            self.high_squares + up**2,
            self.low - down,
            self.low_squares + down**2,
        )

    def corrected(self, bounds: Bounds, share: float = 1) -> tuple[Floats, Floats]:
        """Lower and upper bound, moved inwards by this share of the expected excess over each."""
        return (
            bounds.lower + share * _excess(-self.low, self.low_squares),
            bounds.upper - share * _excess(self.high, self.high_squares),
        )


def _excess(total: Floats, squares: Floats) -> Floats:
    return np.divide(squares, 2 * total, out=np.zeros_like(total), where=total > 0)
