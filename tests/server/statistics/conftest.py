"""Reference values in `tests/data/statistics`: facts, each with the tolerance it is known to.

A test marked ``reference(file, group)`` runs once for every row of that group, as argument ``row``.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[2] / "data" / "statistics"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "reference(file, group): once for every row of reference")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    mark = metafunc.definition.get_closest_marker("reference")
    if mark is not None:
        file, group = mark.args
        rows = json.loads((DATA / f"{file}.json").read_text())[group]
        assert rows, f"{file}.json has no rows in {group}"
        metafunc.parametrize("row", rows, ids=str)


@pytest.fixture
def close() -> Callable[[float, float], Any]:
    """What equals a value within a relative tolerance, of a magnitude of at least 0.001."""
    return lambda value, rtol: pytest.approx(value, rel=rtol, abs=rtol * 1e-3)
