"""Intervals that may be watched, for numbers without bounds."""

import numpy as np
import pytest

from tabia.server.statistics.asymptotic import (
    MINIMUM_UNITS,
    boundary,
    interval,
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
