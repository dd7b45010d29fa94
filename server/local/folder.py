"""The folder that holds all that one coordinator on this machine knows, and who may use it."""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from tabia.server.database import Database

# What Linux allows in a socket's address, less its end mark; other systems allow a little less.
_LONGEST_SOCKET_PATH = 100


class FolderInUseError(RuntimeError):
    """Another process works in the folder."""


class DataFolder:
    """A data folder, held by one process at a time: a context manager.

    The lock is the kernel's, on an open file: it ends with the process, however that ends.
    Raises FolderInUseError on entry when another process has it, OSError when it cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._lock: int | None = None

    def __enter__(self) -> Self:
        self.path.mkdir(parents=True, exist_ok=True)
        (self.path / "logs").mkdir(exist_ok=True)
        lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(lock, 32, 0).decode().strip()
            os.close(lock)
            raise FolderInUseError(
                f"{self.path}: in use by process {holder or 'unknown'}; "
                "stop it, or take another folder with --data"
            ) from None
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        self._lock = lock
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def database(self) -> Database:
        """The database at TABIA_DATABASE_URL, or the one in the folder.

        Raises DocumentError when some setting is wrong, SQLAlchemyError when the URL is.
        """
        # Loaded late: it takes longer than all the rest, and meanwhile others can start.
        from tabia.server.database import Database
        from tabia.server.environment import read_settings

        return Database(read_settings(data=self.path).resolved_database_url)

    def log(self, service: str) -> Path:
        """Where the service of this name writes what it has to say."""
        return self.path / "logs" / f"{service}.log"

    def socket(self, name: str) -> Path:
        """A path for a unix socket: in the folder, unless its path is too long for one."""
        path = self.path / f"{name}.sock"
        if len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH:
            return path
        return Path(tempfile.mkdtemp(prefix="tabia-")) / f"{name}.sock"
