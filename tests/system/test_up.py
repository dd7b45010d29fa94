"""`tabia up`: a coordinator for whoever comes, until Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from running import LONGER, SMALL, Run, Tabia, leftovers


class Up:
    """A running `tabia up` and its address."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.address = run.wait_to_say("Tabia is at http://127.0.0.1:").split()[3]

    def ask(self, path: str, document: Any = None) -> httpx.Response:
        """What the server says, once it answers."""
        method = "GET" if document is None else "POST"

        def answer() -> httpx.Response | None:
            try:
                return httpx.request(method, self.address + path, json=document, timeout=30)
            except httpx.TransportError:
                return None

        found: httpx.Response = self.run.until(answer, f"an answer to {method} {path}")
        return found

    def ended(self, experiment_id: str) -> Any:
        """The experiment's view, once it is over."""

        def over() -> Any:
            view = self.ask(f"/api/v1/experiments/{experiment_id}").json()
            return view if view["state"] not in ("queued", "running") else None

        return self.run.until(over, "the end of the experiment")


@pytest.fixture
def up(tabia: Tabia) -> Iterator[Up]:
    return Up(tabia.start("up", "--port", "0"))


def test_it_plays_what_is_submitted_until_it_is_stopped(tabia: Tabia, up: Up) -> None:
    created = up.ask("/api/v1/experiments", SMALL)
    assert created.status_code == 201
    view = up.ended(created.json()["id"])
    assert view["units_done"] == SMALL["test"]["budget"]
    assert SMALL["name"] in up.ask("/").text
    up.run.signal(signal.SIGINT)
    status, output, errors = up.run.end()
    assert (status, errors) == (0, "")
    assert output.startswith("Stopping")
    assert leftovers(tabia.folder) == []


def test_what_was_begun_goes_on_the_next_time(tabia: Tabia, up: Up) -> None:
    experiment_id = up.ask("/api/v1/experiments", LONGER).json()["id"]
    up.run.until(up.run.batches_done, "the first result")
    up.run.signal(signal.SIGTERM)
    up.run.end()
    assert up.run.rows("SELECT state FROM experiments") == [("running",)]

    again = Up(tabia.start("up", "--port", "0"))
    view = again.ended(experiment_id)
    assert view["state"] == "out_of_budget"
    assert view["tallies"]["a"]["games"] == LONGER["test"]["budget"]


def test_bad_documents_are_refused_as_on_the_command_line(up: Up) -> None:
    refused = up.ask("/api/v1/experiments", {**SMALL, "arms": {"a": "chess", "b": "ches"}})
    assert refused.status_code == 422
    assert refused.json()["message"].startswith("experiment:arms.b: ")
    assert up.ask("/api/v1/experiments").json()["total"] == 0


def test_visitors_wait_while_the_web_server_is_started_again(up: Up) -> None:
    assert up.ask("/healthz").status_code == 200
    (master,) = (each for each in up.run.named("gunicorn") if each.parent == up.run.popen.pid)
    os.kill(master.pid, signal.SIGKILL)
    assert httpx.get(up.address + "/healthz", timeout=60).status_code == 200


def test_a_service_that_cannot_live_is_given_up_with_its_last_words(tabia: Tabia) -> None:
    tabia.folder.mkdir()
    (tabia.folder / "tabia.sqlite3").write_text("this is no database, whatever it is called\n" * 99)
    status, _, errors = tabia("up", "--port", "0")
    assert status == 1
    assert re.fullmatch(
        r"tabia: (coordinator|web) died \d+ times in a minute, last with status \d+: .*"
        r"file is not a database.* \(see .*/logs/\w+\.log\)\n",
        errors,
    )
    assert leftovers(tabia.folder) == []


UNUSABLE = {
    "TABIA_LEASE_SECONDS": ("soon", 2),
    "TABIA_DATABASE_URL": ("somewhere", 1),
    "TABIA_BROKER_URL": ("redis://127.0.0.1:1/0", 1),
}


@pytest.mark.parametrize("command", [["up", "--port", "0"], ["run", "small.toml"]])
@pytest.mark.parametrize("variable", UNUSABLE)
def test_a_setting_that_cannot_be_used_is_one_line(
    tabia: Tabia, small: Path, variable: str, command: list[str]
) -> None:
    assert small.exists()
    tabia.environment[variable], expected = UNUSABLE[variable]
    status, output, errors = tabia(*command)
    assert (status, output) == (expected, "")
    assert errors.startswith("tabia: ")
    assert variable in errors or variable == "TABIA_DATABASE_URL"
    assert errors.count("\n") == 1
    assert leftovers(tabia.folder) == []


def test_a_port_in_use_is_one_line(tabia: Tabia, up: Up) -> None:
    tabia.folder = tabia.folder.with_name("another")
    port = up.address.rpartition(":")[2]
    status, output, errors = tabia("up", "--port", port)
    assert (status, output) == (1, "")
    assert errors.startswith("tabia: ")
    assert port in errors
    assert errors.count("\n") == 1
