"""Pairs of games that did not count because a program broke one off.

None of them is a loss, and none is forgotten: they are kept, counted by reason and shown. An
experiment with too many of them says nothing about what it asks, because the games that were left
are a choice: it fails.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from tabia.engine.match import Experiment
from tabia.server.models import BatchRow, BatchState, VoidRow
from tabia.server.results import Result
from tabia.server.void_words import in_words

MOST_SHARE = 0.1
"""Of all pairs that were begun."""
ALWAYS_ALLOWED = 10
"""So few void pairs fail nothing, whatever their share: a machine may have had a bad moment."""


def keep(session: Session, result: Result) -> None:
    """Store the void pairs of a batch's result."""
    if result.voids:
        session.execute(
            insert(VoidRow),
            [
                {
                    "experiment_id": result.experiment,
                    "batch": result.batch,
                    **void.model_dump(),
                }
                for void in result.voids
            ],
        )


def voids_view(session: Session, experiment: Experiment) -> dict[str, Any]:
    """How many pairs were void, and how often for which reason: ``{"pairs", "reasons": [{"player",
    "name", "reason", "pairs", "example"}]}``, the most frequent reason first."""
    if not experiment.trusted_only:
        return {"pairs": 0, "reasons": []}
    rows = session.execute(
        select(VoidRow.player, VoidRow.reason, func.count(), func.min(VoidRow.detail))
        .where(VoidRow.experiment_id == experiment.id)
        .group_by(VoidRow.player, VoidRow.reason)
        .order_by(func.count().desc(), VoidRow.player, VoidRow.reason)
    ).all()
    reasons = [
        {
            "player": player,
            "name": experiment.players[player].name,
            "reason": reason,
            "pairs": pairs,
            "example": example,
        }
        for player, reason, pairs, example in rows
    ]
    return {"pairs": sum(each["pairs"] for each in reasons), "reasons": reasons}


def too_many(session: Session, experiment: Experiment) -> str | None:
    """Why the experiment fails, in one line; None while it need not."""
    view = voids_view(session, experiment)
    void = view["pairs"]
    counted = session.scalars(
        select(func.coalesce(func.sum(BatchRow.units), 0)).where(
            BatchRow.experiment_id == experiment.id, BatchRow.state == BatchState.DONE
        )
    ).one()
    if void <= max(ALWAYS_ALLOWED, MOST_SHARE * (void + counted)):
        return None
    return (
        f"{void} of {void + counted} pairs of games were void ({in_words(view['reasons'])}); "
        f"allowed: {ALWAYS_ALLOWED}, and beyond that {MOST_SHARE:.0%} of all pairs"
    )
