"""The first road: experiments, batches, leases, games, tallies, snapshots."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_Moment = sa.DateTime(timezone=True)
_Word = sa.String(16)


def upgrade() -> None:
    op.create_table(
        "experiments",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", _Word, nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("state", _Word, nullable=False),
        sa.Column("frozen", sa.JSON(), nullable=False),
        sa.Column("engine", sa.String(128), nullable=False),
        sa.Column("weights", sa.String(64), nullable=False),
        sa.Column("schema_version", sa.Integer(), nullable=False),
        sa.Column("budget", sa.Integer(), nullable=False),
        sa.Column("nodes", sa.Integer(), nullable=False),
        sa.Column("sizes", sa.JSON(), nullable=False),
        sa.Column("batches_planned", sa.Integer(), nullable=False),
        sa.Column("created", _Moment, nullable=False),
        sa.Column("started", _Moment, nullable=True),
        sa.Column("finished", _Moment, nullable=True),
        sa.Column("verdict", sa.JSON(), nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_experiments"),
    )
    op.create_index("ix_experiments_created", "experiments", ["created"])
    op.create_index("ix_experiments_state", "experiments", ["state"])

    op.create_table(
        "batches",
        sa.Column("experiment_id", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("first_unit", sa.Integer(), nullable=False),
        sa.Column("units", sa.Integer(), nullable=False),
        sa.Column("state", _Word, nullable=False),
        sa.Column("digest", sa.String(64), nullable=True),
        sa.Column("openings", sa.JSON(), nullable=True),
        sa.Column("provenance", _Word, nullable=True),
        sa.Column("verified", _Word, nullable=True),
        sa.Column("recorded", _Moment, nullable=True),
        sa.PrimaryKeyConstraint("experiment_id", "number", name="pk_batches"),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiments.id"], name="fk_batches_experiments"
        ),
    )
    op.create_index(
        "ix_batches_experiment_id_state_number", "batches", ["experiment_id", "state", "number"]
    )

    op.create_table(
        "leases",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("experiment_id", sa.String(64), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("provenance", _Word, nullable=False),
        sa.Column("holder", sa.String(100), nullable=True),
        sa.Column("state", _Word, nullable=False),
        sa.Column("issued", _Moment, nullable=False),
        sa.Column("begun", _Moment, nullable=True),
        sa.Column("deadline", _Moment, nullable=False),
        sa.Column("ended", _Moment, nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_leases"),
        sa.ForeignKeyConstraint(
            ["experiment_id", "batch"],
            ["batches.experiment_id", "batches.number"],
            name="fk_leases_batches",
        ),
    )
    op.create_index("ix_leases_experiment_id_batch", "leases", ["experiment_id", "batch"])
    op.create_index("ix_leases_state_deadline", "leases", ["state", "deadline"])

    op.create_table(
        "games",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("experiment_id", sa.String(64), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("unit", sa.Integer(), nullable=False),
        sa.Column("arm", sa.String(1), nullable=False),
        sa.Column("result", sa.String(8), nullable=False),
        sa.Column("reason", sa.String(64), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("opening_plies", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("promotions", sa.JSON(), nullable=False),
        sa.Column("declined", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.ForeignKeyConstraint(
            ["experiment_id", "batch"],
            ["batches.experiment_id", "batches.number"],
            name="fk_games_batches",
        ),
        sa.UniqueConstraint("experiment_id", "unit", "arm", name="uq_games_experiment_id_unit_arm"),
    )
    op.create_index("ix_games_experiment_id_batch", "games", ["experiment_id", "batch"])

    op.create_table(
        "tallies",
        sa.Column("experiment_id", sa.String(64), nullable=False),
        sa.Column("batches_done", sa.Integer(), nullable=False),
        sa.Column("units_done", sa.Integer(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("experiment_id", name="pk_tallies"),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiments.id"], name="fk_tallies_experiments"
        ),
    )

    op.create_table(
        "snapshots",
        sa.Column("experiment_id", sa.String(64), nullable=False),
        sa.Column("units", sa.Integer(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("experiment_id", "units", name="pk_snapshots"),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiments.id"], name="fk_snapshots_experiments"
        ),
    )


def downgrade() -> None:
    for table in ("snapshots", "tallies", "games", "leases", "batches", "experiments"):
        op.drop_table(table)
