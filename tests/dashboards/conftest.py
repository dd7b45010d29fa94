"""A real coordinator with its pages, whose experiments advance when a test plays a batch."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.datastructures import Headers
from werkzeug.serving import make_server

from tabia.dashboards.app import create_app
from tabia.engine import bench_signature, play_batch
from tabia.server import submission
from tabia.server.database import Database
from tabia.server.settings import Settings

UNITS_A_SECOND = 1.5


@dataclass(frozen=True)
class House:
    """A coordinator with its pages, and a volunteer who plays for it."""

    client: FlaskClient
    database: Database

    def submit(self, **changes: Any) -> str:
        """Submit a quick experiment, with some of its document changed or, by None, left out; its
        id, or that of the first level of a curve.

        Its batches are small, as if this machine were slow: a test plays as few as it needs.
        """
        document: dict[str, Any] = {
            "name": "Does stalemate matter?",
            "question": "Would chess be less drawn if the stalemated side lost?",
            "kind": "compare",
            "nodes": 20,
            "max_plies": 150,
            "arms": {"a": "chess", "b": "chess-stalemate-win"},
            "openings": {"plies": 4},
            "test": {"budget": 400},
        }
        whole = {key: value for key, value in {**document, **changes}.items() if value is not None}
        submitted = submission.submit(
            self.database,
            whole,
            "experiment",
            now=datetime.now(UTC),
            measure=lambda _: UNITS_A_SECOND,
        )
        return submitted.id

    def play(self, units: int) -> None:
        """Play batches of the oldest open experiment until so many more units are recorded."""
        played = 0
        while played < units:
            asked = {"worker": "test", "engine": bench_signature()}
            loan = self.client.post("/api/v1/leases", json=asked)
            assert loan.status_code == 200, loan.get_data(as_text=True)
            lease, batch = loan.get_json()["lease"], loan.get_json()["batch"]
            delivery = {"lease": lease, "result": play_batch(batch)}
            receipt = self.client.post("/api/v1/results", json=delivery)
            assert receipt.status_code == 200, receipt.get_data(as_text=True)
            played += batch["units"]

    def stop(self, experiment_id: str) -> None:
        """Stop an experiment."""
        assert self.client.post(f"/api/v1/experiments/{experiment_id}/stop").status_code == 200

    def view(self, experiment_id: str) -> dict[str, Any]:
        """What the API says of an experiment."""
        view: dict[str, Any] = self.client.get(f"/api/v1/experiments/{experiment_id}").get_json()
        return view

    def games(self, experiment_id: str) -> list[dict[str, Any]]:
        """Its games, without moves."""
        answer = self.client.get(f"/api/v1/experiments/{experiment_id}/games?limit=500")
        games: list[dict[str, Any]] = answer.get_json()["games"]
        return games

    def page(self, path: str) -> str:
        """The text of a page that must be there."""
        with self.client.get(path) as answer:
            assert answer.status_code == 200, path
            return answer.get_data(as_text=True)

    def headers(self, path: str) -> Headers:
        """The headers of any answer."""
        with self.client.get(path) as answer:
            return answer.headers


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A coordinator on a new SQLite database."""
    database = Database(f"sqlite:///{tmp_path / 'tabia.sqlite3'}")
    database.migrate()
    app = create_app(Settings(data=tmp_path), database=database)
    yield House(app.test_client(), database)
    database.close()


@pytest.fixture
def address(house: House) -> Iterator[str]:
    """The URL at which the house is served to browsers, on a free port."""
    server = make_server("127.0.0.1", 0, house.client.application, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real browser."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no Chromium on this machine (Debian: apt install chromium)")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium)
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A tab on the house's address; whatever it complains about fails the test."""
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    yield tab
    context.close()
    assert complaints == []
