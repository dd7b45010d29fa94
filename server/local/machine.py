"""A whole coordinator on this machine: broker, scheduler and intake, workers, web server."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from tabia.server.local import broker
from tabia.server.local.folder import DataFolder
from tabia.server.local.supervisor import Service, Supervisor
from tabia.server.serve import web_command

GRACE_SECONDS = 10.0
"""How long workers may finish the batches in hand when somebody waits for the end."""

_ROUNDS_SECONDS = 0.25
"""How often the scheduler looks: somebody waits for the first game."""
_WEB_GRACE_SECONDS = 5.0
_COORDINATOR_GRACE_SECONDS = 10.0
_BROKER_GRACE_SECONDS = 2.0


def _never() -> bool:
    return False


@dataclass(frozen=True)
class Plan:
    """What to run. ``only``: the experiments that are played; none named means all open ones.
    ``engines``: the file of the programs that workers may start, None: what TABIA_ENGINES says."""

    workers: int
    host: str = "127.0.0.1"
    port: int = 0
    only: tuple[str, ...] = ()
    engines: Path | None = None


class Machine:
    """Runs ``plan`` in ``folder``: a context manager, which on exit leaves no process behind.

    The broker is the one at TABIA_BROKER_URL, or one of our own; the database likewise. Nothing
    starts before it is asked to. Call everything from the main thread.
    """

    def __init__(self, plan: Plan, folder: DataFolder) -> None:
        self._plan = plan
        self._folder = folder
        self._supervisor = Supervisor()
        self._holder = f"tabia-{os.getpid()}@{socket.gethostname()}"
        self._own_broker = None if os.environ.get("TABIA_BROKER_URL") else folder.socket("broker")
        self._environment = {
            "TABIA_QUEUE_MINIMUM": str(plan.workers),
            **os.environ,
            "TABIA_DATA": str(folder.path),
            "PYTHONUNBUFFERED": "1",
        }
        if plan.engines is not None:
            self._environment["TABIA_ENGINES"] = str(plan.engines)
        if self._own_broker is not None:
            self._environment["TABIA_BROKER_URL"] = broker.url(self._own_broker)
        self._door: socket.socket | None = None

    def __enter__(self) -> Self:
        # The socket outlives the web server: while that is started again, visitors wait.
        self._door = socket.create_server((self._plan.host, self._plan.port))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._supervisor.kill_all()
        if self._door is not None:
            self._door.close()
        if self._own_broker is not None:
            self._own_broker.unlink(missing_ok=True)

    @property
    def address(self) -> str:
        """Where the dashboards are."""
        assert self._door is not None
        host, port = self._door.getsockname()[:2]
        return f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"

    def start_playing(self) -> None:
        """Start everything that a game needs, the slowest first; returns before it is ready.

        Raises BrokerError.
        """
        self._start(
            "worker",
            (
                *(sys.executable, "-m", "tabia.worker.cluster"),
                *("--workers", str(self._plan.workers)),
                *("--name", self._holder),
            ),
            mourn=self._take_back_batches,
        )
        self._start_coordinator()
        if self._own_broker is not None:
            self._start("broker", broker.command(self._own_broker), mourn=self._take_back_batches)
            broker.wait_until_ready(self._own_broker)
        else:
            broker.require(self._environment["TABIA_BROKER_URL"])

    def start_web(self) -> None:
        """Start the web server, unless it was; it is not ready yet, but visitors may come."""
        assert self._door is not None
        if self._supervisor.has("web"):
            return
        fd = self._door.fileno()
        self._start("web", web_command(f"fd://{fd}"), pass_fds=(fd,))

    def look(self) -> None:
        """Start again what has died; call it several times a second. Raises ServiceError."""
        self._supervisor.look()

    def stop_playing(self, *, grace: float, hurry: Callable[[], bool] = _never) -> bool:
        """Stop the workers only; see :meth:`stop`."""
        finished = self._supervisor.stop("worker", grace=grace, hurry=hurry)
        if not finished:
            self._take_back_batches()
        return finished

    def stop(self, *, grace: float, hurry: Callable[[], bool] = _never) -> bool:
        """Stop everything, in an order in which nothing is lost.

        Workers have ``grace`` seconds to finish the batches in hand, less when ``hurry()`` becomes
        true; then the coordinator takes in what they reported. Batches that were not finished will
        be played again. Returns whether there were none.
        """
        finished = self.stop_playing(grace=grace, hurry=hurry)
        self._supervisor.stop("coordinator", grace=_COORDINATOR_GRACE_SECONDS)
        self._supervisor.stop("web", grace=_WEB_GRACE_SECONDS, hurry=hurry)
        self._supervisor.stop("broker", grace=_BROKER_GRACE_SECONDS)
        return finished

    def _start_coordinator(self) -> None:
        command = (
            *(sys.executable, "-m", "tabia.server.serve", "coordinator"),
            *("--every", str(_ROUNDS_SECONDS)),
            *(part for each in self._plan.only for part in ("--only", each)),
        )
        # A broker of our own starts empty, and had no workers but ours.
        first = (*command, "--alone") if self._own_broker is not None else command
        self._start("coordinator", first, restart=command)

    def _start(
        self,
        name: str,
        command: Sequence[str],
        *,
        restart: Sequence[str] | None = None,
        mourn: Callable[[], None] | None = None,
        pass_fds: Sequence[int] = (),
    ) -> None:
        self._supervisor.start(
            Service(
                name=name,
                command=command,
                environment=self._environment,
                log=self._folder.log(name),
                restart=restart,
                mourn=mourn,
                pass_fds=pass_fds,
            )
        )

    def _take_back_batches(self) -> None:
        """What the dead workers had in hand waits again, without waiting for leases to run out."""
        from tabia.server import leases
        from tabia.server.consumer.queues import purge_play_queue

        holder = None
        if self._own_broker is None:
            # Other machines' workers may use the broker and the database too.
            holder = self._holder
        elif broker.answers(self._own_broker):
            purge_play_queue(broker.url(self._own_broker))
        database = self._folder.database()
        with database.write() as session:
            leases.reclaim(session, now=datetime.now(UTC), holder=holder)
        database.close()
