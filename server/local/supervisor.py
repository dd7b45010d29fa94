"""Keeps processes running: starts them, starts them again when they die, stops them in order."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tabia.server.local.child import kill_family, spawn

DEATHS_ALLOWED = 5
"""A service that dies more often than this within a minute will not be started again."""
_DEATHS_WINDOW_SECONDS = 60.0
_PAUSES_SECONDS = (0.0, 0.2, 1.0, 2.0, 5.0)
_LOOK_SECONDS = 0.02
_ERROR = re.compile(r"(tabia|[\w.]*(Error|Exception)): ")


class ServiceError(RuntimeError):
    """A service cannot be kept running; the text names it, its last words and its log."""


@dataclass(frozen=True)
class Service:
    """How to run one process.

    ``restart`` replaces ``command`` after the first time. ``mourn`` is called when the process has
    died unasked, before it is started again.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    restart: Sequence[str] | None = None
    mourn: Callable[[], None] | None = None
    pass_fds: Sequence[int] = ()


@dataclass
class _Running:
    service: Service
    process: subprocess.Popen[bytes]
    deaths: deque[float] = field(default_factory=deque)
    start_again_at: float | None = None


class Supervisor:
    """Runs services. All methods are called from the main thread (see :func:`spawn`)."""

    def __init__(self) -> None:
        self._running: dict[str, _Running] = {}

    def start(self, service: Service) -> None:
        """Start ``service`` and keep it running from now on."""
        self._running[service.name] = _Running(service, _spawn(service, service.command))

    def has(self, name: str) -> bool:
        """Whether a service of this name was started and not stopped."""
        return name in self._running

    def look(self) -> None:
        """Start again what has died; call it several times a second.

        Raises ServiceError when a service dies again and again.
        """
        for running in list(self._running.values()):
            if running.start_again_at is None:
                if running.process.poll() is not None:
                    self._note_death(running)
            elif time.monotonic() >= running.start_again_at:
                service = running.service
                if service.mourn is not None:
                    service.mourn()
                running.process = _spawn(service, service.restart or service.command)
                running.start_again_at = None

    def stop(self, name: str, *, grace: float, hurry: Callable[[], bool] = lambda: False) -> bool:
        """Ask a service to end, and end it after ``grace`` seconds or when ``hurry()`` is true.

        Returns whether it ended by itself.
        """
        running = self._running.pop(name, None)
        if running is None:
            return True
        process = running.process
        if process.poll() is None and grace > 0:
            process.send_signal(signal.SIGTERM)
            end = time.monotonic() + grace
            while process.poll() is None and time.monotonic() < end and not hurry():
                time.sleep(_LOOK_SECONDS)
        orderly = process.poll() is not None
        kill_family(process)
        process.wait()
        return orderly

    def kill_all(self) -> None:
        """End everything at once."""
        for running in self._running.values():
            kill_family(running.process)
        for running in self._running.values():
            running.process.wait()
        self._running.clear()

    @staticmethod
    def _note_death(running: _Running) -> None:
        kill_family(running.process)  # nobody else would end what it leaves behind
        now = time.monotonic()
        deaths = running.deaths
        deaths.append(now)
        while now - deaths[0] > _DEATHS_WINDOW_SECONDS:
            deaths.popleft()
        if len(deaths) > DEATHS_ALLOWED:
            service = running.service
            raise ServiceError(
                f"{service.name} died {len(deaths)} times in a minute, last with "
                f"{_how(running.process.returncode)}: {last_words(service.log)} (see {service.log})"
            )
        running.start_again_at = now + _PAUSES_SECONDS[len(deaths) - 1]


def _spawn(service: Service, command: Sequence[str]) -> subprocess.Popen[bytes]:
    return spawn(
        command, environment=service.environment, log=service.log, pass_fds=service.pass_fds
    )


def _how(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"status {status}"


def last_words(log: Path) -> str:
    """The last line of ``log`` that names an error, or just its last line."""
    try:
        lines = log.read_text(errors="replace").split("\n")
    except OSError:
        return "without a word"
    said = [line.strip() for line in lines if line.strip()] or ["without a word"]
    return next((line for line in reversed(said) if _ERROR.match(line)), said[-1])
