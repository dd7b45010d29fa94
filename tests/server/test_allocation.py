"""Stages of a material experiment: what each unit of them plays."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.allocation import EXPLORED, allotment, order, stages
from tabia.server.schedule import UnitRange

allotments = st.lists(st.integers(0, 60), min_size=1, max_size=30).filter(any)
weights = st.lists(st.floats(0, 1), min_size=1, max_size=30).filter(lambda w: sum(w) > 0.01)


def test_stages_divide_the_budget_where_it_was_declared() -> None:
    assert stages((100, 300), 1000) == (
        UnitRange(0, 100),
        UnitRange(100, 200),
        UnitRange(300, 700),
    )


def test_without_a_cut_within_the_budget_there_is_one_stage() -> None:
    assert stages((), 50) == stages((0, 50, 80), 50) == (UnitRange(0, 50),)


@given(weights, st.integers(1, 5000), st.data())
def test_every_unit_of_a_stage_is_given_to_somebody(
    shares: list[float], units: int, data: st.DataObject
) -> None:
    played = data.draw(st.lists(st.integers(0, 500), min_size=len(shares), max_size=len(shares)))
    given_out = allotment(np.array(shares) / sum(shares), played, units)
    assert given_out.sum() == units
    assert given_out.min() >= 0


def test_a_stage_gives_what_the_design_still_lacks() -> None:
    # Of 200 units in all, 150 and 50 are wanted; 80 and 20 are played.
    first, second = allotment([0.75, 0.25], [80, 20], 100)
    assert first == pytest.approx((1 - EXPLORED) * 70 + EXPLORED * 50, abs=1)
    assert first + second == 100


def test_what_was_played_too_often_gets_no_more_than_what_goes_to_all() -> None:
    given_out = allotment([0.1, 0.9], [500, 0], 100)
    assert given_out[0] == EXPLORED * 100 / 2


def test_noise_in_the_last_digits_decides_nothing() -> None:
    shares = np.full(7, 1 / 7)
    noisy = shares + 1e-13 * np.array([1, -1, 1, -1, 1, -1, 0])
    assert (allotment(noisy, np.zeros(7), 101) == allotment(shares, np.zeros(7), 101)).all()


@given(allotments)
def test_within_a_stage_each_gets_exactly_its_units(allotted: list[int]) -> None:
    assert np.bincount(order(allotted), minlength=len(allotted)).tolist() == allotted


@given(allotments)
def test_any_prefix_has_the_mixture_of_the_stage(allotted: list[int]) -> None:
    played = np.cumsum(np.eye(len(allotted))[order(allotted)], axis=0)
    total = sum(allotted)
    ideal = np.arange(1, total + 1)[:, None] * np.array(allotted) / total
    # Half a unit from where each stands by itself, and as much again for whoever stands there too.
    assert np.abs(played - ideal).max() <= 1 + len([n for n in allotted if n]) / 2


def test_the_rare_ones_are_spread_out() -> None:
    places = np.flatnonzero(order([90, 10]) == 1)
    assert set(np.diff(places)) <= {9, 10, 11}
    assert all(here < there for here, there in pairwise(places))
