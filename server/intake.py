"""The only door for results.

`record` takes one result, from whoever played it, and in one transaction writes its games, marks
its batch and moves the experiment's tallies, path and verdict over the longest prefix of finished
batches. The statistics therefore see games in schedule order, whatever the order of arrival: an
experiment whose workers die and come back ends exactly as an undisturbed one.

A batch counts once. The same result again changes nothing; a different one is refused and logged
with both digests, because one of the two was not played by the pinned engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

import structlog
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from tabia.engine.documents import DocumentError
from tabia.server import decision, results
from tabia.server.lifecycle import finish_experiment, lock
from tabia.server.models import (
    LIVE_LEASES,
    BatchRow,
    BatchState,
    ExperimentRow,
    ExperimentState,
    GameRow,
    LeaseRow,
    LeaseState,
    Provenance,
    SnapshotRow,
    TallyRow,
    Verification,
)
from tabia.server.planning import experiment_of

_log = structlog.get_logger(__name__)


class Receipt(StrEnum):
    """What became of a result that was not refused."""

    RECORDED = "recorded"
    DUPLICATE = "duplicate"


class ConflictError(results.ResultError):
    """Another result stands recorded for the batch."""


def record(session: Session, data: Mapping[str, Any], *, lease_id: str, now: datetime) -> Receipt:
    """Take the result ``data`` of the batch that ``lease_id`` was given out for.

    The lease may be over by now, and the experiment too: its games are kept all the same.
    Commit the session to keep what was done. Raises DocumentError (malformed), ResultError (not
    what was asked for) or ConflictError (the batch has another result); then nothing was changed.
    """
    result = results.parse(data)
    lease = session.get(LeaseRow, lease_id)
    if lease is None or (lease.experiment_id, lease.batch) != (result.experiment, result.batch):
        raise results.ResultError(
            f"lease {lease_id!r} was not given for batch {result.batch} of {result.experiment}"
        )
    experiment = lock(session, result.experiment)
    assert experiment is not None, "a lease's experiment is never deleted"
    batch = session.get_one(BatchRow, (result.experiment, result.batch), populate_existing=True)
    session.refresh(lease)
    results.check(result, experiment, batch)

    digest = results.digest(data)
    if batch.digest is not None:
        _end_lease(lease, now)
        if batch.digest == digest:
            return Receipt.DUPLICATE
        _log.error(
            "conflicting results",
            experiment=experiment.id,
            batch=batch.number,
            recorded=batch.digest,
            recorded_from=batch.provenance,
            refused=digest,
            refused_from=lease.provenance,
            refused_holder=lease.holder,
        )
        raise ConflictError(
            f"batch {batch.number} has another result: {batch.digest} is recorded, {digest} came"
        )

    _keep(session, result, batch)
    batch.state = BatchState.DONE
    batch.digest = digest
    batch.openings = result.openings
    batch.recorded = now
    batch.provenance = lease.provenance
    batch.verified = (
        Verification.TRUSTED if lease.provenance is Provenance.WORKER else Verification.UNVERIFIED
    )
    _end_lease(lease, now)
    session.flush()
    _advance(session, experiment, now)
    return Receipt.RECORDED
