"""The order in which results arrive leaves no trace, and neither does any accident on the way."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    multiple,
    rule,
    run_state_machine_as_test,
)
from players import (
    TERMS,
    Players,
    material_document,
    odds_document,
    ratings_document,
    stalemate_document,
)

from tabia.server import intake, leases
from tabia.server.database import Database
from tabia.server.models import LeaseRow

# Nine batches; the verdict falls within the seventh.
DECIDED = odds_document(
    name="In any order", test={"metric": "white_score", "margin": 0.3, "budget": 63}
)
UNDECIDED = stalemate_document(name="In any order, to the end of the budget")
POOL = ratings_document(name="A pool in any order")
STAGES = material_document(name="In any order within each of four stages")
DOCUMENTS = {"decided": DECIDED, "out-of-budget": UNDECIDED, "ratings": POOL, "material": STAGES}


def _open(file: Path) -> Players:
    return Players(Database(f"sqlite:///{file}"), terms=replace(TERMS, failures_allowed=10_000))


@dataclass(frozen=True)
class Prepared:
    """A database in which every batch that can be had is out, and how the experiment must end."""

    tables: Path
    file: Path
    document: dict[str, Any]
    experiment: str
    out: list[LeaseRow]
    undisturbed: dict[str, Any]


@pytest.fixture(scope="module", params=DOCUMENTS.values(), ids=DOCUMENTS)
def prepared(
    request: pytest.FixtureRequest, sqlite_tables: Path, tmp_path_factory: pytest.TempPathFactory
) -> Prepared:
    folder = tmp_path_factory.mktemp("prepared")
    alone = _open(shutil.copyfile(sqlite_tables, folder / "alone.sqlite3"))
    experiment = alone.submit(request.param)
    alone.finish(experiment)

    file = shutil.copyfile(sqlite_tables, folder / "all-out.sqlite3")
    together = _open(file)
    together.submit(request.param)
    out = together.lease_all(experiment)
    together.database.close()

    undisturbed = alone.outcome(experiment)
    alone.database.close()
    return Prepared(sqlite_tables, file, request.param, experiment, out, undisturbed)


def test_the_undisturbed_run_is_worth_comparing_with(prepared: Prepared) -> None:
    assert prepared.undisturbed["verdict"] is not None
    assert prepared.undisturbed["history"]
    assert len(prepared.out) >= 3


@given(data=st.data())
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_order_with_any_repetition_ends_like_one_after_the_other(
    prepared: Prepared, data: st.DataObject
) -> None:
    repeated = data.draw(st.lists(st.sampled_from(prepared.out), max_size=5))
    arrivals = data.draw(st.permutations([*prepared.out, *repeated]))
    with tempfile.TemporaryDirectory() as folder:
        players = _open(shutil.copyfile(prepared.file, Path(folder) / "tabia.sqlite3"))
        for lease in arrivals:
            players.deliver(lease)
        players.finish(prepared.experiment)  # the later stages, where there are any
        assert players.outcome(prepared.experiment) == prepared.undisturbed
        players.database.close()


class PowerCutError(Exception):
    """The coordinator dies in the middle of something."""


class Accidents(RuleBasedStateMachine):
    """Batches go out and come back, workers and coordinators die, in any order."""

    prepared: Prepared
    given = Bundle("given")

    @initialize()
    def submit(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.file = shutil.copyfile(self.prepared.tables, Path(self.folder.name) / "tabia.sqlite3")
        self.players = _open(self.file)
        self.experiment = self.players.submit(self.prepared.document)

    @rule(target=given)
    def hand_out(self) -> Any:
        lease = self.players.lease(self.experiment)
        return multiple() if lease is None else lease

    @rule(lease=given)
    def begin(self, lease: LeaseRow) -> None:
        with self.players.database.write() as session:
            leases.renew(session, lease.id, now=self.players.now, terms=self.players.terms)

    @rule(lease=given)
    def deliver(self, lease: LeaseRow) -> None:
        self.players.deliver(lease)

    @rule(lease=given)
    def die_while_recording(self, lease: LeaseRow) -> None:
        result = self.players.play(lease)
        with suppress(PowerCutError), self.players.database.write() as session:
            intake.record(session, result, lease_id=lease.id, now=self.players.now)
            raise PowerCutError

    @rule(lease=consumes(given))
    def fail(self, lease: LeaseRow) -> None:
        with self.players.database.write() as session:
            leases.fail(
                session, lease.id, "trouble", now=self.players.now, terms=self.players.terms
            )

    @rule(minutes=st.sampled_from([1, 11]))
    def wait(self, minutes: int) -> None:
        self.players.now += timedelta(minutes=minutes)
        with self.players.database.write() as session:
            leases.expire(session, now=self.players.now, terms=self.players.terms)

    @rule(workers_too=st.booleans())
    def restart_the_coordinator(self, workers_too: bool) -> None:
        now = self.players.now
        self.players.database.close()
        self.players = _open(self.file)
        self.players.now = now
        if workers_too:
            with self.players.database.write() as session:
                leases.reclaim(session, now=now)

    def teardown(self) -> None:
        if not hasattr(self, "players"):
            return
        self.wait(11)
        self.players.finish(self.experiment)
        outcome = self.players.outcome(self.experiment)
        self.players.database.close()
        self.folder.cleanup()
        assert outcome == self.prepared.undisturbed


def test_an_experiment_that_meets_with_accidents_ends_like_one_that_does_not(
    prepared: Prepared,
) -> None:
    machine = type("Accidents", (Accidents,), {"prepared": prepared})
    run_state_machine_as_test(machine, settings=settings(max_examples=10, stateful_step_count=30))
