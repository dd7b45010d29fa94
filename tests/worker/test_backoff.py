from itertools import islice

import pytest

from tabia.worker.backoff import delays


def test_waits_double_up_to_a_bound() -> None:
    assert list(islice(delays(1, 10, chance=lambda: 0.0), 6)) == [1, 2, 4, 8, 10, 10]


def test_chance_takes_off_up_to_half() -> None:
    assert list(islice(delays(1, 10, chance=lambda: 1.0), 5)) == [0.5, 1, 2, 4, 5]


def test_two_who_were_turned_away_together_do_not_come_back_together() -> None:
    first, second = (list(islice(delays(1, 60), 5)) for _ in range(2))
    assert first != pytest.approx(second)
