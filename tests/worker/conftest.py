"""A broker, and batches to play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from running import SMALL, valkey_server

from tabia.engine.match import Experiment, plan_batch


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a Valkey server on a TCP port, without the number of a database."""
    with valkey_server(tmp_path_factory.mktemp("valkey")) as url:
        yield url


@pytest.fixture(scope="session")
def experiment() -> Experiment:
    """A small experiment."""
    return Experiment.from_document(SMALL, "small")


@pytest.fixture
def batch(experiment: Experiment) -> dict[str, Any]:
    """A batch of a fraction of a second."""
    return plan_batch(experiment, 3, 12, 2)


@pytest.fixture
def long_batch(experiment: Experiment) -> dict[str, Any]:
    """A batch that takes minutes."""
    return {**plan_batch(experiment, 4, 0, 2_000), "nodes": 5_000}
