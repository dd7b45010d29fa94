"""Keeps the cluster's queue just full enough.

Too few messages and workers wait; too many and games are played that a verdict makes needless, and
a small new experiment stands in line behind a large old one. So the queue holds about one message
for each worker that is busy: whoever finishes finds the next batch there. Nobody has to be told how
many workers there are; when more of them start, more are busy, and the queue grows with them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tabia.engine.weights import Weights
from tabia.server import leases, planning
from tabia.server.database import Database
from tabia.server.demand import choose, read_demands
from tabia.server.library import UnknownWeightsError, library_of
from tabia.server.models import LIVE_LEASES, LeaseRow, LeaseState, Provenance
from tabia.server.terms import Terms


@dataclass(frozen=True)
class Message:
    """What goes on the queue for one lease.

    The worker plays ``batch``, renews ``lease`` while it does, and answers with both. After
    ``expires_in`` seconds on the queue the message is void: the batch is leased again by then. A
    worker of the cluster knows the broker and nothing else, so that ``weights``, by their hash,
    come with the batches that name them.
    """

    lease: str
    attempt: int
    batch: dict[str, Any]
    expires_in: float
    weights: Mapping[str, Weights] = field(default_factory=dict)


Send = Callable[[Message], None]
"""Puts a message on the workers' queue; raises when the broker does not take it."""

Revoke = Callable[[Sequence[str]], None]
"""Takes the messages of these leases off the queue, as far as it still can."""


def wanted_depth(busy: int, minimum: int) -> int:
    """How many messages should lie on the queue while ``busy`` workers play."""
    return max(minimum, busy)


def step(
    database: Database,
    send: Send,
    revoke: Revoke,
    *,
    terms: Terms,
    queue_minimum: int,
    clock: Callable[[], datetime],
    only: Collection[str] | None = None,
) -> int:
    """One round: end leases that are over, then fill the queue. Returns how many messages it sent.

    Call it every second or so, and when a result came in. ``only`` names the experiments to play
    batches of, for whoever wants to see just those through. What `send` and `revoke` raise comes
    through; the batch whose message was refused waits again.
    """
    with database.write() as session:
        leases.expire(session, now=clock(), terms=terms)
        needless = leases.withdraw(session, now=clock())
    if needless:
        revoke(needless)
    with database.read() as session:
        queued, busy = queue_depth(session)
        demands = [
            demand
            for demand in read_demands(session)
            if only is None or demand.experiment_id in only
        ]
    chosen = choose(demands, wanted_depth(busy, queue_minimum) - queued)
    sent = 0
    for experiment_id in chosen:
        sent += _send_one(database, send, experiment_id, terms=terms, clock=clock)
    return sent


def _send_one(
    database: Database,
    send: Send,
    experiment_id: str,
    *,
    terms: Terms,
    clock: Callable[[], datetime],
) -> bool:
    # The lease is in the database before its message is on the queue: a crash in between leaves a
    # lease that nobody claims, which expires, and never a message that nobody knows.
    with database.write() as session:
        lease = leases.send(session, experiment_id, now=clock(), terms=terms)
    if lease is None:
        return False
    try:
        with database.read() as session:
            batch = planning.batch_of(session, experiment_id, lease.batch)
            weights = library_of(session, batch)
    except (ValueError, UnknownWeightsError) as error:
        # A stored experiment that cannot be planned is its own failure: the others go on.
        with database.write() as session:
            leases.fail(session, lease.id, str(error), now=clock(), terms=terms)
        return False
    try:
        expires_in = terms.claim_within.total_seconds()
        send(Message(lease.id, lease.attempt, batch, expires_in, weights))
    except Exception:
        with database.write() as session:
            leases.give_back(session, lease.id, now=clock())
        raise
    return True


def queue_depth(session: Session) -> tuple[int, int]:
    """How many messages lie on the queue, and how many cluster workers are busy."""
    counted: dict[LeaseState, int] = {
        state: count
        for state, count in session.execute(
            select(LeaseRow.state, func.count())
            .where(
                LeaseRow.provenance == Provenance.WORKER,
                LeaseRow.state.in_(LIVE_LEASES),
            )
            .group_by(LeaseRow.state)
        ).all()
    }
    return counted.get(LeaseState.SENT, 0), counted.get(LeaseState.PLAYING, 0)
