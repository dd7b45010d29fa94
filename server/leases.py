"""Who plays which batch, and what becomes of it when they fall silent.

A lease is one attempt at one batch. A cluster worker's lease begins as a message on the queue
(`sent`) and is `playing` once the worker says so; a volunteer's is `playing` from the start. A
lease that is not renewed in time is over, and the batch waits for somebody else: nothing is lost
but the time, because a batch gives the same games wherever it is played. For the same reason a
result is welcome however late it comes.

A batch that fails too often fails its experiment. Failures are errors that a worker reports, and
cluster workers that fall silent while playing (a batch that makes its worker run out of memory
shows in no other way). A volunteer who closes the lid, a message nobody took and a worker that was
asked to stop are nobody's failure.

All functions that write lock the experiment's row first, so that they never deadlock with intake.
Times are aware datetimes, given by the caller.
"""

from __future__ import annotations

import re
import secrets
from datetime import datetime

import structlog
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from tabia.server.lifecycle import fail_experiment, lock, start_experiment
from tabia.server.models import (
    LIVE_LEASES,
    OPEN_STATES,
    BatchRow,
    BatchState,
    ExperimentRow,
    LeaseRow,
    LeaseState,
    Provenance,
)
from tabia.server.terms import Terms

_log = structlog.get_logger(__name__)

UNABLE = "unable: "
"""How the message of a lease begins that a worker gave back because it lacks something."""
UNABLE_IN_A_ROW = 3

_ID = re.compile(r"[0-9a-f]{32}")


class UnknownLeaseError(LookupError):
    """No lease has this id."""

    def __init__(self, lease_id: str) -> None:
        super().__init__(f"no lease {lease_id!r}")


def find(session: Session, lease_id: str) -> LeaseRow:
    """The lease of this id. Raises UnknownLeaseError."""
    lease = session.get(LeaseRow, lease_id) if _ID.fullmatch(lease_id) else None
    if lease is None:
        raise UnknownLeaseError(lease_id)
    return lease


def next_batch(session: Session, experiment_id: str) -> BatchRow | None:
    """The first batch that waits, or None. Call it with the experiment's row locked."""
    return session.scalars(
        select(BatchRow)
        .where(BatchRow.experiment_id == experiment_id, BatchRow.state == BatchState.WAITING)
        .order_by(BatchRow.number)
        .limit(1)
    ).first()


def send(session: Session, experiment_id: str, *, now: datetime, terms: Terms) -> LeaseRow | None:
    """Lease the next batch to whichever cluster worker takes it off the queue.

    Returns None when nothing waits or the experiment is over.
    """
    return _issue(
        session,
        experiment_id,
        provenance=Provenance.WORKER,
        holder=None,
        state=LeaseState.SENT,
        now=now,
        deadline=now + terms.claim_within,
    )


def lend(
    session: Session, experiment_id: str, *, holder: str, now: datetime, terms: Terms
) -> LeaseRow | None:
    """Lease the next batch to the volunteer who calls himself ``holder``, from now on.

    Returns None when nothing waits or the experiment is over.
    """
    return _issue(
        session,
        experiment_id,
        provenance=Provenance.VOLUNTEER,
        holder=holder,
        state=LeaseState.PLAYING,
        now=now,
        deadline=now + terms.renew_within,
    )


def _issue(
    session: Session,
    experiment_id: str,
    *,
    provenance: Provenance,
    holder: str | None,
    state: LeaseState,
    now: datetime,
    deadline: datetime,
) -> LeaseRow | None:
    experiment = lock(session, experiment_id)
    if experiment is None or experiment.state not in OPEN_STATES:
        return None
    batch = next_batch(session, experiment_id)
    if batch is None:
        return None
    attempts = session.scalar(
        select(func.count())
        .select_from(LeaseRow)
        .where(LeaseRow.experiment_id == experiment_id, LeaseRow.batch == batch.number)
    )
    lease = LeaseRow(
        id=secrets.token_hex(16),
        experiment_id=experiment_id,
        batch=batch.number,
        attempt=(attempts or 0) + 1,
        provenance=provenance,
        holder=holder,
        state=state,
        issued=now,
        begun=now if state is LeaseState.PLAYING else None,
        deadline=deadline,
    )
    session.add(lease)
    batch.state = BatchState.OUT
    start_experiment(experiment, now)
    session.flush()
    return lease


def renew(
    session: Session, lease_id: str, *, now: datetime, terms: Terms, holder: str | None = None
) -> bool:
    """A sign of life; the first one of a cluster worker begins the lease.

    Returns whether the batch is still wanted: False tells the worker to drop it, because the lease
    is over, the batch is recorded or the experiment needs no more games. Raises UnknownLeaseError.
    """
    lease = find(session, lease_id)
    experiment = session.get_one(ExperimentRow, lease.experiment_id)
    batch = session.get_one(BatchRow, (lease.experiment_id, lease.batch))
    if experiment.state not in OPEN_STATES or batch.state is BatchState.DONE:
        return False
    # One statement, so that a lease which expires at this moment stays expired.
    renewed = session.execute(
        update(LeaseRow)
        .where(LeaseRow.id == lease_id, LeaseRow.state.in_(LIVE_LEASES))
        .values(
            state=LeaseState.PLAYING,
            begun=func.coalesce(LeaseRow.begun, now),
            holder=func.coalesce(LeaseRow.holder, holder),
            deadline=now + terms.renew_within,
        )
        .returning(LeaseRow.id)
    )
    return renewed.first() is not None


def give_back(session: Session, lease_id: str, *, now: datetime, reason: str = "") -> None:
    """The holder will not play the batch, through no fault of the batch's: it was asked to stop, or
    lacks what the batch needs, which ``reason`` says then.

    Raises UnknownLeaseError.
    """
    lease = _lock_lease(session, lease_id)
    if lease.state in LIVE_LEASES:
        line = f"{UNABLE}{_line(reason)}" if reason else "given back"
        _end(session, lease, LeaseState.RETURNED, now, line)


def unable(session: Session, experiment_id: str) -> str | None:
    """Why nobody can play the experiment, as far as the last few who had a batch of it say so; None
    where one of them could, or too few were asked."""
    last = session.scalars(
        select(LeaseRow)
        .where(LeaseRow.experiment_id == experiment_id, LeaseRow.ended.is_not(None))
        .order_by(LeaseRow.ended.desc())
        .limit(UNABLE_IN_A_ROW)
    ).all()
    messages = [lease.message or "" for lease in last]
    if len(last) < UNABLE_IN_A_ROW or not all(each.startswith(UNABLE) for each in messages):
        return None
    return messages[0].removeprefix(UNABLE)


def fail(session: Session, lease_id: str, message: str, *, now: datetime, terms: Terms) -> None:
    """The holder could not play the batch; ``message`` says why. Raises UnknownLeaseError."""
    lease = _lock_lease(session, lease_id)
    if lease.state in LIVE_LEASES:
        line = _line(message) or "the worker gave no reason"
        _end(session, lease, LeaseState.FAILED, now, line)
        _fail_experiment_if_hopeless(session, lease, now, terms)


def expire(session: Session, *, now: datetime, terms: Terms) -> int:
    """End every lease whose time is over; its batch waits again. Returns how many there were."""
    overdue = session.execute(
        select(LeaseRow.experiment_id, LeaseRow.id)
        .where(LeaseRow.state.in_(LIVE_LEASES), LeaseRow.deadline < now)
        .order_by(LeaseRow.experiment_id, LeaseRow.id)
    ).all()
    ended = 0
    for _, lease_id in overdue:
        lease = _lock_lease(session, lease_id)
        # It may have been renewed or answered while this waited for the lock.
        if lease.state not in LIVE_LEASES or lease.deadline >= now:
            continue
        if lease.state is LeaseState.SENT:
            _end(session, lease, LeaseState.UNCLAIMED, now, "no worker took it")
        else:
            who = lease.holder or "its worker"
            _end(session, lease, LeaseState.LOST, now, f"{who} stopped answering")
            _fail_experiment_if_hopeless(session, lease, now, terms)
        ended += 1
    return ended


def withdraw(session: Session, *, now: datetime) -> list[str]:
    """Give back the leases that nobody has begun and nobody needs.

    Their experiment is over, or a late result of an earlier attempt came after all. Returns their
    ids, for whoever can take the messages off the queue again.
    """
    needless = session.execute(
        select(LeaseRow.experiment_id, LeaseRow.id)
        .join(ExperimentRow, ExperimentRow.id == LeaseRow.experiment_id)
        .join(
            BatchRow,
            (BatchRow.experiment_id == LeaseRow.experiment_id)
            & (BatchRow.number == LeaseRow.batch),
        )
        .where(
            LeaseRow.state == LeaseState.SENT,
            ExperimentRow.state.not_in(OPEN_STATES) | (BatchRow.state != BatchState.OUT),
        )
        .order_by(LeaseRow.experiment_id, LeaseRow.id)
    ).all()
    withdrawn: list[str] = []
    for _, lease_id in needless:
        lease = _lock_lease(session, lease_id)
        if lease.state is LeaseState.SENT:
            _end(session, lease, LeaseState.RETURNED, now, "not needed any more")
            withdrawn.append(lease_id)
    return withdrawn


def reclaim(session: Session, *, now: datetime, holder: str | None = None) -> int:
    """Take back the cluster's leases: of the worker ``holder``, or of all (None).

    For whoever knows that the workers are gone and their queue is empty, as `tabia up` does when
    it starts on a folder that another one left. Not a failure of any batch. Returns how many.
    """
    conditions = [LeaseRow.state.in_(LIVE_LEASES), LeaseRow.provenance == Provenance.WORKER]
    if holder is not None:
        conditions.append(LeaseRow.holder == holder)
    gone = session.scalars(
        select(LeaseRow.id).where(*conditions).order_by(LeaseRow.experiment_id, LeaseRow.id)
    ).all()
    taken = 0
    for lease_id in gone:
        lease = _lock_lease(session, lease_id)
        if lease.state in LIVE_LEASES:
            _end(session, lease, LeaseState.RETURNED, now, "taken back from a worker that is gone")
            taken += 1
    return taken


def _line(message: str) -> str:
    return " ".join(message.split())[:500]


def _lock_lease(session: Session, lease_id: str) -> LeaseRow:
    """The lease as it is once nobody else can change its experiment."""
    lease = find(session, lease_id)
    lock(session, lease.experiment_id)
    session.refresh(lease)
    return lease


def _end(session: Session, lease: LeaseRow, state: LeaseState, now: datetime, message: str) -> None:
    lease.state = state
    lease.ended = now
    lease.message = message
    session.flush()
    batch = session.get_one(BatchRow, (lease.experiment_id, lease.batch))
    if batch.state is not BatchState.OUT:
        return
    experiment = session.get_one(ExperimentRow, lease.experiment_id)
    wanted = experiment.state in OPEN_STATES
    batch.state = BatchState.WAITING if wanted else BatchState.CANCELLED
    _log.info(
        "lease over",
        experiment=lease.experiment_id,
        batch=lease.batch,
        attempt=lease.attempt,
        state=state.value,
        message=message,
    )


def _fail_experiment_if_hopeless(
    session: Session, lease: LeaseRow, now: datetime, terms: Terms
) -> None:
    session.flush()
    failures = session.scalars(
        select(LeaseRow)
        .where(
            LeaseRow.experiment_id == lease.experiment_id,
            LeaseRow.batch == lease.batch,
            (LeaseRow.state == LeaseState.FAILED)
            | ((LeaseRow.state == LeaseState.LOST) & (LeaseRow.provenance == Provenance.WORKER)),
        )
        .order_by(LeaseRow.attempt)
    ).all()
    batch = session.get_one(BatchRow, (lease.experiment_id, lease.batch))
    if len(failures) < terms.failures_allowed or batch.state is BatchState.DONE:
        return
    fail_experiment(
        session,
        session.get_one(ExperimentRow, lease.experiment_id),
        f"batch {lease.batch} failed {len(failures)} times, last: {failures[-1].message}; "
        f"reproduce it with: python -m tabia.server.replay {lease.experiment_id} {lease.batch}",
        now,
    )
