"""Whatever is killed in the middle of `tabia run`, the experiment ends as if nothing had been."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from running import LONGER, Run, Tabia, leftovers, until

from tabia.engine import play_batch
from tabia.engine.match import Experiment, plan_batch
from tabia.server import decision
from tabia.server.question import Question
from tabia.server.tally import units_of


@dataclass(frozen=True)
class Undisturbed:
    """What LONGER comes to when nobody disturbs it."""

    games: list[tuple[Any, ...]]
    verdict: dict[str, Any]
    estimate: dict[str, Any]


@pytest.fixture(scope="module")
def undisturbed() -> Undisturbed:
    """LONGER, played here in one go, and the statistics of it: no batch, queue or database."""
    experiment = Experiment.from_document(LONGER, "longer")
    games = play_batch(plan_batch(experiment, 0, 0, experiment.budget))["games"]
    question = Question.from_experiment(experiment)
    moved = decision.advance(question, None, units_of(games))
    assert moved.verdict is not None
    estimate = decision.estimate(question, moved.state)["estimate"]
    columns = ("unit", "arm", "moves", "result", "reason")
    return Undisturbed(
        [tuple(game[column] for column in columns) for game in games],
        dict(moved.verdict),
        json.loads(json.dumps(estimate)),
    )


def check_it_ended_as(undisturbed: Undisturbed, run: Run, json_path: Path) -> None:
    view = json.loads(json_path.read_text())
    assert view["verdict"] == undisturbed.verdict
    assert view["estimate"] == undisturbed.estimate
    # The verdict may come before the budget is played; every game until then is there, once.
    at = view["verdict"]["at_unit"]
    assert [game for game in run.games() if game[0] < at] == [
        game for game in undisturbed.games if game[0] < at
    ]
    assert [view["tallies"][arm]["games"] for arm in ("a", "b")] == [at, at]
    assert leftovers(run.folder) == []


def in_the_middle(run: Run) -> None:
    """Wait until something is recorded and something else is being played."""
    run.until(run.batches_done, "the first result")
    run.until(lambda: run.rows("SELECT 1 FROM leases WHERE state = 'playing'"), "a batch in hand")


def kill(*pids: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):  # it died with its parent
            os.kill(pid, signal.SIGKILL)


def test_workers_are_killed(
    tabia: Tabia, longer: Path, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    run = tabia.start("run", longer, "--workers", "2", "--json", tmp_path / "view.json")
    in_the_middle(run)
    workers = [process.pid for process in run.named("tabia.worker.cluster")]
    assert len(workers) >= 3, "a parent and two that play"
    kill(*workers)
    status, _, errors = run.end()
    assert (status, errors) == (0, "")
    assert run.rows("SELECT 1 FROM leases WHERE attempt > 1"), "a batch was played again"
    check_it_ended_as(undisturbed, run, tmp_path / "view.json")


def test_one_player_is_killed(
    tabia: Tabia, longer: Path, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    run = tabia.start("run", longer, "--workers", "2", "--json", tmp_path / "view.json")
    in_the_middle(run)
    (parent,) = (each for each in run.named("worker.cluster") if each.parent == run.popen.pid)
    victim = max(each.pid for each in run.named("worker.cluster") if each.parent == parent.pid)
    kill(victim)
    run.until(lambda: run.rows("SELECT 1 FROM leases WHERE state = 'failed'"), "word of the death")
    assert parent in run.family()
    status, _, errors = run.end()
    assert (status, errors) == (0, "")
    failed = run.rows("SELECT message FROM leases WHERE state = 'failed'")
    assert failed == [("the process that played it died",)]
    check_it_ended_as(undisturbed, run, tmp_path / "view.json")


@pytest.mark.parametrize("service", ["tabia.server.serve", "valkey-server", "gunicorn"])
def test_another_service_is_killed(
    tabia: Tabia, longer: Path, undisturbed: Undisturbed, tmp_path: Path, service: str
) -> None:
    run = tabia.start("run", longer, "--json", tmp_path / "view.json")
    in_the_middle(run)
    victims = {process.pid for process in run.wait_for(service)}
    kill(*victims)
    run.until(lambda: {each.pid for each in run.named(service)} - victims, "another one")
    status, _, errors = run.end()
    assert (status, errors) == (0, "")
    check_it_ended_as(undisturbed, run, tmp_path / "view.json")


def test_everything_is_killed_and_begun_again(
    tabia: Tabia, longer: Path, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    run = tabia.start("run", longer)
    in_the_middle(run)
    kill(run.popen.pid)
    run.end()
    until(lambda: not leftovers(tabia.folder), "the end of all its processes", 10)
    done = run.batches_done()
    status, _, errors = tabia("run", longer, "--json", tmp_path / "view.json")
    assert (status, errors) == (0, "")
    assert run.rows("SELECT count(*) FROM leases WHERE state = 'done'")[0][0] > done
    check_it_ended_as(undisturbed, run, tmp_path / "view.json")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_loses_nothing(
    tabia: Tabia, longer: Path, undisturbed: Undisturbed, tmp_path: Path, number: int
) -> None:
    run = tabia.start("run", longer)
    in_the_middle(run)
    run.signal(number)
    status, output, errors = run.end()
    assert (status, errors) == (130, "")
    ((kept,),) = run.rows("SELECT sum(units) FROM batches WHERE state = 'done'")
    assert output.endswith(f"{kept} openings are kept; the same command goes on from there.\n")
    assert leftovers(tabia.folder) == []

    status, _, errors = tabia("run", longer, "--json", tmp_path / "view.json")
    assert (status, errors) == (0, "")
    check_it_ended_as(undisturbed, run, tmp_path / "view.json")
