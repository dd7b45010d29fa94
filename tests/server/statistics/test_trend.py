"""Effects over node budgets: slope, its interval, and the label."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from tabia.server.statistics.trend import (
    TrendError,
    chi2_tail,
    heterogeneity,
    trend,
    watched,
)

LEVELS = [1, 4, 16]


def test_the_slope_is_per_doubling():
    found = trend(LEVELS, [0.09, 0.05, 0.01], [0.01] * 3)
    assert found.slope == pytest.approx(-0.02)
    # Doublings 0, 2, 4: the squares about their mean sum to 8.
    assert found.high - found.slope == pytest.approx(1.959964 * 0.01 / math.sqrt(8))
    # Budgets count by their ratio, not in nodes.
    assert trend([500, 2000, 8000], [0.09, 0.05, 0.01], [0.01] * 3) == pytest.approx(found)


def test_weights_are_those_of_least_squares():
    y, se = np.array([0.05, 0.02, 0.04, -0.01]), np.array([0.01, 0.02, 0.005, 0.03])
    x = np.array([0.0, 1, 2, 3])
    (slope, _), covariance = np.polyfit(x, y, 1, w=1 / se, cov="unscaled")
    found = trend(2**x, y, se)
    assert found.slope == pytest.approx(slope)
    assert found.high - slope == pytest.approx(1.959964 * math.sqrt(covariance[0, 0]))


def test_the_interval_holds_the_slope_as_often_as_it_says():
    rng = np.random.default_rng(1)
    truth, se = np.array([0.03, 0.02, 0.01]), np.array([0.008, 0.008, 0.02])
    held = []
    for y in rng.normal(truth, se, (2000, 3)):
        _, low, high, _ = trend([1, 2, 4], y, se)
        held.append(low <= -0.01 <= high)
    assert np.mean(held) == pytest.approx(0.95, abs=0.015)


def test_a_sign_flip_is_found_at_the_size_of_a_real_experiment():
    """4000 paired units a level, sd .47, effects .02, 0, -.02 at 1x, 2x, 4x: power about .97."""
    rng = np.random.default_rng(2)
    se = np.full(3, 0.47 / math.sqrt(4000))
    labels = [trend([1, 2, 4], y, se).label for y in rng.normal([0.02, 0, -0.02], se, (1000, 3))]
    assert labels.count("strength-dependent") / 1000 == pytest.approx(0.97, abs=0.02)
    halving = [
        trend([1, 2, 4], y, se).label == "strength-dependent"
        for y in rng.normal([0.02, 0.01, 0.005], se, (1000, 3))
    ]
    assert np.mean(halving) == pytest.approx(0.30, abs=0.06)


@pytest.mark.parametrize(
    ("values", "errors", "label"),
    [
        ([0.06, 0.06, 0.06], [0.005] * 3, "robust"),
        ([-0.06, -0.06, -0.06], [0.005] * 3, "robust"),
        ([0.04, 0.06, 0.08], [0.005] * 3, "robust"),  # it grows with strength
        ([0.09, 0.05, 0.01], [0.005] * 3, "strength-dependent"),
        ([0.05, 0.0, -0.05], [0.005] * 3, "strength-dependent"),
        ([0.06, 0.06, 0.06], [0.05] * 3, "tested only"),  # not shown at the top
        ([0.06, 0.06, 0.02], [0.03, 0.03, 0.009], "tested only"),  # it may be gone soon
        ([0.01, -0.01, 0.01], [0.01] * 3, "tested only"),
    ],
)
def test_the_label_says_what_was_shown(values, errors, label):
    assert trend(LEVELS, values, errors).label == label


def test_watched_levels_give_the_extremes_of_the_slope():
    lows, highs = np.array([0.0, -0.1, -0.2]), np.array([0.2, 0.1, 0.1])
    found = watched(LEVELS, [0.1, 0.0, 0.0], lows, highs)
    slopes = [
        np.polyfit([0, 2, 4], corner, 1)[0]
        for corner in np.array(np.meshgrid(*zip(lows, highs, strict=True))).reshape(3, -1).T
    ]
    assert (found.low, found.high) == (pytest.approx(min(slopes)), pytest.approx(max(slopes)))
    assert found.slope == pytest.approx(-0.025)
    assert found.label == "tested only"


def test_a_level_that_was_not_begun_is_open():
    found = watched(LEVELS, [0.1, 0.1, 0], [0.05, 0, -math.inf], [0.15, 0.2, math.inf])
    assert (found.low, found.high, found.label) == (-math.inf, math.inf, "tested only")
    # The middle level has no share in the ordinary slope of three equal steps.
    found = watched(LEVELS, [0.1, 0, 0.1], [0.05, -math.inf, 0.05], [0.15, math.inf, 0.15])
    assert np.isfinite([found.low, found.high]).all()


def test_watched_intervals_can_show_a_dependence():
    found = watched(LEVELS, [0.2, 0.1, 0.0], [0.18, 0.08, -0.02], [0.22, 0.12, 0.02])
    assert found.label == "strength-dependent"
    found = watched(LEVELS, [0.2, 0.2, 0.2], [0.19] * 3, [0.21] * 3)
    assert found.label == "robust"


def test_a_level_that_was_not_measured_is_left_out():
    whole = trend([1, 4], [0.1, 0.05], [0.01, 0.01])
    assert trend(LEVELS, [0.1, 0.05, 0.0], [0.01, 0.01, math.inf]) == pytest.approx(whole)


def test_effects_without_any_spread_have_a_trend():
    """A tweak that never matters: all differences are 0, and so are their errors."""
    nothing = trend(LEVELS, [0, 0, 0], [0, 0, 0])
    assert nothing.slope == 0
    assert nothing.label == "tested only"
    assert heterogeneity([0, 0, 0], [0, 0, 0]).p_value == 1
    assert trend(LEVELS, [0, 0, 0.1], [0, 0, 0]).label == "strength-dependent"


def test_heterogeneity_is_cochrans():
    """Under one common effect the p-value is uniform; an odd one out is found."""
    rng = np.random.default_rng(3)
    p = [
        heterogeneity(y, [0.01, 0.02, 0.03]).p_value
        for y in rng.normal(0.05, [0.01, 0.02, 0.03], (2000, 3))
    ]
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.015)
    assert np.mean(p) == pytest.approx(0.5, abs=0.03)
    found = heterogeneity([0.05, 0.05, 0.15], [0.01] * 3)
    assert found.q == pytest.approx(2 / 3 * 100)
    assert found.p_value < 1e-10
    assert heterogeneity([0.3], [0.1]) == (0, 0, 1)


@given(st.floats(0, 2000), st.integers(1, 40))
def test_the_tail_of_chi_squared(value, dof):
    assert chi2_tail(value, dof) == pytest.approx(chi2.sf(value, dof), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(
    "arguments",
    [
        ([1], [0.1], [0.1]),
        ([1, 1], [0.1, 0.2], [0.1, 0.1]),
        ([1, 4], [0.1, 0.2], [0.1, math.inf]),
        ([1, 0], [0.1, 0.2], [0.1, 0.1]),
        ([1, 4], [0.1, 0.2], [0.1, -0.1]),
        ([1, 4], [0.1, math.nan], [0.1, 0.1]),
        ([1, 4], [0.1], [0.1, 0.1]),
        ([1, 4], [0.1, 0.1], [0.1, math.nan]),
    ],
)
def test_what_has_no_trend_is_refused(arguments):
    with pytest.raises(TrendError):
        trend(*arguments)


def test_watched_values_lie_in_their_intervals():
    with pytest.raises(TrendError, match="inside"):
        watched([1, 4], [0.1, 0.2], [0.0, 0.3], [0.2, 0.4])
    with pytest.raises(TrendError, match="two different"):
        watched([4, 4], [0.1, 0.2], [0.0, 0.1], [0.2, 0.4])
