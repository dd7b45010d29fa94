"""A material experiment decides in stages what it plays; nobody plays ahead of that."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from players import Players, material_document, stalemate_document

from tabia.server import allocation, planning
from tabia.server.database import Database
from tabia.server.lifecycle import stop_experiment
from tabia.server.planning import experiment_of
from tabia.server.results import ResultError
from tabia.server.scheduler import step
from tabia.server.staging import NotOpenError
from tabia.server.views import require_experiment

STAGES = [(0, 16), (16, 16), (32, 32), (64, 64)]


def finish_stage(players: Players, experiment: str) -> None:
    """Play all batches that can be had now."""
    for lease in players.lease_all(experiment):
        players.deliver(lease)


def test_at_first_only_the_first_stage_is_open(players: Players) -> None:
    experiment = players.submit(material_document())
    ((first, units, shares),) = players.stages(experiment)
    assert (first, units) == STAGES[0]
    assert sum(shares.values()) == units
    states = players.states(experiment)
    leased = len(players.lease_all(experiment))
    assert states == ["waiting"] * leased + ["held"] * (len(states) - leased)
    assert 0 < leased < len(states)


def test_a_stage_opens_when_the_one_before_is_finished_and_not_a_unit_sooner(
    players: Players,
) -> None:
    experiment = players.submit(material_document())
    *others, last = players.lease_all(experiment)
    for lease in others:
        players.deliver(lease)
    assert len(players.stages(experiment)) == 1
    assert players.lease(experiment) is None
    players.deliver(last)
    assert [(first, units) for first, units, _ in players.stages(experiment)] == STAGES[:2]
    assert players.lease(experiment) is not None


def test_the_workers_get_batches_of_the_new_stage_at_once(sqlite: Database) -> None:
    players = Players(sqlite)
    experiment = players.submit(material_document())
    finish_stage(players, experiment)
    sent: list[Any] = []
    step(sqlite, sent.append, list, terms=players.terms, queue_minimum=2, clock=lambda: players.now)
    assert sent[0].batch["first_unit"] == STAGES[1][0]


def test_no_batch_straddles_two_stages(players: Players) -> None:
    experiment = players.submit(material_document())
    players.finish(experiment)
    with players.database.read() as session:
        row = require_experiment(session, experiment)
        starts = {0}
        for count, size in row.sizes:
            for _ in range(count):
                starts.add(max(starts) + size)
    assert starts >= {first for first, _ in STAGES}


def test_the_units_of_a_stage_play_what_was_allotted_evenly_spread(sqlite: Database) -> None:
    players = Players(sqlite)
    experiment = players.submit(material_document())
    players.finish(experiment)
    labels = [game["match"] for game in players.games_of(experiment) if game["arm"] == "a"]
    with sqlite.read() as session:
        matches = experiment_of(require_experiment(session, experiment)).material.matches
    for first, units, shares in players.stages(experiment):
        played = labels[first : first + units]
        assert Counter(played) == shares
        order = allocation.order([shares.get(label, 0) for label in matches])
        assert played == [matches[index] for index in order]


def test_later_stages_follow_the_games(sqlite: Database) -> None:
    """What is played in the second stage is computed from the results of the first."""
    players = Players(sqlite)
    found = []
    for seed in (1, 2):
        experiment = players.submit(material_document(seed=seed))
        finish_stage(players, experiment)
        found.append([shares for _, _, shares in players.stages(experiment)])
    (first, second), (other_first, other_second) = found
    assert first == other_first
    assert second != other_second


def test_a_batch_that_is_not_decided_yet_cannot_be_planned(players: Players) -> None:
    experiment = players.submit(material_document())
    last = len(players.states(experiment)) - 1
    with (
        players.database.read() as session,
        pytest.raises(NotOpenError, match="is decided when the units before them are finished"),
    ):
        planning.batch_of(session, experiment, last)


def test_a_result_of_other_matches_is_refused(players: Players) -> None:
    experiment = players.submit(material_document())
    lease = players.lease(experiment)
    assert lease is not None
    result = players.play(lease)
    label = result["games"][0]["match"]
    wrong = next(each for each in ("B:N", "Q:RR") if each != label)
    result["games"][0]["match"] = wrong
    with pytest.raises(ResultError, match=f"the match '{label}' was asked for, not '{wrong}'"):
        players.deliver(lease, result)


def test_stopping_cancels_the_stages_that_never_opened(players: Players) -> None:
    experiment = players.submit(material_document())
    with players.database.write() as session:
        stop_experiment(session, experiment, players.now)
    assert set(players.states(experiment)) == {"cancelled"}


def test_other_kinds_have_no_stages(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    assert players.stages(experiment) == []
    assert set(players.states(experiment)) == {"waiting"}
