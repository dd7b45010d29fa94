"""The connection to SQLite or PostgreSQL: one place that knows how the two differ.

Readers see one consistent moment and block nobody. Writers on SQLite take the write lock at BEGIN,
so that a transaction which reads and then writes never has to start again; on PostgreSQL they lock
the rows that they are about (see :func:`tabia.server.intake.lock`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry

_MIGRATIONS = Path(__file__).parent / "migrations"
_SQLITE_WAIT_SECONDS = 30.0
# Any number will do, as long as every coordinator uses the same one.
_MIGRATION_LOCK = 0x7AB1A


class Database:
    """Sessions on the database at ``url``, a SQLAlchemy URL of SQLite or PostgreSQL."""

    def __init__(self, url: str) -> None:
        self._engine = _open(url)
        sqlite = self._engine.dialect.name == "sqlite"
        writing: dict[str, Any] = {"tabia_begin": "BEGIN IMMEDIATE"} if sqlite else {}
        reading: dict[str, Any] = (
            {} if sqlite else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        )
        self._write = sessionmaker(
            self._engine.execution_options(**writing), expire_on_commit=False
        )
        self._read = sessionmaker(self._engine.execution_options(**reading), autoflush=False)

    @property
    def engine(self) -> Engine:
        """The pool of connections."""
        return self._engine

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that sees one moment of the database; nothing in it is kept."""
        with self._read() as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """One transaction: committed at the end of the block, or not at all."""
        with self._write.begin() as session:
            yield session

    def check(self) -> None:
        """Ask the database for an answer; raises ``sqlalchemy.exc.SQLAlchemyError`` if none."""
        with self.read() as session:
            session.execute(text("SELECT 1 FROM alembic_version"))

    def migrate(self, revision: str = "head") -> None:
        """Bring the tables to ``revision``; two coordinators starting at once are safe."""
        with self._begin_migration() as connection:
            command.upgrade(self._alembic(connection), revision)

    def downgrade(self, revision: str) -> None:
        """Take the tables back to ``revision`` (``base``: none)."""
        with self._begin_migration() as connection:
            command.downgrade(self._alembic(connection), revision)

    def close(self) -> None:
        """Close all idle connections; also needed in a child after a fork."""
        self._engine.dispose()

    @contextmanager
    def _begin_migration(self) -> Iterator[Connection]:
        if self._engine.dialect.name == "sqlite":
            locking = self._engine.execution_options(tabia_begin="BEGIN IMMEDIATE")
            with locking.begin() as connection:
                yield connection
        else:
            with self._engine.begin() as connection:
                connection.execute(
                    text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK}
                )
                yield connection

    @staticmethod
    def _alembic(connection: Connection) -> Config:
        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
        config.attributes["connection"] = connection
        return config


def _open(url: str) -> Engine:
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return create_engine(parsed, pool_pre_ping=True)
    if parsed.database in (None, "", ":memory:"):
        raise ValueError("an SQLite database needs a file: threads share it")
    Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(parsed, connect_args={"timeout": _SQLITE_WAIT_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    # The driver's own BEGIN comes late and deferred; without an isolation level it stays silent
    # and `_begin_sqlite` says when a transaction starts.
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("tabia_begin", "BEGIN"))
