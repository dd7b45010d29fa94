"""Statistics that may be watched: matches, game profiles, what is known, allocations."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_TOO_OLD = (
    "it was begun with a version of Tabia that kept no profile of its games, so it cannot go on; "
    "submit its file again"
)

_ADDED = {"games": ("match", "profile"), "tallies": ("known", "log_e")}


def upgrade() -> None:
    op.add_column(
        "games", sa.Column("match", sa.String(80), nullable=False, server_default=sa.text("''"))
    )
    op.add_column(
        "games", sa.Column("profile", sa.JSON(), nullable=False, server_default=sa.text("'{}'"))
    )
    op.add_column("tallies", sa.Column("known", sa.JSON(), nullable=True))
    op.add_column("tallies", sa.Column("log_e", sa.Double(), nullable=True))
    op.create_table(
        "allocations",
        sa.Column("experiment_id", sa.String(64), nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("first_unit", sa.Integer(), nullable=False),
        sa.Column("units", sa.Integer(), nullable=False),
        sa.Column("shares", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("experiment_id", "stage", name="pk_allocations"),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiments.id"], name="fk_allocations_experiments"
        ),
    )
    _close_what_cannot_go_on()


def _close_what_cannot_go_on() -> None:
    """The games that were recorded so far lack what the tallies count now."""
    batches = sa.table("batches", sa.column("experiment_id"), sa.column("state"))
    experiments = sa.table(
        "experiments",
        *map(sa.column, ("id", "state", "failure")),
        sa.column("finished", sa.DateTime(timezone=True)),
    )
    played = sa.select(batches.c.experiment_id).where(batches.c.state == "done")
    cut_off = (
        op.get_bind()
        .execute(
            sa.select(experiments.c.id).where(
                experiments.c.state.in_(("queued", "running")), experiments.c.id.in_(played)
            )
        )
        .scalars()
        .all()
    )
    for experiment in cut_off:
        op.execute(
            experiments.update()
            .where(experiments.c.id == experiment)
            .values(state="failed", failure=_TOO_OLD, finished=datetime.now(UTC))
        )
        op.execute(
            batches.update()
            .where(batches.c.experiment_id == experiment, batches.c.state == "waiting")
            .values(state="cancelled")
        )


def downgrade() -> None:
    op.drop_table("allocations")
    for table, columns in _ADDED.items():
        for column in columns:
            op.drop_column(table, column)
