"""The coordinator's tables.

One row of ``experiments`` owns everything else. Its batches are laid out when it is submitted and
never change their units; ``leases`` keeps one row for every attempt at a batch, so that who played
what, and what went wrong, can be read years later. ``tallies`` holds the state of the statistics
over the longest finished prefix of batches, ``snapshots`` what a page draws of it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    Dialect,
    Enum,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class ExperimentState(StrEnum):
    """Where an experiment stands; ``queued`` means no batch of it was ever handed out."""

    QUEUED = "queued"
    RUNNING = "running"
    DECIDED = "decided"
    OUT_OF_BUDGET = "out_of_budget"
    STOPPED = "stopped"
    FAILED = "failed"


OPEN_STATES = (ExperimentState.QUEUED, ExperimentState.RUNNING)
"""The states in which batches are handed out."""


class BatchState(StrEnum):
    """Where a batch stands; ``out`` means some lease on it is alive.

    ``held``: what its units play is decided when its stage opens, see
    :mod:`tabia.server.allocation`; until then nobody can have it.
    """

    HELD = "held"
    WAITING = "waiting"
    OUT = "out"
    DONE = "done"
    CANCELLED = "cancelled"


class LeaseState(StrEnum):
    """Where one attempt at a batch stands.

    ``sent``: on the broker's queue, no worker has begun. ``playing``: a worker renews it.
    ``done``: its result was recorded. ``failed``: the worker reported an error. ``lost``: the
    worker fell silent. ``unclaimed``: nobody took the message in time. ``returned``: given back
    unplayed, by a worker that stopped or because nobody needs the batch any more.
    """

    SENT = "sent"
    PLAYING = "playing"
    DONE = "done"
    FAILED = "failed"
    LOST = "lost"
    UNCLAIMED = "unclaimed"
    RETURNED = "returned"


LIVE_LEASES = (LeaseState.SENT, LeaseState.PLAYING)


class Provenance(StrEnum):
    """Who plays: a worker of the trusted cluster, or a volunteer's computer."""

    WORKER = "worker"
    VOLUNTEER = "volunteer"


class Verification(StrEnum):
    """What is known of a result's truth.

    ``trusted``: it came from the cluster. ``unverified``: it came from a volunteer and nobody has
    played the batch again.
    """

    TRUSTED = "trusted"
    UNVERIFIED = "unverified"


class UtcDateTime(TypeDecorator[datetime]):
    """A point in time, always aware and in UTC, whatever the database keeps of the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Refuse naive times: a local time in the table would be wrong for ever."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"naive datetime {value!r}: times are stored in UTC")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Give the zone back that SQLite drops."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _text_enum(members: type[StrEnum]) -> Enum:
    """An enum kept as its text, so that a new member needs no change of type in the database."""
    return Enum(
        members,
        native_enum=False,
        create_constraint=False,
        length=16,
        values_callable=lambda enum: [member.value for member in enum],
    )


class Base(DeclarativeBase):
    """All tables; constraint names are fixed so that migrations can name them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar = {
        datetime: UtcDateTime,
        dict[str, Any]: JSON,
        list[list[int]]: JSON,
        ExperimentState: _text_enum(ExperimentState),
        BatchState: _text_enum(BatchState),
        LeaseState: _text_enum(LeaseState),
        Provenance: _text_enum(Provenance),
        Verification: _text_enum(Verification),
    }


class ExperimentRow(Base):
    """An experiment as it was submitted, and where it stands.

    ``frozen`` is the resolved document whose hash is ``id``; it never changes. ``engine``,
    ``weights`` and ``schema_version`` pin who may play it. ``sizes`` is the run-length coded
    schedule, see :mod:`tabia.server.schedule`. ``family`` is what the experiments of one
    node-budget curve have in common. ``trusted_only``: no volunteer gets a batch of it.
    ``verdict`` is final once it is set.
    """

    __tablename__ = "experiments"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(String(16))
    question: Mapped[str] = mapped_column(Text)
    family: Mapped[str | None] = mapped_column(String(64), index=True)
    trusted_only: Mapped[bool] = mapped_column(default=False, server_default=false())
    state: Mapped[ExperimentState] = mapped_column(index=True)
    frozen: Mapped[dict[str, Any]]
    engine: Mapped[str] = mapped_column(String(128))
    weights: Mapped[str] = mapped_column(String(64))
    schema_version: Mapped[int]
    budget: Mapped[int]
    nodes: Mapped[int]
    sizes: Mapped[list[list[int]]]
    batches_planned: Mapped[int]
    created: Mapped[datetime] = mapped_column(index=True)
    started: Mapped[datetime | None]
    finished: Mapped[datetime | None]
    verdict: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    failure: Mapped[str | None] = mapped_column(Text)


class WeightsRow(Base):
    """Weights that some experiment gives an arm or a player; the key is the hash of the content."""

    __tablename__ = "weights"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    content: Mapped[dict[str, Any]]
    added: Mapped[datetime]


class BatchRow(Base):
    """One batch of an experiment's schedule, and the result that was recorded for it.

    ``digest`` is the hash of the whole result: a second delivery must have the same one.
    """

    __tablename__ = "batches"
    __table_args__ = (Index(None, "experiment_id", "state", "number"),)

    experiment_id: Mapped[str] = mapped_column(ForeignKey("experiments.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    first_unit: Mapped[int]
    units: Mapped[int]
    state: Mapped[BatchState]
    digest: Mapped[str | None] = mapped_column(String(64))
    openings: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    provenance: Mapped[Provenance | None]
    verified: Mapped[Verification | None]
    recorded: Mapped[datetime | None]


class LeaseRow(Base):
    """One attempt at one batch. The id is the secret that lets its holder speak for it.

    ``holder`` is the name that the worker gave itself; nothing is concluded from it.
    """

    __tablename__ = "leases"
    __table_args__ = (
        ForeignKeyConstraint(
            ["experiment_id", "batch"], ["batches.experiment_id", "batches.number"]
        ),
        Index(None, "experiment_id", "batch"),
        Index(None, "state", "deadline"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    experiment_id: Mapped[str] = mapped_column(String(64))
    batch: Mapped[int]
    attempt: Mapped[int]
    provenance: Mapped[Provenance]
    holder: Mapped[str | None] = mapped_column(String(100))
    state: Mapped[LeaseState]
    issued: Mapped[datetime]
    begun: Mapped[datetime | None]
    deadline: Mapped[datetime]
    ended: Mapped[datetime | None]
    message: Mapped[str | None] = mapped_column(Text)


class GameRow(Base):
    """One game, as the engine told it. Results are White's: ``1-0``, ``0-1``, ``1/2-1/2``.

    ``match`` says who met: two players of a pool, two armies; empty where it is always A and B.
    ``profile`` is what else the engine counted, see :class:`tabia.server.results.GameProfile`.
    """

    __tablename__ = "games"
    __table_args__ = (
        ForeignKeyConstraint(
            ["experiment_id", "batch"], ["batches.experiment_id", "batches.number"]
        ),
        UniqueConstraint("experiment_id", "unit", "arm"),
        Index(None, "experiment_id", "batch"),
    )

    # SQLite numbers only plain INTEGER keys by itself.
    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    experiment_id: Mapped[str] = mapped_column(String(64))
    batch: Mapped[int]
    unit: Mapped[int]
    arm: Mapped[str] = mapped_column(String(1))
    result: Mapped[str] = mapped_column(String(8))
    reason: Mapped[str] = mapped_column(String(64))
    plies: Mapped[int]
    opening_plies: Mapped[int]
    moves: Mapped[str] = mapped_column(Text)
    promotions: Mapped[dict[str, Any]]
    declined: Mapped[dict[str, Any]]
    match: Mapped[str] = mapped_column(String(80))
    profile: Mapped[dict[str, Any]]


class VoidRow(Base):
    """A pair of games that a program of others broke off, and that was played again.

    ``attempt`` counts from 0 in each unit; ``player`` is the key of who broke it off, in the game
    of ``arm`` after ``plies``; ``reason`` and ``detail`` say how.
    """

    __tablename__ = "voids"
    __table_args__ = (
        ForeignKeyConstraint(
            ["experiment_id", "batch"], ["batches.experiment_id", "batches.number"]
        ),
        Index(None, "experiment_id", "batch"),
    )

    experiment_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    unit: Mapped[int] = mapped_column(primary_key=True)
    attempt: Mapped[int] = mapped_column(primary_key=True)
    batch: Mapped[int]
    arm: Mapped[str] = mapped_column(String(1))
    player: Mapped[str] = mapped_column(String(32))
    reason: Mapped[str] = mapped_column(String(32))
    detail: Mapped[str] = mapped_column(Text)
    plies: Mapped[int]


class TallyRow(Base):
    """The statistics' state over the first ``batches_done`` batches; see ``decision.advance``.

    After a verdict it stands still: what it holds is what was decided on. ``known`` is what
    ``decision.estimate`` says of the state: computed when the state moves, so that nobody who
    reads pages has to wait for statistics. ``log_e`` is the evidence in it, for the list of
    findings; None for what tests nothing, and before the first unit. The state itself is read where
    it is used, and not with the row. ``known`` is empty only where it was never computed: in a
    database from before there was this column.
    """

    __tablename__ = "tallies"

    experiment_id: Mapped[str] = mapped_column(ForeignKey("experiments.id"), primary_key=True)
    batches_done: Mapped[int]
    units_done: Mapped[int]
    state: Mapped[dict[str, Any]] = mapped_column(deferred=True)
    known: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    log_e: Mapped[float | None]


class SnapshotRow(Base):
    """The estimate after ``units`` units: one point of the chart."""

    __tablename__ = "snapshots"

    experiment_id: Mapped[str] = mapped_column(ForeignKey("experiments.id"), primary_key=True)
    units: Mapped[int] = mapped_column(primary_key=True)
    body: Mapped[dict[str, Any]]


class AllocationRow(Base):
    """What the units of one stage of a ``material`` experiment play; see ``allocation``.

    ``shares`` has every imbalance's number of units in the stage.
    """

    __tablename__ = "allocations"

    experiment_id: Mapped[str] = mapped_column(ForeignKey("experiments.id"), primary_key=True)
    stage: Mapped[int] = mapped_column(primary_key=True)
    first_unit: Mapped[int]
    units: Mapped[int]
    shares: Mapped[dict[str, Any]]
