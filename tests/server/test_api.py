"""The API as designers and volunteers meet it."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from apiflask import APIFlask
from flask import Request
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from players import DECIDED_AT, Players, odds_document, stalemate_document
from prometheus_client.parser import text_string_to_metric_families
from schemathesis.specs.openapi.checks import positive_data_acceptance
from werkzeug.test import TestResponse

from tabia.engine import bench_signature, play_batch
from tabia.server.access import Action, NotAllowedError
from tabia.server.app import create_app
from tabia.server.database import Database
from tabia.server.settings import Settings

ENGINE = bench_signature()


@pytest.fixture
def app(players: Players) -> APIFlask:
    return create_app(Settings(max_request_bytes=1_000_000), database=players.database)


@pytest.fixture
def client(app: APIFlask) -> FlaskClient:
    return app.test_client()


def error(response: TestResponse) -> tuple[int, str]:
    assert response.json is not None
    assert list(response.json) == ["message"]
    message: str = response.json["message"]
    assert "\n" not in message
    return response.status_code, message


def borrow(client: FlaskClient, worker: str = "ada") -> TestResponse:
    return client.post("/api/v1/leases", json={"worker": worker, "engine": ENGINE})


def test_a_designer_submits_lists_shows_and_stops(client: FlaskClient) -> None:
    created = client.post("/api/v1/experiments", json=stalemate_document())
    assert created.status_code == 201
    experiment = created.json["id"]
    again = client.post("/api/v1/experiments", json=stalemate_document())
    assert again.status_code == 200
    assert again.json == {"id": experiment, "ids": [experiment], "family": None}

    listed = client.get("/api/v1/experiments").json
    shown = client.get(f"/api/v1/experiments/{experiment}").json
    assert listed["total"] == 1
    assert listed["experiments"] == [
        {
            key: value
            for key, value in shown.items()
            if key not in ("rules_diff", "history", "openings", "expected")
        }
    ]
    assert shown["question"] == "What if stalemate won?"
    assert [each["key"] for each in shown["rules_diff"]]

    stopped = client.post(f"/api/v1/experiments/{experiment}/stop")
    assert (stopped.status_code, stopped.json["state"]) == (200, "stopped")
    assert client.post(f"/api/v1/experiments/{experiment}/stop").json["state"] == "stopped"
    assert borrow(client).status_code == 204


def test_toml_is_as_good_as_json(client: FlaskClient) -> None:
    text = """
        name = "TOML"
        kind = "compare"
        nodes = 10
        [arms]
        a = "chess"
        b = "chess-stalemate-win"
    """
    created = client.post("/api/v1/experiments", json={"toml": text})
    assert created.status_code == 201
    assert client.get(f"/api/v1/experiments/{created.json['id']}").json["name"] == "TOML"


def test_a_volunteer_borrows_plays_and_delivers_until_there_is_a_verdict(
    client: FlaskClient, players: Players
) -> None:
    experiment = players.submit(odds_document())
    while (loan := borrow(client)).status_code == 200:
        beat = client.post(f"/api/v1/leases/{loan.json['lease']}/heartbeat")
        assert beat.json == {"wanted": True}
        result = play_batch(loan.json["batch"])
        delivery = {"lease": loan.json["lease"], "result": result}
        assert client.post("/api/v1/results", json=delivery).json == {"receipt": "recorded"}
        assert client.post("/api/v1/results", json=delivery).json == {"receipt": "duplicate"}
    assert (loan.status_code, loan.data) == (204, b"")
    view = client.get(f"/api/v1/experiments/{experiment}").json
    assert view["verdict"]["at_unit"] == DECIDED_AT
    games = client.get(f"/api/v1/experiments/{experiment}/games?limit=3&offset=95").json
    assert games["total"] == 98
    assert [(game["unit"], game["arm"], game["after_decision"]) for game in games["games"]] == [
        (47, "b", False), (48, "a", True), (48, "b", True),
    ]  # fmt: skip
    game = client.get(f"/api/v1/games/{games['games'][0]['id']}").json
    assert (game["experiment"], game["provenance"]) == (experiment, "volunteer")
    assert len(game["moves"]) == game["plies"]


def test_a_volunteer_who_cannot_or_will_not_play_hands_the_batch_on(
    client: FlaskClient, players: Players
) -> None:
    players.submit(stalemate_document())
    first = borrow(client).json
    assert client.delete(f"/api/v1/leases/{first['lease']}").status_code == 204
    second = borrow(client).json
    assert second["batch"] == first["batch"]
    assert second["lease"] != first["lease"]
    failed = client.post(f"/api/v1/leases/{second['lease']}/failure", json={"message": "no RAM"})
    assert failed.status_code == 204
    assert borrow(client).json["batch"] == first["batch"]
    over = client.post(f"/api/v1/leases/{first['lease']}/heartbeat")
    assert over.json == {"wanted": False}


def test_an_engine_that_differs_gets_no_lease(client: FlaskClient, players: Players) -> None:
    experiment = players.submit(stalemate_document())
    refused = client.post("/api/v1/leases", json={"worker": "ada", "engine": "1"})
    status, message = error(refused)
    assert status == 409
    assert message.startswith(f"your engine is '1' and this server plays '{ENGINE}'")
    assert players.states(experiment)[0] == "waiting"


def test_a_second_opinion_is_a_conflict(client: FlaskClient, players: Players) -> None:
    players.submit(stalemate_document())
    loan = borrow(client).json
    result = play_batch(loan["batch"])
    client.post("/api/v1/results", json={"lease": loan["lease"], "result": result})
    result["games"][0]["profile"]["offered"] += 1
    status, message = error(
        client.post("/api/v1/results", json={"lease": loan["lease"], "result": result})
    )
    assert status == 409
    assert "has another result" in message


def test_what_has_not_changed_is_not_sent_again(client: FlaskClient, players: Players) -> None:
    experiment = players.submit(stalemate_document())
    path = f"/api/v1/experiments/{experiment}"
    first = client.get(path)
    tag = first.headers["ETag"]
    again = client.get(path, headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    lease = players.lease(experiment)
    assert lease is not None
    players.deliver(lease)
    changed = client.get(path, headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != tag
    assert changed.json["units_done"] == 7


def test_a_batch_can_be_played_again_by_anybody(client: FlaskClient, players: Players) -> None:
    experiment = players.submit(stalemate_document())
    lease = players.lease(experiment)
    assert lease is not None
    batch = client.get(f"/api/v1/experiments/{experiment}/batches/0").json
    assert play_batch(batch) == players.play(lease)


UNKNOWN = "0" * 64


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"/api/v1/experiments/{UNKNOWN}"),
        ("GET", "/api/v1/experiments/%00"),
        ("POST", f"/api/v1/experiments/{UNKNOWN}/stop"),
        ("POST", "/api/v1/experiments/%00/stop"),
        ("GET", f"/api/v1/experiments/{UNKNOWN}/games"),
        ("GET", f"/api/v1/experiments/{UNKNOWN}/batches/0"),
        ("GET", "/api/v1/games/1"),
        ("GET", f"/api/v1/games/{10**30}"),
        ("POST", "/api/v1/leases/0/heartbeat"),
        ("POST", "/api/v1/leases/%00/heartbeat"),
        ("DELETE", "/api/v1/leases/0"),
        ("GET", "/api/v1/nowhere"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(client: FlaskClient, method: str, path: str) -> None:
    status, message = error(client.open(path, method=method))
    assert status == 404
    assert message


def test_a_batch_beyond_the_schedule_is_not_there(client: FlaskClient, players: Players) -> None:
    experiment = players.submit(stalemate_document())
    for number in (3, 10**30):
        response = client.get(f"/api/v1/experiments/{experiment}/batches/{number}")
        assert error(response)[0] == 404


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("experiments", b"", "request: not valid JSON"),
        ("experiments", b"{", "request: not valid JSON"),
        ("experiments", b'{"seed": NaN}', "request: not valid JSON"),
        ("experiments", b'{"name": "\\ud800"}', "request: not valid JSON"),
        ("experiments", b"[" * 100_000, "request: not valid JSON"),
        ("experiments", b"[]", "experiment: found no table"),
        ("experiments", b'{"name": 1}', "experiment:name: found 1; allowed: one line"),
        ("leases", b'{"engine": "1"}', "request:worker: missing; needed: a name of 1 to 100"),
        ("leases", b'{"worker": "a\\u0000", "engine": "1"}', "request: holds a NUL"),
        ("leases", b'{"worker": "a\\nb", "engine": "1"}', "request:worker: found"),
        ("results", b'{"lease": "x", "result": {}}', "request:lease: found"),
        ("leases/0/failure", b"{}", "request:message: missing"),
    ],
)
def test_a_bad_request_is_answered_in_one_line(
    client: FlaskClient, path: str, body: bytes, said: str
) -> None:
    status, message = error(client.post(f"/api/v1/{path}", data=body))
    assert status == 422
    assert message.startswith(said)
    assert client.get("/api/v1/experiments").json["total"] == 0


@pytest.mark.parametrize("query", ["limit=-1", "limit=501", "limit=x", "offset=1e3", "limit=٣"])
def test_pages_have_bounds(client: FlaskClient, query: str) -> None:
    status, message = error(client.get(f"/api/v1/experiments?{query}"))
    assert status == 422
    assert "allowed: a whole number from 0 to" in message


def test_the_same_words_as_on_the_command_line(client: FlaskClient) -> None:
    document = stalemate_document(arms={"a": "chess", "b": "chesss"})
    status, message = error(client.post("/api/v1/experiments", json=document))
    with pytest.raises(ValueError, match=r"arms\.b") as said:
        Players(client.application.extensions["tabia"].database).submit(document)
    assert status == 422
    assert message == str(said.value).replace("document:", "experiment:", 1)


def test_a_request_of_any_length_is_not_read(client: FlaskClient) -> None:
    status, message = error(client.post("/api/v1/experiments", data=b" " * 1_000_001))
    assert status == 413
    assert message


def test_the_list_is_the_newest_first_page_by_page(client: FlaskClient, players: Players) -> None:
    made = []
    for seed in range(3):
        made.append(players.submit(stalemate_document(seed=seed)))
        players.now += players.terms.renew_within
    page = client.get("/api/v1/experiments?limit=2").json
    assert page["total"] == 3
    assert [each["id"] for each in page["experiments"]] == [made[2], made[1]]
    rest = client.get("/api/v1/experiments?limit=2&offset=2").json
    assert [each["id"] for each in rest["experiments"]] == [made[0]]


def test_whoever_guards_the_door_is_asked_before_anything_is_done(players: Players) -> None:
    asked = []

    def authorise(request: Request, action: Action) -> None:
        asked.append((request.path, action))
        if action is not Action.READ:
            raise NotAllowedError("sign in first")

    client = create_app(Settings(), database=players.database, authorise=authorise).test_client()
    assert client.get("/api/v1/experiments").status_code == 200
    for path in ("experiments", f"experiments/{UNKNOWN}/stop", "leases", "results"):
        assert error(client.post(f"/api/v1/{path}", json={})) == (403, "sign in first")
    assert asked[0] == ("/api/v1/experiments", Action.READ)
    assert {action for _, action in asked} == set(Action)


def test_health_is_the_databases_health(client: FlaskClient, tmp_path: Any) -> None:
    assert client.get("/healthz").json == {"status": "ok"}
    without_tables = Database(f"sqlite:///{tmp_path / 'empty.sqlite3'}")
    ill = create_app(Settings(), database=without_tables).test_client().get("/healthz")
    assert error(ill) == (503, "the database does not answer; try again later")
    without_tables.close()


def test_figures_say_how_many_workers_would_have_something_to_do(
    client: FlaskClient, players: Players
) -> None:
    experiment = players.submit(stalemate_document())
    lease = players.lease(experiment)
    assert lease is not None
    players.deliver(lease)
    players.lease(experiment)
    response = client.get("/metrics")
    assert response.content_type.startswith("text/plain")
    figures = {
        (sample.name, sample.labels.get("state")): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }
    assert figures["tabia_batches_runnable", None] == 2
    assert figures["tabia_queue_messages", None] == 1
    assert figures["tabia_workers_busy", None] == 0
    assert figures["tabia_batches", "done"] == 1
    assert figures["tabia_experiments", "running"] == 1
    assert figures["tabia_experiments", "failed"] == 0


def test_the_description_of_the_api_names_every_door(client: FlaskClient) -> None:
    description = client.get("/api/v1/openapi.json").json
    assert description["openapi"] == "3.1.0"
    doors = {
        (method.upper(), path)
        for path, methods in description["paths"].items()
        for method in methods
        if method != "parameters"
    }
    assert doors >= {
        ("POST", "/api/v1/experiments"),
        ("GET", "/api/v1/experiments/{experiment_id}"),
        ("POST", "/api/v1/experiments/{experiment_id}/stop"),
        ("POST", "/api/v1/leases"),
        ("POST", "/api/v1/leases/{lease_id}/heartbeat"),
        ("POST", "/api/v1/results"),
        ("GET", "/healthz"),
    }


def test_whatever_comes_the_answer_is_as_described(sqlite: Database) -> None:
    players = Players(sqlite)
    players.finish(players.submit(stalemate_document()))
    players.submit(stalemate_document(seed=1))
    app = create_app(Settings(), database=sqlite)
    description = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    for found in description.get_all_operations():

        @given(case=found.ok().as_strategy())
        @settings(max_examples=15, suppress_health_check=list(HealthCheck))
        def check(case: schemathesis.Case) -> None:
            # That a document has the right shape does not yet make it an experiment.
            case.call_and_validate(excluded_checks=[positive_data_acceptance])

        check()
