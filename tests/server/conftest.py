"""A database of each kind for every test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabia.server.database import Database


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a new database without tables; the test runs once for each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'tabia.sqlite3'}"
        return
    yield request.getfixturevalue("postgres_url")


@pytest.fixture
def database(empty_url: str) -> Iterator[Database]:
    """A database with all tables, of each kind in turn."""
    opened = Database(empty_url)
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Database]:
    """An SQLite database with all tables, where the kind makes no difference."""
    opened = Database(f"sqlite:///{tmp_path / 'tabia.sqlite3'}")
    opened.migrate()
    yield opened
    opened.close()
