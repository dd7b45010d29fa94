"""Strongly connected components, against SciPy's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

from tabia.server.statistics.pools import strong_components


@given(st.integers(1, 30), st.floats(0, 0.4), st.integers(0, 2**32 - 1))
def test_the_components_are_scipys(players, density, seed):
    graph = np.random.default_rng(seed).random((players, players)) < density
    _, labels = connected_components(graph, directed=True, connection="strong")
    expected = {tuple(np.flatnonzero(labels == label).tolist()) for label in set(labels)}
    found = strong_components(*np.nonzero(graph), players)
    assert set(found) == expected
    assert [len(pool) for pool in found] == sorted(map(len, expected), reverse=True)


def test_the_order_of_strength_is_no_pool():
    """Whoever is stronger always wins: nobody can be compared, however many there are."""
    stronger, weaker = np.triu_indices(500, 1)
    assert strong_components(stronger, weaker, 500) == [(player,) for player in range(500)]
