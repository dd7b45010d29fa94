"""`[curve]`: one question at several numbers of nodes, each an experiment of its own.

A conclusion that holds for weak play and vanishes with strength is no conclusion about the rules.
So the same question is asked at 1, 4 and 16 times the nodes, say, of as many units each, and none
of them stops early: a trend through experiments that stopped when they were high would be a trend
of stopping. The experiments of one document are a family; everything but the nodes is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tabia.engine.content import content_hash
from tabia.engine.documents import DocumentError
from tabia.engine.match.document import MOST_NODES, ExperimentDocument


def require_levels(model: ExperimentDocument, source: str) -> None:
    """Raises DocumentError unless the levels make a curve."""
    if model.curve is None:
        return
    if model.player is not None:
        # Its limit is its own: all levels would be of one strength, and called many.
        raise DocumentError(
            source, "player", "found beside curve; allowed: one of the two, for a curve is of nodes"
        )
    levels = model.curve.levels
    if levels != sorted(set(levels)):
        found = ", ".join(str(level) for level in levels)
        raise DocumentError(
            source, "curve.levels", f"found {found}; allowed: rising, each number once"
        )
    if model.nodes * levels[-1] > MOST_NODES:
        raise DocumentError(
            source,
            "curve.levels",
            f"found {levels[-1]}, which makes {model.nodes * levels[-1]} nodes; allowed: up to "
            f"{MOST_NODES} nodes",
        )


def levels_of(base: Mapping[str, Any], levels: list[int]) -> Iterator[dict[str, Any]]:
    """The frozen forms of a family, from the one that all of them have but for nodes and `curve`:
    {"family": hash of that form and the levels, "level", "levels"}."""
    family = content_hash({**base, "curve": {"levels": levels}})
    for level in levels:
        yield {
            **base,
            "nodes": base["nodes"] * level,
            "curve": {"family": family, "level": level, "levels": levels},
        }
