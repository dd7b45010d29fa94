"""Values in pawns: estimates, their intervals, and what is said where nothing is known."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from tabia.server.statistics.elo import score_of
from tabia.server.statistics.piece_values import PAIR_SCORES, NoFiniteValueError, fit

# Pawn, knight, rook, queen; 60 Elo a pawn.
TRUE = np.array([1.0, 3.2, 5.0, 9.5])
MATCHES = np.array(
    [
        [-3, 1, 0, 0],
        [1, 0, 0, 0],
        [2, 1, -1, 0],
        [-2, -1, 1, 0],
        [1, -2, 1, 0],
        [0, 0, -2, 1],
        [-1, 0, -2, 1],
        [0, -3, 0, 1],
        [1, -1, -1, 1],
    ]
)


def law(score, draw_rate=0.3):
    """The law of a pair's score: two independent games."""
    draw = draw_rate * 4 * score * (1 - score)
    game = np.array([1 - score - draw / 2, draw, score - draw / 2])
    return np.convolve(game, game)


def played(rng, pairs, *, values=TRUE, pawn_elo=60.0, matches=MATCHES, synergy=0.0):
    counts = []
    for match in matches:
        lead = (
            pawn_elo * (match @ values) + rng.normal(0, synergy)
            if synergy
            else pawn_elo * (match @ values)
        )
        counts.append(rng.multinomial(pairs, law(score_of(float(lead)))))
    return np.array(counts)


def test_a_single_contrast_is_its_elo():
    """One match against the pawn alone: values are ratios of Elo differences."""
    pawn, rook = np.array([0, 30, 100, 50, 20]), np.array([5, 20, 90, 60, 25])
    found = fit([[1, 0], [-5, 1]], [pawn, rook], 0)

    def elo(counts):
        score = counts @ PAIR_SCORES / counts.sum()
        return 400 * math.log10(score / (1 - score))

    assert found.pawn_elo == pytest.approx(elo(pawn))
    assert found.values[1] == pytest.approx(5 + elo(rook) / elo(pawn))
    assert found.values[0] == 1
    assert (found.chi2, found.dof) == (pytest.approx(0, abs=1e-12), 0)
    # The pawn's error by hand: the error of a score, through the slope of Elo.
    score = pawn @ PAIR_SCORES / 200
    variance = found.variances[0] / 200
    assert found.pawn_elo_se == pytest.approx(
        400 / math.log(10) * math.sqrt(variance) / (score * (1 - score))
    )


def test_no_other_strengths_fit_better():
    rng = np.random.default_rng(1)
    counts = played(rng, 400)
    found = fit(MATCHES, counts, 0)

    def chi2(theta):
        expected = [score_of(lead) for lead in MATCHES @ theta]
        return np.sum(found.units * (found.scores - expected) ** 2 / found.variances)

    best = minimize(chi2, 60 * TRUE, method="BFGS")
    assert chi2(found.strengths) <= best.fun + 1e-6
    assert best.fun == pytest.approx(found.chi2, abs=1e-6)


def test_intervals_hold_the_truth_as_often_as_they_say():
    """400 projects; with 60 pairs a match the pawn is about four standard errors from 0."""
    rng = np.random.default_rng(2)
    for pairs in (60, 600):
        held, fits = [], []
        for _ in range(400):
            found = fit(MATCHES, played(rng, pairs), 0)
            held.append(
                [low <= v <= high for v, (low, high) in zip(TRUE, found.intervals(), strict=True)]
            )
            fits.append(found.chi2 / found.dof)
        assert np.mean(np.array(held)[:, 1:]) == pytest.approx(0.955, abs=0.02)
        assert np.mean(fits) == pytest.approx(1, abs=0.12)


def test_pieces_that_do_not_add_up_widen_the_intervals():
    rng = np.random.default_rng(3)
    plain = [fit(MATCHES, played(rng, 2000), 0) for _ in range(40)]
    odd = [fit(MATCHES, played(rng, 2000, synergy=15), 0) for _ in range(40)]
    assert np.median([found.lack_of_fit for found in odd]) > 2
    assert np.mean([f.half_widths()[3] for f in odd]) > 1.4 * np.mean(
        [f.half_widths()[3] for f in plain]
    )
    assert min(found.lack_of_fit for found in [*plain, *odd]) >= 1


def test_the_scale_of_the_pawn_is_told():
    found = fit(MATCHES, played(np.random.default_rng(4), 20_000, pawn_elo=100), 0)
    assert found.pawn_elo == pytest.approx(100, abs=4 * found.pawn_elo_se)
    assert found.pawn_elo_se < 2
    assert found.values[3] == pytest.approx(9.5, abs=0.3)
    assert found.expected == pytest.approx(found.scores, abs=0.01)


def test_values_do_not_depend_on_which_side_is_called_a():
    counts = played(np.random.default_rng(5), 100)
    there, back = fit(MATCHES, counts, 0), fit(-MATCHES, counts[:, ::-1], 0)
    assert there.values == pytest.approx(back.values)
    assert there.half_widths() == pytest.approx(back.half_widths())


def test_the_interval_is_fiellers_when_the_pawn_is_uncertain():
    """Its ends are the values that a z-test of theta_i - v theta_P just does not reject."""
    counts = played(np.random.default_rng(6), 30)
    found = fit(MATCHES, counts, 0)
    z = 2.2
    assert found.pawn_elo < 4 * found.pawn_elo_se
    assert found.pawn_elo > z * found.pawn_elo_se
    low, high = found.intervals(z)[3]
    for v in (low, high):
        contrast = np.array([-v, 0, 0, 1.0])
        se = math.sqrt(contrast @ found.covariance @ contrast)
        assert abs(contrast @ found.strengths) == pytest.approx(z * se)
    assert low < found.values[3] < high
    # A ratio's interval is not symmetric.
    assert high - found.values[3] > 1.1 * (found.values[3] - low)


def test_an_interval_may_be_everything():
    """A pawn that might be worth nothing says nothing about any value."""
    found = fit([[1, 0], [-5, 1]], [[2, 5, 10, 5, 3], [2, 5, 10, 6, 2]], 0)
    assert found.intervals()[1] == (-math.inf, math.inf)
    assert found.half_widths()[1] == math.inf
    assert found.intervals()[0] == (1, 1)


def test_men_that_no_match_measures_are_named_and_leave_the_others_alone():
    counts = played(np.random.default_rng(7), 300)
    counts[5:] = 0  # nothing with the queen was played yet
    found = fit(MATCHES, counts, 0)
    assert found.undetermined == (3,)
    assert found.values[3] is None
    assert found.standard_errors()[3] == math.inf
    assert found.intervals()[3] == (-math.inf, math.inf)
    alone = fit(MATCHES[:5, :3], counts[:5], 0)
    assert found.values[:3] == pytest.approx(alone.values)
    assert np.array(found.intervals()[:3]) == pytest.approx(np.array(alone.intervals()))
    assert found.dof == alone.dof == 2
    assert np.all(found.variances > 0)  # also where nothing was played


def test_without_a_pawn_there_is_no_scale():
    found = fit([[0, 1, -1], [0, 1, 0]], [[1, 4, 9, 5, 1], [0, 3, 9, 6, 2]], 0)
    assert found.undetermined == (0,)
    assert found.values == (None, None, None)
    assert (found.pawn_elo, found.pawn_elo_se) == (None, None)
    assert set(found.intervals()) == {(-math.inf, math.inf)}


def test_before_the_first_game_nothing_is_determined():
    found = fit(MATCHES, np.zeros((9, 5)), 0)
    assert found.undetermined == (0, 1, 2, 3)
    assert (found.chi2, found.dof, found.lack_of_fit) == (0, 0, 1)
    assert found.values == (None,) * 4


def test_when_everything_is_drawn_all_values_are_open():
    counts = np.zeros((9, 5))
    counts[:, 2] = 50
    found = fit(MATCHES, counts, 0)
    assert found.pawn_elo == 0
    assert found.values[1:] == (None, None, None)
    assert set(found.intervals()[1:]) == {(-math.inf, math.inf)}
    assert found.pawn_elo_se > 0


def test_an_army_that_always_wins_has_no_finite_strength():
    with pytest.raises(NoFiniteValueError, match="everything or nothing"):
        fit([[1, 0], [-5, 1]], [[2, 5, 10, 5, 3], [0, 0, 0, 0, 40]], 0)


@given(
    st.lists(st.lists(st.integers(0, 30), min_size=5, max_size=5), min_size=9, max_size=9),
    st.floats(0.1, 5),
)
def test_there_are_values_or_a_reason_why_not(counts, z):
    try:
        found = fit(MATCHES, counts, 0)
    except NoFiniteValueError:
        return
    for (low, high), se in zip(found.intervals(z), found.standard_errors(), strict=True):
        assert low <= high
        assert se >= 0
    numbers = [*found.strengths, found.chi2, *found.covariance.ravel(), *found.variances]
    assert np.isfinite(numbers).all()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (([[1, 0]], [[1, 1, 1, 1]], 0), "five counts"),
        (([[1, 0]], [[1, 1, 1, 1, -1]], 0), "not negative"),
        (([[1, 0]], [[1, 1, 1, 1, 1]] * 2, 0), "five counts"),
        (([[1, 0]], [[1, 1, 1, 1, 1]], 2), "one of types 0 to 1"),
        (([1, 0], [[1, 1, 1, 1, 1]], 0), "a row for every match"),
    ],
)
def test_arguments_that_are_none_are_refused(arguments, problem):
    with pytest.raises(ValueError, match=problem):
        fit(*arguments)
