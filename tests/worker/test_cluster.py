"""A Celery worker of the cluster and a broker, both real: what goes in, and what comes out.

No coordinator and no database: a worker needs neither.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from kombu import Connection
from redis import Redis
from running import clean_environment, processes, until

from tabia.engine import play_batch
from tabia.engine.weights_file import weights_hash
from tabia.server.consumer.queues import INTAKE_QUEUE, PlayQueue
from tabia.server.scheduler import Message

LEASE = "0123456789abcdef" * 2


class Broker:
    """Both ends of the queues, as a coordinator has them."""

    def __init__(self, url: str, renew_within: float) -> None:
        self.url = url
        self.play = PlayQueue(url, renew_within=timedelta(seconds=renew_within))
        self._connection = Connection(url)
        self._intake = self._connection.SimpleQueue(INTAKE_QUEUE)

    def send(self, batch: dict[str, Any], *, lease: str = LEASE, expires_in: float = 600) -> None:
        """Put a batch on the queue."""
        self.play.send(Message(lease, 1, batch, expires_in))

    def report(self) -> tuple[str, dict[str, Any]]:
        """The next thing that the worker says, and its arguments."""
        message = self._intake.get(timeout=60)
        message.ack()
        _, what, _ = message.decode()
        return message.headers["task"], what

    def report_but_heartbeats(self) -> tuple[str, dict[str, Any]]:
        """The next thing that the worker says besides that it lives."""
        while (report := self.report())[0] == "tabia.heartbeat":
            pass
        return report

    def is_silent(self) -> bool:
        """Whether nothing was said for a while."""
        try:
            self._intake.get(timeout=2)
        except queue.Empty:
            return True
        return False

    def close(self) -> None:
        self._intake.close()
        self._connection.close()
        self.play.close()


@pytest.fixture
def broker(valkey: str) -> Iterator[Broker]:
    """A broker with nothing on it. Leases last 3 seconds."""
    url = f"{valkey}/0"
    with Redis.from_url(url) as client:
        client.flushall()
    broker = Broker(url, 3.0)
    yield broker
    broker.close()


@pytest.fixture
def worker(broker: Broker, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker with one process that plays; it knows the broker's URL and nothing else."""
    log = tmp_path / "worker.log"
    with log.open("wb") as output:
        worker = subprocess.Popen(
            [sys.executable, "-m", "tabia.worker.cluster", "--workers", "1", "--name", "w@here"],
            env=clean_environment(TABIA_BROKER_URL=broker.url),
            cwd=tmp_path,
            stdout=output,
            stderr=output,
        )
    yield worker
    worker.kill()
    worker.wait()
    print(log.read_text())


def player_of(worker: subprocess.Popen[bytes]) -> int:
    """The process that plays for the worker."""
    (pid,) = until(
        lambda: [each.pid for each in processes() if each.parent == worker.pid], "a player"
    )
    return int(pid)


@pytest.mark.redis
class TestWorker:
    """One worker, one process."""

    pytestmark = pytest.mark.usefixtures("worker")

    def test_it_says_that_it_plays_and_then_what_it_played(
        self, broker: Broker, batch: dict[str, Any]
    ) -> None:
        broker.send(batch)
        assert broker.report() == ("tabia.heartbeat", {"lease": LEASE, "holder": "w@here"})
        said = broker.report_but_heartbeats()
        assert said == ("tabia.record", {"lease": LEASE, "result": play_batch(batch)})

    def test_weights_come_with_the_batch_that_names_them(
        self, broker: Broker, batch: dict[str, Any]
    ) -> None:
        weights = {**batch["weights"], "tempo": 500}
        library = {weights_hash(weights): weights}
        named = {**batch, "own_weights": {"all": weights_hash(weights)}}
        broker.play.send(Message(LEASE, 1, named, 600, library))
        said = broker.report_but_heartbeats()
        assert said == (
            "tabia.record",
            {"lease": LEASE, "result": play_batch(named, library=library)},
        )

    def test_a_long_batch_shows_that_it_is_being_played(
        self, broker: Broker, long_batch: dict[str, Any]
    ) -> None:
        broker.send(long_batch)
        assert [broker.report()[0] for _ in range(4)] == ["tabia.heartbeat"] * 4

    def test_a_batch_that_cannot_be_played_is_named(
        self, broker: Broker, batch: dict[str, Any]
    ) -> None:
        broker.send({**batch, "schema": 99})
        name, what = broker.report_but_heartbeats()
        assert name == "tabia.failed"
        assert what["lease"] == LEASE
        assert "schema 99" in what["reason"]
        assert "\n" not in what["reason"]

    def test_a_batch_for_another_engine_goes_back(
        self, broker: Broker, batch: dict[str, Any]
    ) -> None:
        broker.send({**batch, "engine": "1"})
        assert broker.report_but_heartbeats() == ("tabia.returned", {"lease": LEASE})

    def test_a_batch_for_a_program_that_is_not_here_goes_back_and_says_so(
        self, broker: Broker, batch: dict[str, Any]
    ) -> None:
        player = {"name": "x", "nodes": 1, "program": "nobody-has-this", "says": "X"}
        arms, players = {"a": batch["arms"]["a"]}, {"a": player, "b": player}
        duel = {**batch, "kind": "engines", "arms": arms, "players": players}
        broker.send(duel)
        name, what = broker.report_but_heartbeats()
        assert (name, what["lease"]) == ("tabia.returned", LEASE)
        assert "no program nobody-has-this on this machine" in what["reason"]

    def test_a_message_that_nobody_took_in_time_is_void(
        self, broker: Broker, batch: dict[str, Any]
    ) -> None:
        broker.send(batch, expires_in=-1)
        broker.send(batch, lease="1" * 32)
        assert broker.report_but_heartbeats()[1]["lease"] == "1" * 32
        assert broker.is_silent()

    def test_a_message_that_was_withdrawn_is_passed_over(
        self, broker: Broker, batch: dict[str, Any]
    ) -> None:
        broker.send(batch, lease="0" * 32)
        assert broker.report_but_heartbeats()[1]["lease"] == "0" * 32
        broker.play.revoke([LEASE])
        broker.send(batch)
        broker.send(batch, lease="1" * 32)
        assert broker.report_but_heartbeats()[1]["lease"] == "1" * 32


@pytest.mark.redis
def test_a_batch_whose_player_dies_is_abandoned_and_the_next_one_played(
    broker: Broker,
    worker: subprocess.Popen[bytes],
    batch: dict[str, Any],
    long_batch: dict[str, Any],
) -> None:
    broker.send(long_batch)
    assert broker.report()[0] == "tabia.heartbeat"
    os.kill(player_of(worker), signal.SIGKILL)
    # Not played again by itself: a batch that kills its player would kill them all.
    assert broker.report_but_heartbeats() == ("tabia.abandoned", {"lease": LEASE})
    broker.send(batch, lease="1" * 32)
    name, what = broker.report_but_heartbeats()
    assert (name, what["lease"]) == ("tabia.record", "1" * 32)


@pytest.mark.redis
def test_players_die_with_their_worker(
    broker: Broker, worker: subprocess.Popen[bytes], long_batch: dict[str, Any]
) -> None:
    broker.send(long_batch)
    assert broker.report()[0] == "tabia.heartbeat"
    player = player_of(worker)
    worker.kill()
    worker.wait()
    until(lambda: player not in {each.pid for each in processes()}, "the player's end", 10)


@pytest.mark.redis
def test_a_worker_that_is_asked_to_stop_finishes_what_it_has_in_hand(
    broker: Broker, worker: subprocess.Popen[bytes], batch: dict[str, Any]
) -> None:
    longer = {**batch, "units": 60, "matches": [""] * 60}
    broker.send(longer)
    assert broker.report()[0] == "tabia.heartbeat"
    worker.send_signal(signal.SIGTERM)
    name, what = broker.report_but_heartbeats()
    assert name == "tabia.record"
    assert len(what["result"]["games"]) == 120
    assert worker.wait(timeout=60) == 0
