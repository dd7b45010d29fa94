"""Rating lists, piece values and curves as somebody at a terminal sees them."""

from __future__ import annotations

import re
from typing import Any

from players import Players, curve_document, material_document, ratings_document

from tabia.server import submission, views
from tabia.server.database import Database
from tabia.server.local.progress import estimate_line
from tabia.server.local.report import curve_report, report


def played(players: Players, document: dict[str, Any], batches: int) -> dict[str, Any]:
    """The view of an experiment of which so many batches are played."""
    experiment = players.submit(document)
    for _ in range(batches):
        lease = players.lease(experiment)
        assert lease is not None
        players.deliver(lease)
    return players.view(experiment)


def test_a_pool_that_has_just_begun_has_a_list_without_errors(sqlite: Database) -> None:
    view = played(Players(sqlite), ratings_document(), batches=1)
    text = "\n".join(report(view))
    assert "No verdict after 7 of at most 60 openings. So far: not everything can be told" in text
    assert "score" in text
    assert "The errors hold at any time, with 95 % confidence." in text


def test_a_pool_without_a_game_can_be_shown(sqlite: Database) -> None:
    view = played(Players(sqlite), ratings_document(), batches=0)
    assert "Four strengths: not begun" in report(view)
    assert estimate_line(view) == "not everything can be told yet"


def test_pools_that_cannot_be_compared_are_shown_apart(sqlite: Database) -> None:
    view = played(Players(sqlite), ratings_document(), batches=0)
    for player, elo in zip(view["ratings"]["players"], (50.0, -50.0, None, None), strict=True):
        player.update(elo=elo, low=None if elo is None else elo - 30, high=elo and elo + 30)
    keys = [player["key"] for player in view["ratings"]["players"]]
    view["ratings"]["pools"] = [keys[:2], keys[2:3], keys[3:]]
    lines = report(view)
    assert sum("games  score" in line for line in lines) == 3
    assert any("Ratings of different lists cannot be compared" in line for line in lines)
    assert any("+50.0  30.0" in line for line in lines)


def test_the_row_of_the_anchor_says_that_it_is_fixed(sqlite: Database) -> None:
    held = ratings_document(ratings={"anchor": "n10", "anchor_elo": 1200})
    view = played(Players(sqlite), held, batches=9)
    assert view["ratings"]["anchor"] == {"key": "n10", "elo": 1200.0}
    (row,) = (row for row in view["ratings"]["players"] if row["key"] == "n10")
    lines = [re.sub(r" +", " ", line.strip()) for line in report(view)]
    assert f"10 nodes +1200.0 fixed {row['games']} {100 * row['score']:.1f} %" in lines
    assert sum(" fixed " in line for line in lines) == 1
    assert "10 nodes +1200.0 (fixed)" in view["verdict"]["sentence"]
    # A list that was decided before there were anchors.
    for row in view["ratings"]["players"]:
        del row["fixed"]
    del view["ratings"]["anchor"]
    assert not any(" fixed " in line for line in report(view))


def test_men_that_have_just_begun_show_how_far_the_budget_reaches(sqlite: Database) -> None:
    view = played(Players(sqlite), material_document(), batches=0)
    text = "\n".join(report(view))
    reach = view["values"]["reach"]
    assert f"the whole budget is expected to reach ± {reach:.2f} pawns at worst" in text
    assert "(asked for: ± 0.01)" in text
    assert re.search(r"  Q  Queen +\?  \?\n", text)


def test_a_lack_of_fit_is_said(sqlite: Database) -> None:
    view = played(Players(sqlite), material_document(), batches=0)
    view["values"].update(chi2=30.0, dof=10)
    text = "\n".join(report(view))
    assert "chi² 30.0 on 10 degrees of freedom; men are worth more or less in company" in text
    view["values"].update(chi2=9.0)
    assert "in company" not in "\n".join(report(view))


def test_while_it_plays_the_worst_known_number_is_shown(sqlite: Database) -> None:
    view = played(Players(sqlite), material_document(), batches=0)
    for man in view["values"]["men"]:
        man.update(value=3.0, low=2.5, high=3.5)
    view["values"]["men"][0].update(low=1.0, high=5.0)
    assert estimate_line(view) == "everything known to ± 2.00 pawns"


def test_a_curve_that_has_not_begun_lists_its_strengths(sqlite: Database) -> None:
    players = Players(sqlite)
    submitted = submission.submit(sqlite, curve_document(), "document", now=players.now)
    with sqlite.read() as session:
        curve = views.curve_view(session, submitted.family or "")
    lines = curve_report(curve)
    assert lines[-3:] == [
        "Stalemate by strength, by strength",
        "Not every strength has been played yet.",
        "",
    ]
    assert [line.split() for line in lines[1:4]] == [
        ["1×", "20", "0"], ["2×", "40", "0"], ["4×", "80", "0"],
    ]  # fmt: skip
