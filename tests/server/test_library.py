"""Weights that an experiment brings: stored with it, sent and lent by their hash, and said so."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from players import Players, stalemate_document

from tabia.engine import RuleSet, bench_signature, play_batch
from tabia.engine.documents import DocumentError
from tabia.engine.match import needed_weights
from tabia.engine.weights import neutral_weights
from tabia.engine.weights_file import weights_hash
from tabia.server import scheduler
from tabia.server.app import create_app
from tabia.server.local.report import report
from tabia.server.settings import Settings


@pytest.fixture
def client(players: Players) -> FlaskClient:
    return create_app(Settings(), database=players.database).test_client()


def heavy_knights() -> dict[str, Any]:
    weights = neutral_weights(RuleSet.load("chess"))
    weights["letters"]["N"]["mid"] = 1234
    return weights


NAME = weights_hash(heavy_knights())


def document(**changes: Any) -> dict[str, Any]:
    return stalemate_document(**{"weights": {"a": heavy_knights()}, **changes})


def test_weights_are_at_their_hash(client: FlaskClient, players: Players) -> None:
    assert client.get(f"/api/v1/weights/{NAME}").status_code == 404
    players.submit(document())
    answer = client.get(f"/api/v1/weights/{NAME}")
    assert answer.json == heavy_knights()
    text = json.dumps(answer.json, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == NAME
    for wrong in ("0" * 64, "x", NAME[:-1]):
        refused = client.get(f"/api/v1/weights/{wrong}")
        assert (refused.status_code, refused.json["message"]) == (404, f"no weights {wrong!r}")


def test_what_is_stored_may_be_named_by_its_hash(players: Players) -> None:
    with pytest.raises(DocumentError, match="weights of that hash are not known here"):
        players.submit(document(weights={"a": NAME}))
    first = players.submit(document())
    assert players.submit(document(weights={"a": NAME})) == first
    assert players.submit(document(weights={"b": NAME})) != first


def test_a_volunteer_gets_the_name_and_asks_for_the_rest(
    client: FlaskClient, players: Players
) -> None:
    players.submit(document())
    asked = {"worker": "ada", "engine": bench_signature()}
    loan = client.post("/api/v1/leases", json=asked).json
    assert needed_weights(loan["batch"]) == [NAME]
    assert "1234" not in json.dumps(loan["batch"])
    library = {NAME: client.get(f"/api/v1/weights/{NAME}").json}
    result = play_batch(loan["batch"], library=library)
    delivered = client.post("/api/v1/results", json={"lease": loan["lease"], "result": result})
    assert delivered.json == {"receipt": "recorded"}


def test_the_cluster_gets_them_with_the_batch(players: Players) -> None:
    players.submit(document())
    plain = players.submit(stalemate_document())
    messages: list[scheduler.Message] = []
    scheduler.step(
        players.database,
        messages.append,
        lambda _: None,
        terms=players.terms,
        queue_minimum=4,
        clock=lambda: players.now,
    )
    assert {message.batch["experiment"] for message in messages} > {plain}
    for message in messages:
        own = {} if message.batch["experiment"] == plain else {NAME: heavy_knights()}
        assert message.weights == own


def test_the_page_and_the_report_say_that_the_arms_are_not_coupled(players: Players) -> None:
    view = players.view(players.submit(document()))
    assert (view["paired"], view["coupled"], view["own_weights"]) == (True, False, {"a": NAME})
    assert view["touched"] is None
    assert any("They break the coupling" in line for line in report(view))
    shared = players.view(players.submit(document(weights={"all": NAME})))
    assert (shared["coupled"], shared["touched"]) == (True, {"units": 0, "share": 0.0})
    assert not any("coupling" in line for line in report(shared))
    plain = players.view(players.submit(stalemate_document()))
    assert (plain["coupled"], plain["own_weights"]) == (True, {})
