"""`tabia run` on pools, armies and curves: real workers, from the file to the list or the trend."""

from __future__ import annotations

import json
import os
import re
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from running import Run, Tabia, leftovers

POOL = """
name = "A small pool"
kind = "ratings"
rules = "chess"
max_plies = 60
players.weak = {name = "Weak", nodes = 5}
players.middle = {name = "Middle", nodes = 25}
players.strong = {name = "Strong", nodes = 125}
openings.plies = 4
test.budget = 150
"""

MEN = """
name = "Some men of chess"
kind = "material"
rules = "chess"
nodes = 50
max_plies = 120
material = {target = 0.05, most_men = 3, expected = ["Q", "R", "P"]}
openings.plies = 4
test.budget = 320
"""

CURVE = """
name = "Stalemate by strength"
kind = "compare"
nodes = 10
max_plies = 60
arms = {a = "chess", b = "chess-stalemate-win"}
openings.plies = 4
curve.levels = [1, 4]
test = {metric = "white_score", budget = 40}
"""


@pytest.fixture
def played(tabia: Tabia, tmp_path: Path) -> Any:
    """Plays a document to its end: what is known then, and what was said."""

    def play(document: str) -> tuple[dict[str, Any], str]:
        (tmp_path / "experiment.toml").write_text(document)
        json_path = tmp_path / "known.json"
        status, output, errors = tabia("run", tmp_path / "experiment.toml", "--json", json_path)
        assert (status, errors) == (0, "")
        assert leftovers(tabia.folder) == []
        return json.loads(json_path.read_text()), output

    return play


def test_a_pool_ends_with_a_rating_list(played: Any) -> None:
    view, output = played(POOL)
    assert (view["state"], view["verdict"]["outcome"]) == ("decided", "measured")
    assert view["verdict"]["sentence"] in " ".join(output.split())
    players = view["ratings"]["players"]
    assert [player["name"] for player in players] == ["Strong", "Middle", "Weak"]
    for player in players:
        assert player["games"] == 200
        elo = f"{player['elo']:+.1f}".replace("-", "−")
        error = f"{(player['high'] - player['low']) / 2:.1f}"
        score = f"{100 * player['score']:.1f}"
        assert re.search(rf"{player['name']} +{re.escape(elo)} +{error} +200 +{score} %", output)
    assert "The errors are of 95 % confidence, at the declared end." in output


def test_armies_end_with_values_in_pawns(played: Any) -> None:
    view, output = played(MEN)
    assert (view["state"], view["verdict"]["outcome"]) == ("decided", "measured")
    assert view["verdict"]["sentence"] in " ".join(output.split())
    values = {man["letter"]: man for man in view["values"]["men"]}
    assert values["Q"]["value"] > values["N"]["value"] > 0
    queen = f"{values['Q']['value']:.2f} +{(values['Q']['high'] - values['Q']['low']) / 2:.2f}"
    assert re.search(rf"Q  Queen +{queen}\n", output)
    assert re.search(r"P  Pawn +1\.00\n", output)
    assert f"[{view['values']['pawn_elo']['low']:.1f}, " in output
    assert "The published order (Queen, Rook, Pawn)" in view["verdict"]["sentence"]
    assert sum(match["units"] for match in view["values"]["matches"]) == 320


def test_a_curve_ends_with_the_trend(played: Any) -> None:
    curve, output = played(CURVE)
    assert curve["complete"]
    assert [level["nodes"] for level in curve["levels"]] == [10, 40]
    assert [view["id"] for view in curve["experiments"]] == [
        level["experiment"] for level in curve["levels"]
    ]
    said = " ".join(output.split())
    for view in curve["experiments"]:
        assert view["state"] == "decided"
        assert view["verdict"]["sentence"] in said
        assert f"Stalemate by strength, {view['nodes']} nodes: measured" in output
    assert curve["sentence"] in said
    assert f"Stalemate by strength, by strength: {curve['label']}" in output
    assert re.search(r" 4× +40 +40 +[+−]0\.\d\d\d \[", output)
    assert f"/curves/{curve['family']}" in output


def test_a_staged_experiment_that_is_killed_and_started_again_ends_exactly_alike(
    tmp_path: Path,
) -> None:
    path = tmp_path / "men.toml"
    path.write_text(MEN)
    undisturbed, killed = Tabia(tmp_path / "undisturbed"), Tabia(tmp_path / "killed")
    assert undisturbed("run", path, "--workers", "1", "--json", tmp_path / "one.json")[0] == 0

    run = killed.start("run", path, "--workers", "2")
    try:
        run.until(lambda: len(stages(run)) > 1 and run.batches_done() % 2, "the second stage")
    finally:
        family = [process.pid for process in run.family()]
        for pid in (run.popen.pid, *family):
            with suppress(ProcessLookupError):  # it died with its parent
                os.kill(pid, signal.SIGKILL)
        run.popen.communicate()
    assert len(run.games()) < 640, "it was killed on its way"
    assert killed("run", path, "--workers", "2", "--json", tmp_path / "two.json")[0] == 0

    first, second = (json.loads((tmp_path / name).read_text()) for name in ("one.json", "two.json"))
    for key in ("values", "verdict", "history", "tallies"):
        assert first[key] == second[key]
    again = killed.started[-1]
    assert stages(undisturbed.started[-1]) == stages(again)
    assert undisturbed.started[-1].games() == again.games()
    assert leftovers(killed.folder) == []


def stages(run: Run) -> list[tuple[Any, ...]]:
    """What is decided of what to play."""
    return run.rows("SELECT stage, first_unit, units, shares FROM allocations ORDER BY stage")
