"""Workers without a broker: they lease from a database, play with the real engine, and deliver.

Every batch is really played, but once a session only: it gives the same games every time, as
`tests/engine` shows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select

from tabia.engine import play_batch
from tabia.server import intake, leases, planning, schedule, submission, views
from tabia.server.database import Database
from tabia.server.models import AllocationRow, BatchRow, LeaseRow
from tabia.server.terms import Terms

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
TERMS = Terms(
    renew_within=timedelta(seconds=30), claim_within=timedelta(minutes=10), failures_allowed=3
)

DECIDED_AT = 48

_results: dict[tuple[str, int, int], str] = {}


def odds_document(**changes: Any) -> dict[str, Any]:
    """Chess in which Black starts with a queen, two bishops and two knights fewer, against chess in
    which White does.

    White's score differs by so much that the first look which may decide does, however the engine
    plays.
    """
    document: dict[str, Any] = {
        "name": "Odds of most pieces",
        "question": "Does White score more when Black has next to nothing?",
        "kind": "compare",
        "nodes": 30,
        "max_plies": 200,
        "arms": {"a": "odds", "b": "against"},
        "openings": {"plies": 4},
        "test": {"metric": "white_score", "margin": 0.3, "budget": 84},
        "rulesets": {
            "odds": {"id": "odds", "name": "Odds", "extends": "chess", "array": {"8": "r3k2r"}},
            "against": {"name": "Against", "extends": "chess", "array": {"1": "R3K2R"}},
        },
    }
    return {**document, **changes}


def stalemate_document(**changes: Any) -> dict[str, Any]:
    """Chess in which stalemate wins, against chess: next to no difference, and a small budget."""
    document: dict[str, Any] = {
        "name": "Stalemate",
        "question": "What if stalemate won?",
        "kind": "compare",
        "nodes": 20,
        "max_plies": 80,
        "arms": {"a": "chess-stalemate-win", "b": "chess"},
        "openings": {"plies": 4},
        "test": {"metric": "white_score", "margin": 0.03, "budget": 20},
    }
    return {**document, **changes}


def ratings_document(**changes: Any) -> dict[str, Any]:
    """Four players of chess, each twice as strong as the one before."""
    document: dict[str, Any] = {
        "name": "Four strengths",
        "question": "How much is a doubling of nodes worth?",
        "kind": "ratings",
        "rules": "chess",
        "max_plies": 80,
        "players": {f"n{nodes}": {"nodes": nodes} for nodes in (5, 10, 20, 40)},
        "openings": {"plies": 4},
        "test": {"budget": 60},
    }
    return {**document, **changes}


def material_document(**changes: Any) -> dict[str, Any]:
    """The men of chess, weighed by players who see next to nothing; four stages, none reached
    early."""
    document: dict[str, Any] = {
        "name": "Men of chess",
        "question": "What is a queen worth?",
        "kind": "material",
        "rules": "chess",
        "nodes": 20,
        "max_plies": 80,
        "openings": {"plies": 2},
        "material": {"target": 0.01, "expected": ["Q", "R", "B", "N"]},
        "test": {"budget": 128},
    }
    return {**document, **changes}


def curve_document(**changes: Any) -> dict[str, Any]:
    """Stalemate in chess, asked of three strengths."""
    return stalemate_document(
        **{"name": "Stalemate by strength", "curve": {"levels": [1, 2, 4]}, **changes}
    )


@dataclass
class Players:
    """A cluster of workers on one database; ``now`` is the time that they all go by."""

    database: Database
    now: datetime = START
    terms: Terms = field(default=TERMS)

    def submit(self, document: Mapping[str, Any], *, units_a_batch: int = 7) -> str:
        """Store an experiment whose first batches have so many units; returns its id."""
        return submission.submit(
            self.database,
            document,
            "document",
            now=self.now,
            measure=lambda _: units_a_batch / schedule.FIRST_SECONDS,
        ).id

    def lease(self, experiment_id: str) -> LeaseRow | None:
        """Take the next batch, if there is one."""
        with self.database.write() as session:
            return leases.send(session, experiment_id, now=self.now, terms=self.terms)

    def lease_all(self, experiment_id: str) -> list[LeaseRow]:
        """Take all batches that wait."""
        taken: list[LeaseRow] = []
        while (lease := self.lease(experiment_id)) is not None:
            taken.append(lease)
        return taken

    def play(self, lease: LeaseRow) -> dict[str, Any]:
        """The result of the lease's batch: the caller's own copy."""
        with self.database.read() as session:
            batch = session.get_one(BatchRow, (lease.experiment_id, lease.batch))
            key = (lease.experiment_id, batch.first_unit, batch.units)
            if key not in _results:
                planned = planning.batch_of(session, lease.experiment_id, lease.batch)
                _results[key] = json.dumps(play_batch(planned))
        result: dict[str, Any] = {**json.loads(_results[key]), "batch": lease.batch}
        return result

    def deliver(self, lease: LeaseRow, result: Mapping[str, Any] | None = None) -> intake.Receipt:
        """Hand in the lease's result, or another one."""
        with self.database.write() as session:
            return intake.record(
                session, result or self.play(lease), lease_id=lease.id, now=self.now
            )

    def finish(self, experiment_id: str) -> None:
        """Play one batch after the other until there is none."""
        while (lease := self.lease(experiment_id)) is not None:
            self.deliver(lease)

    def view(self, experiment_id: str) -> dict[str, Any]:
        """The experiment as the API shows it."""
        with self.database.read() as session:
            return views.experiment_view(session, experiment_id, now=self.now)

    def outcome(self, experiment_id: str) -> dict[str, Any]:
        """What must not depend on who played, when, how often or in which order."""
        view = self.view(experiment_id)
        keys = (
            "state", "units_done", "batches_done", "estimate", "test", "tallies", "touched",
            "right", "ratings", "values", "verdict", "history",
        )  # fmt: skip
        return {**{key: view[key] for key in keys}, "stages": self.stages(experiment_id)}

    def stages(self, experiment_id: str) -> list[tuple[int, int, dict[str, Any]]]:
        """The stages that are open: first unit, units, and how many each imbalance has."""
        with self.database.read() as session:
            rows = session.scalars(
                select(AllocationRow)
                .where(AllocationRow.experiment_id == experiment_id)
                .order_by(AllocationRow.stage)
            )
            return [(row.first_unit, row.units, row.shares) for row in rows]

    def games_of(self, experiment_id: str) -> list[dict[str, Any]]:
        """All games that are kept, in schedule order."""
        with self.database.read() as session:
            page = views.games_view(session, experiment_id, limit=10_000)
            return [views.game_view(session, game["id"]) for game in page["games"]]

    def states(self, experiment_id: str) -> list[str]:
        """The states of all batches, in schedule order."""
        with self.database.read() as session:
            return [
                state.value
                for state in session.scalars(
                    select(BatchRow.state)
                    .where(BatchRow.experiment_id == experiment_id)
                    .order_by(BatchRow.number)
                )
            ]
