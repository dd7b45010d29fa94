"""How long to think about a move."""

from __future__ import annotations

from tabia.engine.uci.words import Go

MOVES_TO_GO = 30
INCREMENT_SHARE = 0.8
LEAST = 0.005


def seconds_for(go: Go, side: str, overhead: float) -> float:
    """The time for a move of the side in seconds, 0 = no limit. overhead: what a move costs beside
    the search, in seconds. With a clock, an even share of what is left and most of the increment,
    never more than what is left."""
    if go.movetime:
        return max(go.movetime / 1000 - overhead, LEAST)
    if side not in go.time:
        return 0.0
    left = max(go.time[side] / 1000 - overhead, 0.0)
    share = left / (go.movestogo or MOVES_TO_GO)
    share += INCREMENT_SHARE * go.increment.get(side, 0) / 1000
    return max(min(share, left), LEAST)
