"""A batch is out under one lease at a time, and nobody who falls silent keeps it.

Leases look at tables only, so the experiment here is rows without games.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import select

from tabia.server import leases
from tabia.server.database import Database
from tabia.server.lifecycle import stop_experiment
from tabia.server.models import (
    BatchRow,
    BatchState,
    ExperimentRow,
    ExperimentState,
    LeaseRow,
    LeaseState,
)
from tabia.server.terms import Terms

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
TERMS = Terms(renew_within=30 * SECOND, claim_within=600 * SECOND, failures_allowed=3)
ID = "e" * 64
BATCHES = 3


@pytest.fixture
def store(database: Database) -> Database:
    with database.write() as session:
        session.add(
            ExperimentRow(
                id=ID,
                name="rows",
                kind="compare",
                question="?",
                state=ExperimentState.QUEUED,
                frozen={},
                engine="1",
                weights="w",
                schema_version=1,
                budget=BATCHES,
                nodes=1,
                sizes=[[BATCHES, 1]],
                batches_planned=BATCHES,
                created=START,
            )
        )
        session.flush()
        session.add_all(
            BatchRow(
                experiment_id=ID,
                number=number,
                first_unit=number,
                units=1,
                state=BatchState.WAITING,
            )
            for number in range(BATCHES)
        )
    return database


def send(store: Database, now: datetime = START) -> LeaseRow | None:
    with store.write() as session:
        return leases.send(session, ID, now=now, terms=TERMS)


def sent(store: Database, now: datetime = START) -> LeaseRow:
    lease = send(store, now)
    assert lease is not None
    return lease


def lent(store: Database, now: datetime = START) -> LeaseRow:
    with store.write() as session:
        lease = leases.lend(session, ID, holder="ada", now=now, terms=TERMS)
    assert lease is not None
    return lease


def renew(store: Database, lease: LeaseRow, now: datetime) -> bool:
    with store.write() as session:
        return leases.renew(session, lease.id, now=now, terms=TERMS, holder="host-1")


def expire(store: Database, now: datetime) -> int:
    with store.write() as session:
        return leases.expire(session, now=now, terms=TERMS)


def fail(store: Database, lease: LeaseRow, why: str, now: datetime = START) -> None:
    with store.write() as session:
        leases.fail(session, lease.id, why, now=now, terms=TERMS)


def lease_state(store: Database, lease: LeaseRow) -> LeaseState:
    with store.read() as session:
        return session.get_one(LeaseRow, lease.id).state


def batch_states(store: Database) -> list[BatchState]:
    with store.read() as session:
        return list(session.scalars(select(BatchRow.state).order_by(BatchRow.number)))


def experiment(store: Database) -> ExperimentRow:
    with store.read() as session:
        return session.get_one(ExperimentRow, ID)


def test_batches_go_out_in_schedule_order_each_once(store: Database) -> None:
    assert [sent(store).batch for _ in range(BATCHES)] == [0, 1, 2]
    assert send(store) is None


def test_the_first_lease_starts_the_experiment(store: Database) -> None:
    assert experiment(store).started is None
    sent(store, START + SECOND)
    sent(store, START + 2 * SECOND)
    row = experiment(store)
    assert (row.state, row.started) == (ExperimentState.RUNNING, START + SECOND)


def test_a_message_waits_longer_than_a_worker_may_be_silent(store: Database) -> None:
    lease = sent(store)
    assert expire(store, lease.issued + TERMS.renew_within + SECOND) == 0
    begun = START + 500 * SECOND
    assert renew(store, lease, begun)
    assert lease_state(store, lease) is LeaseState.PLAYING
    assert expire(store, begun + TERMS.renew_within) == 0
    assert expire(store, begun + TERMS.renew_within + SECOND) == 1
    assert lease_state(store, lease) is LeaseState.LOST


def test_a_lost_batch_is_given_out_again_as_another_attempt(store: Database) -> None:
    first = sent(store)
    renew(store, first, START)
    expire(store, START + 31 * SECOND)
    again = sent(store, START + 32 * SECOND)
    assert (again.batch, again.attempt) == (first.batch, 2)
    assert again.id != first.id


def test_heartbeats_keep_a_lease_for_ever(store: Database) -> None:
    lease = lent(store)
    for beat in range(1, 20):
        now = START + beat * 29 * SECOND
        assert renew(store, lease, now)
        assert expire(store, now) == 0


def test_a_lease_that_is_over_is_not_renewed(store: Database) -> None:
    lease = lent(store)
    expire(store, START + 31 * SECOND)
    assert not renew(store, lease, START + 32 * SECOND)
    assert lease_state(store, lease) is LeaseState.LOST
    assert batch_states(store)[0] is BatchState.WAITING


def test_three_failures_fail_the_experiment_and_say_how_to_see_it(store: Database) -> None:
    for attempt in range(3):
        assert experiment(store).failure is None
        fail(store, sent(store), f"attempt {attempt}:\nout of\nmemory")
    row = experiment(store)
    assert row.state is ExperimentState.FAILED
    assert row.failure == (
        "batch 0 failed 3 times, last: attempt 2: out of memory; "
        f"reproduce it with: python -m tabia.server.replay {ID} 0"
    )
    assert batch_states(store) == [BatchState.CANCELLED] * 3
    assert send(store) is None


def test_a_worker_that_dies_of_a_batch_counts_as_a_failure_of_it(store: Database) -> None:
    now = START
    for _ in range(3):
        lease = sent(store, now)
        renew(store, lease, now)
        now += 31 * SECOND
        expire(store, now)
    row = experiment(store)
    assert row.state is ExperimentState.FAILED
    assert "host-1 stopped answering" in str(row.failure)


def test_failures_of_different_batches_do_not_add_up(store: Database) -> None:
    first, second, third = (sent(store) for _ in range(3))
    for lease in (first, second, third):
        fail(store, lease, "a passing trouble")
    assert experiment(store).state is ExperimentState.RUNNING


def test_volunteers_who_leave_are_nobodys_failure(store: Database) -> None:
    now = START
    for _ in range(5):
        lent(store, now)
        now += 31 * SECOND
        expire(store, now)
    assert experiment(store).state is ExperimentState.RUNNING
    assert batch_states(store)[0] is BatchState.WAITING


def test_messages_nobody_takes_are_nobodys_failure(store: Database) -> None:
    now = START
    for _ in range(5):
        lease = sent(store, now)
        now += 601 * SECOND
        expire(store, now)
        assert lease_state(store, lease) is LeaseState.UNCLAIMED
    assert experiment(store).state is ExperimentState.RUNNING


def test_a_batch_given_back_waits_and_was_no_failure(store: Database) -> None:
    for _ in range(5):
        lease = sent(store)
        renew(store, lease, START)
        with store.write() as session:
            leases.give_back(session, lease.id, now=START)
        assert batch_states(store)[0] is BatchState.WAITING
    assert experiment(store).state is ExperimentState.RUNNING


def test_a_second_word_about_a_lease_changes_nothing(store: Database) -> None:
    lease = sent(store)
    fail(store, lease, "first")
    other = sent(store)
    fail(store, lease, "second")
    with store.write() as session:
        leases.give_back(session, lease.id, now=START)
    assert lease_state(store, lease) is LeaseState.FAILED
    assert lease_state(store, other) is LeaseState.SENT
    assert batch_states(store)[0] is BatchState.OUT


def test_after_a_stop_nothing_goes_out_and_what_is_out_is_not_wanted(store: Database) -> None:
    playing, queued = sent(store), sent(store)
    renew(store, playing, START)
    with store.write() as session:
        stop_experiment(session, ID, START)
    assert experiment(store).state is ExperimentState.STOPPED
    assert batch_states(store) == [BatchState.OUT, BatchState.OUT, BatchState.CANCELLED]
    assert send(store) is None
    assert not renew(store, playing, START + SECOND)
    with store.write() as session:
        assert leases.withdraw(session, now=START) == [queued.id]
    expire(store, START + 31 * SECOND)
    assert batch_states(store) == [BatchState.CANCELLED] * 3


def test_losses_after_the_end_do_not_fail_a_stopped_experiment(store: Database) -> None:
    for attempt in range(3):
        lease = sent(store)
        renew(store, lease, START)
        if attempt < 2:
            fail(store, lease, "trouble")
    with store.write() as session:
        stop_experiment(session, ID, START)
    expire(store, START + 31 * SECOND)
    row = experiment(store)
    assert (row.state, row.failure) == (ExperimentState.STOPPED, None)


def test_whoever_knows_that_the_workers_are_gone_takes_everything_back(store: Database) -> None:
    playing, queued, volunteers = sent(store), sent(store), lent(store)
    renew(store, playing, START)
    with store.write() as session:
        assert leases.reclaim(session, now=START) == 2
    assert lease_state(store, playing) is LeaseState.RETURNED
    assert lease_state(store, queued) is LeaseState.RETURNED
    assert lease_state(store, volunteers) is LeaseState.PLAYING
    assert batch_states(store) == [BatchState.WAITING, BatchState.WAITING, BatchState.OUT]


def test_only_the_leases_of_the_worker_that_died_are_taken_back(store: Database) -> None:
    mine, others = sent(store), sent(store)
    renew(store, mine, START)
    with store.write() as session:
        leases.renew(session, others.id, now=START, terms=TERMS, holder="host-2")
        assert leases.reclaim(session, now=START, holder="host-1") == 1
    assert lease_state(store, mine) is LeaseState.RETURNED
    assert lease_state(store, others) is LeaseState.PLAYING


@pytest.mark.parametrize(
    "word",
    [
        partial(leases.renew, terms=TERMS),
        partial(leases.fail, message="?", terms=TERMS),
        leases.give_back,
    ],
)
def test_an_unknown_lease_is_said_to_be_unknown(
    store: Database, word: Callable[..., object]
) -> None:
    with store.write() as session, pytest.raises(leases.UnknownLeaseError, match="no lease 'f0'"):
        word(session, "f0", now=START)


def test_workers_that_ask_at_once_get_different_batches(store: Database) -> None:
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: send(store), range(8)))
    assert sorted(lease.batch for lease in found if lease) == [0, 1, 2]


def test_coordinators_that_expire_at_once_end_each_lease_once(store: Database) -> None:
    for _ in range(BATCHES):
        renew(store, sent(store), START)
    with ThreadPoolExecutor(4) as threads:
        ended = list(threads.map(lambda _: expire(store, START + 31 * SECOND), range(4)))
    assert sum(ended) == BATCHES
    assert batch_states(store) == [BatchState.WAITING] * BATCHES
