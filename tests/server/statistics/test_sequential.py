"""One of two hypotheses."""

import numpy as np
import pytest

from tabia.server.statistics.sequential import CORRECTION, H0, H1, OPEN, Path
from tabia.server.statistics.sprt import wald_bounds

LIMITS = wald_bounds(0.05, 0.05)


def walk(*corners):
    """The path that goes straight from corner to corner in small steps."""
    path, here = Path.start(), 0.0
    for corner in corners:
        for step in np.linspace(0, 1, 41)[1:]:
            path = path.after(np.float64(here + step * (corner - here)), LIMITS)
        here = corner
    return path


@pytest.mark.parametrize(
    ("corners", "conclusion"),
    [((2, -2), OPEN), ((3.1,), H1), ((-3.1,), H0), ((2.5, -3.1, 9), H0), ((3.1, -9), H1)],
)
def test_the_first_bound_that_is_reached_decides_for_good(corners, conclusion):
    assert walk(*corners).conclusion == conclusion


def test_a_look_that_may_not_conclude_teaches_all_the_same():
    path = Path.start().after(np.float64(9.0), LIMITS, may_conclude=False)
    assert path.conclusion == OPEN
    assert path.records.high == 9


def test_only_some_of_many_may_conclude():
    path = Path.start(3).after(
        np.array([9.0, 9.0, -9.0]), LIMITS, may_conclude=np.array([True, False, True])
    )
    assert path.conclusion.tolist() == [H1, OPEN, H0]


def test_a_jump_does_not_move_the_bound_that_it_crosses():
    jump = LIMITS.upper - 0.1
    path = Path.start().after(np.float64(jump), LIMITS)
    assert path.conclusion == OPEN
    assert path.bounds(LIMITS)[1] == pytest.approx(LIMITS.upper - CORRECTION * jump / 2)
    assert path.after(np.float64(jump), LIMITS).conclusion == H1


def test_a_path_that_has_ended_learns_no_more():
    ended = walk(3.1)
    after = ended.after(np.float64(20.0), LIMITS)
    assert after.records == ended.records


def test_experiments_side_by_side_do_not_touch():
    rng = np.random.default_rng(6)
    ratios = np.cumsum(rng.normal(0, 0.5, size=(60, 50)), axis=0)
    together = Path.start(50)
    for at_look in ratios:
        together = together.after(at_look, LIMITS)
    assert set(together.conclusion.tolist()) >= {H0, H1}
    for number in range(50):
        alone = Path.start()
        for at_look in ratios:
            alone = alone.after(at_look[number], LIMITS)
        assert alone.conclusion == together.conclusion[number]
