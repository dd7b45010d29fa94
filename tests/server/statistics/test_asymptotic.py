"""Intervals that may be watched for numbers without bounds."""

import math

import pytest

from tabia.server.statistics import asymptotic

INTERVALS = pytest.mark.parametrize(
    "interval", [asymptotic.interval, asymptotic.t_mixture_interval]
)


@pytest.mark.parametrize("n", [100, 1000, 20_000])
@pytest.mark.parametrize("z", [1.0, 2.7, 2.9, 3.4, 5.0])
def test_an_interval_excludes_nought_where_the_e_value_does(n, z):
    mean, sd = -z * 0.4 / math.sqrt(n), 0.4
    low, high = asymptotic.interval(n, mean, sd, 0.05, 1000)
    evidence = asymptotic.log_e_value(n, mean, sd, 0.05, 1000)
    assert (low > 0 or high < 0) == (evidence > -math.log(0.05))


@INTERVALS
def test_units_that_are_all_alike_bound_no_mean(interval):
    assert asymptotic.log_e_value(500, 1.0, 0.0, 0.05, 1000) == 0
    assert interval(500, 1.0, 0.0, 0.05, 1000) == (-math.inf, math.inf)


@INTERVALS
def test_nothing_is_offered_early(interval):
    assert interval(99, 1.0, 0.5, 0.05, 1000) == (-math.inf, math.inf)
    low, high = interval(400, 1.0, 0.5, 0.05, 1000)
    assert 0.8 < low < 1 < high < 1.2


@pytest.mark.parametrize("se", [-1.0, math.nan])
def test_what_is_no_standard_error_is_refused(se):
    with pytest.raises(ValueError, match="a standard error is a number that is not negative"):
        asymptotic.watched_half_width(se, 500, 0.05, 1000)
