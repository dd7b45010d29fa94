"""From a stored experiment to the batch that a worker plays: what is asked of the engine."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from sqlalchemy.orm import Session

from tabia.engine import bench_signature
from tabia.engine.match import Experiment, plan_batch
from tabia.server import staging
from tabia.server.models import BatchRow, ExperimentRow
from tabia.server.schedule import UnitRange


@lru_cache(maxsize=1)
def own_engine() -> str:
    """The bench signature of the engine that this process would plan and play with."""
    return bench_signature()


def experiment_of(row: ExperimentRow) -> Experiment:
    """The experiment as the engine knows it. It never changes, so the last few are kept."""
    return _thaw(json.dumps(row.frozen))


def batch_of(session: Session, experiment_id: str, number: int) -> dict[str, Any]:
    """The whole JSON of one batch: anyone who plays it gets the same games.

    Raises ``sqlalchemy.exc.NoResultFound`` when there is no such batch, and
    :class:`tabia.server.staging.NotOpenError` when it is not decided yet what it plays.
    """
    experiment = experiment_of(session.get_one(ExperimentRow, experiment_id))
    batch = session.get_one(BatchRow, (experiment_id, number))
    matches = staging.matches_of(session, experiment, UnitRange(batch.first_unit, batch.units))
    return plan_batch(experiment, number, batch.first_unit, batch.units, matches)


def matches_of(session: Session, experiment_id: str, number: int) -> list[str]:
    """Who meets in each unit of a batch, as a label; empty labels where it is always A and B."""
    return list(batch_of(session, experiment_id, number)["matches"])


@lru_cache(maxsize=256)
def _thaw(frozen: str) -> Experiment:
    return Experiment.from_frozen(json.loads(frozen))
