"""A process that plays one batch after the other, and can be stopped in the middle of one.

What is played came from a stranger. So it is played in a process of its own, with limits on memory
and time: whatever a rule set makes the engine do, it ends with a line that says so.
"""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

LONGEST_BATCH_SECONDS = 30 * 60.0
MEMORY_MEBIBYTES = 2048
NICENESS = 10
"""A lent computer belongs first to the one who sits at it."""

_LOOK_SECONDS = 0.2


class BatchError(Exception):
    """The batch could not be played; the text is one line that says why."""


class DroppedError(Exception):
    """The batch was given up in the middle, on request."""


class Player:
    """Owns the process, and starts another one when it is gone. Use it from one thread."""

    def __init__(
        self, *, longest: float = LONGEST_BATCH_SECONDS, memory: int = MEMORY_MEBIBYTES
    ) -> None:
        self._longest = longest
        self._memory = memory
        self._spawn = get_context("spawn")
        self._process: Any = None
        self._pipe: Connection | None = None

    def play(
        self,
        batch: dict[str, Any],
        wanted: Callable[[], bool],
        weights: Mapping[str, dict[str, Any]] | None = None,
    ) -> dict[str, Any]:
        """The result of ``batch``. Asks ``wanted`` several times a second whether to go on.

        ``weights``, by their hash, are those that the batch names.

        Raises BatchError, or DroppedError when the batch was not wanted any more.
        """
        pipe = self._ready()
        end = time.monotonic() + self._longest
        try:
            pipe.send((batch, dict(weights or {})))
            while not pipe.poll(_LOOK_SECONDS):
                if not wanted():
                    self.stop()
                    raise DroppedError
                if time.monotonic() > end:
                    self.stop()
                    raise BatchError(f"it took longer than {self._longest:.0f} seconds")
            said = pipe.recv()
        except (EOFError, OSError):
            raise BatchError(self._last_words()) from None
        if "problem" in said:
            raise BatchError(said["problem"])
        result: dict[str, Any] = said["result"]
        return result

    def stop(self) -> None:
        """End the process at once, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def _ready(self) -> Connection:
        if self._pipe is None or not self._process.is_alive():
            self.stop()
            self._pipe, theirs = self._spawn.Pipe()
            self._process = self._spawn.Process(
                target=_play_until_told, args=(theirs, os.getpid(), self._memory), daemon=True
            )
            self._process.start()
            theirs.close()
        return self._pipe

    def _last_words(self) -> str:
        process = self._process
        process.join(timeout=5.0)
        code = process.exitcode
        self.stop()
        if code is not None and code < 0:
            return f"the process that played it died of {signal.Signals(-code).name}"
        return f"the process that played it ended with status {code}"


def _play_until_told(pipe: Connection, parent: int, memory: int) -> None:
    """The process: takes batches out of ``pipe`` and puts results in."""
    from tabia.worker.playing import play_pinned
    from tabia.worker.process import die_with, limit_memory

    # Ctrl-C goes to the whole terminal; what it means is for the parent to say.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(parent)
    limit_memory(memory)
    os.nice(NICENESS)
    while True:
        said: dict[str, Any]
        try:
            batch, weights = pipe.recv()
            said = {"result": play_pinned(batch, library=weights)}
        except EOFError:
            return
        except Exception as error:
            # The limit may be met in a call of the system, which says so in its own way.
            if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
                said = {"problem": f"it needs more than {memory} MiB of memory"}
            else:
                said = {"problem": f"{type(error).__name__}: {error}"}
        pipe.send(said)
