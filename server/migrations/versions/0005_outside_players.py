"""Programs of others as players: experiments for trusted workers alone, and pairs that are void."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "experiments",
        sa.Column("trusted_only", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "voids",
        sa.Column("experiment_id", sa.String(64), nullable=False),
        sa.Column("unit", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("arm", sa.String(1), nullable=False),
        sa.Column("player", sa.String(32), nullable=False),
        sa.Column("reason", sa.String(32), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["experiment_id", "batch"],
            ["batches.experiment_id", "batches.number"],
            name="fk_voids_batches",
        ),
        sa.PrimaryKeyConstraint("experiment_id", "unit", "attempt", name="pk_voids"),
    )
    op.create_index("ix_voids_experiment_id_batch", "voids", ["experiment_id", "batch"])


def downgrade() -> None:
    op.drop_table("voids")
    op.drop_column("experiments", "trusted_only")
