"""Entropy and the effective number of different things."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.statistics.diversity import diversity

LAWS = {
    "even": np.ones(20) / 20,
    "geometric": 0.7 ** np.arange(30) / np.sum(0.7 ** np.arange(30)),
    "one favourite": np.array([0.9, 0.05, 0.03, 0.02]),
}


@given(st.integers(1, 40), st.integers(50, 5000))
def test_equally_frequent_things_are_as_many_as_there_are(different, each):
    found = diversity([each] * different)
    assert found.different == different
    # Miller and Madow's term is (K - 1) / 2N.
    extra = (different - 1) / (2 * different * each)
    assert found.entropy == pytest.approx(math.log(different) + extra)
    assert found.effective == pytest.approx(different * math.exp(extra))
    assert found.se == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("law", LAWS)
def test_the_correction_takes_the_bias_away(law):
    p = LAWS[law]
    rng = np.random.default_rng(1)
    entropy = -np.sum(p * np.log(p))
    samples = rng.multinomial(200, p, 2000)
    plain = [-np.sum(n[n > 0] / 200 * np.log(n[n > 0] / 200)) for n in samples]
    corrected = [diversity(n).entropy for n in samples]
    assert abs(np.mean(corrected) - entropy) < 0.4 * abs(np.mean(plain) - entropy)


@pytest.mark.parametrize("law", LAWS)
def test_the_interval_holds_the_truth_as_often_as_it_says(law):
    p = LAWS[law]
    rng = np.random.default_rng(2)
    effective = math.exp(-np.sum(p * np.log(p)))
    found = [diversity(n) for n in rng.multinomial(500, p, 500)]
    assert np.mean([f.interval[0] <= effective <= f.interval[1] for f in found]) > 0.93
    if law != "even":  # whose entropy hardly varies at all
        spread = np.std([f.entropy for f in found])
        assert np.mean([f.se for f in found]) == pytest.approx(spread, rel=0.1)


def test_the_jackknife_is_the_one_by_hand():
    counts = [5, 3, 1]

    def entropy(n):
        n = np.array([x for x in n if x])
        p = n / n.sum()
        return -np.sum(p * np.log(p)) + (n.size - 1) / (2 * n.sum())

    without = [entropy([4, 3, 1])] * 5 + [entropy([5, 2, 1])] * 3 + [entropy([5, 3])]
    variance = 8 / 9 * np.sum((np.array(without) - np.mean(without)) ** 2)
    found = diversity(counts)
    assert found.entropy == pytest.approx(entropy(counts))
    assert found.se == pytest.approx(math.sqrt(variance))


def test_when_much_is_unseen_there_is_no_interval():
    found = diversity([1] * 30 + [2] * 10)
    assert found.unseen == pytest.approx(0.6)
    assert found.interval is None
    assert diversity([100, 50, 1]).interval is not None


def test_nothing_and_one_thing():
    assert diversity([]) == (0, 0, 1, None, 0, 1)
    assert diversity([0, 0]) == diversity([])
    assert diversity([1]) == (0, 0, 1, None, 1, 1)
    assert diversity([7, 0]) == (0, 0, 1, (1, 1), 1, 0)


@given(st.lists(st.integers(0, 50), max_size=30))
def test_every_sample_has_an_answer(counts):
    found = diversity(counts)
    assert all(math.isfinite(value) for value in found[:3])
    assert found.effective >= 1
    if found.interval:
        assert (
            1 <= found.interval[0] <= found.effective * (1 + 1e-9) <= found.interval[1] * (1 + 1e-6)
        )


def test_negative_counts_are_refused():
    with pytest.raises(ValueError, match="not negative"):
        diversity([3, -1])
