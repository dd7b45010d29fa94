"""Node-budget curves: experiments that belong together have a family."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("experiments", sa.Column("family", sa.String(64), nullable=True))
    op.create_index("ix_experiments_family", "experiments", ["family"])


def downgrade() -> None:
    op.drop_index("ix_experiments_family", "experiments")
    op.drop_column("experiments", "family")
