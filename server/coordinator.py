"""What every request needs: the database, the settings, the time, and who may do what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from flask import current_app

from tabia.server.access import Authorise, open_house
from tabia.server.database import Database
from tabia.server.settings import Settings
from tabia.server.terms import Terms


def utc_now() -> datetime:
    """The time, aware and in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Coordinator:
    """One running coordinator, found in ``app.extensions["tabia"]``."""

    database: Database
    settings: Settings = field(default_factory=Settings)
    authorise: Authorise = open_house
    clock: Callable[[], datetime] = utc_now

    @property
    def terms(self) -> Terms:
        """The terms of leases."""
        return self.settings.terms


def coordinator() -> Coordinator:
    """The coordinator that the current request is for."""
    found = current_app.extensions["tabia"]
    assert isinstance(found, Coordinator)
    return found
