"""Batches against programs."""

from collections.abc import Callable
from typing import Any

import pytest
from outsiders import document

from tabia.engine.match import Experiment, plan_batch


@pytest.fixture
def batch() -> Callable[..., dict[str, Any]]:
    """Plans the first units of a document. The programs of this machine are not asked: it says who
    they are."""

    def planned(units: int = 1, **changes: Any) -> dict[str, Any]:
        return plan_batch(Experiment.from_document(document(**changes), "doc"), 0, 0, units)

    return planned
