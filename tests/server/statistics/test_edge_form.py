"""Sums over who met whom, against the matrix that they stand for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.statistics.edge_form import EdgeForm, conjugate_gradients


def drawn(players, rows, shared, rng):
    """A form with two players' rows in either order and more than once, positive definite."""
    first = rng.integers(0, players, rows)
    second = (first + rng.integers(1, players, rows)) % players
    weight = rng.uniform(0.5, 2, rows)
    cross = rng.normal(size=(rows, shared)) * 0.3
    inner = np.eye(shared) * 3 + cross.T @ (cross / weight[:, None])
    return EdgeForm(players, first, second, weight, cross, inner)


def written_out(form):
    """A by its definition, row of games by row."""
    n, q = form.players, len(form.inner)
    matrix = np.zeros((n + q, n + q))
    matrix[n:, n:] = form.inner
    for one, other, weight, cross in zip(
        form.first, form.second, form.weight, form.cross, strict=True
    ):
        difference = np.zeros(n + q)
        difference[one], difference[other] = 1, -1
        shared = np.concatenate([np.zeros(n), cross])
        matrix += weight * np.outer(difference, difference)
        matrix += np.outer(difference, shared) + np.outer(shared, difference)
    return matrix


@given(st.integers(2, 30), st.integers(0, 60), st.integers(0, 2), st.integers(0, 2**32 - 1))
def test_a_form_is_its_matrix(players, rows, shared, seed):
    """Of few players who met often, and of many who hardly did."""
    rng = np.random.default_rng(seed)
    form = drawn(players, rows, shared, rng)
    matrix = written_out(form)
    columns = rng.normal(size=(players + shared, 5))
    for same in (form, form.merged()):
        assert same.dense() == pytest.approx(matrix, abs=1e-12)
        assert same.apply(columns[:, 0]) == pytest.approx(matrix @ columns[:, 0], abs=1e-12)
        assert same.diagonal() == pytest.approx(np.diagonal(matrix), abs=1e-12)
        expected = np.diagonal(columns.T @ matrix @ columns)
        assert same.values(columns) == pytest.approx(expected, abs=1e-11)
        assert same.values(columns.astype(np.float32)) == pytest.approx(
            expected, rel=1e-4, abs=1e-4
        )


def test_merging_leaves_one_row_for_any_two_players():
    form = EdgeForm(
        5,
        np.array([3, 1, 3, 4]),
        np.array([1, 3, 1, 0]),
        np.array([1.0, 2.0, 4.0, 8.0]),
        np.array([[1.0], [10.0], [100.0], [1000.0]]),
        np.array([[1.0]]),
    )
    merged = form.merged()
    assert (merged.first.tolist(), merged.second.tolist()) == ([0, 1], [4, 3])
    assert merged.weight.tolist() == [8, 7]
    # The cross terms go with the difference, which is turned round.
    assert merged.cross.tolist() == [[-1000], [10 - 101]]


def test_forms_add_up_and_are_multiplied():
    rng = np.random.default_rng(1)
    one, other = (drawn(12, rows, 2, rng) for rows in (9, 30))
    total = one.plus(other.times(2.5))
    assert total.dense() == pytest.approx(written_out(one) + 2.5 * written_out(other), abs=1e-12)


def test_a_system_is_solved_without_its_matrix():
    rng = np.random.default_rng(2)
    form = drawn(60, 400, 2, rng)
    right = rng.normal(size=62)
    right[:60] -= right[:60].mean()  # nothing changes the sum of the ratings
    found = conjugate_gradients(form.apply, form.diagonal(), right, 1e-12)
    assert written_out(form) @ found == pytest.approx(right, abs=1e-9)
