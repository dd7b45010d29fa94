"""An honest estimate after a test of two hypotheses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.statistics.after_stopping import estimate, estimates
from tabia.server.statistics.elo import summary
from tabia.server.statistics.gsprt import NoInformationError

counts = st.lists(st.integers(1, 300), min_size=5, max_size=5)


@given(counts)
def test_an_interval_holds_its_estimate(cells):
    found = estimate(cells, 0, 20, 0.05, 0.05)
    assert found.low < found.median < found.high
    assert 0 <= found.los <= 1
    assert (found.los > 0.5) == (found.median > 0)
    assert (found.los > 0.975) == (found.low > 0)


@given(counts)
def test_seen_from_the_other_side_it_is_the_same(cells):
    found, mirrored = (
        estimate(cells, -5, 15, 0.05, 0.1),
        estimate(cells[::-1], -15, 5, 0.1, 0.05),
    )
    assert mirrored.median == pytest.approx(-found.median, abs=1e-6)
    assert mirrored.low == pytest.approx(-found.high, abs=1e-6)
    assert mirrored.los == pytest.approx(1 - found.los, abs=1e-9)


def test_a_better_score_after_as_many_units_is_a_higher_estimate():
    scores = [[40, 210, 500 - more, 250 + more, 60] for more in range(0, 90, 10)]
    medians = estimates(scores, 0, 20, 0.05, 0.05).median
    assert np.all(np.diff(medians) > 0)


def test_far_from_the_bounds_it_is_the_plain_estimate():
    # Bounds so far apart in their errors that the test could not have stopped before.
    cells = [40, 210, 500, 250, 60]
    found, plain = estimate(cells, 0, 5, 1e-9, 1e-9), summary(cells)
    assert found.median == pytest.approx(plain.elo, abs=0.01)
    assert found.low == pytest.approx(plain.elo_low, abs=0.2)
    assert found.high == pytest.approx(plain.elo_high, abs=0.2)
    assert found.los == pytest.approx(plain.los, abs=1e-4)


def test_it_draws_in_what_a_stopped_test_exaggerates():
    stopped = [1, 40, 120, 66, 6]  # about where [0, 20] accepts 20
    assert estimate(stopped, 0, 20, 0.05, 0.05).median < summary(stopped).elo


def test_bounds_in_normalized_elo_are_bounds_in_elo_by_the_spread_of_the_counts():
    cells = [40, 210, 500, 250, 60]
    plain = summary(cells)
    factor = plain.elo / plain.nelo
    found = estimate(cells, 0, 10, 0.05, 0.05, scale="normalized")
    same = estimate(cells, 0, 10 * factor, 0.05, 0.05)
    assert found.median == pytest.approx(same.median, abs=0.02)


@pytest.mark.parametrize("cells", [[0] * 5, [0, 0, 300, 0, 0], [0, 0, 0, 0, 9]])
def test_units_all_alike_are_no_estimate(cells):
    with pytest.raises(NoInformationError, match="who is stronger"):
        estimate(cells, 0, 20, 0.05, 0.05)


def test_many_experiments_are_one_call():
    rng = np.random.default_rng(3)
    many = rng.multinomial(300, [0.1, 0.2, 0.4, 0.2, 0.1], size=9)
    together = estimates(many, 0, 20, 0.05, 0.05)
    for number, row in enumerate(many):
        alone = estimate(row, 0, 20, 0.05, 0.05)
        assert alone == pytest.approx(tuple(each[number] for each in together), abs=1e-6)


@pytest.mark.parametrize(("elo0", "elo1"), [(5, 5), (10, 0), (0, np.inf)])
def test_bounds_that_do_not_rise_are_refused(elo0, elo1):
    with pytest.raises(ValueError, match="elo0 is below elo1"):
        estimate([1, 2, 3, 2, 1], elo0, elo1, 0.05, 0.05)
