"""The real thing: `tabia` as a process, a Valkey on a TCP port, a small experiment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from running import LONGER, SMALL, Tabia, toml, valkey_server


@pytest.fixture
def tabia(tmp_path: Path) -> Iterator[Tabia]:
    """`tabia` with a data folder of its own."""
    tabia = Tabia(tmp_path / "tabia-data")
    yield tabia
    for run in tabia.started:
        if run.popen.poll() is None:
            run.popen.kill()
        run.popen.communicate()
    print(tabia.logs())  # pytest shows it when the test has failed


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a Valkey server on a TCP port, without the number of a database."""
    with valkey_server(tmp_path_factory.mktemp("valkey")) as url:
        yield url


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A file with an experiment of a second or two."""
    path = tmp_path / "small.toml"
    path.write_text(toml(SMALL))
    return path


@pytest.fixture
def longer(tmp_path: Path) -> Path:
    """A file with an experiment of some seconds and several batches."""
    path = tmp_path / "longer.toml"
    path.write_text(toml(LONGER))
    return path
