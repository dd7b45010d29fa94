"""Stages of a material experiment: what each unit of them plays."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.allocation import order, stages
from tabia.server.schedule import UnitRange

allotments = st.lists(st.integers(0, 60), min_size=1, max_size=30).filter(any)


def test_stages_divide_the_budget_where_it_was_declared() -> None:
    assert stages((100, 300), 1000) == (
        UnitRange(0, 100),
        UnitRange(100, 200),
        UnitRange(300, 700),
    )


def test_without_a_cut_within_the_budget_there_is_one_stage() -> None:
    assert stages((), 50) == stages((0, 50, 80), 50) == (UnitRange(0, 50),)


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
