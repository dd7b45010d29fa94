"""The exact log-likelihood ratio of a difference of two independent means."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from tabia.server.statistics import gsprt
from tabia.server.statistics.two_arm import deviance, llr

GAME = np.array([0.0, 0.5, 1.0])

counts = st.lists(st.integers(min_value=0, max_value=2000), min_size=3, max_size=3)
differences = st.floats(min_value=-0.95, max_value=0.95)


@pytest.mark.reference("two_arm", "rows")
def test_as_in_the_reference(row, close):
    support = np.linspace(0, 1, len(row["a"]))
    assert llr(row["a"], row["b"], support, *row["deltas"]) == close(row["llr"], row["rtol"])
    _, means = deviance(row["a"], row["b"], support, row["deltas"])
    for found, expected in zip(means, row["means_a"], strict=True):
        assert found == pytest.approx(expected, abs=1e-6)


@given(counts, counts, differences)
def test_no_pair_of_means_with_that_difference_explains_the_counts_better(a, b, delta):
    """The minimum over mu, found by a search that knows nothing of slopes."""

    def cost(mu):
        return float(gsprt.deviance(a, GAME, mu) + gsprt.deviance(b, GAME, mu - delta))

    low, high = max(0, delta), min(1, 1 + delta)
    best = minimize_scalar(
        cost, bounds=(low + 1e-12, high - 1e-12), method="bounded", options={"xatol": 1e-10}
    )
    found, _ = deviance(a, b, GAME, delta)
    assert found <= best.fun + 1e-7
    assert found == pytest.approx(best.fun, rel=1e-4, abs=1e-4)


@given(counts, counts, differences, differences)
def test_with_the_arms_exchanged_it_is_the_same(a, b, d0, d1):
    assert llr(b, a, GAME, -d0, -d1) == pytest.approx(
        float(llr(a, b, GAME, d0, d1)), rel=1e-6, abs=1e-6
    )


@given(counts, counts)
def test_the_observed_difference_is_explained_best(a, b):
    if sum(a) == 0 or sum(b) == 0:
        return
    observed = float(np.dot(a, GAME) / sum(a) - np.dot(b, GAME) / sum(b))
    if abs(observed) < 1:
        assert deviance(a, b, GAME, observed)[0] == pytest.approx(0, abs=1e-6)


def test_an_arm_of_great_size_is_a_known_mean():
    known = [4_000_000, 2_000_000, 4_000_000]
    found = llr([300, 300, 400], known, GAME, 0, 0.03)
    assert found == pytest.approx(float(gsprt.llr([300, 300, 400], GAME, 0.5, 0.53)), abs=1e-3)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([0, 0, 0], [0, 0, 0]),
        ([0, 0, 0], [3, 0, 1]),
        ([10, 0, 0], [10, 0, 0]),
        ([0, 10, 0], [0, 10, 0]),
        ([0, 0, 10], [0, 0, 10]),
        ([0, 0, 10], [10, 0, 0]),
        ([10, 0, 0], [0, 0, 10]),
        ([0, 0, 1_000_000], [0, 0, 1]),
        ([1, 0, 1_000_000], [1_000_000, 0, 1]),
    ],
)
@pytest.mark.parametrize("margin", [0.001, 0.03, 0.5])
def test_degenerate_counts_have_a_defined_answer(a, b, margin):
    found, means = deviance(a, b, GAME, [-margin, 0, margin])
    assert np.all(np.isfinite(found))
    assert np.all((means >= 0) & (means <= 1))


def test_arms_that_are_all_alike_say_how_little_they_can_differ():
    # A mean 0.03 above 0: three games in a hundred of either arm would be worth 1, or six draws.
    assert llr([10, 0, 0], [10, 0, 0], GAME, 0, 0.03) == pytest.approx(10 * np.log(0.97))


def test_many_experiments_are_one_call():
    rng = np.random.default_rng(3)
    a, b = rng.multinomial(150, [0.3, 0.3, 0.4], size=(2, 6))
    together = llr(a, b, GAME, 0, 0.05)
    alone = [float(llr(*row, GAME, 0, 0.05)) for row in zip(a, b, strict=True)]
    np.testing.assert_allclose(together, alone, rtol=1e-8)


@pytest.mark.parametrize("difference", [-1.0, 1.0, 1.5])
def test_an_impossible_difference_is_refused(difference):
    with pytest.raises(ValueError, match="strictly between"):
        deviance([1, 2, 3], [1, 2, 3], GAME, difference)
