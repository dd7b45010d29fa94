"""Numbers in sentences."""

from __future__ import annotations

import math


def share(value: float) -> str:
    """``12.3 %``."""
    return f"{100 * value:.1f} %"


def signed(value: float, digits: int = 1) -> str:
    """``+1.5``, ``-0.3``, and ``0.0`` without a sign."""
    rounded = round(value, digits)
    if not rounded:
        return f"{0:.{digits}f}"
    return f"{math.copysign(1, rounded) * abs(rounded):+.{digits}f}"
