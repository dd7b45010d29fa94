"""Whose batch is next: what the open experiments have to give, and how the machines are shared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import structlog
from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from tabia.server.models import OPEN_STATES, BatchRow, BatchState, ExperimentRow
from tabia.server.planning import own_engine

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Demand:
    """What one open experiment has: batches that wait, batches that are out. trusted_only: none of
    them is for a volunteer."""

    experiment_id: str
    waiting: int
    out: int
    trusted_only: bool = False


def choose(demands: Sequence[Demand], batches: int) -> list[str]:
    """Whose batches to hand out next, at most ``batches`` of them: a list of experiment ids.

    Always the experiment with the fewest batches out, and of equals the one that comes first in
    ``demands`` (the oldest): all open experiments get the same share of the machines, and one that
    was just submitted starts at once.
    """
    waiting = [demand.waiting for demand in demands]
    out = [demand.out for demand in demands]
    chosen: list[str] = []
    while len(chosen) < batches:
        candidates = [index for index, left in enumerate(waiting) if left > 0]
        if not candidates:
            break
        index = min(candidates, key=lambda candidate: out[candidate])
        waiting[index] -= 1
        out[index] += 1
        chosen.append(demands[index].experiment_id)
    return chosen


def read_demands(session: Session) -> list[Demand]:
    """The open experiments that this coordinator's engine can plan, the oldest first.

    One that was pinned to another engine is left out and named in the log: its games would not be
    comparable any more.
    """
    rows = session.execute(
        select(
            ExperimentRow.id,
            ExperimentRow.engine,
            ExperimentRow.trusted_only,
            func.sum(case((BatchRow.state == BatchState.WAITING, 1), else_=0)),
            func.sum(case((BatchRow.state == BatchState.OUT, 1), else_=0)),
        )
        .join(BatchRow, BatchRow.experiment_id == ExperimentRow.id)
        .where(
            ExperimentRow.state.in_(OPEN_STATES),
            BatchRow.state.in_((BatchState.WAITING, BatchState.OUT)),
        )
        .group_by(
            ExperimentRow.id,
            ExperimentRow.engine,
            ExperimentRow.trusted_only,
            ExperimentRow.created,
        )
        .order_by(ExperimentRow.created, ExperimentRow.id)
    ).all()
    ours = own_engine()
    demands: list[Demand] = []
    for experiment_id, engine, trusted_only, waiting, out in rows:
        if engine == ours:
            demands.append(Demand(experiment_id, waiting, out, trusted_only))
        else:
            say_it_waits(experiment_id, engine, ours)
    return demands


@lru_cache(maxsize=1024)
def say_it_waits(experiment_id: str, pinned: str, ours: str) -> None:
    """Warns once a process: the scheduler asks several times a second."""
    _log.warning(
        "experiment waits for another engine", experiment=experiment_id, pinned=pinned, ours=ours
    )
