"""The bench signature: a number that changes when, and only when, the engine plays differently.

Two machines with one signature play the same games; a batch names the signature it was planned
with, and a worker that differs plays none of it. The number is recorded beside this module, so
that no process has to search for a second before it can begin; one of the searches is made all the
same, to notice a core that was built wrongly. `tabia bench` makes all of them, and so do the tests.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from tabia.engine.match.openings import draw_move
from tabia.engine.position import Position
from tabia.engine.rules.resolve import catalog_ids
from tabia.engine.rules.ruleset import RuleSet

DEPTH = 8
OPENING_PLIES = 12
RECORD = files(__package__).joinpath("bench.json")
PROBE = "grand"

Bench = dict[str, int]
"""Catalog id -> nodes."""


@cache
def bench_signature() -> str:
    """The nodes that fixed searches take under all rule sets of the catalog, as a decimal."""
    known = recorded()
    return total(known if known.get(PROBE) == searched(PROBE) else bench())


def total(counts: Bench) -> str:
    """The signature of these counts."""
    return str(sum(counts.values()))


def recorded() -> Bench:
    """What the searches took when they were last recorded."""
    return {str(key): int(nodes) for key, nodes in json.loads(RECORD.read_text()).items()}


def bench() -> Bench:
    """What the searches take now, under every rule set of the catalog."""
    return {each: searched(each) for each in catalog_ids()}


def searched(catalog_id: str) -> int:
    """The nodes of two searches to a fixed depth: of the array, and some random moves later."""
    position = Position(RuleSet.load(catalog_id))
    nodes = position.search(depth=DEPTH).nodes
    for ply in range(OPENING_PLIES):
        if position.outcome() is not None:
            break
        position.push(draw_move(f"bench:{ply}", position.legal_moves()))
    return nodes + position.search(depth=DEPTH).nodes
