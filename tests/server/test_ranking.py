"""Orders of estimates: what is settled, and what is not."""

from __future__ import annotations

import numpy as np
import pytest

from tabia.server.ranking import Precision, Ranking

END = Precision(alpha=0.05, units=1000, budget=1000, watched=False)
RUNNING = Precision(alpha=0.05, units=1000, budget=1000, watched=True)


def ranking(values: list[float], error: float = 1.0, precision: Precision = END) -> Ranking:
    return Ranking.of(values, np.eye(len(values)) * error**2, precision)


def test_the_greatest_is_first_and_of_equals_the_first() -> None:
    assert ranking([1, 5, 3, 5]).order == (1, 3, 2, 0)


def test_neighbours_that_are_too_close_are_named_and_others_are_not() -> None:
    found = ranking([100, 90, 89, 50])
    assert found.close() == [(1, 2)]
    assert found.are_apart(0, 1)


def test_two_estimates_that_err_together_are_told_apart_sooner() -> None:
    together = np.array([[1.0, 0.99], [0.99, 1.0]])
    assert ranking([2, 0]).close() == [(0, 1)]
    assert Ranking.of([2, 0], together, END).close() == []


def test_all_differences_hold_together() -> None:
    """Of rankings of equal players no more than alpha see anybody apart from anybody."""
    rng = np.random.default_rng(1)
    covariance = np.eye(8)
    wrong = 0
    for _ in range(2000):
        found = Ranking.of(rng.standard_normal(8), covariance, END)
        wrong += any(found.are_apart(i, j) for i in range(8) for j in range(i))
    assert wrong / 2000 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 2000)


def test_an_interval_that_may_be_watched_is_wider() -> None:
    assert RUNNING.width() > END.width() == pytest.approx(1.96, abs=1e-3)
    assert END.interval(5, 2) == {
        "value": 5, "low": pytest.approx(1.08, abs=1e-2), "high": pytest.approx(8.92, abs=1e-2)
    }  # fmt: skip


def test_early_on_an_interval_has_no_ends() -> None:
    early = Precision(alpha=0.05, units=16, budget=1000, watched=True)
    assert early.interval(5, 2) == {"value": 5, "low": None, "high": None}
    assert ranking([1000, 0], precision=early).close() == [(0, 1)]


@pytest.mark.parametrize("precision", [END, RUNNING])
def test_without_a_measure_of_its_error_nothing_is_exact(precision: Precision) -> None:
    assert precision.interval(1, 0) == {"value": 1, "low": None, "high": None}
    assert not ranking([300, 0], error=0, precision=precision).are_apart(0, 1)


@pytest.mark.parametrize(
    ("values", "contradicted", "still_open"),
    [
        ([100, 50, 0], [], []),
        ([100, 51, 50], [], [(1, 2)]),
        ([50, 51, 0], [], [(0, 1)]),
        ([0, 50, 100], [(0, 1), (0, 2), (1, 2)], [(0, 1), (1, 2)]),
    ],
)
def test_an_expected_order_is_settled_contradicted_or_open(
    values: list[float], contradicted: list[tuple[int, int]], still_open: list[tuple[int, int]]
) -> None:
    found = ranking(values)
    assert found.contradicted([0, 1, 2]) == contradicted
    assert found.open([0, 1, 2]) == still_open
