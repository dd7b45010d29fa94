"""Which players can be compared: the connectivity check before a rating fit.

Ratings have finite estimates exactly when no split of the players leaves one part without a single
point against the other (Ford 1957): when the graph with an edge from whoever scored to whom it
scored against is strongly connected. Its strongly connected components are the pools; ratings
are only comparable within one.
"""

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]


def strong_components(beats: Bools) -> list[tuple[int, ...]]:
    """The strongly connected components of a graph, the largest first, then by smallest member.

    ``beats`` (n, n): whether there is an edge from row to column. Whoever has no edge in, or none
    out, is a component of his own; what is left is split into those whom a member reaches and is
    reached by (the forward-backward method).
    """
    alive = np.ones(len(beats), dtype=np.bool_)
    found: list[tuple[int, ...]] = []
    graph = beats & ~np.eye(len(beats), dtype=np.bool_)
    incoming, outgoing = graph.sum(axis=0), graph.sum(axis=1)

    def remove(nodes: NDArray[np.intp]) -> None:
        alive[nodes] = False
        incoming[:] -= graph[nodes].sum(axis=0)
        outgoing[:] -= graph[:, nodes].sum(axis=1)

    while alive.any():
        ends = np.flatnonzero(alive & ((incoming == 0) | (outgoing == 0)))
        if ends.size:
            found += [(int(node),) for node in ends]
            remove(ends)
            continue
        start = int(np.argmax(alive))
        together = _reached(graph, start, alive) & _reached(graph.T, start, alive)
        members = np.flatnonzero(together)
        found.append(tuple(int(node) for node in members))
        remove(members)
    return sorted(found, key=lambda pool: (-len(pool), pool))


def _reached(graph: Bools, start: int, alive: Bools) -> Bools:
    seen = np.zeros(len(graph), dtype=np.bool_)
    seen[start] = True
    frontier = np.array([start])
    while frontier.size:
        new = graph[frontier].any(axis=0) & alive & ~seen
        seen |= new
        frontier = np.flatnonzero(new)
    return seen
