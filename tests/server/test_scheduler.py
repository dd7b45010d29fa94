"""The queue is just full enough, and everybody gets a share of the machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from players import Players, stalemate_document
from sqlalchemy import update
from structlog.testing import capture_logs

from tabia.engine import play_batch
from tabia.server import scheduler
from tabia.server.demand import Demand, choose, say_it_waits
from tabia.server.lifecycle import stop_experiment
from tabia.server.models import ExperimentRow, LeaseRow, LeaseState

MINUTE = timedelta(minutes=1)

demand_lists = st.lists(
    st.builds(
        Demand,
        experiment_id=st.uuids().map(str),
        waiting=st.integers(0, 20),
        out=st.integers(0, 20),
    ),
    unique_by=lambda demand: demand.experiment_id,
    max_size=6,
)


@given(demand_lists, st.integers(-3, 60))
def test_as_many_are_chosen_as_are_asked_for_and_there(demands: list[Demand], batches: int) -> None:
    chosen = Counter(choose(demands, batches))
    assert chosen.total() == min(max(batches, 0), sum(demand.waiting for demand in demands))
    assert all(chosen[demand.experiment_id] <= demand.waiting for demand in demands)


@given(demand_lists, st.integers(0, 60))
def test_nobody_gets_a_second_machine_while_another_who_waits_has_none(
    demands: list[Demand], batches: int
) -> None:
    chosen = Counter(choose(demands, batches))
    starved = [
        demand.out + chosen[demand.experiment_id]
        for demand in demands
        if chosen[demand.experiment_id] < demand.waiting
    ]
    served = [
        demand.out + chosen[demand.experiment_id]
        for demand in demands
        if chosen[demand.experiment_id] > 0
    ]
    if starved and served:
        assert max(served) <= min(starved) + 1


def test_of_equals_the_oldest_comes_first() -> None:
    assert choose([Demand("old", 5, 0), Demand("new", 5, 0)], 3) == ["old", "new", "old"]


@pytest.mark.parametrize(("busy", "depth"), [(0, 2), (1, 2), (2, 2), (3, 3), (64, 64)])
def test_the_queue_grows_with_the_workers(busy: int, depth: int) -> None:
    assert scheduler.wanted_depth(busy, minimum=2) == depth


class Queue:
    """A broker's queue, as far as the scheduler sees one."""

    def __init__(self, players: Players) -> None:
        self.players = players
        self.messages: list[scheduler.Message] = []
        self.revoked: list[str] = []

    def send(self, message: scheduler.Message) -> None:
        self.messages.append(message)

    def revoke(self, leases: Sequence[str]) -> None:
        self.revoked += leases

    def step(self, only: Collection[str] | None = None) -> int:
        return scheduler.step(
            self.players.database,
            self.send,
            self.revoke,
            terms=self.players.terms,
            queue_minimum=2,
            clock=lambda: self.players.now,
            only=only,
        )

    def begin(self, message: scheduler.Message) -> bool:
        with self.players.database.write() as session:
            return scheduler.leases.renew(
                session, message.lease, now=self.players.now, terms=self.players.terms
            )


@pytest.fixture
def queue(players: Players) -> Queue:
    say_it_waits.cache_clear()
    return Queue(players)


def lease_of(queue: Queue, message: scheduler.Message) -> LeaseRow:
    with queue.players.database.read() as session:
        return session.get_one(LeaseRow, message.lease)


def test_a_message_is_all_that_a_worker_needs(queue: Queue) -> None:
    experiment = queue.players.submit(stalemate_document())
    assert queue.step() == 2
    message = queue.messages[0]
    result = play_batch(message.batch)
    assert (result["experiment"], result["batch"]) == (experiment, 0)
    assert (message.attempt, message.expires_in) == (1, 600.0)
    queue.players.deliver(lease_of(queue, message), result)
    assert queue.players.view(experiment)["batches_done"] == 1


def test_a_full_queue_is_left_alone_and_a_taken_message_is_replaced(queue: Queue) -> None:
    queue.players.submit(stalemate_document(), units_a_batch=2)
    assert queue.step() == 2
    assert queue.step() == 0
    queue.begin(queue.messages[0])
    assert queue.step() == 1
    for message in queue.messages[1:]:
        queue.begin(message)
    assert queue.step() == 3, "three are busy, so three lie ready"


def test_a_lost_batch_is_sent_again_before_new_ones(queue: Queue) -> None:
    queue.players.submit(stalemate_document(), units_a_batch=2)
    queue.step()
    lost = queue.messages[0]
    queue.begin(lost)
    queue.players.now += MINUTE
    queue.step()
    again = queue.messages[2]
    assert again.batch == lost.batch
    assert (again.attempt, again.lease != lost.lease) == (2, True)


def test_a_broker_that_refuses_costs_nothing_but_time(queue: Queue) -> None:
    experiment = queue.players.submit(stalemate_document())

    def refuse(_: scheduler.Message) -> None:
        raise ConnectionError("no broker")

    with pytest.raises(ConnectionError):
        scheduler.step(
            queue.players.database, refuse, queue.revoke, terms=queue.players.terms,
            queue_minimum=2, clock=lambda: queue.players.now,
        )  # fmt: skip
    assert queue.players.states(experiment) == ["waiting"] * 3
    assert queue.step() == 2
    assert [message.batch["batch"] for message in queue.messages] == [0, 1]


def test_the_messages_of_a_stopped_experiment_are_taken_back(queue: Queue) -> None:
    stopped = queue.players.submit(stalemate_document())
    queue.step()
    with queue.players.database.write() as session:
        stop_experiment(session, stopped, queue.players.now)
    other = queue.players.submit(stalemate_document(seed=2))
    queue.step()
    assert sorted(queue.revoked) == sorted(message.lease for message in queue.messages[:2])
    assert [message.batch["experiment"] for message in queue.messages[2:]] == [other] * 2
    assert lease_of(queue, queue.messages[0]).state is LeaseState.RETURNED


def test_a_new_experiment_does_not_stand_in_line_behind_a_large_one(queue: Queue) -> None:
    queue.players.submit(stalemate_document(), units_a_batch=1)
    queue.step()
    for message in list(queue.messages):
        queue.begin(message)
    queue.players.now += timedelta(seconds=1)
    new = queue.players.submit(stalemate_document(seed=2))
    queue.step()
    assert [message.batch["experiment"] for message in queue.messages[2:]] == [new] * 2


def test_one_experiment_can_be_seen_through_alone(queue: Queue) -> None:
    queue.players.submit(stalemate_document())
    wanted = queue.players.submit(stalemate_document(seed=2))
    queue.step(only=[wanted])
    assert [message.batch["experiment"] for message in queue.messages] == [wanted] * 2


def test_an_experiment_pinned_to_another_engine_is_not_played_and_that_is_said(
    queue: Queue,
) -> None:
    experiment = queue.players.submit(stalemate_document())
    with queue.players.database.write() as session:
        session.execute(update(ExperimentRow).values(engine="1"))
    with capture_logs() as logs:
        assert queue.step() == 0
    assert [entry["pinned"] for entry in logs] == ["1"]
    assert "it was begun with engine 1" in queue.players.view(experiment)["blocked"]


def test_that_another_engine_is_waited_for_is_said_once(queue: Queue) -> None:
    queue.players.submit(stalemate_document(seed=3))
    with queue.players.database.write() as session:
        session.execute(update(ExperimentRow).values(engine="2"))
    with capture_logs() as logs:
        for _ in range(3):
            queue.step()
    assert len(logs) == 1


def test_an_experiment_that_cannot_be_planned_fails_and_the_others_go_on(queue: Queue) -> None:
    broken = queue.players.submit(stalemate_document())
    sound = queue.players.submit(stalemate_document(seed=2))
    with queue.players.database.write() as session:
        row = session.get_one(ExperimentRow, broken)
        row.frozen = {**row.frozen, "arms": {"a": {"schema": 99}, "b": {"schema": 99}}}
    for _ in range(4):
        queue.step()
    assert {message.batch["experiment"] for message in queue.messages} == {sound}
    with queue.players.database.read() as session:
        assert "schema" in (session.get_one(ExperimentRow, broken).failure or "")
