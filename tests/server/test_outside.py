"""Experiments with programs: who gets their batches, what becomes of pairs that are void."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from outsiders import document, mover, programs
from players import TERMS, Players, stalemate_document

from tabia.engine import bench_signature, play_batch
from tabia.engine.documents import DocumentError
from tabia.server import leases, lending, planning
from tabia.server.intake import Receipt
from tabia.server.models import LeaseRow
from tabia.server.results import ResultError


def submit(cluster: Players, **changes: Any) -> str:
    return cluster.submit(document(test={"rule": "budget", "budget": 21}, **changes))


def result_of(players: Players, lease: LeaseRow) -> dict[str, Any]:
    with players.database.read() as session:
        batch = planning.batch_of(session, lease.experiment_id, lease.batch)
    return play_batch(batch, programs=programs(mover()))


def void(unit: int, attempt: int, reason: str = "crash", **changes: Any) -> dict[str, Any]:
    return {
        "unit": unit, "attempt": attempt, "arm": "a", "player": "b", "reason": reason,
        "detail": f"it did {reason}", "plies": 9, **changes,
    }  # fmt: skip


def taken(players: Players, experiment: str) -> tuple[LeaseRow, dict[str, Any]]:
    lease = players.lease(experiment)
    assert lease is not None
    return lease, result_of(players, lease)


def lend(players: Players) -> Mapping[str, Any] | None:
    loan = lending.lend_next(
        players.database, holder="v", engine=bench_signature(), now=players.now, terms=TERMS
    )
    return loan and loan.batch


def test_a_volunteer_never_gets_a_batch_of_a_program_or_a_clock(players: Players) -> None:
    submit(players)
    submit(
        players,
        name="By the clock",
        players={"a": {"movetime_ms": 10}, "b": {"movetime_ms": 20}},
    )
    assert lend(players) is None
    fair = players.submit(stalemate_document())
    batch = lend(players)
    assert batch is not None
    assert batch["experiment"] == fair


def test_void_pairs_are_counted_by_reason_and_their_games_nowhere(players: Players) -> None:
    experiment = submit(players)
    lease, result = taken(players, experiment)
    result["voids"] = [void(0, 0), void(0, 1, "late move"), void(2, 0)]
    players.deliver(lease, result)
    view = players.view(experiment)
    told = [(each["name"], each["reason"], each["pairs"]) for each in view["voids"]["reasons"]]
    assert view["voids"]["pairs"] == 3
    assert told == [
        ("Random Mover, 1 nodes", "crash", 2),
        ("Random Mover, 1 nodes", "late move", 1),
    ]
    assert view["units_done"] == 7
    assert sum(tally["games"] for tally in view["tallies"].values()) == 14
    assert view["trusted_only"]
    assert view["state"] == "running"


def test_too_many_void_pairs_fail_the_experiment_in_one_line(players: Players) -> None:
    experiment = submit(players)
    lease, result = taken(players, experiment)
    result["voids"] = [void(unit, attempt) for unit in range(4) for attempt in range(3)]
    players.deliver(lease, result)
    view = players.view(experiment)
    assert view["state"] == "failed"
    assert view["failure"] == (
        "12 of 19 pairs of games were void (Random Mover, 1 nodes: crash 12); "
        "allowed: 10, and beyond that 10% of all pairs"
    )


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (void(0, 0, player="a"), "no program plays"),
        (void(0, 0, player="c"), "no program plays"),
        (void(0, 0, "boredom"), "no known reason"),
        (void(7, 0), "none of batch 0"),
    ],
)
def test_a_void_pair_that_cannot_be_is_refused(
    players: Players, wrong: dict[str, Any], problem: str
) -> None:
    experiment = submit(players)
    lease, result = taken(players, experiment)
    with pytest.raises(ResultError, match=problem):
        players.deliver(lease, {**result, "voids": [wrong]})
    assert players.view(experiment)["units_played"] == 0


def test_without_programs_nothing_is_void(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    lease = players.lease(experiment)
    assert lease is not None
    result = {**players.play(lease), "voids": [void(0, 0)]}
    with pytest.raises(ResultError, match="no program plays"):
        players.deliver(lease, result)


def test_the_first_result_of_a_batch_is_the_one_that_counts(players: Players) -> None:
    experiment = submit(players)
    lease, result = taken(players, experiment)
    players.deliver(lease, result)
    before = players.view(experiment)
    other = {**result, "voids": [void(0, 0)]}
    assert players.deliver(lease, other) is Receipt.DUPLICATE
    assert players.view(experiment) == before


def test_what_no_worker_can_play_says_why_until_one_can(players: Players) -> None:
    experiment = submit(players)
    for _ in range(leases.UNABLE_IN_A_ROW):
        assert players.view(experiment)["blocked"] is None
        lease = players.lease(experiment)
        assert lease is not None
        players.now += timedelta(seconds=6)
        with players.database.write() as session:
            leases.give_back(
                session, lease.id, now=players.now, reason="no program mover on this machine"
            )
    view = players.view(experiment)
    assert view["blocked"] == "no worker can play it: no program mover on this machine"
    assert view["state"] == "running"
    lease, result = taken(players, experiment)
    players.now += timedelta(seconds=6)
    players.deliver(lease, result)
    assert players.view(experiment)["blocked"] is None


def test_a_stranger_names_programs_and_neither_paths_nor_files(players: Players) -> None:
    for player, problem in (
        ({"program": "/bin/sh", "says": "sh"}, "paths only in a file that `tabia run` plays"),
        ({"program": "../mover", "says": "x"}, "paths only in a file that `tabia run` plays"),
        ({"program": "mover"}, "says would be needed"),
        ({"program": "mover", "says": "x", "options": {"Log\nFile": "x"}}, "the name of an option"),
        ({"program": "mover", "says": "x", "options": {"Log File": "a\nquit"}}, "options"),
    ):
        with pytest.raises(DocumentError, match=problem):
            submit(players, players={"a": {"nodes": 1}, "b": player})
