"""Units at random, as an engine would tell of them: games whose results follow given laws."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tabia.server.tally import Unit

EVEN = (0.35, 0.30, 0.35)
WHITE_IS_BETTER = (0.25, 0.30, 0.45)
BLACK_IS_BETTER = (0.45, 0.30, 0.25)


def profile(castlings: int = 0, lead_changes: int = 0) -> dict[str, Any]:
    """What the engine counts of a game, beside its moves."""
    none = {"white": 0, "black": 0}
    return {
        "offered": 300,
        "chosen": 10,
        "forced": 1,
        "castlings": {"white": castlings, "black": 0},
        "en_passant": none,
        "own_captures": none,
        "citadel_exits": none,
        "first_promotion": None,
        "survivors": {"white": {"K": 1}, "black": {"K": 1}},
        "lead_changes": lead_changes,
        "decided_at": 1,
    }


def units_of_law(
    count: int,
    law_a: Sequence[float],
    law_b: Sequence[float],
    *,
    touched: float = 1.0,
    capped: float = 0.0,
    seed: int = 0,
) -> list[Unit]:
    """Units at random: laws are the chances of a black win, a draw and a white win."""
    rng = random.Random(seed)

    def game(number: int, arm: str, law: Sequence[float]) -> dict[str, Any]:
        result = rng.choices(["0-1", "1/2-1/2", "1-0"], law)[0]
        reason = "stalemate" if result == "1/2-1/2" else "checkmate"
        if rng.random() < capped:
            result, reason = "1/2-1/2", "ply cap"
        return {
            "unit": number,
            "arm": arm,
            "moves": f"e2e4 {rng.randrange(10**9)}",
            "opening_plies": 1,
            "result": result,
            "reason": reason,
            "plies": rng.randrange(10, 300),
            "promotions": {"white": {"Q": 1} if rng.random() < 0.3 else {}, "black": {}},
            "declined": {"white": 0, "black": int(rng.random() < 0.1)},
            "match": "",
            "profile": profile(castlings=number % 2, lead_changes=number % 3),
        }

    units = []
    for number in range(count):
        a, b = game(number, "a", law_a), game(number, "b", law_b)
        units.append(Unit(number, a, b if rng.random() < touched else a | {"arm": "b"}))
    return units
