"""The game: rules in, games out. Knows no network, no database, no clock but the search's."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabia.engine.match.batch import play_batch
    from tabia.engine.match.signature import bench_signature
    from tabia.engine.position import FenError, MoveError, Outcome, Position, SearchResult
    from tabia.engine.rules.ruleset import RuleSet

__all__ = [
    "FenError",
    "MoveError",
    "Outcome",
    "Position",
    "RuleSet",
    "SearchResult",
    "bench_signature",
    "play_batch",
]

_HOMES = {
    "FenError": "position",
    "MoveError": "position",
    "Outcome": "position",
    "Position": "position",
    "RuleSet": "rules.ruleset",
    "SearchResult": "position",
    "bench_signature": "match.signature",
    "play_batch": "match.batch",
}


def __getattr__(name: str) -> Any:
    # Loaded on first use: `tabia --help` must not wait for the core and the rule language.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
