"""The exact log-likelihood ratio of normalized Elo, by its laws and against a search of its own."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.statistics import gsprt
from tabia.server.statistics.elo import NELO_PER_SIGMA, normalized_elo
from tabia.server.statistics.normalized import closed_form, deviance, llr

PAIRS = np.linspace(0, 1, 5)
counts = st.lists(st.integers(min_value=0, max_value=2000), min_size=5, max_size=5)
nelos = st.floats(min_value=-400, max_value=400)


def t_of(p):
    mean = p @ PAIRS
    return (mean - 0.5) / math.sqrt(p @ (PAIRS - mean) ** 2)


def best_of_a_search(cells, nelo):
    """The deviance by brute force: distributions on a grid, moved to the t in question.

    Every distribution is tilted by exp(x a) until it has this t; the best of them is an upper bound
    of the deviance, and a close one.
    """
    n = np.array(cells, dtype=float)
    t = nelo * math.sqrt(2) / NELO_PER_SIGMA
    share = n / n.sum()
    grid = np.geomspace(0.3, 3, 7)
    best = math.inf
    for weights in np.stack(np.meshgrid(*[grid] * 4), axis=-1).reshape(-1, 4):
        shape = share * np.concatenate([[1], weights])
        low, high = -60.0, 60.0
        for _ in range(50):
            x = (low + high) / 2
            p = shape * np.exp(x * (PAIRS - 0.5))
            p /= p.sum()
            low, high = (x, high) if t_of(p) < t else (low, x)
        best = min(best, float(n @ np.log(share / p)))
    return best


@pytest.mark.parametrize("nelo", [-40, 30, 90])
def test_no_distribution_of_that_normalized_elo_explains_the_counts_much_better(nelo):
    cells = [3, 10, 30, 20, 5]
    found = deviance(cells, nelo)
    searched = best_of_a_search(cells, nelo)
    assert found <= searched + 1e-9
    assert found == pytest.approx(searched, abs=0.1)


def best_half_space(cells, nelo):
    """The deviance as the lowest, or highest, of those of half-spaces: a grid of c and s, refined.

    It takes no step from one half-space to the next, so that no step can lead it astray.
    """
    n, t = np.array(cells, dtype=float), nelo * math.sqrt(2) / NELO_PER_SIGMA
    if t < 0:
        n, t = n[::-1], -t
    mean = n @ PAIRS / n.sum()
    rising = mean - 0.5 > t * math.sqrt(n @ (PAIRS - mean) ** 2 / n.sum())
    cs, ss = (0.0, 1.0), (1e-4, 0.6)
    for _ in range(5):
        c, s = (each.ravel() for each in np.meshgrid(np.linspace(*cs, 61), np.geomspace(*ss, 61)))
        a = PAIRS - 0.5 - t / 2 * (s[:, None] + (PAIRS - c[:, None]) ** 2 / s[:, None])
        feasible = (a.max(axis=1) > 0) & ((a @ n > 0) if rising else True)
        c, s, a = c[feasible], s[feasible], a[feasible]
        order = np.argsort(a, axis=1)
        rows = np.take_along_axis(np.broadcast_to(n, a.shape), order, axis=1)
        k, _ = gsprt.greatest_growth(rows, np.take_along_axis(a, order, axis=1))
        best = k.argmax() if rising else k.argmin()
        reach, ratio = (cs[1] - cs[0]) / 8, (ss[1] / ss[0]) ** 0.125
        cs = max(0, c[best] - reach), min(1, c[best] + reach)
        ss = s[best] / ratio, s[best] * ratio
    return k[best]


@pytest.mark.parametrize("nelo", [-1500, -500, -60, 25, 300, 800])
@pytest.mark.parametrize(
    "cells",
    [
        [12, 53, 104, 59, 15],
        [0, 0, 999, 1, 0],
        [144, 3, 1, 0, 0],
        [0, 3, 0, 4, 0],
        [5, 0, 0, 0, 1],
        [0, 0, 0, 0, 10],
        [3, 257, 63, 0, 1],
        [1, 5, 0, 2, 8],
    ],
)
def test_it_is_the_best_of_all_half_spaces(cells, nelo):
    assert deviance(cells, nelo) == pytest.approx(best_half_space(cells, nelo), rel=1e-4, abs=1e-4)


@given(counts, nelos)
def test_a_deviance_is_never_negative_and_vanishes_at_the_counts_own(cells, nelo):
    assert deviance(cells, nelo) >= -1e-9
    own = normalized_elo(cells)
    if own is not None and abs(own) < 5000:
        assert deviance(cells, own) == pytest.approx(0, abs=1e-6)


@given(counts, nelos, nelos)
def test_seen_from_the_other_side_it_is_the_same(cells, nelo0, nelo1):
    mirrored = llr(cells[::-1], -nelo0, -nelo1)
    assert mirrored == pytest.approx(llr(cells, nelo0, nelo1), rel=1e-6, abs=1e-6)


@given(counts, nelos, nelos)
def test_twice_the_counts_are_twice_the_evidence(cells, nelo0, nelo1):
    doubled = llr([2 * n for n in cells], nelo0, nelo1)
    assert doubled == pytest.approx(2 * llr(cells, nelo0, nelo1), rel=1e-6, abs=1e-6)


def test_nought_is_the_mean_of_one_half():
    cells = [3, 10, 30, 20, 5]
    assert deviance(cells, 0) == pytest.approx(float(gsprt.deviance(cells, PAIRS, 0.5)))


def test_the_lowest_of_several_minima_is_found():
    # 82 pairs of a quarter and two of 1, and an Elo far below: all but one or two in a thousand
    # pairs of score 1 have to go, which costs little. Gathering the units at 0 costs a hundred.
    assert deviance([0, 82, 0, 0, 2], -1500) == pytest.approx(2.4507, abs=1e-3)


def test_level_pairs_are_no_evidence():
    """The first mover always wins: whatever the bounds, nothing is said about either player."""
    assert llr([0, 0, 1000, 0, 0], 0, 5) == 0
    assert not gsprt.informative([0, 0, 1000, 0, 0])


def test_the_closed_form_is_close_and_finite_where_others_give_up():
    cells = [40, 210, 510, 250, 60]
    assert closed_form(cells, 0, 20) == pytest.approx(llr(cells, 0, 20), abs=0.02)
    assert closed_form([144, 3, 1, 0, 0], -1500, -500) < -100
    assert llr([144, 3, 1, 0, 0], -1500, -500) == pytest.approx(-6.724, abs=1e-3)
    assert closed_form([0, 0, 7, 0, 0], 0, 5) == 0


def test_single_games_have_a_scale_of_their_own():
    games = llr([300, 300, 400], 0, 20, games_per_unit=1)
    assert games == pytest.approx(
        float(closed_form([300, 300, 400], 0, 20, games_per_unit=1)), rel=0.02
    )
    assert games != pytest.approx(float(llr([300, 300, 400], 0, 20)), rel=0.02)


def test_many_experiments_are_one_call():
    rng = np.random.default_rng(2)
    many = rng.multinomial(200, [0.1, 0.2, 0.4, 0.2, 0.1], size=(3, 7))
    together = llr(many, 0, 20)
    assert together.shape == (3, 7)
    alone = [[float(llr(row, 0, 20)) for row in line] for line in many]
    np.testing.assert_allclose(together, alone, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("nelo", [math.inf, math.nan, 6000])
def test_what_cannot_be_tested_is_refused(nelo):
    with pytest.raises(ValueError, match="within"):
        deviance([1, 2, 3, 2, 1], nelo)
