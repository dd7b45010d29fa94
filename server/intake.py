"""The only door for results.

`record` takes one result, from whoever played it, and in one transaction writes its games, marks
its batch and moves the experiment's tallies, path and verdict over the longest prefix of finished
batches. The statistics therefore see games in schedule order, whatever the order of arrival: an
experiment whose workers die and come back ends exactly as an undisturbed one.

A batch counts once. The same result again changes nothing; a different one is refused and logged
with both digests, because one of the two was not played by the pinned engine. (Where programs of
others play, or somebody plays by the clock, the first result is the one that counts.)
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

import structlog
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from tabia.server import decision, leases, results, staging, voids
from tabia.server.lifecycle import fail_experiment, finish_experiment, lock
from tabia.server.models import (
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
from tabia.server.planning import experiment_of, matches_of
from tabia.server.question import Question
from tabia.server.tally import Unit, units_of

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
    what was asked for), ConflictError (the batch has another result) or UnknownLeaseError; then
    nothing was changed.
    """
    result = results.parse(data)
    lease = leases.find(session, lease_id)
    if (lease.experiment_id, lease.batch) != (result.experiment, result.batch):
        raise results.ResultError(
            f"lease {lease_id!r} was not given for batch {result.batch} of {result.experiment}"
        )
    experiment = lock(session, result.experiment)
    assert experiment is not None, "a lease's experiment is never deleted"
    batch = session.get_one(BatchRow, (result.experiment, result.batch), populate_existing=True)
    session.refresh(lease)
    planned = experiment_of(experiment)
    results.check(result, planned, batch, matches_of(session, experiment.id, batch.number))

    digest = results.digest(data)
    if batch.digest == digest:
        _end_lease(lease, now)
        return Receipt.DUPLICATE
    if batch.digest is not None and planned.trusted_only:
        # Programs and clocks need not do the same again; what came first is what was played.
        _end_lease(lease, now)
        return Receipt.DUPLICATE
    if batch.digest is not None:
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

    _keep_games(session, result)
    voids.keep(session, result)
    batch.state = BatchState.DONE
    batch.digest = digest
    batch.openings = result.openings.model_dump()
    batch.recorded = now
    batch.provenance = lease.provenance
    batch.verified = (
        Verification.TRUSTED if lease.provenance is Provenance.WORKER else Verification.UNVERIFIED
    )
    _end_lease(lease, now)
    session.flush()
    _advance(session, experiment, now)
    problem = voids.too_many(session, planned) if planned.trusted_only else None
    if problem is not None:
        fail_experiment(session, experiment, problem, now)
    return Receipt.RECORDED


def _keep_games(session: Session, result: results.Result) -> None:
    session.execute(
        insert(GameRow),
        [
            {
                "experiment_id": result.experiment,
                "batch": result.batch,
                "unit": game.unit,
                "arm": game.arm,
                "result": game.result,
                "reason": game.reason,
                "plies": game.plies,
                "opening_plies": game.opening_plies,
                "moves": game.moves,
                "promotions": game.promotions.model_dump(),
                "declined": game.declined.model_dump(),
                "match": game.match,
                "profile": game.profile.model_dump(),
            }
            for game in result.games
        ],
    )


def _end_lease(lease: LeaseRow, now: datetime) -> None:
    """The lease was answered: in time, or after it was given up for lost."""
    if lease.state is not LeaseState.DONE:
        lease.state = LeaseState.DONE
        lease.ended = now


def _advance(session: Session, experiment: ExperimentRow, now: datetime) -> None:
    """Move tallies, path and verdict over the batches that are finished now, in schedule order.

    Nothing moves after the verdict, so that it does not matter which batches were out just then.
    """
    tally = session.get_one(TallyRow, experiment.id)
    planned = experiment_of(experiment)
    question = Question.from_experiment(planned)
    while experiment.verdict is None:
        batch = session.get(BatchRow, (experiment.id, tally.batches_done))
        if batch is None or batch.state is not BatchState.DONE:
            break
        moved = decision.advance(question, tally.state, _units(session, batch))
        experiment.verdict = moved.verdict
        tally.state = moved.state
        tally.known = decision.estimate(question, moved.state)
        tally.log_e = tally.known["test"]["log_e"]
        tally.batches_done += 1
        tally.units_done = _end(batch) if moved.verdict is None else moved.verdict["at_unit"]
        if moved.verdict is None:
            staging.open_stage(session, planned, tally.units_done, moved.state)
        session.add_all(
            SnapshotRow(experiment_id=experiment.id, units=snapshot.pop("units"), body=snapshot)
            for snapshot in moved.snapshots
        )
    if experiment.verdict is not None:
        finish_experiment(session, experiment, _final_state(experiment), now)
    session.flush()


def _end(batch: BatchRow) -> int:
    return batch.first_unit + batch.units


def _final_state(experiment: ExperimentRow) -> ExperimentState:
    assert experiment.verdict is not None
    answered = experiment.verdict["outcome"] not in ("inconclusive", "refused")
    if answered or experiment.verdict["at_unit"] < experiment.budget:
        return ExperimentState.DECIDED
    return ExperimentState.OUT_OF_BUDGET


def _units(session: Session, batch: BatchRow) -> list[Unit]:
    games = session.scalars(
        select(GameRow).where(
            GameRow.experiment_id == batch.experiment_id, GameRow.batch == batch.number
        )
    )
    return units_of(
        {
            "unit": game.unit,
            "arm": game.arm,
            "moves": game.moves,
            "opening_plies": game.opening_plies,
            "result": game.result,
            "reason": game.reason,
            "plies": game.plies,
            "promotions": game.promotions,
            "declined": game.declined,
            "match": game.match,
            "profile": game.profile,
        }
        for game in games
    )
