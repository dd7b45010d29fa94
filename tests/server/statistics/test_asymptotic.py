"""Intervals that may be watched, for numbers without bounds."""

import math

import numpy as np
import pytest

from tabia.server.statistics.asymptotic import (
    MINIMUM_UNITS,
    boundary,
    interval,
    log_e_value,
    t_mixture_interval,
    watched_half_width,
)


def test_a_watched_interval_is_wider_than_one_read_once_and_narrowest_near_its_plan():
    ratios = boundary([200, 500, 1000, 2000, 4000, 20_000], 0.05, 2000)
    assert np.all(ratios > 2.7)
    assert ratios.argmin() == 3


def test_too_early_there_is_no_interval():
    assert watched_half_width(0.1, MINIMUM_UNITS - 1, 0.05, 500) == np.inf
    assert watched_half_width(0.1, MINIMUM_UNITS, 0.05, 500) < 0.5
    assert watched_half_width(0.1, 0, 0.05, 500) == np.inf
    low, high = t_mixture_interval([0, 1, 99], 4.0, 0.5, 0.05, 500)
    assert np.all(np.isinf(high - low))


def test_the_t_mixture_knows_that_a_deviation_is_estimated():
    low, high = interval(120, 4.5, 0.4, 0.05, 1000)
    t_low, t_high = t_mixture_interval(120, 4.5, 0.4, 0.05, 1000)
    assert t_low < low < 4.5 < high < t_high
    assert t_high - t_low == pytest.approx(high - low, rel=0.05)


def test_many_estimates_are_one_call():
    errors = np.array([10.0, 12.0, 30.0])
    found = watched_half_width(errors, 400, 0.05, 1000)
    assert found == pytest.approx(errors * boundary(400, 0.05, 1000))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: boundary(0, 0.05, 100), "units"),
        (lambda: boundary(10, 0, 100), "alpha"),
        (lambda: boundary(10, 0.05, 0), "n_opt"),
        (lambda: watched_half_width(-1, 500, 0.05, 100), "standard error"),
        (lambda: interval(500, np.nan, 1, 0.05, 100), "mean"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("n", [100, 1000, 20_000])
@pytest.mark.parametrize("z", [1.0, 2.7, 2.9, 3.4, 5.0])
def test_an_interval_excludes_nought_where_the_e_value_does(n, z):
    mean, sd = -z * 0.4 / math.sqrt(n), 0.4
    low, high = interval(n, mean, sd, 0.05, 1000)
    evidence = log_e_value(n, mean, sd, 0.05, 1000)
    assert (low > 0 or high < 0) == (evidence > -math.log(0.05))


@pytest.mark.parametrize("found", [interval, t_mixture_interval])
def test_units_that_are_all_alike_bound_no_mean(found):
    assert log_e_value(500, 1.0, 0.0, 0.05, 1000) == 0
    assert found(500, 1.0, 0.0, 0.05, 1000) == (-math.inf, math.inf)
