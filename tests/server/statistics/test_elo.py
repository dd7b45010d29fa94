"""Scores and Elo."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.statistics.elo import Summary, elo_of, normalized_elo, score_of, summary


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


def test_a_fixed_number_of_pairs_has_an_interval_for_its_elo():
    found = summary([30, 130, 260, 150, 40])
    assert found.elo_low < found.elo < found.elo_high
    assert 0.95 < found.los < 0.96
    assert (found.los > 0.975) == (found.elo_low > 0)
    wider = summary([30, 130, 260, 150, 40], level=0.99)
    assert wider.elo_low < found.elo_low
    assert wider.nelo_error > found.nelo_error


def test_what_nothing_is_known_of_is_none():
    assert summary([0, 0, 0, 0, 0]) == Summary(*[None] * 8)
    level = summary([0, 0, 50, 0, 0])
    assert (level.score, level.se, level.elo) == (0.5, 0, 0)
    assert (level.elo_low, level.nelo, level.los) == (None, None, None)
    assert summary([0, 0, 0, 0, 7]).elo == math.inf


def test_an_interval_that_leaves_the_scale_is_infinite():
    assert summary([0, 0, 0, 1, 3]).elo_high == math.inf


def test_scores_of_any_difference():
    assert score_of(math.inf) == 1
    assert score_of(-1e6) == 0
