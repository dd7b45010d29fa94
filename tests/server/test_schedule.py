"""Batches divide the budget, fixed by two numbers, small at both ends."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.schedule import (
    FIRST_SECONDS,
    FULL_SECONDS,
    MAX_BATCHES,
    MOST_PLIES,
    SHARE,
    Schedule,
    plan,
)

budgets = st.integers(min_value=1, max_value=1_000_000)
plies_a_unit = st.integers(min_value=4, max_value=8000)
speeds = st.floats(min_value=1e-3, max_value=1e4)


@given(budgets, speeds, plies_a_unit)
def test_every_unit_of_the_budget_is_in_exactly_one_batch(
    budget: int, speed: float, plies: int
) -> None:
    ranges = plan(budget, speed, plies).ranges()
    assert ranges[0].first == 0
    assert all(here.end == there.first for here, there in pairwise(ranges))
    assert ranges[-1].end == budget
    assert all(each.count >= 1 for each in ranges)
    assert len(ranges) <= MAX_BATCHES


@given(budgets, speeds, plies_a_unit)
def test_no_batch_keeps_a_core_busy_for_much_more_than_a_minute(
    budget: int, speed: float, plies: int
) -> None:
    longest = max(plan(budget, speed, plies).sizes)
    unavoidable = max(1, -(-budget // MAX_BATCHES))
    assert longest <= max(unavoidable, FULL_SECONDS * speed + 1)


@given(budgets, speeds, plies_a_unit)
def test_no_result_is_too_large_to_carry(budget: int, speed: float, plies: int) -> None:
    unavoidable = -(-budget // MAX_BATCHES)
    assert max(plan(budget, speed, plies).sizes) <= max(unavoidable, MOST_PLIES // plies)


@given(budgets, speeds, plies_a_unit)
def test_storage_gives_the_same_schedule_back(budget: int, speed: float, plies: int) -> None:
    schedule = plan(budget, speed, plies)
    assert Schedule.from_runs(schedule.runs()) == schedule
    assert schedule.units == budget
    assert schedule.batches == len(schedule.ranges())


def test_a_long_experiment_starts_small_grows_to_a_minute_and_ends_small() -> None:
    speed = 10.0
    sizes = plan(100_000, speed, 800).sizes
    assert sizes[0] == FIRST_SECONDS * speed
    assert max(sizes) == FULL_SECONDS * speed
    top = sizes.index(max(sizes))
    assert sum(sizes[:top]) == pytest.approx(SHARE * max(sizes), rel=0.1)
    assert list(sizes[:top]) == sorted(sizes[:top])
    assert sizes[-1] <= FIRST_SECONDS * speed


@given(budgets, speeds, plies_a_unit, st.lists(st.integers(0, 1_000_000), max_size=4))
def test_a_batch_begins_at_every_cut(
    budget: int, speed: float, plies: int, cuts: list[int]
) -> None:
    schedule = plan(budget, speed, plies, cuts)
    assert schedule.units == budget
    starts = {each.first for each in schedule.ranges()}
    assert starts >= {cut for cut in cuts if 0 < cut < budget}


def test_batches_shrink_towards_a_cut_where_all_wait_for_the_last() -> None:
    schedule = plan(100_000, 10.0, 800, [50_000])
    (before,) = (n for n, units in enumerate(schedule.ranges()) if units.end == 50_000)
    assert schedule.sizes[before] <= FIRST_SECONDS * 10.0
    assert schedule.sizes[before // 2] > FIRST_SECONDS * 10.0


def test_a_quick_look_gets_several_batches_so_that_all_cores_have_work() -> None:
    assert len(plan(64, 1.0, 800).sizes) > 8


@pytest.mark.parametrize(("budget", "speed"), [(0, 1.0), (10, 0.0), (10, -1.0), (10, float("nan"))])
def test_nothing_to_plan_is_refused(budget: int, speed: float) -> None:
    with pytest.raises(ValueError, match="no batches"):
        plan(budget, speed, 800)
