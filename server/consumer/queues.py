"""Names on the broker, and how a batch is put on the workers' queue.

The worker's code is not imported here: what the two agree on are the names and arguments of tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from celery import Celery
from kombu import Connection, Queue

from tabia.server.scheduler import Message

PLAY_TASK = "tabia.play"
PLAY_QUEUE = "play"
INTAKE_QUEUE = "intake"

_BEATS_A_LEASE = 3
"""How often a worker shows that it lives while its lease lasts: two signs may get lost."""


class PlayQueue:
    """The queue that workers take batches from, on the broker at ``url``."""

    def __init__(self, url: str, *, renew_within: timedelta) -> None:
        self._app = Celery("tabia.server", broker=url, set_as_current=False)
        self._app.conf.update(task_serializer="json", accept_content=["json"])
        self._beat_seconds = renew_within.total_seconds() / _BEATS_A_LEASE

    def send(self, message: Message) -> None:
        """Put one batch on the queue.

        After ``expires_in`` seconds no worker will play it: by then the batch has another lease.
        Raises ``kombu.exceptions.OperationalError`` when the broker does not take it.
        """
        self._app.send_task(
            PLAY_TASK,
            kwargs={
                "lease": message.lease,
                "batch": message.batch,
                "beat_seconds": self._beat_seconds,
                # Not in every message: most batches need none.
                **({"weights": message.weights} if message.weights else {}),
            },
            task_id=message.lease,
            queue=PLAY_QUEUE,
            expires=datetime.now(UTC) + timedelta(seconds=message.expires_in),
        )

    def revoke(self, leases: Sequence[str]) -> None:
        """Tell the workers that are there to pass over the messages of ``leases``."""
        self._app.control.revoke(list(leases))

    def close(self) -> None:
        """Close the connections."""
        self._app.close()


def purge_play_queue(url: str) -> int:
    """Take all messages off the workers' queue, when no worker is left. Returns how many."""
    with Connection(url) as connection:
        return int(Queue(PLAY_QUEUE).bind(connection.default_channel).purge() or 0)
