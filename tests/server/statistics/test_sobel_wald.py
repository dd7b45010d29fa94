"""Higher, lower, or no difference that matters."""

import numpy as np
import pytest

from tabia.server.statistics.sobel_wald import (
    EQUIVALENT,
    HIGHER,
    LOWER,
    OPEN,
    Path,
    bounds,
)
from tabia.server.statistics.sprt import wald_bounds

LIMITS = bounds(0.05, 0.05)
STEPS = np.linspace(0, 1, 41)[1:]


def walk(*corners):
    """The path that goes straight from corner to corner (plus, minus), in small steps."""
    path = Path.start()
    here = np.zeros(2)
    for corner in corners:
        for step in STEPS:
            path = path.after(here + step * (np.array(corner) - here), LIMITS)
        here = np.array(corner)
    return path


def test_the_two_sides_share_alpha():
    assert wald_bounds(0.025, 0.05) == LIMITS


@pytest.mark.parametrize(
    ("corners", "conclusion"),
    [
        ([(1, -1)], OPEN),
        ([(4, -8)], HIGHER),
        ([(-8, 4)], LOWER),
        ([(-4, -4)], EQUIVALENT),
        # Once 0 is accepted against a margin, that margin is out of the question.
        ([(-4, -1), (4, -1)], OPEN),
        ([(-4, -1), (4, -4)], EQUIVALENT),
        ([(-4, -1), (-4, 4)], LOWER),
    ],
)
def test_conclusions(corners, conclusion):
    assert walk(*corners).conclusion == conclusion


def test_a_conclusion_is_final():
    path = walk((4, -8), (-9, 9), (-9, -9))
    assert path.conclusion == HIGHER


def test_too_few_units_conclude_nothing_but_teach_the_records():
    path = Path.start().after(np.array([9.0, -9.0]), LIMITS, may_conclude=False)
    assert path.conclusion == OPEN
    assert not path.closed.any()
    assert path.records.high[0] == 9
    assert path.records.low[1] == -9


def test_a_jump_does_not_move_the_bound_that_it_crosses():
    jump = LIMITS.upper - 0.1
    path = Path.start().after(np.array([jump, -0.5]), LIMITS)
    assert path.conclusion == OPEN
    # The next look knows of it.
    assert path.bounds(LIMITS)[1][0] < jump
    assert path.after(np.array([jump, -0.5]), LIMITS).conclusion == HIGHER


def test_experiments_side_by_side_do_not_touch():
    rng = np.random.default_rng(6)
    ratios = np.cumsum(rng.normal(-0.1, 0.5, size=(60, 50, 2)), axis=0)
    together = Path.start(50)
    for at_look in ratios:
        together = together.after(at_look, LIMITS)
    assert set(together.conclusion) >= {HIGHER, LOWER, EQUIVALENT}
    for number in range(50):
        alone = Path.start()
        for at_look in ratios:
            alone = alone.after(at_look[number], LIMITS)
        assert alone.conclusion == together.conclusion[number]
