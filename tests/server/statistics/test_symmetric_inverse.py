"""The inverse by halves, in its own place."""

import numpy as np
import pytest

from tabia.server.statistics.symmetric_inverse import invert


@pytest.mark.parametrize("n", [1, 7, 193, 501])
def test_the_inverse_by_halves_is_the_inverse(n):
    root = np.random.default_rng(1).normal(size=(n, n))
    matrix = root @ root.T + n * np.eye(n)
    found = matrix.copy()
    invert(found)
    assert np.abs(found @ matrix - np.eye(n)).max() < 1e-9
    assert np.abs(found - found.T).max() < 1e-15


def test_a_part_of_a_matrix_is_inverted_where_it_lies():
    rng = np.random.default_rng(2)
    whole = rng.normal(size=(304, 304))
    whole = whole @ whole.T + 304 * np.eye(304)
    before = whole.copy()
    invert(whole[4:, 4:])
    assert whole[4:, 4:] == pytest.approx(np.linalg.inv(before[4:, 4:]), abs=1e-12)
    assert np.array_equal(whole[:4], before[:4])
    assert np.array_equal(whole[:, :4], before[:, :4])


def test_what_is_in_single_precision_stays_so():
    matrix = (np.eye(400) * 3 + 1 / 400).astype(np.float32)
    found = matrix.copy()
    invert(found)
    assert found.dtype == np.float32
    assert np.abs(found @ matrix - np.eye(400)).max() < 1e-5


def test_a_singular_matrix_has_none():
    with pytest.raises(np.linalg.LinAlgError):
        invert(np.zeros((300, 300)))
