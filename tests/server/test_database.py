"""Readers see one moment; writers take turns; what fails leaves nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest
from players import Players, stalemate_document
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import DBAPIError, StatementError

from tabia.server.database import Database
from tabia.server.lifecycle import lock
from tabia.server.models import ExperimentRow


def name_of(players: Players, experiment: str) -> str:
    with players.database.read() as session:
        return session.get_one(ExperimentRow, experiment).name


def test_a_reader_sees_one_moment_and_is_in_nobodys_way(players: Players) -> None:
    players.submit(stalemate_document())
    with players.database.read() as reader:
        before = reader.scalar(select(func.count()).select_from(ExperimentRow))
        players.submit(stalemate_document(seed=1))
        after = reader.scalar(select(func.count()).select_from(ExperimentRow))
    assert (before, after) == (1, 1)


def test_a_reader_cannot_write(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    with players.database.read() as reader:
        try:
            reader.execute(update(ExperimentRow).values(name="changed"))
        except DBAPIError:
            reader.rollback()
    assert name_of(players, experiment) == "Stalemate"


def test_what_fails_half_way_is_not_kept(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    with suppress(ZeroDivisionError), players.database.write() as session:
        session.execute(update(ExperimentRow).values(name="changed"))
        raise ZeroDivisionError
    assert name_of(players, experiment) == "Stalemate"


def test_writers_that_read_first_do_not_lose_each_others_work(players: Players) -> None:
    experiment = players.submit(stalemate_document())
    with players.database.write() as session:
        session.execute(update(ExperimentRow).values(nodes=0))

    def count_up(_: int) -> None:
        with players.database.write() as session:
            row = lock(session, experiment)
            assert row is not None
            row.nodes += 1

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(count_up, range(40)))
    with players.database.read() as session:
        assert session.get_one(ExperimentRow, experiment).nodes == 40


def test_times_come_back_as_they_went_in_whatever_their_zone(players: Players) -> None:
    players.now = datetime(2026, 7, 1, 14, tzinfo=timezone(timedelta(hours=2)))
    experiment = players.submit(stalemate_document())
    with players.database.read() as session:
        created = session.get_one(ExperimentRow, experiment).created
    assert created == players.now
    assert created.tzinfo is UTC


def test_a_time_without_a_zone_is_refused(players: Players) -> None:
    players.now = datetime(2026, 7, 1, 14)  # noqa: DTZ001
    with pytest.raises(StatementError, match="naive datetime"):
        players.submit(stalemate_document())


def test_a_database_without_tables_is_not_well(empty_url: str) -> None:
    opened = Database(empty_url)
    with pytest.raises(DBAPIError):
        opened.check()
    opened.migrate()
    opened.check()
    opened.close()


def test_an_embedded_database_outlives_its_coordinator(sqlite: Database) -> None:
    experiment = Players(sqlite).submit(stalemate_document())
    sqlite.close()
    again = Database(sqlite.engine.url.render_as_string())
    with again.read() as session:
        assert session.get_one(ExperimentRow, experiment).name == "Stalemate"
        assert session.execute(text("PRAGMA journal_mode")).scalar() == "wal"
    again.close()
