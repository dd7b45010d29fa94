"""Alembic's entry: runs revisions on the connection that `Database.migrate` hands over."""

from __future__ import annotations

from alembic import context

from tabia.server.models import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    # SQLite cannot alter a table in place: Alembic copies it instead.
    render_as_batch=connection.dialect.name == "sqlite",
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
