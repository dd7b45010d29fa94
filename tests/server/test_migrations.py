"""Revisions and models must describe the same tables, on both databases, both ways."""

from concurrent.futures import ThreadPoolExecutor

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect

from tabia.server.database import Database
from tabia.server.models import Base


def test_migrated_tables_are_what_the_models_say(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_a_way_back_leaves_no_table_behind_and_can_be_gone_again(database: Database) -> None:
    database.downgrade("base")
    left = set(inspect(database.engine).get_table_names()) - {"alembic_version"}
    assert left == set()
    database.migrate()
    assert set(Base.metadata.tables) <= set(inspect(database.engine).get_table_names())


def test_coordinators_that_start_at_once_migrate_once(empty_url: str) -> None:
    databases = [Database(empty_url) for _ in range(4)]
    with ThreadPoolExecutor(len(databases)) as threads:
        list(threads.map(lambda each: each.migrate(), databases))
    for each in databases:
        each.check()
        each.close()
