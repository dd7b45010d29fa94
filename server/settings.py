"""What an operator may set: environment variables that begin with ``TABIA_``."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Annotated

from pydantic import Field, PositiveInt
from pydantic_settings import BaseSettings, SettingsConfigDict

from tabia.server.terms import Terms


class Settings(BaseSettings):
    """The coordinator's settings; every field is ``TABIA_<FIELD>`` in the environment."""

    model_config = SettingsConfigDict(env_prefix="TABIA_", frozen=True, extra="ignore")

    data: Path = Field(
        default=Path("tabia-data"),
        description="Folder of the embedded database and broker.",
    )
    database_url: str | None = Field(
        default=None,
        description="SQLAlchemy URL; unset: an SQLite file in the data folder.",
    )
    broker_url: str | None = Field(
        default=None,
        description="Celery broker; unset: an embedded Valkey on a unix socket.",
    )
    lease_seconds: PositiveInt = Field(
        default=30, description="A lease without a heartbeat for this long is given out again."
    )
    claim_seconds: PositiveInt = Field(
        default=600, description="A message that no worker took for this long is sent again."
    )
    failures_allowed: PositiveInt = Field(
        default=3, description="A batch that fails this often fails its experiment."
    )
    queue_minimum: PositiveInt = Field(
        default=2, description="Messages kept on the queue while no worker is known to be busy."
    )
    max_request_bytes: Annotated[int, Field(ge=1024)] = Field(
        default=16 * 1024 * 1024, description="Largest HTTP request body taken."
    )

    @property
    def resolved_database_url(self) -> str:
        """The database to use, embedded or not.

        A plain ``postgresql://`` URL, as most hosts hand it out, means the psycopg driver.
        """
        if self.database_url is None:
            return f"sqlite:///{self.data / 'tabia.sqlite3'}"
        for plain in ("postgresql://", "postgres://"):
            if self.database_url.startswith(plain):
                return "postgresql+psycopg://" + self.database_url.removeprefix(plain)
        return self.database_url

    @property
    def lease_time(self) -> timedelta:
        """How long a worker may be silent."""
        return timedelta(seconds=self.lease_seconds)

    @property
    def terms(self) -> Terms:
        """The terms of leases."""
        return Terms(
            renew_within=self.lease_time,
            claim_within=timedelta(seconds=self.claim_seconds),
            failures_allowed=self.failures_allowed,
        )
