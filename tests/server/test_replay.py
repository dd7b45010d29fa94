"""The command that a failed experiment names does what the workers did."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from players import Players, stalemate_document
from sqlalchemy import update

from tabia.server import leases
from tabia.server.database import Database
from tabia.server.models import BatchRow


@pytest.fixture
def players(sqlite: Database) -> Players:
    return Players(sqlite)


def run(players: Players, *arguments: str) -> subprocess.CompletedProcess[str]:
    url = players.database.engine.url.render_as_string(hide_password=False)
    return subprocess.run(
        arguments, env={"TABIA_DATABASE_URL": url}, text=True, capture_output=True, check=False
    )


def replay(players: Players, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(players, sys.executable, "-m", "tabia.server.replay", *arguments)


def test_the_named_command_plays_the_batch_that_failed(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    for _ in range(3):
        lease = players.lease(experiment)
        assert lease is not None
        with players.database.write() as session:
            leases.fail(session, lease.id, "a riddle", now=players.now, terms=players.terms)
    failure = players.view(experiment)["failure"]
    command = failure.partition("reproduce it with: python ")[2].split()
    done = run(players, sys.executable, *command)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == players.play(lease)
    assert done.stderr.splitlines()[-1] == "no result is recorded for this batch"


def test_a_recorded_result_is_compared_with(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    lease = players.lease(experiment)
    assert lease is not None
    players.deliver(lease)
    same = replay(players, experiment, "0")
    assert (same.returncode, same.stderr.splitlines()[-1]) == (0, "the recorded result is the same")
    with players.database.write() as session:
        session.execute(update(BatchRow).values(digest="0" * 64))
    other = replay(players, experiment, "0")
    assert other.returncode == 1
    assert other.stderr.splitlines()[-1] == "the recorded result is another one"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["0" * 64, "0"], "tabia: no experiment"), (["x", "0"], "tabia: no experiment 'x'")],
)
def test_what_is_not_stored_cannot_be_played(
    players: Players, arguments: list[str], said: str
) -> None:
    done = replay(players, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1
