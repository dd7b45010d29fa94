"""Starting a process that ends when we do."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

_PR_SET_PDEATHSIG = 1


def spawn(
    argv: Sequence[str],
    *,
    environment: Mapping[str, str],
    log: Path,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start ``argv`` with its output appended to ``log``. Call it from the main thread only.

    On Linux the kernel kills the child when the thread that started it is gone, so that not even
    `kill -9` leaves anything running. The child has a session of its own: Ctrl-C in the terminal
    reaches us alone, and we say in which order things stop.
    """
    with log.open("ab") as output:
        return subprocess.Popen(
            argv,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=pass_fds,
            start_new_session=True,
            preexec_fn=_dies_with(os.getpid()),
        )


def kill_family(process: subprocess.Popen[bytes]) -> None:
    """End a process that :func:`spawn` started, and all that it left in its session, at once."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _dies_with(parent: int) -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    # Loaded before the fork: between fork and exec as little as possible should happen.
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def ask_the_kernel() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the request
            os._exit(1)

    return ask_the_kernel
