"""One question at several strengths: stored together, and the trend of the answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from players import Players, curve_document, stalemate_document

from tabia.engine.documents import DocumentError
from tabia.server import submission, views
from tabia.server.app import create_app
from tabia.server.curve import Level, curve, standard_error
from tabia.server.database import Database
from tabia.server.estimates import primary
from tabia.server.question import Question
from tabia.server.settings import Settings
from tabia.server.tally import Tally
from tabia.server.views import NotFoundError

UNITS = 4000


def question(kind: str = "compare", **changes: Any) -> Question:
    declared: dict[str, Any] = {
        "kind": kind, "paired": True, "metric": "white_score" if kind == "compare" else "elo",
        "margin": 0.03 if kind == "compare" else 20, "alpha": 0.05, "beta": 0.05, "budget": UNITS,
        "name_a": "A", "name_b": "B", "rule": "budget",
    }  # fmt: skip
    return Question(**{**declared, **changes})


def level(nodes: int, difference: float, asked: Question, units: int = UNITS) -> Level:
    """A level whose units came out as expected with this difference: A wins where B does not."""
    tally = Tally(units=units)
    more = round(units * (0.1 + difference / 2))
    less = round(units * (0.1 - difference / 2))
    if asked.kind == "compare":
        tally.cells[2][0], tally.cells[0][2], tally.cells[1][1] = more, less, units - more - less
    else:
        tally.cells[2][2], tally.cells[0][0], tally.cells[1][1] = more, less, units - more - less
    return Level(nodes // 1000, nodes, f"id-{nodes}", asked, tally, primary(asked, tally))


def told(differences: Sequence[float], **changes: Any) -> dict[str, Any]:
    asked = question(**changes)
    return curve([level(1000 * 4**step, each, asked) for step, each in enumerate(differences)])


def test_an_answer_that_holds_at_every_strength_is_robust() -> None:
    found = told([0.06, 0.06, 0.06])
    assert (found["label"], found["complete"]) == ("robust", True)
    assert found["slope"]["low"] < 0 < found["slope"]["high"]
    assert found["sentence"].startswith(
        "The answer holds at every strength that was tried, from +6.0 percentage points at 1000 "
        "nodes to +6.0 percentage points at 16000: a doubling of the nodes changes it by 0.0"
    )


@pytest.mark.parametrize("kind", ["compare", "rights"])
@pytest.mark.parametrize("difference", [0.005, 0.015, 0.03])
def test_an_answer_that_holds_is_shown_with_an_interval_that_says_so(
    kind: str, difference: float
) -> None:
    """Differences that a fixed sample is sure of, or not, and a confidence sequence not always."""
    found = told([difference] * 3, kind=kind)
    top = found["levels"][-1]
    assert top["low"] < top["value"] < top["high"]
    assert (found["label"] == "robust") <= (top["low"] > 0)
    if difference == 0.015 and kind == "compare":
        assert top["low"] > 0 > primary(question(), level(1, difference, question()).tally)["low"]


def test_a_conclusion_that_vanishes_with_strength_is_reported_as_such() -> None:
    found = told([0.08, 0.04, 0.0])
    assert found["label"] == "strength-dependent"
    assert found["slope"]["value"] == pytest.approx(-0.02, abs=1e-3)
    assert found["slope"]["high"] < 0
    assert "It vanishes with strength: at 16000 nodes it cannot be told" in found["sentence"]


def test_a_conclusion_that_turns_round_with_strength_is_reported_as_such() -> None:
    assert "It turns round with strength" in told([0.06, 0.0, -0.06])["sentence"]


def test_a_difference_that_may_have_vanished_is_no_settled_one() -> None:
    found = told([0.022, 0.01, 0.012])
    assert found["label"] == "tested only"
    assert "which settles no trend" in found["sentence"]
    assert "whether it vanishes with strength is not settled" in found["sentence"]


def test_no_difference_at_any_strength_has_no_fate() -> None:
    sentence = told([0.0, 0.005, 0.0])["sentence"]
    assert sentence.endswith("which settles no trend.")


def test_elo_is_the_scale_of_rights() -> None:
    found = told([0.1, 0.1, 0.1], kind="rights")
    assert "Elo at 1000 nodes" in found["sentence"]
    assert found["levels"][0]["value"] == pytest.approx(34.9, abs=0.5)


def test_while_a_level_plays_the_trend_may_be_watched() -> None:
    asked = question()
    levels = [level(1000, 0.06, asked), level(4000, 0.06, asked, units=1000)]
    running, over = curve(levels), curve([levels[0], level(4000, 0.06, asked)])
    assert not running["complete"]
    assert running["sentence"].startswith("So far, with 1 of 2 strengths played to the end: ")
    assert running["slope"]["low"] < over["slope"]["low"]
    assert running["slope"]["high"] > over["slope"]["high"]


def test_before_every_strength_has_begun_there_is_no_trend() -> None:
    asked = question()
    found = curve([level(1000, 0.06, asked), level(4000, 0, asked, units=0)])
    assert found["slope"] == {"value": None, "low": None, "high": None}
    assert (found["label"], found["complete"]) == (None, False)
    assert found["sentence"] == "Not every strength has been played yet."


@pytest.mark.parametrize("paired", [True, False])
def test_the_error_is_that_of_repeated_experiments(paired: bool) -> None:
    asked = question(paired=paired)
    rng = np.random.default_rng(1)
    law = np.array([[3, 2, 1, 0.1], [2, 4, 2, 0.1], [1, 2, 3, 0.1], [0.1, 0.1, 0.1, 0.2]])
    law /= law.sum()
    if not paired:  # arms that share no openings do not vary together
        law = np.outer(law.sum(axis=1), law.sum(axis=0))
    values, errors = [], []
    for _ in range(400):
        cells = rng.multinomial(500, law.ravel()).reshape(4, 4)
        tally = Tally(units=500, cells=cells.tolist())
        values.append(primary(asked, tally)["value"])
        errors.append(standard_error(asked, tally))
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.1)


def test_without_a_unit_there_is_no_error() -> None:
    assert standard_error(question(), Tally()) is None
    assert standard_error(question(paired=False), Tally()) is None


def test_units_that_are_all_alike_are_not_known_for_certain() -> None:
    """As if one of them had differed by a whole game: 1, 0, 0, ... has the mean error 1 / n."""
    tally = Tally(units=100)
    tally.cells[1][1] = 100
    assert standard_error(question(), tally) == pytest.approx(0.01)
    assert standard_error(question(paired=False), tally) == pytest.approx(math.hypot(0.005, 0.005))


def test_a_strength_that_showed_no_difference_does_not_outweigh_the_others() -> None:
    asked = question(budget=400)
    alike = Tally(units=400)
    alike.cells[1][1] = 400
    flat = Level(1, 1000, "flat", asked, alike, primary(asked, alike))
    found = curve([flat, level(4000, 0.06, asked), level(16_000, 0.12, asked)])
    assert found["complete"]
    low, value, high = (found["slope"][key] for key in ("low", "value", "high"))
    assert 0.01 < value < 0.05
    assert low < 0.03 < high


def test_a_document_with_a_curve_is_stored_as_one_experiment_a_level(players: Players) -> None:
    submitted = submission.submit(players.database, curve_document(), "document", now=players.now)
    assert submitted.is_new
    assert submitted.id == submitted.ids[0]
    found = [players.view(each) for each in submitted.ids]
    assert [view["nodes"] for view in found] == [20, 40, 80]
    assert {view["budget"] for view in found} == {20}
    assert {view["test"]["rule"] for view in found} == {"budget"}
    again = submission.submit(players.database, curve_document(), "document", now=players.now)
    assert again == submission.Submitted(submitted.ids, submitted.family, is_new=False)


def test_a_curve_that_cannot_be_is_refused_and_nothing_is_stored(sqlite: Database) -> None:
    players = Players(sqlite)
    with pytest.raises(DocumentError, match=r"curve\.levels"):
        players.submit(curve_document(curve={"levels": [4, 1]}))
    with sqlite.read() as session:
        assert views.list_view(session, now=players.now)["total"] == 0


def test_an_experiment_of_its_own_belongs_to_no_curve(sqlite: Database) -> None:
    players = Players(sqlite)
    submitted = submission.submit(sqlite, stalemate_document(), "document", now=players.now)
    assert submitted.family is None
    assert len(submitted.ids) == 1


def test_the_curve_has_every_level_in_order_and_is_complete_when_all_are(
    players: Players,
) -> None:
    submitted = submission.submit(players.database, curve_document(), "document", now=players.now)
    assert submitted.family is not None

    def view() -> dict[str, Any]:
        with players.database.read() as session:
            return views.curve_view(session, submitted.family or "")

    assert [level["value"] for level in view()["levels"]] == [None] * 3
    for each in submitted.ids:
        assert not view()["complete"]
        players.finish(each)
    found = view()
    assert found["complete"]
    assert found["name"] == "Stalemate by strength"
    assert [level["experiment"] for level in found["levels"]] == list(submitted.ids)
    assert [(level["level"], level["nodes"], level["units"]) for level in found["levels"]] == [
        (1, 20, 20), (2, 40, 20), (4, 80, 20),
    ]  # fmt: skip
    for level, each in zip(found["levels"], submitted.ids, strict=True):
        assert level["value"] == players.view(each)["estimate"]["difference"]["value"]


def test_an_unknown_curve_is_not_found(sqlite: Database) -> None:
    with sqlite.read() as session, pytest.raises(NotFoundError, match="no curve 'x'"):
        views.curve_view(session, "x")


def test_the_api_answers_with_all_ids_and_shows_the_curve(sqlite: Database) -> None:
    client = create_app(Settings(), database=sqlite).test_client()
    created = client.post("/api/v1/experiments", json=curve_document())
    assert created.status_code == 201
    assert created.json["id"] == created.json["ids"][0]
    assert len(set(created.json["ids"])) == 3
    shown = client.get(f"/api/v1/curves/{created.json['family']}")
    assert shown.status_code == 200
    assert [level["experiment"] for level in shown.json["levels"]] == created.json["ids"]
    assert client.get("/api/v1/curves/unknown").status_code == 404
    alone = client.post("/api/v1/experiments", json=stalemate_document())
    assert alone.json == {"id": alone.json["id"], "ids": [alone.json["id"]], "family": None}
