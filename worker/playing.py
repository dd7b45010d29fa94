"""Playing a batch that somebody else planned, with the engine it was planned for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from tabia.engine import bench_signature, play_batch
from tabia.engine.outside.programs import Programs


class OtherEngineError(RuntimeError):
    """The batch is pinned to an engine that would play other games than this one."""


@lru_cache(maxsize=1)
def own_engine() -> str:
    """The bench signature of the engine that this process plays with."""
    return bench_signature()


def play_pinned(
    batch: dict[str, Any],
    *,
    library: Mapping[str, dict[str, Any]] = MappingProxyType({}),
    programs: Programs | None = None,
) -> dict[str, Any]:
    """Play ``batch`` and return its result. ``library``: the weights that it names, by their hash.
    ``programs``: those that batches may start here; None, as on a volunteer's computer, starts
    nothing of others, whatever a batch says. Raises OtherEngineError before the first move, and
    what ``play_batch`` raises."""
    pinned = batch["engine"]
    if pinned != own_engine():
        raise OtherEngineError(
            f"batch {batch['batch']} is for the engine {pinned}, this one is {own_engine()}"
        )
    return play_batch(batch, library=library, programs=programs)
