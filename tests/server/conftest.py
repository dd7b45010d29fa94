"""A database of each kind for every test that asks for one.

Tables are made once a session by the migrations; every test finds them empty.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from players import Players
from sqlalchemy import text

from tabia.server.database import Database
from tabia.server.models import Base

KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


@pytest.fixture(params=KINDS)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new database without tables; the test runs once for each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tabia.sqlite3'}"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture(scope="session")
def sqlite_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with all tables, to be copied."""
    file = tmp_path_factory.mktemp("sqlite") / "tables.sqlite3"
    opened = Database(f"sqlite:///{file}")
    opened.migrate()
    opened.close()
    return file


@pytest.fixture(scope="session")
def postgres_tables(postgres_server: str) -> Iterator[Database]:
    """The server's own database with all tables, to be emptied for every test."""
    opened = Database(postgres_server.format("postgres"))
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def sqlite(sqlite_tables: Path, tmp_path: Path) -> Iterator[Database]:
    """An SQLite database with all tables, for where the kind makes no difference."""
    file = tmp_path / "tabia.sqlite3"
    shutil.copyfile(sqlite_tables, file)
    opened = Database(f"sqlite:///{file}")
    yield opened
    opened.close()


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    """A database with all tables, of each kind in turn."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite")
        return
    opened: Database = request.getfixturevalue("postgres_tables")
    with opened.write() as session:
        names = ", ".join(table.name for table in Base.metadata.sorted_tables)
        session.execute(text(f"TRUNCATE {names}"))
    yield opened


@pytest.fixture
def players(database: Database) -> Players:
    """Workers on a database of each kind in turn."""
    return Players(database)
