"""How long to wait before asking again."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator


def delays(
    first: float, most: float, *, chance: Callable[[], float] = random.random
) -> Iterator[float]:
    """Seconds to wait, without end: doubling from ``first`` to ``most``, less up to half by chance.

    Chance spreads the requests of many who were turned away at the same moment. ``chance`` gives
    numbers from 0 to 1.
    """
    bound = first
    while True:
        yield bound * (1.0 - 0.5 * chance())
        bound = min(most, 2 * bound)
