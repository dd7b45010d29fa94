"""Which players can be compared: the connectivity check before a rating fit.

Ratings have finite estimates exactly when no split of the players leaves one part without a single
point against the other (Ford 1957): when the graph with an edge from whoever scored to whom it
scored against is strongly connected. Its strongly connected components are the pools; ratings
are only comparable within one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .edge_form import Ints

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class _Arrows:
    """Where the edges of a graph lead, by where they begin: those of node i from ``starts[i]``."""

    starts: Ints
    targets: Ints

    @classmethod
    def of(cls, source: Ints, target: Ints, nodes: int) -> _Arrows:
        order = np.argsort(source)
        return cls(np.searchsorted(source[order], np.arange(nodes + 1)), target[order])

    def leaving(self, nodes: Ints) -> Ints:
        """Where the edges of some nodes lead, a node as often as an edge does."""
        begin, number = self.starts[nodes], self.starts[nodes + 1] - self.starts[nodes]
        before = np.cumsum(number) - number
        edges = np.repeat(begin - before, number) + np.arange(number.sum())
        return np.asarray(self.targets[edges])


def strong_components(source: Ints, target: Ints, nodes: int) -> list[tuple[int, ...]]:
    """The strongly connected components of a graph, the largest first, then by smallest member.

    An edge leads from ``source[e]`` to ``target[e]``, of nodes 0 to ``nodes`` - 1. Whoever has no
    edge in, or none out, is a component of his own; what is left is split into those whom a member
    reaches and is reached by (the forward-backward method).
    """
    other = source != target
    source, target = source[other], target[other]
    onward, backward = _Arrows.of(source, target, nodes), _Arrows.of(target, source, nodes)
    outgoing, incoming = np.diff(onward.starts), np.diff(backward.starts)
    alive = np.ones(nodes, dtype=np.bool_)
    found: list[tuple[int, ...]] = []

    def remove(gone: Ints) -> None:
        alive[gone] = False
        incoming[:] -= np.bincount(onward.leaving(gone), minlength=nodes)
        outgoing[:] -= np.bincount(backward.leaving(gone), minlength=nodes)

    while alive.any():
        ends = np.flatnonzero(alive & ((incoming == 0) | (outgoing == 0)))
        if ends.size:
            found += [(int(node),) for node in ends]
            remove(ends)
            continue
        start = int(np.argmax(alive))
        reached = [_reached(arrows, start, alive) for arrows in (onward, backward)]
        members = np.flatnonzero(reached[0] & reached[1])
        found.append(tuple(int(node) for node in members))
        remove(members)
    return sorted(found, key=lambda pool: (-len(pool), pool))


def _reached(arrows: _Arrows, start: int, alive: Bools) -> Bools:
    """Which nodes (n,) can be come to from ``start`` by those that are alive."""
    seen = np.zeros_like(alive)
    seen[start] = True
    frontier = np.array([start])
    while frontier.size:
        ahead = np.zeros_like(alive)
        ahead[arrows.leaving(frontier)] = True
        frontier = np.flatnonzero(ahead & alive & ~seen)
        seen[frontier] = True
    return seen
