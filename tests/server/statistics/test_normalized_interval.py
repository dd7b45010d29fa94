"""The interval of normalized Elo that may be watched."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.statistics import confidence, normalized
from tabia.server.statistics.elo import NELO_PER_SIGMA, normalized_elo

PAIRS = np.linspace(0, 1, 5)
counts = st.lists(st.integers(min_value=0, max_value=3000), min_size=5, max_size=5)


@pytest.mark.parametrize(
    "law",
    [
        (0.07, 0.22, 0.42, 0.22, 0.07),
        (0.04, 0.17, 0.42, 0.27, 0.10),
        (0.0, 0.0, 0.95, 0.05, 0.0),
        (0.02, 0.0, 0.0, 0.0, 0.98),
        (0.0, 0.0, 0.05, 0.95, 0.0),
    ],
)
def test_the_interval_covers_at_every_look_together(law):
    law, runs = np.array(law), 400
    mean = law @ PAIRS
    truth = (mean - 0.5) / math.sqrt(2 * law @ (PAIRS - mean) ** 2) * NELO_PER_SIGMA
    rng = np.random.default_rng(1)
    seen, missed, before = np.zeros((runs, 5)), np.zeros(runs, dtype=np.bool_), 0
    for units in (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024):
        seen += rng.multinomial(units - before, law, size=runs)
        low, high = normalized.interval(seen)
        missed |= (low > truth) | (high < truth)
        before = units
    assert missed.mean() <= 0.05


@given(counts)
def test_it_holds_the_value_and_sees_a_lead_where_the_score_s_does(cells):
    low, high = normalized.interval(cells)
    assert low <= high
    value = normalized_elo(cells)
    if value is not None:
        assert low < value < high
    score = confidence.interval(cells, PAIRS, 0.045)
    assert (low > 0, high < 0) == (score[0] > 0.5, score[1] < 0.5)


@given(counts)
def test_seen_from_the_other_side_it_is_the_same(cells):
    low, high = normalized.interval(cells)
    other = normalized.interval(cells[::-1])
    np.testing.assert_allclose((low, high), (-other[1], -other[0]), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("cells", [[0] * 5, [1, 0, 0, 0, 0], [0, 0, 5, 0, 0], [0, 0, 0, 0, 300]])
def test_degenerate_counts_have_an_interval(cells):
    low, high = normalized.interval(cells)
    assert low < high
    assert low == -math.inf or cells[-1]


def test_single_games_and_many_experiments():
    low, high = normalized.interval([[100, 300, 150], [5, 5, 5]], games_per_unit=1)
    assert low.shape == high.shape == (2,)
    assert low[0] < normalized_elo([100, 300, 150], games_per_unit=1) < high[0]
    assert low[1] < low[0]
    low, high = normalized.interval([100, 120], games_per_unit=1)
    assert low < normalized_elo([100, 120], games_per_unit=1) < high


def test_it_is_hardly_wider_than_the_score_s_over_the_deviation_that_was_seen():
    cells = np.array([70, 220, 420, 250, 90])
    low, high = normalized.interval(cells)
    ends = confidence.interval(cells, PAIRS)
    sd = math.sqrt(cells @ (PAIRS - cells @ PAIRS / cells.sum()) ** 2 / cells.sum())
    plain = (ends[1] - ends[0]) / sd / math.sqrt(2) * NELO_PER_SIGMA
    assert plain < high - low < 1.25 * plain
