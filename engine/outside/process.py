"""The edge: a program as a process, lines in and lines out, never waited for without a deadline."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from tabia.engine.outside.misconduct import MisconductError, Reason
from tabia.engine.outside.programs import Program

MOST_OUTPUT = 16 * 1024 * 1024
"""Bytes that a program may say in answer to one command."""
MOST_LINE = 64 * 1024
MOST_ERRORS = 2048
"""Bytes of standard error that are kept, the last ones."""
_CHUNK = 64 * 1024
_LAUNCH = str(Path(__file__).with_name("launch.py"))
_KEPT_VARIABLES = ("HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TZ")
"""A program of others gets no setting of ours: some are passwords."""


class LateError(Exception):
    """The deadline passed without a line."""


class Channel(Protocol):
    """What a conversation needs of a process."""

    def say(self, line: str) -> None:
        """Raises MisconductError when nobody listens."""

    def line(self, deadline: float) -> str:
        """The next line before that moment of `time.monotonic`. Raises LateError at it, and
        MisconductError."""

    def complaints(self) -> str:
        """The last that was said on standard error since this was last asked."""


class Process:
    """A running program. Whoever starts it closes it; it also ends with the thread that started it,
    and whatever it started itself ends with it."""

    def __init__(self, program: Program) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tabia-")
        kept = {key: os.environ[key] for key in _KEPT_VARIABLES if key in os.environ}
        self._popen = subprocess.Popen(
            [
                *(sys.executable, "-I", "-S", _LAUNCH),
                *(str(os.getpid()), str(program.memory_mb)),
                *program.command,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self._folder.name,
            env={**kept, "TMPDIR": self._folder.name},
            start_new_session=True,
            bufsize=0,
        )
        streams = self._popen.stdin, self._popen.stdout, self._popen.stderr
        self._in, self._out, self._err = (stream.fileno() for stream in streams if stream)
        for fd in (self._in, self._out, self._err):
            os.set_blocking(fd, False)
        self._selector = selectors.DefaultSelector()
        for fd in (self._out, self._err):
            self._selector.register(fd, selectors.EVENT_READ)
        self._lines: deque[bytes] = deque()
        self._unread = b""
        self._errors = b""
        self._taken = 0
        self._ended = False

    @property
    def folder(self) -> Path:
        """Where it runs: a folder of its own, which goes with it."""
        return Path(self._folder.name)

    @property
    def pid(self) -> int:
        """The head of its group."""
        return self._popen.pid

    def say(self, line: str, patience: float = 10.0) -> None:
        """Hands it one line. Raises MisconductError."""
        self._taken = 0
        data, deadline = f"{line}\n".encode(), time.monotonic() + patience
        while data:
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise MisconductError(
                        Reason.NO_ANSWER, "it does not read what it is told"
                    ) from None
                # What it says meanwhile must not keep it from listening.
                self._read(time.monotonic() + 0.05)
            except BrokenPipeError:
                raise self._crash() from None

    def line(self, deadline: float) -> str:
        """The next line of its output. Raises MisconductError, LateError."""
        while True:
            if self._taken > MOST_OUTPUT or len(self._unread) > MOST_LINE:
                raise MisconductError(Reason.FLOOD, f"{self._taken} bytes in answer to one command")
            if self._lines:
                return self._lines.popleft().decode("utf-8", "replace").rstrip("\r")
            if self._ended:
                raise self._crash()
            if time.monotonic() >= deadline:
                raise LateError
            self._read(deadline)

    def complaints(self) -> str:
        """The last of what it said on standard error since this was last asked."""
        self._read(time.monotonic())
        said, self._errors = self._errors, b""
        return said.decode("utf-8", "replace")

    def close(self, patience: float = 0.0) -> None:
        """Ends it and all that it started, at once or after so many seconds."""
        with suppress(subprocess.TimeoutExpired):
            if patience > 0:
                with suppress(MisconductError):
                    self.say("quit", patience)
                self._popen.wait(patience)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        self._selector.close()
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream:
                stream.close()
        self._folder.cleanup()

    def _read(self, deadline: float) -> None:
        """Takes what there is, and waits for it until the deadline."""
        for key, _ in self._selector.select(max(0.0, deadline - time.monotonic())):
            try:
                data = os.read(key.fd, _CHUNK)
            except BlockingIOError:
                continue
            self._taken += len(data)
            if not data:
                self._selector.unregister(key.fd)
                self._ended = self._ended or key.fd == self._out
            elif key.fd == self._out:
                *lines, self._unread = (self._unread + data).split(b"\n")
                self._lines.extend(lines)
            else:
                self._errors = (self._errors + data)[-MOST_ERRORS:]

    def _crash(self) -> MisconductError:
        """What is known of its end; one that only closed its output has ended for us."""
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(1.0)
        code = self._popen.returncode
        if code is None:
            how = "it closed its output"
        elif code < 0:
            how = f"it died of {signal.Signals(-code).name}"
        else:
            how = f"it ended with status {code}"
        last = [line.strip() for line in self.complaints().splitlines() if line.strip()]
        return MisconductError(Reason.CRASH, f"{how}: {last[-1]}" if last else how)
