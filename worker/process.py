"""What a process that plays owes to the machine it runs on."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with(parent: int) -> None:
    """Ask Linux to kill this process when its parent, the process ``parent``, is gone.

    Otherwise a player whose worker was killed would go on to the end of its batch and then find
    nobody to tell. Elsewhere than on Linux this does nothing.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the request
        os.kill(os.getpid(), signal.SIGKILL)


def limit_memory(mebibytes: int) -> None:
    """Let no more than ``mebibytes`` of address space be taken: beyond, a MemoryError.

    A rule set is a stranger's: whatever it makes the engine do, it must not push other programs
    out of the memory of a lent computer. A lower limit that is already set stays.
    """
    wanted = mebibytes * 1024 * 1024
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or hard > wanted:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, wanted))
