"""Statistics that may be watched: matches, game profiles, what is known, allocations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_ADDED = {"games": ("match", "profile"), "tallies": ("known", "log_e")}


def upgrade() -> None:
    op.add_column(
        "games", sa.Column("match", sa.String(64), nullable=False, server_default=sa.text("''"))
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


def downgrade() -> None:
    op.drop_table("allocations")
    for table, columns in _ADDED.items():
        for column in columns:
            op.drop_column(table, column)
