"""A document becomes one experiment, or nothing at all."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from players import START, Players, odds_document, stalemate_document
from sqlalchemy import func, select

from tabia.engine.documents import DocumentError
from tabia.server import submission
from tabia.server.lifecycle import stop_experiment
from tabia.server.models import Base, BatchRow, ExperimentRow
from tabia.server.schedule import Schedule


def rows(players: Players) -> dict[str, int]:
    with players.database.read() as session:
        return {
            table.name: session.scalar(select(func.count()).select_from(table)) or 0
            for table in Base.metadata.sorted_tables
        }


def test_what_was_declared_is_pinned(players: Players) -> None:
    experiment = players.submit(odds_document())
    with players.database.read() as session:
        row = session.get_one(ExperimentRow, experiment)
        batches = session.scalars(select(BatchRow).order_by(BatchRow.number)).all()
    assert row.engine == row.frozen["engine"]
    assert len(row.weights) == 64
    assert row.frozen["arms"]["a"]["name"] == "Odds"
    assert Schedule.from_runs(row.sizes).units == row.budget == 84
    assert [(batch.first_unit, batch.units) for batch in batches] == [
        (7 * number, 7) for number in range(12)
    ]
    view = players.view(experiment)
    assert (view["state"], view["started"], view["verdict"]) == ("queued", None, None)
    assert [arm["name"] for arm in view["arms"]] == ["Odds", "Against"]
    assert view["rules_diff"]
    assert (view["expected"] or {})["sentence"].startswith("A verdict takes about ")
    with players.database.write() as session:
        stop_experiment(session, experiment, players.now)
    assert players.view(experiment)["expected"] is None


def test_sizes_come_from_measured_speed_unless_told_otherwise(players: Players) -> None:
    submitted = submission.submit(players.database, stalemate_document(), "document", now=START)
    view = players.view(submitted.id)
    assert 1 <= view["batches_planned"] <= 20


def test_the_same_document_twice_is_one_experiment_whatever_became_of_it(
    players: Players,
) -> None:
    experiment = players.submit(stalemate_document())
    players.finish(experiment)
    before = rows(players)
    again = submission.submit(players.database, stalemate_document(), "document", now=START)
    assert again == submission.Submitted((experiment,), None, is_new=False)
    assert rows(players) == before
    assert players.view(experiment)["state"] == "out_of_budget"


def test_another_seed_is_another_experiment(players: Players) -> None:
    assert players.submit(stalemate_document()) != players.submit(stalemate_document(seed=1))


def test_designers_who_send_the_same_at_once_share_one_experiment(players: Players) -> None:
    with ThreadPoolExecutor(6) as threads:
        found = list(
            threads.map(
                lambda _: submission.submit(
                    players.database, odds_document(), "document", now=START, measure=lambda _: 2.0
                ),
                range(6),
            )
        )
    assert len({each.id for each in found}) == 1
    assert [each.is_new for each in found].count(True) == 1
    assert rows(players)["experiments"] == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"arms": {"a": "chess", "b": "chesss"}}, "document:arms.b: "),
        ({"kind": "compete"}, 'document:kind: found "compete"; allowed: "compare" or "rights"'),
        ({"nods": 10}, 'document:nods: unknown key; did you mean "nodes"?'),
        ({"test": {"metric": "elo"}}, "document:test.metric: "),
        ({"test": {"budget": 0}}, "document:test.budget: found 0; allowed: "),
        ({"name": "no\x00thing"}, "document:name: "),
        ({"arms": {"a": "/etc/passwd", "b": "chess"}}, "document:arms.a: "),
    ],
)
def test_a_bad_document_is_one_line_and_nothing_is_stored(
    players: Players, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(DocumentError) as refused:
        players.submit(stalemate_document(**changes))
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)
    assert set(rows(players).values()) == {0}


def test_rule_sets_may_lie_beside_a_document_of_this_machine(
    players: Players, tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text(
        'id = "mine"\nname = "Mine"\nextends = "chess"\n', encoding="utf-8"
    )
    document = stalemate_document(arms={"a": "./mine.toml", "b": "chess"})
    with pytest.raises(DocumentError):
        submission.submit(players.database, document, "document", now=START)
    submitted = submission.submit(
        players.database, document, "document", now=START, folder=tmp_path, measure=lambda _: 2.0
    )
    assert players.view(submitted.id)["arms"][0]["name"] == "Mine"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ([], "request: found no table"),
        ({"toml": 1}, "request:toml: allowed: the text of one document"),
        ({"toml": "", "name": "x"}, "request:toml: allowed: the text of one document"),
        ({"toml": "name = "}, "request: not valid TOML"),
    ],
)
def test_a_request_without_a_document_is_refused(body: object, said: str) -> None:
    with pytest.raises(DocumentError, match=said):
        submission.read_document(body, "request")


def test_toml_and_json_say_the_same() -> None:
    assert submission.read_document({"toml": 'name = "x"'}, "request") == {"name": "x"}
    assert submission.read_document({"name": "x"}, "request") == {"name": "x"}
