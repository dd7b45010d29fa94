"""The loop of the coordinator's background service: reports come in, batches go out.

One thread does both, one after the other, in `tabia up`; on a cluster the two halves may also run
as processes of their own (`tabia serve intake`, `tabia serve scheduler`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from kombu import Connection, Consumer, Message, Queue
from kombu.exceptions import OperationalError as BrokerTrouble
from sqlalchemy.exc import OperationalError as DatabaseTrouble

from tabia.server.consumer.queues import INTAKE_QUEUE
from tabia.server.consumer.reports import Reports

_log = structlog.get_logger(__name__)

_PREFETCH = 16
_PATIENCE_SECONDS = 0.25
"""How long to wait for a report before looking whether something else is to do."""
_PAUSE_SECONDS = 1.0
"""How long to wait for a database or broker that does not answer."""

# A report is handled in milliseconds, so one whose handler died comes back soon. The bookkeeping of
# what was taken off the queue is kept apart from the workers', whose batches may take much longer.
_TRANSPORT_OPTIONS = {
    "visibility_timeout": 60,
    "unacked_key": "unacked.intake",
    "unacked_index_key": "unacked_index.intake",
    "unacked_mutex_key": "unacked_mutex.intake",
}

Step = Callable[[], object]


class Rounds:
    """Calls the scheduler's step every so often, and at once when it was asked for."""

    def __init__(self, step: Step, *, every_seconds: float) -> None:
        self._step = step
        self._every = every_seconds
        self._due = 0.0

    def ask(self) -> None:
        """Make the next :meth:`turn` take a step whatever the time."""
        self._due = 0.0

    def turn(self) -> None:
        """Take a step if it is due. Trouble is logged; the next step comes after a pause."""
        if time.monotonic() < self._due:
            return
        pause = self._every
        try:
            self._step()
        except (DatabaseTrouble, BrokerTrouble) as error:
            _log.warning("no batches sent", problem=_first_line(error))
            pause = max(pause, _PAUSE_SECONDS)
        self._due = time.monotonic() + pause


def schedule_only(rounds: Rounds, stopped: Callable[[], bool]) -> None:
    """Take turns at ``rounds`` until ``stopped``."""
    while not stopped():
        rounds.turn()
        time.sleep(_PATIENCE_SECONDS)


class Intake:
    """Consumes the queue of reports on the broker at ``url``."""

    def __init__(self, url: str, reports: Reports, stopped: Callable[[], bool]) -> None:
        self._url = url
        self._reports = reports
        self._stopped = stopped
        self._news = False
        self._trouble: tuple[type[BaseException], ...] = (
            BrokerTrouble,
            *Connection(url).recoverable_connection_errors,
        )

    def run(self, rounds: Rounds | None = None) -> None:
        """Handle reports until stopped and the queue is empty; meanwhile take turns at ``rounds``.

        A broker that goes away is waited for.
        """
        while True:
            try:
                with self._consuming() as connection:
                    self._consume(connection, rounds)
                    return
            except self._trouble as error:
                _log.warning("the broker does not answer", problem=_first_line(error))
                if self._stopped():
                    return
                time.sleep(_PAUSE_SECONDS)

    @contextmanager
    def _consuming(self) -> Iterator[Connection]:
        with (
            Connection(self._url, transport_options=_TRANSPORT_OPTIONS) as connection,
            Consumer(
                connection,
                queues=[Queue(INTAKE_QUEUE, routing_key=INTAKE_QUEUE)],
                callbacks=[self._take],
                accept=["json"],
                prefetch_count=_PREFETCH,
            ),
        ):
            yield connection

    def _consume(self, connection: Connection, rounds: Rounds | None) -> None:
        while True:
            if rounds is not None and not self._stopped():
                if self._news:
                    rounds.ask()
                    self._news = False
                rounds.turn()
            try:
                connection.drain_events(timeout=_PATIENCE_SECONDS)
            except TimeoutError:
                if self._stopped():
                    return

    def _take(self, body: Any, message: Message) -> None:
        """Handle one report in the form that Celery gives tasks (its protocol, version 2)."""
        name = message.headers.get("task", "")
        try:
            _, what, _ = body
            what = dict(what)
        except (TypeError, ValueError):
            _log.error("malformed message", name=name)
            message.ack()
            return
        while True:
            try:
                self._news |= self._reports.handle(name, what)
                break
            except DatabaseTrouble as error:
                _log.warning("the database does not answer", problem=_first_line(error))
                if self._stopped():
                    message.requeue()
                    return
                time.sleep(_PAUSE_SECONDS)
        # Only now may the broker forget it. Should we die in between, the same report comes again,
        # and changes nothing.
        message.ack()


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]
