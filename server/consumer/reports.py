"""What workers say, and what the coordinator does about it.

Reports are tasks by name with keyword arguments; they come from the trusted cluster, but they come
late, twice or not at all. Every one of them can be handled again without harm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from tabia.engine.documents import DocumentError
from tabia.server import intake, leases
from tabia.server.database import Database
from tabia.server.models import LeaseRow, LeaseState
from tabia.server.results import ResultError
from tabia.server.terms import Terms

_log = structlog.get_logger(__name__)

Clock = Callable[[], datetime]


class Reports:
    """Handles one report at a time, each in a transaction of its own."""

    def __init__(self, database: Database, *, terms: Terms, clock: Clock) -> None:
        self._database = database
        self._terms = terms
        self._clock = clock
        self._handlers: Mapping[str, Callable[..., None]] = {
            "tabia.record": self._record,
            "tabia.heartbeat": self._heartbeat,
            "tabia.failed": self._failed,
            "tabia.returned": self._returned,
            "tabia.abandoned": self._abandoned,
        }

    def handle(self, name: str, what: Mapping[str, Any]) -> bool:
        """Do what the report ``name`` asks for; returns whether it may call for new batches.

        A report that makes no sense is logged and forgotten: the lease it was about runs out, and
        the batch is played again. Raises ``sqlalchemy.exc.OperationalError`` when the database is
        in trouble; then nothing was changed, and the report should be handled again.
        """
        handler = self._handlers.get(name)
        if handler is None:
            _log.error("unknown report", name=name)
            return False
        try:
            handler(**what)
        except leases.UnknownLeaseError as error:
            _log.warning("report without a lease", name=name, problem=str(error))
        except OperationalError:
            raise
        except Exception as error:
            # A mistake of somebody's, which must not stop what others report.
            _log.exception("report not handled", name=name)
            if name == "tabia.record" and "lease" in what:
                problem = f"{type(error).__name__}: {error}"
                self._failed(lease=what["lease"], reason=f"its result was not taken: {problem}")
        return name != "tabia.heartbeat"

    def _record(self, *, lease: str, result: dict[str, Any]) -> None:
        try:
            with self._database.write() as session:
                receipt = intake.record(session, result, lease_id=lease, now=self._clock())
        except (DocumentError, ResultError) as error:
            _log.error("result refused", lease=lease, problem=str(error))
            self._failed(lease=lease, reason=f"its result was refused: {error}")
        else:
            _log.info("result", lease=lease, receipt=receipt.value)

    def _heartbeat(self, *, lease: str, holder: str) -> None:
        with self._database.write() as session:
            leases.renew(session, lease, now=self._clock(), terms=self._terms, holder=holder)

    def _failed(self, *, lease: str, reason: str) -> None:
        with self._database.write() as session:
            leases.fail(session, lease, reason, now=self._clock(), terms=self._terms)

    def _returned(self, *, lease: str, reason: str = "") -> None:
        with self._database.write() as session:
            leases.give_back(session, lease, now=self._clock(), reason=reason)

    def _abandoned(self, *, lease: str) -> None:
        """A message came back to the queue because the process that had it died."""
        with self._database.write() as session:
            if self._was_begun(session, lease):
                reason = "the process that played it died"
                leases.fail(session, lease, reason, now=self._clock(), terms=self._terms)
            else:
                leases.give_back(session, lease, now=self._clock())

    @staticmethod
    def _was_begun(session: Session, lease_id: str) -> bool:
        lease = session.get(LeaseRow, lease_id)
        return lease is not None and lease.state is not LeaseState.SENT
