"""Many questions at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.statistics.multiplicity import e_bh, holm

p_values = st.lists(st.floats(0, 1), min_size=0, max_size=12)
e_values = st.lists(st.floats(0, 1e6), min_size=0, max_size=12)


@given(p_values)
def test_adjusted_p_values_are_larger_and_keep_their_order(p):
    adjusted = holm(p)
    assert np.all(adjusted >= np.array(p))
    assert np.all(adjusted <= 1)
    order = np.argsort(p, kind="stable")
    assert np.all(np.diff(adjusted[order]) >= 0)


@given(p_values, st.floats(0.001, 0.5))
def test_holm_rejects_step_by_step(p, alpha):
    rejected, left = set(), len(p)
    for place in np.argsort(p, kind="stable"):
        if p[place] * left > alpha:
            break
        rejected.add(int(place))
        left -= 1
    assert {int(place) for place in np.flatnonzero(holm(p) <= alpha)} == rejected


@given(e_values, st.floats(0.001, 0.5))
def test_findings_are_the_largest_and_large_enough_for_their_number(e, level):
    found = e_bh(e, level)
    taken = np.array(e)[found]
    if taken.size:
        assert taken.min() * level * taken.size >= len(e) * (1 - 1e-12)
        assert taken.min() >= np.array([0.0, *np.array(e)[~found]]).max()


def test_one_strong_finding_helps_others():
    assert e_bh([45.0, 1000.0, 0.5], 0.05).tolist() == [True, True, False]
    assert e_bh([45.0, 1.0, 0.5], 0.05).tolist() == [False, False, False]
    assert e_bh([np.inf, 30.0], 0.05).tolist() == [True, True]


@pytest.mark.parametrize("p", [[1.1], [-0.1], [np.nan], 0.5])
def test_what_is_no_p_value_is_refused(p):
    with pytest.raises(ValueError, match="p-values"):
        holm(p)


@pytest.mark.parametrize("e", [[-1.0], [np.nan], 3.0])
def test_what_is_no_e_value_is_refused(e):
    with pytest.raises(ValueError, match="e-values"):
        e_bh(e)
