"""`tabia run`: from a file to a verdict, and nothing left behind."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest
from running import LONGER, SMALL, Tabia, leftovers, toml

from tabia.engine import play_batch
from tabia.engine.documents import DocumentError
from tabia.engine.match import Experiment, plan_batch


def test_it_ends_with_verdict_numbers_and_page(tabia: Tabia, small: Path, tmp_path: Path) -> None:
    status, output, errors = tabia("run", small, "--json", tmp_path / "view.json")
    assert (status, errors) == (0, "")
    view = json.loads((tmp_path / "view.json").read_text())
    assert view["state"] == "out_of_budget"
    assert view["units_done"] == view["budget"] == 40
    said = " ".join(output.split())
    assert view["verdict"]["sentence"] in said
    for arm in view["arms"]:
        tally = view["tallies"][arm["key"]]
        row = rf"{re.escape(arm['name'])} +{tally['games']} +{tally['white_wins']} "
        assert re.search(row, output)
    assert re.search(rf"tabia up --data \S+, then http://\S+/experiments/{view['id']}", output)
    assert leftovers(tabia.folder) == []


def test_what_was_played_is_what_anybody_plays(tabia: Tabia, small: Path) -> None:
    assert tabia("run", small, "--workers", "1")[0] == 0
    experiment = Experiment.from_toml(small.read_text(), str(small))
    games = play_batch(plan_batch(experiment, 0, 0, experiment.budget))["games"]
    assert tabia.started[0].games() == [
        (game["unit"], game["arm"], game["moves"], game["result"], game["reason"]) for game in games
    ]


def test_it_stops_when_the_time_is_up_and_goes_on_later(tabia: Tabia, tmp_path: Path) -> None:
    endless = tmp_path / "endless.toml"
    endless.write_text(toml({**LONGER, "test": {"margin": 0.0001, "budget": 500_000}}))
    # How much is played by then hangs on the machine; on a busy one it may be nothing.
    status, output, errors = tabia("run", endless, "--minutes", "0.1")
    assert (status, errors) == (0, "")
    assert re.search(f"{LONGER['name']}: not (decided yet|begun)", output)
    kept = re.search(r"(\d+) openings are kept", output)
    assert kept
    again = tabia.start("run", endless)
    again.until(lambda: len(again.games()) > 2 * int(kept[1]), "more games than before")
    again.signal(signal.SIGINT)
    again.end()


def test_an_experiment_that_is_over_is_not_played_again(tabia: Tabia, small: Path) -> None:
    first = tabia("run", small)
    ids = tabia.started[0].rows("SELECT id FROM leases")
    second = tabia("run", small)
    assert second[0] == 0
    verdict = first[1][first[1].index(SMALL["name"] + ": out") :]
    assert second[1].endswith(verdict)
    assert tabia.started[1].rows("SELECT id FROM leases") == ids


def test_the_page_is_there_while_it_runs(tabia: Tabia, longer: Path) -> None:
    run = tabia.start("run", longer)
    address = run.wait_to_say(LONGER["name"]).split()[-1]

    def page() -> str | None:
        try:
            answer = httpx.get(address)
        except httpx.TransportError:
            return None
        return answer.text if answer.status_code == 200 else None

    assert LONGER["name"] in run.until(page, "the page")
    run.signal(signal.SIGINT)
    run.end()


BAD = {
    "an unknown key": ({**SMALL, "node": 5}, "node"),
    "an unknown rule set": ({**SMALL, "arms": {"a": "chess", "b": "ches"}}, "arms.b"),
    "a metric of the other kind": ({**SMALL, "test": {"metric": "elo"}}, "test.metric"),
    "nonsense": ({"name": ""}, "name"),
}


@pytest.mark.parametrize(("document", "key"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_line_and_leaves_nothing(
    tabia: Tabia, tmp_path: Path, document: dict[str, Any], key: str
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(toml(document))
    status, output, errors = tabia("run", path)
    with pytest.raises(DocumentError) as problem:
        Experiment.from_toml(path.read_text(), str(path), tmp_path)
    assert (status, output) == (2, "")
    assert errors == f"tabia: {problem.value}\n"
    assert errors.startswith(f"tabia: {path}:{key}: ")
    assert not tabia.folder.exists()


@pytest.mark.parametrize(
    "arguments",
    [["run", "no-such-file.toml"], ["run", "--workers", "0", "small.toml"], ["up", "--port", "x"]],
)
def test_a_bad_command_line_is_one_line(tabia: Tabia, small: Path, arguments: list[str]) -> None:
    assert small.exists()
    status, output, errors = tabia(*arguments)
    assert (status, output) == (2, "")
    assert errors.startswith("tabia: ")
    assert errors.count("\n") == 1


def test_two_commands_do_not_share_a_folder(tabia: Tabia, longer: Path, small: Path) -> None:
    first = tabia.start("run", longer)
    first.until(lambda: (tabia.folder / "lock").exists(), "the lock")
    status, output, errors = tabia("run", small)
    assert (status, output) == (1, "")
    assert errors.startswith(f"tabia: {tabia.folder}: in use by process {first.popen.pid};")
    first.signal(signal.SIGTERM)
    assert first.end()[0] == 130
