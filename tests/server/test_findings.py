"""The list of findings, and what a page of many running experiments costs."""

from __future__ import annotations

import math
from typing import Any

import pytest
from flask.testing import FlaskClient
from laws import EVEN, WHITE_IS_BETTER, units_of_law
from players import START, Players, stalemate_document
from sqlalchemy import select

from tabia.server import decision, submission, views
from tabia.server.app import create_app
from tabia.server.database import Database
from tabia.server.models import TallyRow
from tabia.server.planning import experiment_of
from tabia.server.settings import Settings


@pytest.fixture
def players(sqlite: Database) -> Players:
    return Players(sqlite)


def submitted(players: Players, count: int) -> list[str]:
    """So many experiments, each of its own seed."""
    return [
        submission.submit(
            players.database,
            stalemate_document(name=f"Number {seed}", seed=seed),
            "document",
            now=START,
            measure=lambda _: 10.0,
        ).id
        for seed in range(count)
    ]


def with_evidence(players: Players, log_e: dict[str, float | None]) -> None:
    """As if the games had said so much."""
    with players.database.write() as session:
        for experiment, evidence in log_e.items():
            session.get_one(TallyRow, experiment).log_e = evidence


def findings(players: Players) -> dict[str, Any]:
    with players.database.read() as session:
        return views.findings_view(session, now=START)


def test_evidence_stands_only_against_how_much_was_tried(players: Players) -> None:
    ids = submitted(players, 12)
    strong, weak = math.log(10_000), math.log(250)
    with_evidence(players, dict.fromkeys(ids[:10], -1.0) | {ids[0]: weak})
    found = findings(players)
    assert (found["level"], found["tested"]) == (0.05, 10)
    assert [each["id"] for each in found["findings"]] == [ids[0]]
    with_evidence(players, {ids[10]: -1.0, ids[11]: -1.0, ids[0]: math.log(230)})
    assert findings(players)["findings"] == [], "12 tests need an e-value of 240"
    with_evidence(players, {ids[3]: strong})
    # Together with a stronger one the weaker stands too: two of twelve need 120 each.
    assert [each["id"] for each in findings(players)["findings"]] == [ids[3], ids[0]]


def test_what_tests_nothing_or_has_no_games_is_not_counted(players: Players) -> None:
    ids = submitted(players, 3)
    assert findings(players) == {"level": 0.05, "tested": 0, "findings": []}
    with_evidence(players, {ids[1]: 1e6})
    found = findings(players)
    assert (found["tested"], [each["id"] for each in found["findings"]]) == (1, [ids[1]])


def test_present_evidence_counts_and_not_the_greatest_there_ever_was(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    lease = players.lease(experiment)
    assert lease is not None
    players.deliver(lease)
    with players.database.read() as session:
        tally = session.get_one(TallyRow, experiment)
        assert tally.known is not None
        assert tally.log_e == tally.known["test"]["log_e"]
        assert tally.known["test"]["p_value"] <= min(1.0, math.exp(-tally.log_e)) + 1e-12


def test_findings_are_behind_a_door(players: Players) -> None:
    client: FlaskClient = create_app(Settings(), database=players.database).test_client()
    (experiment,) = submitted(players, 1)
    with_evidence(players, {experiment: 50.0})
    answer = client.get("/api/v1/findings")
    assert answer.status_code == 200
    assert [each["id"] for each in answer.json["findings"]] == [experiment]


def test_what_pages_show_is_what_the_statistics_say_of_the_state(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    players.finish(experiment)
    with players.database.read() as session:
        row = views.require_experiment(session, experiment)
        tally = session.get_one(TallyRow, experiment)
        said = decision.estimate(experiment_of(row), tally.state)
    view = players.view(experiment)
    assert {key: view[key] for key in said if key != "after_decision"} == {
        key: value for key, value in said.items() if key != "after_decision"
    }


def test_a_page_of_a_hundred_running_experiments_does_no_statistics(
    players: Players, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = submitted(players, 100)
    units = units_of_law(160, WHITE_IS_BETTER, EVEN)
    with players.database.write() as session:
        for tally in session.scalars(select(TallyRow)):
            experiment = experiment_of(views.require_experiment(session, tally.experiment_id))
            question = decision.Question.from_experiment(experiment)
            tally.state = decision.advance(question, None, units[:16]).state
            tally.known = decision.estimate(question, tally.state)

    def refuse(*_: object) -> None:
        raise AssertionError("statistics while a page waits")

    monkeypatch.setattr(decision, "estimate", refuse)
    with players.database.read() as session:
        page = views.list_view(session, now=START, limit=100)
    assert {each["id"] for each in page["experiments"]} == set(ids)
    assert all(each["secondary"] for each in page["experiments"])
