"""The exact log-likelihood ratio of a mean, against references, an optimizer, and by its laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from tabia.server.statistics.elo import score_of
from tabia.server.statistics.gsprt import deviance, llr

PAIRS = np.linspace(0, 1, 5)

# The count sets on which the programs of our peers raise, return NaN or invent evidence.
DEGENERATE = [
    [0, 0, 0, 0, 0],
    [0, 0, 1, 0, 0],
    [0, 0, 1000, 0, 0],
    [0, 0, 1_000_000, 0, 0],
    [0, 0, 999, 1, 0],
    [500, 0, 0, 0, 500],
    [0, 0, 0, 0, 10],
    [10, 0, 0, 0, 0],
    [1_000_000, 0, 0, 0, 0],
    [144, 3, 1, 0, 0],
    [1000, 0, 3000, 0, 1100],
    [1, 0, 0, 0, 1_000_000],
]

counts = st.lists(st.integers(min_value=0, max_value=2000), min_size=5, max_size=5)
means = st.floats(min_value=0.02, max_value=0.98)


def scores(cells):
    return np.linspace(0, 1, len(cells))


@pytest.mark.reference("one_mean", "elo")
def test_elo_bounds_as_in_the_reference(row, close):
    hypotheses = [score_of(elo) for elo in row["elo"]]
    found = llr(row["counts"], scores(row["counts"]), *hypotheses)
    assert found == close(row["llr"], row["rtol"])
    no_empty_cell = np.where(np.array(row["counts"]) == 0, 1e-3, row["counts"])
    found = llr(no_empty_cell, scores(row["counts"]), *hypotheses)
    assert found == close(row["llr_no_empty_cell"], row["rtol"])


@pytest.mark.reference("one_mean", "differences")
def test_differences_of_pairs_as_in_the_reference(row, close):
    assert llr(row["counts"], row["support"], *row["means"]) == close(row["llr"], row["rtol"])


@pytest.mark.reference("one_mean", "peers")
def test_fishtest_says_the_same_of_the_counts_it_makes_up(row):
    no_empty_cell = np.where(np.array(row["counts"]) == 0, 1e-3, row["counts"])
    found = llr(no_empty_cell, scores(row["counts"]), *map(score_of, row["elo"]))
    assert found == pytest.approx(row["llr"], abs=1e-6 * max(1, abs(row["llr"])))


@pytest.mark.parametrize("mean", [0.3, 0.5, 0.62])
@pytest.mark.parametrize(
    "cells", [[3, 10, 30, 20, 5], [0, 4, 30, 9, 0], [0, 0, 0, 0, 10], [0, 7, 0, 0, 0]]
)
def test_no_distribution_with_that_mean_explains_the_counts_better(cells, mean):
    """K(mean) is what an optimizer finds that knows nothing of multipliers."""
    n = np.array(cells, dtype=float)
    seen = n > 0

    def cost(p):
        return -float(n[seen] @ np.log(np.maximum(p[seen], 1e-300)))

    best = minimize(
        cost,
        np.full(5, 0.2),
        bounds=[(0, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ PAIRS - mean},
        ],
        options={"ftol": 1e-14, "maxiter": 2000},
    )
    # At the edge of the simplex the optimizer may give up, on a point that is feasible still.
    assert best.x.sum() == pytest.approx(1, abs=1e-9)
    assert best.x @ PAIRS == pytest.approx(mean, abs=1e-9)
    assert deviance(cells, PAIRS, mean) == pytest.approx(
        best.fun - cost(n / n.sum()), rel=1e-5, abs=1e-5
    )


@given(counts, means)
def test_a_deviance_is_never_negative_and_vanishes_at_the_mean(cells, mean):
    assert deviance(cells, PAIRS, mean) >= -1e-9
    size = sum(cells)
    own = float(np.dot(cells, PAIRS) / size) if size else 0.5
    if 0 < own < 1:
        assert deviance(cells, PAIRS, own) == pytest.approx(0, abs=1e-9)


@given(counts, means, means)
def test_evidence_for_one_is_evidence_against_the_other(cells, s0, s1):
    forth, back = llr(cells, PAIRS, s0, s1), llr(cells, PAIRS, s1, s0)
    assert forth == pytest.approx(-back, abs=1e-9)


@given(counts, means, means)
def test_seen_from_the_other_side_it_is_the_same(cells, s0, s1):
    mirrored = llr(cells[::-1], PAIRS, 1 - s0, 1 - s1)
    assert mirrored == pytest.approx(llr(cells, PAIRS, s0, s1), rel=1e-7, abs=1e-7)


@given(counts, means, means)
def test_twice_the_counts_are_twice_the_evidence(cells, s0, s1):
    doubled = llr([2 * n for n in cells], PAIRS, s0, s1)
    assert doubled == pytest.approx(2 * llr(cells, PAIRS, s0, s1), rel=1e-7, abs=1e-7)


@given(counts, means, means)
def test_a_value_that_was_never_seen_inside_the_support_changes_nothing(cells, s0, s1):
    wider = np.insert(PAIRS, 2, 0.4)
    assert llr(np.insert(cells, 2, 0), wider, s0, s1) == pytest.approx(
        float(llr(cells, PAIRS, s0, s1)), abs=1e-9
    )


@pytest.mark.parametrize("cells", DEGENERATE)
@pytest.mark.parametrize("elo", [5, 100, 1500])
def test_degenerate_counts_have_a_defined_answer(cells, elo):
    assert np.isfinite(llr(cells, PAIRS, 0.5, score_of(elo)))
    assert np.isfinite(llr(cells, PAIRS, score_of(-elo), score_of(elo)))


def test_equal_units_are_evidence_by_the_share_that_would_differ():
    # With mean 0.01 at least one unit in a hundred is worth 1, so that 300 units of worth 0 have at
    # most the chance 0.99^300.
    found = llr([0, 300, 0], [-1, 0, 1], 0, 0.01)
    assert found == pytest.approx(300 * np.log(0.99), rel=1e-9)


def test_many_experiments_are_one_call():
    rng = np.random.default_rng(2)
    many = rng.multinomial(200, [0.1, 0.2, 0.4, 0.2, 0.1], size=(3, 7))
    together = llr(many, PAIRS, 0.5, 0.53)
    assert together.shape == (3, 7)
    alone = [[float(llr(row, PAIRS, 0.5, 0.53)) for row in line] for line in many]
    np.testing.assert_allclose(together, alone, rtol=1e-10)


@pytest.mark.parametrize(
    ("cells", "support", "mean", "message"),
    [
        ([1, 2, 3], [0, 0.5, 1], 0.0, "strictly between"),
        ([1, 2, 3], [0, 0.5, 1], 1.0, "strictly between"),
        ([1, 2], [0, 0.5, 1], 0.5, "need as many counts"),
        ([1, 2, 3], [0, 1, 0.5], 0.5, "increasing order"),
        ([1, -2, 3], [0, 0.5, 1], 0.5, "not negative"),
        ([1, np.nan, 3], [0, 0.5, 1], 0.5, "finite"),
    ],
)
def test_what_cannot_be_tested_is_refused_by_name(cells, support, mean, message):
    with pytest.raises(ValueError, match=message):
        deviance(cells, support, mean)
