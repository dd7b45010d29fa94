"""The same commands with a PostgreSQL and a Redis that are somebody else's."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from running import Tabia, clean_environment, leftovers
from sqlalchemy import create_engine, text

pytestmark = [pytest.mark.postgres, pytest.mark.redis]


@pytest.fixture
def elsewhere(tabia: Tabia, postgres_url: str, valkey: str) -> Tabia:
    """`tabia` with the two URLs set, the database's as most hosts hand it out."""
    url = postgres_url.replace("postgresql+psycopg:", "postgresql:")
    tabia.environment = clean_environment(TABIA_DATABASE_URL=url, TABIA_BROKER_URL=f"{valkey}/0")
    return tabia


def test_killed_workers_are_replaced(
    elsewhere: Tabia, longer: Path, postgres_url: str, tmp_path: Path
) -> None:
    engine = create_engine(postgres_url)

    def some(query: str) -> bool:
        with engine.connect() as connection:
            exists = "SELECT to_regclass('leases') IS NOT NULL"
            return bool(connection.scalar(text(exists)) and connection.execute(text(query)).first())

    run = elsewhere.start("run", longer, "--json", tmp_path / "view.json")
    run.until(lambda: some("SELECT 1 FROM batches WHERE state = 'done'"), "the first result")
    # In the middle of their batches: whose batch one had that is killed before the coordinator has
    # heard that it began, nobody knows, and its lease runs out.
    in_hand = (
        "SELECT 1 FROM leases WHERE state = 'playing' "
        "HAVING count(*) >= 2 AND max(begun) < clock_timestamp() - interval '0.5 seconds'"
    )
    run.until(lambda: some(in_hand), "batches in hand")
    (worker,) = (each for each in run.named("worker.cluster") if each.parent == run.popen.pid)
    os.kill(worker.pid, signal.SIGKILL)
    assert run.named("valkey-server") == [], "no broker of our own"
    status, _, errors = run.end()
    assert (status, errors) == (0, "")

    # Nobody had to wait until the leases of the dead ran out.
    assert some("SELECT 1 FROM leases WHERE state = 'returned'")
    assert not some("SELECT 1 FROM leases WHERE state = 'lost'")
    view = json.loads((tmp_path / "view.json").read_text())
    with engine.connect() as connection:
        played = connection.execute(
            text("SELECT arm, count(*), count(DISTINCT unit) FROM games GROUP BY arm ORDER BY arm")
        ).all()
    engine.dispose()
    units = view["units_played"]
    assert [tuple(row) for row in played] == [("a", units, units), ("b", units, units)]
    assert view["verdict"]["at_unit"] <= units
    assert not (elsewhere.folder / "tabia.sqlite3").exists()
    assert leftovers(elsewhere.folder) == []
