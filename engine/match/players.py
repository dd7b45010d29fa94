"""Who plays: today the built-in engine at some number of nodes a move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabia.engine.documents import DocumentError
from tabia.engine.match.document import ExperimentDocument
from tabia.engine.match.kinds import WITH_PLAYERS
from tabia.engine.match.round_robin import pairs


@dataclass(frozen=True)
class Player:
    """name: what people call it; nodes: positions looked at before each move."""

    name: str
    nodes: int


def frozen_players(model: ExperimentDocument, source: str) -> dict[str, dict[str, Any]]:
    """`[players.KEY]` in full, by key: {"name", "nodes"}; nothing where all play alike. Raises
    DocumentError."""
    if model.kind not in WITH_PLAYERS or model.players is None:
        return {}
    if model.kind == "engines" and set(model.players) != {"a", "b"}:
        raise DocumentError(
            source,
            "players",
            f"found {', '.join(sorted(model.players))}; allowed for engines: the keys a and b",
        )
    least = pairs(len(model.players))
    if model.kind == "ratings" and model.test.budget < least:
        raise DocumentError(
            source,
            "test.budget",
            f"found {model.test.budget}; allowed for {len(model.players)} players: {least} or "
            "more, a unit for each pair of them",
        )
    players = {}
    for key, table in sorted(model.players.items()):
        nodes = table.nodes or model.nodes
        players[key] = {"name": table.name or f"{nodes} nodes", "nodes": nodes}
    return players


def players_of(frozen: Mapping[str, Mapping[str, Any]]) -> dict[str, Player]:
    """The players of a frozen form, by key, in the order of the keys."""
    return {
        key: Player(str(table["name"]), int(table["nodes"]))
        for key, table in sorted(frozen.items())
    }
