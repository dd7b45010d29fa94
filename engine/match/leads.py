"""Who was ahead, and when it was over: two readings of the engines' own scores.

Scores are centipawns from White's side, one for each ply that an engine chose: what its search said
of the move that it then made. Both definitions are those of docs/metrics.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

LEAD = 100
"""Centipawns from which a side leads."""
DECIDED = 300
"""Centipawns that the winner keeps from the ply on which the game was decided."""


def lead_changes(scores: Sequence[int]) -> int:
    """How often the lead passed from one side to the other.

    A side takes the lead when two scores in a row are at least `LEAD` for it, and keeps it until
    the other one takes it. The first leader is no change. Two in a row, because the two searches
    take turns and each is hopeful for its own side: their saw-tooth alone crosses the limit.
    """
    leader = changes = 0
    for before, now in pairwise(scores):
        ahead = 1 if min(before, now) >= LEAD else -1 if max(before, now) <= -LEAD else 0
        if ahead and ahead != leader:
            changes += leader != 0
            leader = ahead
    return changes


def decided_at(scores: Sequence[tuple[int, int]], winner: int, plies: int) -> int | None:
    """The first ply from which on the winner's score is at least `DECIDED` to the end.

    scores: (ply, score) in order; winner: 1 for White, -1 for Black, 0 for nobody; plies: of the
    game. None without a winner; `plies` where the last score says less: only the end decided it.
    """
    if winner == 0:
        return None
    decided = plies
    for ply, score in reversed(scores):
        if winner * score < DECIDED:
            break
        decided = ply
    return decided
