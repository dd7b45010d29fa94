"""Wald's bounds, and what a test costs."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.statistics.sprt import characteristics, wald_bounds

rates = st.floats(min_value=0.001, max_value=0.3)


@pytest.mark.reference("sprt", "bounds")
def test_bounds_are_the_reference_s(row):
    lower, upper = wald_bounds(row["alpha"], row["beta"])
    assert lower == pytest.approx(row["lower"], rel=1e-12)
    assert upper == pytest.approx(row["upper"], rel=1e-12)


@pytest.mark.reference("sprt", "characteristics")
def test_characteristics_are_the_reference_s(row, close):
    bounds = wald_bounds(row["alpha"], row["beta"])
    found = characteristics(row["mean"], row["var"], row["s0"], row["s1"], bounds)
    assert found.accepts_s1 == close(row["accepts_s1"], row["rtol"])
    assert found.expected_units == close(row["expected_units"], row["rtol"])


@given(rates, rates)
def test_at_the_hypotheses_a_test_errs_as_often_as_declared(alpha, beta):
    bounds = wald_bounds(alpha, beta)
    assert characteristics(0.5, 0.05, 0.5, 0.52, bounds).accepts_s1 == pytest.approx(alpha)
    assert characteristics(0.52, 0.05, 0.5, 0.52, bounds).accepts_s1 == pytest.approx(1 - beta)


@given(st.floats(min_value=0, max_value=1), rates, rates)
def test_any_truth_gives_a_probability_and_a_length(mean, alpha, beta):
    found = characteristics(mean, 1e-4, 0.5, 0.501, wald_bounds(alpha, beta))
    assert 0 <= found.accepts_s1 <= 1
    assert 0 < found.expected_units < math.inf


def test_half_way_between_the_hypotheses_it_takes_longest():
    bounds = wald_bounds(0.05, 0.05)
    units = [
        characteristics(mean, 0.05, 0.5, 0.52, bounds).expected_units
        for mean in (0.49, 0.5, 0.505, 0.51, 0.515, 0.52, 0.53)
    ]
    assert max(units) == units[3]
    assert units[0] < units[1] < units[2]
    assert units[6] < units[5] < units[4]


@pytest.mark.parametrize(("alpha", "beta"), [(0, 0.05), (0.05, 1), (0.5, 0.5)])
def test_impossible_error_rates_are_refused(alpha, beta):
    with pytest.raises(ValueError, match="error rates"):
        wald_bounds(alpha, beta)


@pytest.mark.parametrize(("variance", "s1"), [(0, 0.6), (0.1, 0.5)])
def test_no_variance_or_no_difference_is_refused(variance, s1):
    with pytest.raises(ValueError, match="variance"):
        characteristics(0.5, variance, 0.5, s1, wald_bounds(0.05, 0.05))
