"""How an experiment changes its state; every other module asks here.

::

    queued ──> running ──> decided          it has an answer, or everything is measured
       │          ├──────> out_of_budget    every unit is played, and there is no answer
       ├──────────┼──────> stopped          somebody asked
       └──────────┴──────> failed           a batch cannot be played

The four on the right are final. Results of batches that were out at that moment are still taken.
"""

from __future__ import annotations

from datetime import datetime

import structlog
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tabia.server.models import (
    OPEN_STATES,
    BatchRow,
    BatchState,
    ExperimentRow,
    ExperimentState,
)

_log = structlog.get_logger(__name__)


def lock(session: Session, experiment_id: str) -> ExperimentRow | None:
    """The experiment, fresh, and locked until the transaction ends; None if there is none.

    Everything that moves an experiment takes this lock first. (On SQLite the whole database is
    locked already, see :mod:`tabia.server.database`.)
    """
    return session.scalars(
        select(ExperimentRow)
        .where(ExperimentRow.id == experiment_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one_or_none()


def start_experiment(experiment: ExperimentRow, now: datetime) -> None:
    """Its first batch is handed out."""
    if experiment.state is ExperimentState.QUEUED:
        experiment.state = ExperimentState.RUNNING
        experiment.started = now


def finish_experiment(
    session: Session, experiment: ExperimentRow, state: ExperimentState, now: datetime
) -> None:
    """Close an open experiment in the final ``state``: no batch of it is handed out any more.

    An experiment that is already closed keeps its state.
    """
    if experiment.state not in OPEN_STATES:
        return
    experiment.state = state
    experiment.finished = now
    session.flush()
    session.execute(
        update(BatchRow)
        .where(
            BatchRow.experiment_id == experiment.id,
            BatchRow.state.in_((BatchState.HELD, BatchState.WAITING)),
        )
        .values(state=BatchState.CANCELLED)
    )
    _log.info("experiment over", experiment=experiment.id, state=state.value)


def stop_experiment(session: Session, experiment_id: str, now: datetime) -> ExperimentRow | None:
    """Stop an experiment on request; None if there is none. A closed one stays as it is."""
    experiment = lock(session, experiment_id)
    if experiment is not None:
        finish_experiment(session, experiment, ExperimentState.STOPPED, now)
    return experiment


def fail_experiment(
    session: Session, experiment: ExperimentRow, failure: str, now: datetime
) -> None:
    """Close an experiment that cannot be played; ``failure`` is one line for its owner."""
    if experiment.state in OPEN_STATES:
        experiment.failure = failure
        finish_experiment(session, experiment, ExperimentState.FAILED, now)
