"""Pairs of games that did not count because a program broke one off.

None of them is a loss, and none is forgotten: they are kept, counted by reason and shown. An
experiment with too many of them says nothing about what it asks, because the games that were left
are a choice: it fails.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, and_, func, insert, select
from sqlalchemy.orm import Session

from tabia.engine.match import Experiment
from tabia.server.models import TallyRow, VoidRow
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


def voids_view(session: Session, experiment: Experiment, tally: TallyRow) -> dict[str, Any]:
    """How many pairs were void, and how often for which reason: ``{"pairs", "reasons": [{"player",
    "name", "reason", "pairs", "example"}], "score_if_lost"}``, the most frequent reason first.

    ``score_if_lost``: A's score in kind ``engines`` with the void pairs of the units that are
    counted, see :func:`score_if_lost`; None elsewhere, and where none of them is void.
    """
    if not experiment.trusted_only:
        return {"pairs": 0, "reasons": [], "score_if_lost": None}
    everywhere = _counted(session, experiment, VoidRow.experiment_id == experiment.id)
    return {**everywhere, "score_if_lost": _score_if_lost(session, experiment, tally)}


def score_if_lost(score: float, units: int, by_a: int, by_b: int) -> float:
    """A's score over ``units`` pairs, and over the void ones too, had whoever broke them off lost
    both games of each. That is the worst for him: if he breaks off what he is about to lose, his
    score among the pairs that count is too high, by this at most."""
    return (score * units + by_b) / (units + by_a + by_b)


def _score_if_lost(session: Session, experiment: Experiment, tally: TallyRow) -> float | None:
    if experiment.kind != "engines" or not tally.known:
        return None
    score = tally.known["estimate"]["score"]["value"]
    void = {"a": 0, "b": 0}
    for each in _counted(session, experiment, _among(experiment, tally.units_done))["reasons"]:
        void[each["player"]] += each["pairs"]
    if score is None or not any(void.values()):
        return None
    return score_if_lost(score, tally.units_done, void["a"], void["b"])


def too_many(session: Session, experiment: Experiment, units: int) -> str | None:
    """Why the experiment fails, in one line; None while it need not. Asked of the pairs of the
    first ``units`` units, whatever else was played by now: not the order in which batches happen to
    end decides what becomes of an experiment."""
    if not experiment.trusted_only:
        return None
    view = _counted(session, experiment, _among(experiment, units))
    void = view["pairs"]
    if void <= max(ALWAYS_ALLOWED, MOST_SHARE * (void + units)):
        return None
    return (
        f"{void} of {void + units} pairs of games were void ({in_words(view['reasons'])}); "
        f"allowed: {ALWAYS_ALLOWED}, and beyond that {MOST_SHARE:.0%} of all pairs"
    )


def _among(experiment: Experiment, units: int) -> ColumnElement[bool]:
    """The void pairs of the first units."""
    return and_(VoidRow.experiment_id == experiment.id, VoidRow.unit < units)


def _counted(
    session: Session, experiment: Experiment, among: ColumnElement[bool]
) -> dict[str, Any]:
    rows = session.execute(
        select(VoidRow.player, VoidRow.reason, func.count(), func.min(VoidRow.detail))
        .where(among)
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
