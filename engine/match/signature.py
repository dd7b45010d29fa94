"""The bench signature: a number that changes when, and only when, the engine plays differently.

Two machines with one signature play the same games; a batch names the signature it was planned
with, and a worker that differs plays none of it.
"""

from __future__ import annotations

from functools import cache

from tabia.engine.match.openings import draw_move
from tabia.engine.position import Position
from tabia.engine.rules.resolve import catalog_ids
from tabia.engine.rules.ruleset import RuleSet

DEPTH = 6
OPENING_PLIES = 12


@cache
def bench_signature() -> str:
    """The nodes that fixed searches take under all rule sets of the catalog, as a decimal."""
    return str(sum(nodes for _, nodes in bench()))


@cache
def bench() -> tuple[tuple[str, int], ...]:
    """(catalog id, nodes) for each rule set: a search of the array and of a position some random
    moves later, to a fixed depth."""
    return tuple((each, _nodes(RuleSet.load(each))) for each in catalog_ids())


def _nodes(rules: RuleSet) -> int:
    position = Position(rules)
    nodes = position.search(depth=DEPTH).nodes
    for ply in range(OPENING_PLIES):
        if position.outcome() is not None:
            break
        position.push(draw_move(f"bench:{ply}", position.legal_moves()))
    return nodes + position.search(depth=DEPTH).nodes
