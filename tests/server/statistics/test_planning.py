"""What a test will cost."""

import numpy as np
import pytest

from tabia.server.statistics.planning import (
    coupled_variance,
    effort,
    length,
    plan,
    unpaired_variance,
)

# Simulated with 5,000 experiments each, in units of sigma^2 / margin^2, errors of 0.05.
SIMULATED = {0: 8.5, 0.25: 9.6, 0.5: 11.2, 0.75: 9.5, 1: 6.6, 2: 2.45}


@pytest.mark.parametrize("effect", SIMULATED)
def test_sobel_and_wald_s_test_is_as_long_as_simulated(effect):
    assert length("sobel-wald", effect).mean == pytest.approx(SIMULATED[effect], rel=0.02)
    assert length("sobel-wald", -effect) == length("sobel-wald", effect)


def test_nineteen_in_twenty_are_over_by_then():
    assert length("sobel-wald", 0).p95 == pytest.approx(16.6, rel=0.03)
    assert length("gsprt", 0.5).p95 == pytest.approx(2.5 * 8.67, rel=0.06)


def test_the_length_of_a_test_is_that_of_a_simulated_path():
    rng = np.random.default_rng(4)
    x = np.cumsum(rng.normal(0.3 * 0.01, 0.1, size=(2000, 6000)), axis=1)
    u = 0.01 * np.arange(1, 6001)
    plus, minus = x - u / 2, -x - u / 2
    lower, upper = np.log(0.05 / 0.975) + 0.058, np.log(0.95 / 0.025) - 0.058
    first = {
        (name, bound): np.where(hit.any(1), hit.argmax(1), 9999)
        for name, path in (("+", plus), ("-", minus))
        for bound, hit in (("up", path >= upper), ("down", path <= lower))
    }
    higher = np.where(first["+", "up"] < first["+", "down"], first["+", "up"], 9999)
    opposite = np.where(first["-", "up"] < first["-", "down"], first["-", "up"], 9999)
    level = np.maximum(first["+", "down"], first["-", "down"])
    ended = u[np.minimum(np.minimum(np.minimum(higher, opposite), level), 5999)]
    assert length("sobel-wald", 0.3).mean == pytest.approx(ended.mean(), rel=0.06)
    assert length("sobel-wald", 0.3).p95 == pytest.approx(np.quantile(ended, 0.95), rel=0.08)


def test_a_sequential_test_is_shorter_than_a_fixed_sample():
    fixed = length("fixed", 0).mean
    assert fixed == pytest.approx(10.82, abs=0.01)
    assert length("gsprt", 0).mean == pytest.approx(5.30, abs=0.01)
    assert length("gsprt", 0.5).mean == pytest.approx(8.67, abs=0.01)


def test_half_of_the_margin_takes_four_times_as_long():
    wide, narrow = (plan("sobel-wald", margin, 0.0355) for margin in (0.02, 0.01))
    assert narrow.none.mean == pytest.approx(4 * wide.none.mean)
    assert narrow.budget == pytest.approx(4 * wide.budget, abs=4)


def test_the_budget_is_enough_for_nineteen_in_twenty():
    found = plan("sobel-wald", 0.03, 0.17)
    assert found.budget == pytest.approx(28 * 0.17 / 0.03**2, rel=0.02)
    assert found.halfway.p95 <= 1.02 * found.budget


def test_games_and_core_hours():
    assert effort(1800, 2, 1.0) == (3600, 1.0)


def test_coupling_saves_games_for_the_same_overall_effect_only():
    whole = plan("sobel-wald", 0.02, coupled_variance(0.35, 1)).none.mean
    same_effect = plan("sobel-wald", 0.02, coupled_variance(0.35, 0.1)).none.mean
    assert same_effect == pytest.approx(0.1 * whole)
    # The same effect on every touched unit, and one unit in ten touched: ten times the units.
    rarer = plan("sobel-wald", 0.1 * 0.02, coupled_variance(0.35, 0.1)).none.mean
    assert rarer == pytest.approx(10 * whole)


def test_unpaired_arms_have_both_variances():
    assert unpaired_variance(0.17, 0.18) == pytest.approx(0.35)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plan("gsprt", 0, 0.1), "margin"),
        (lambda: plan("gsprt", 0.1, 0), "variance"),
        (lambda: plan("gsprt", 1e-12, 0.1), "cannot be tested"),
        (lambda: plan("fixed", 0.1, 0.1, 0.6, 0.6), "error rates"),
        (lambda: length("anova", 0), "a rule is"),
        (lambda: coupled_variance(0.1, 1.5), "share"),
        (lambda: effort(-1, 2, 1), "not negative"),
    ],
)
def test_what_cannot_be_planned_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
