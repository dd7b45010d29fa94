"""Bets in closed form."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom

from tabia.server.statistics.confidence import interval
from tabia.server.statistics.e_values import (
    log_e_beta_binomial,
    log_e_universal_portfolio,
    universal_portfolio_interval,
)

PAIRS = np.linspace(0, 1, 5)


def test_the_beta_binomial_bet_is_an_average_of_likelihood_ratios():
    def ratio(rate):
        return (rate / 0.3) ** 7 * ((1 - rate) / 0.7) ** 13 * 6 * rate * (1 - rate)

    assert np.exp(log_e_beta_binomial(7, 20, 0.3, 2, 2)) == pytest.approx(quad(ratio, 0, 1)[0])


def test_a_bet_wins_nothing_on_average():
    """The expectation over all outcomes of ten trials is 1."""
    successes = np.arange(11)
    chances = binom.pmf(successes, 10, 0.3)
    assert chances @ np.exp(log_e_beta_binomial(successes, 10, 0.3)) == pytest.approx(1)


def test_the_interval_is_where_the_bet_has_not_won():
    counts = [12, 60, 110, 75, 20]
    low, high = universal_portfolio_interval(counts, PAIRS, 0.05)
    for end in (low, high):
        assert log_e_universal_portfolio(counts, PAIRS, end) == pytest.approx(np.log(20))
    # It is wider than what we show.
    shown_low, shown_high = interval(counts, PAIRS, 0.05)
    assert low < shown_low < shown_high < high


def test_without_a_unit_nothing_is_excluded():
    assert universal_portfolio_interval([0] * 5, PAIRS) == (0, 1)
    low, high = universal_portfolio_interval([[0, 0, 0, 0, 9], [3, 0, 0, 0, 0]], PAIRS)
    assert (high[0], low[1]) == (1, 0)
    assert low[0] > 0.5
    assert high[1] == pytest.approx(0.75)
