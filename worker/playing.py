"""Playing a batch that somebody else planned, with the engine it was planned for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from tabia.engine import bench_signature, play_batch


class OtherEngineError(RuntimeError):
    """The batch is pinned to an engine that would play other games than this one."""


@lru_cache(maxsize=1)
def own_engine() -> str:
    """The bench signature of the engine that this process plays with."""
    return bench_signature()


def play_pinned(
    batch: dict[str, Any], weights: Mapping[str, dict[str, Any]] | None = None
) -> dict[str, Any]:
    """Play ``batch``, with the ``weights`` that it names by their hash, and return its result.

    Raises OtherEngineError before the first move.
    """
    pinned = batch["engine"]
    if pinned != own_engine():
        raise OtherEngineError(
            f"batch {batch['batch']} is for the engine {pinned}, this one is {own_engine()}"
        )
    return play_batch(batch, weights or {})
