"""Runs a program within bounds: `python launch.py MEMORY_MB COMMAND …`, as a group of its own.

A file of its own and no function, because what happens between fork and exec must not happen in a
process that has threads. It stays beside the program, so that nothing of it is left when the worker
is gone: Linux tells this process (SIGTERM), and it ends the whole group.
"""

import ctypes
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1
_NOT_STARTED = 127
_MOST_WRITTEN = 64 * 1024 * 1024
"""Bytes in one file: a program that writes a diary must not fill the disk."""


def main() -> None:
    parent, memory_mb, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before the request
            return
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _bound(memory_mb)
        try:
            os.execv(command[0], command)
        except OSError as error:
            sys.stderr.write(f"{command[0]}: {error.strerror}\n")
            sys.stderr.flush()
            os._exit(_NOT_STARTED)
    # Its end must be seen at the other end of the pipes, so nobody else may hold them.
    os.close(0)
    os.close(1)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), -code)
    os._exit(code)


def _bound(memory_mb: int) -> None:
    wanted = memory_mb * 1024 * 1024
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or hard > wanted:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, wanted))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    if hard == resource.RLIM_INFINITY or hard > _MOST_WRITTEN:
        resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_WRITTEN, _MOST_WRITTEN))


if __name__ == "__main__":
    main()
