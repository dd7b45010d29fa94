"""Confidence sequences and e-values by betting."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.statistics.confidence import (
    anytime_p_value,
    interval,
    log_e_value,
    log_uniform,
    tuned,
)

PAIRS = np.linspace(0, 1, 5)

counts = st.lists(st.integers(min_value=0, max_value=3000), min_size=5, max_size=5)


def scores(cells):
    return np.linspace(0, 1, len(cells))


@pytest.mark.reference("confidence", "log_uniform")
def test_log_uniform_intervals_are_the_reference_s(row, close):
    mixture = log_uniform(row["points"], row["low"], row["high"])
    low, high = interval(row["counts"], scores(row["counts"]), row["alpha"], mixture)
    assert low == close(row["interval"][0], row["rtol"])
    assert high == close(row["interval"][1], row["rtol"])


@pytest.mark.reference("confidence", "tuned")
def test_tuned_intervals_are_the_reference_s(row, close):
    mixture = tuned(row["units"], row["variance"], row["alpha"], row["points"], row["reach"])
    low, high = interval(row["counts"], scores(row["counts"]), row["alpha"], mixture)
    assert low == close(row["interval"][0], row["rtol"])
    assert high == close(row["interval"][1], row["rtol"])


@pytest.mark.reference("confidence", "log_e")
def test_e_values_are_the_reference_s(row, close):
    mixture = log_uniform(row["points"], row["low"], row["high"])
    found = log_e_value(row["counts"], scores(row["counts"]), row["mean"], mixture)
    assert found == close(row["log_e"], row["rtol"])


def test_a_bet_on_the_true_mean_is_fair():
    """The mean fortune over every sequence of four games is 1, whatever is bet on."""
    law = np.array([0.2, 0.5, 0.3])
    support = np.array([0.0, 0.5, 1.0])
    mean = float(law @ support)
    for mixture in (log_uniform(), tuned(100, 0.1)):
        expected = 0.0
        for sequence in np.ndindex(3, 3, 3, 3):
            cells = np.bincount(sequence, minlength=3)
            chance = np.prod(law[list(sequence)])
            expected += chance * math.exp(log_e_value(cells, support, mean, mixture))
        assert expected == pytest.approx(1, rel=1e-12)


@given(counts, st.sampled_from([0.001, 0.05, 0.3]))
def test_an_interval_holds_its_mean_and_ends_where_the_evidence_reaches_its_level(cells, alpha):
    low, high = interval(cells, PAIRS, alpha)
    assert 0 <= low <= high <= 1
    if sum(cells) == 0:
        assert (low, high) == (0, 1)
        return
    mean = np.dot(cells, PAIRS) / sum(cells)
    assert low <= mean <= high
    # Just inside an end the evidence is below its level, just outside above.
    for end, outwards in ((low, -1), (high, 1)):
        if 1e-6 < end < 1 - 1e-6:
            step = 1e-7 * outwards
            assert log_e_value(cells, PAIRS, end - step) < -math.log(alpha)
            assert log_e_value(cells, PAIRS, end + step) > -math.log(alpha)


@given(counts)
def test_mirrored_outcomes_give_the_mirrored_interval(cells):
    low, high = interval(cells, PAIRS)
    mirrored_low, mirrored_high = interval(cells[::-1], PAIRS)
    assert mirrored_low == pytest.approx(1 - high, abs=1e-9)
    assert mirrored_high == pytest.approx(1 - low, abs=1e-9)


@pytest.mark.parametrize(
    "cells",
    [[0, 0, 0], [1, 0, 0], [0, 0, 3], [0, 1_000_000, 0], [1_000_000, 0, 0], [1, 0, 1_000_000]],
)
def test_degenerate_counts_have_an_interval(cells):
    low, high = interval(cells, [0, 0.5, 1])
    assert 0 <= low < high <= 1


def test_all_alike_at_an_end_cannot_exclude_that_end():
    assert interval([0, 0, 50], [0, 0.5, 1])[1] == 1
    assert interval([50, 0, 0], [0, 0.5, 1])[0] == 0


def test_the_interval_covers_at_every_look_together():
    """800 experiments, each looked at after every 8 of 1600 units, on skewed and drawish laws.

    The share that ever excludes the truth is at most alpha; peeking at a 95 % interval of a fixed
    sample would exclude it in more than a third.
    """
    rng = np.random.default_rng(4)
    for law in ([0.004, 0.03, 0.93, 0.03, 0.006], [0.98, 0, 0, 0, 0.02], [0.2, 0.1, 0.4, 0.1, 0.2]):
        truth = float(np.dot(law, PAIRS))
        cells = np.cumsum(rng.multinomial(8, law, size=(800, 200)), axis=1)
        ever = np.any(log_e_value(cells, PAIRS, truth) >= -math.log(0.05), axis=1)
        assert ever.mean() <= 0.05
        size = cells.sum(axis=-1)
        mean = cells @ PAIRS / size
        error = np.sqrt((cells @ PAIRS**2 / size - mean**2) / size)
        assert np.any(np.abs(mean - truth) > 1.96 * error, axis=1).mean() > 0.33


def test_tuned_is_narrower_where_it_was_tuned_for():
    cells = np.array([70, 220, 420, 220, 70]) * 2
    wide = np.subtract(*interval(cells, PAIRS)[::-1])
    narrow = np.subtract(*interval(cells, PAIRS, 0.05, tuned(2000, 0.062))[::-1])
    assert narrow < wide


def test_a_p_value_is_never_above_one():
    assert anytime_p_value(-3) == 1
    assert anytime_p_value(0) == 1
    assert anytime_p_value(math.log(20)) == pytest.approx(0.05)


def test_many_experiments_are_one_call():
    rng = np.random.default_rng(5)
    many = rng.multinomial(300, [0.1, 0.2, 0.4, 0.2, 0.1], size=(2, 5))
    low, high = interval(many, PAIRS)
    assert low.shape == high.shape == (2, 5)
    for place in np.ndindex(2, 5):
        assert (low[place], high[place]) == pytest.approx(interval(many[place], PAIRS), abs=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: interval([1, 1], [-1, 1]), r"lie in \[0, 1\]"),
        (lambda: interval([1, 1], [0, 1], 0), "alpha"),
        (lambda: log_e_value([1, 1], [0, 1], 1.0), "mean"),
        (lambda: tuned(0, 0.1), "positive"),
    ],
)
def test_what_cannot_be_bet_on_is_refused_by_name(call, message):
    with pytest.raises(ValueError, match=message):
        call()
