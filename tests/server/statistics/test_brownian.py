"""How likely a worse outcome was: two representations, a simulation, and the laws of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.statistics import brownian
from tabia.server.statistics.brownian import absorbed_below, drift_at, outcome_cdf
from tabia.server.statistics.sprt import Bounds, characteristics, wald_bounds

BOUNDS = wald_bounds(0.05, 0.05)
drifts = st.floats(-20, 20)
times = st.floats(0.01, 100)
ends = st.floats(BOUNDS.lower, BOUNDS.upper)


@pytest.mark.parametrize("time", [0.25, 0.6, 1.0, 1.7, 2.5, 4.0])
@pytest.mark.parametrize("drift", [-8.0, -1.0, 0.0, 1e-13, 0.5, 3.0])
@pytest.mark.parametrize("end", [-2.9, 0.3, 2.9, BOUNDS.upper])
def test_waves_and_images_are_one_function(time, drift, end, monkeypatch):
    """Far more terms than are needed on either side of where the one takes over from the other."""
    monkeypatch.setattr(brownian, "_WAVES", 400)
    monkeypatch.setattr(brownian, "_IMAGES", 6)
    arguments = [np.array([each], dtype=float) for each in (drift, time, end, *BOUNDS)]
    waves, images = brownian._by_waves(*arguments), brownian._by_images(*arguments)
    # Waves cancel against each other by up to exp(end^2 / (2 time)).
    assert waves == pytest.approx(images, abs=1e-15 * np.exp(end**2 / (2 * time)) + 1e-12)


def test_a_random_walk_in_small_steps_ends_so_often():
    rng = np.random.default_rng(8)
    step, steps, runs = 1e-3, 2000, 4000
    lower, upper = -1.0, 1.5
    walk = np.cumsum(rng.normal(0.4 * step, step**0.5, size=(runs, steps)), axis=1)
    # Seen at steps, a walk passes bounds that are further out by this much.
    shift = 0.5826 * step**0.5
    below, above = (walk <= lower + shift).argmax(1), (walk >= upper - shift).argmax(1)
    fell = (walk.min(1) <= lower + shift) & ((above == 0) | (below < above))
    fell &= walk.min(1) <= lower + shift
    alive = (walk.min(1) > lower + shift) & (walk.max(1) < upper - shift)
    for end, seen in ((lower, fell), (0.5, fell | (alive & (walk[:, -1] <= 0.5)))):
        expected = float(outcome_cdf(0.4, steps * step, end, Bounds(lower, upper)))
        assert seen.mean() == pytest.approx(expected, abs=0.025)


@given(drifts, drifts, times, ends)
def test_a_worse_outcome_is_less_likely_the_higher_the_drift(one, other, time, end):
    low, high = sorted((one, other))
    assert outcome_cdf(high, time, end, BOUNDS) <= outcome_cdf(low, time, end, BOUNDS) + 1e-10


@given(drifts, times, ends, ends)
def test_a_better_end_has_more_below_it(drift, time, one, other):
    low, high = sorted((one, other))
    assert outcome_cdf(drift, time, low, BOUNDS) <= outcome_cdf(drift, time, high, BOUNDS) + 1e-10


@given(drifts, times, ends)
def test_seen_from_the_other_side_it_is_the_rest(drift, time, end):
    mirrored = outcome_cdf(-drift, time, -end, BOUNDS)
    assert outcome_cdf(drift, time, end, BOUNDS) + mirrored == pytest.approx(1, abs=1e-9)


@given(st.floats(0.001, 0.999), times, ends)
def test_there_and_back(probability, time, end):
    drift = drift_at(probability, time, end, BOUNDS)
    assert outcome_cdf(drift, time, end, BOUNDS) == pytest.approx(probability, abs=1e-8)


@given(st.floats(-3, 3), st.floats(-2.5, 2.5))
def test_in_the_end_a_path_is_absorbed_as_wald_says(drift, start):
    bounds = Bounds(BOUNDS.lower - start, BOUNDS.upper - start)
    up = characteristics(drift, 1.0, -0.5, 0.5, bounds).accepts_s1
    assert absorbed_below(drift, BOUNDS, start) == pytest.approx(1 - up, abs=1e-9)
    assert outcome_cdf(drift, 1e4, BOUNDS.lower, BOUNDS, start) == pytest.approx(1 - up, abs=1e-9)
