"""Revisions and models must describe the same tables, on both databases, both ways."""

from concurrent.futures import ThreadPoolExecutor

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from tabia.server.database import Database
from tabia.server.models import Base, BatchState, ExperimentRow, ExperimentState


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


def test_what_an_older_version_has_begun_is_closed_and_what_it_has_not_stays(
    empty_url: str,
) -> None:
    database = Database(empty_url)
    database.migrate("0001")
    with database.write() as session:
        for key, state, batches in (
            ("begun", "running", ("done", "waiting")),
            ("handed out", "running", ("out", "waiting")),
            ("decided", "decided", ("done", "cancelled")),
        ):
            session.execute(
                text(
                    "INSERT INTO experiments (id, name, kind, question, state, frozen, engine,"
                    " weights, schema_version, budget, nodes, sizes, batches_planned, created)"
                    " VALUES (:key, 'x', 'compare', '', :state, '{}', '', '', 1, 2, 1, '[]', 2,"
                    " '2026-01-01 12:00:00')"
                ),
                {"key": key, "state": state},
            )
            for number, kept in enumerate(batches):
                session.execute(
                    text(
                        "INSERT INTO batches (experiment_id, number, first_unit, units, state)"
                        " VALUES (:key, :number, :number, 1, :state)"
                    ),
                    {"key": key, "number": number, "state": kept},
                )
    database.migrate()
    with database.read() as session:
        begun, handed_out, decided = (
            session.get_one(ExperimentRow, key) for key in ("begun", "handed out", "decided")
        )
        assert begun.state is ExperimentState.FAILED
        assert begun.finished is not None
        assert "submit its file again" in (begun.failure or "")
        assert handed_out.state is ExperimentState.RUNNING
        assert (decided.state, decided.failure) == (ExperimentState.DECIDED, None)
        states = session.execute(
            text("SELECT state FROM batches ORDER BY experiment_id, number")
        ).scalars()
        assert list(map(BatchState, states)) == [
            BatchState.DONE,
            BatchState.CANCELLED,
            BatchState.DONE,
            BatchState.CANCELLED,
            BatchState.OUT,
            BatchState.WAITING,
        ]
    database.close()
