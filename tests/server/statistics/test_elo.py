"""Scores and Elo."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.statistics.elo import elo_of, normalized_elo, score_of


@pytest.mark.reference("elo", "score")
def test_scores_and_elo_are_the_reference_s(row, close):
    assert score_of(row["elo"]) == close(row["score"], row["rtol"])
    assert elo_of(row["score"]) == close(row["elo"], row["rtol"])


@pytest.mark.reference("elo", "normalized")
def test_normalized_elo_is_the_reference_s(row, close):
    found = normalized_elo(row["counts"], games_per_unit=row["games_per_unit"])
    assert found == close(row["nelo"], row["rtol"])


@given(st.floats(min_value=-1500, max_value=1500))
def test_there_and_back(elo):
    assert elo_of(score_of(elo)) == pytest.approx(elo, abs=1e-6)


def test_the_ends_of_the_scale_are_infinitely_far():
    assert elo_of(0) == -math.inf
    assert elo_of(1) == math.inf


@pytest.mark.parametrize("score", [-0.01, 1.01, math.nan])
def test_what_is_no_score_is_refused(score):
    with pytest.raises(ValueError, match=r"a score lies in \[0, 1\]"):
        elo_of(score)


@pytest.mark.parametrize("counts", [[0, 0, 0, 0, 0], [0, 0, 100, 0, 0], [0, 0, 0, 0, 7]])
def test_without_spread_there_is_no_normalized_elo(counts):
    assert normalized_elo(counts) is None
