"""Which matches to play: the shares are the best there are, and so many games reach so far."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.server.statistics import piece_values
from tabia.server.statistics.design import (
    UndeterminedError,
    allocate,
    apportion,
    pair_variances,
    reach,
)
from tabia.server.statistics.elo import score_of

VALUES = np.array([1, 3, 3.4, 5, 9])
ELO = 60 * VALUES


def near_balanced(values, limit=1.5):
    """Imbalances of one man or two against so many, as rows of count differences."""
    k = len(values)
    armies = [c for men in (1, 2) for c in itertools.combinations_with_replacement(range(k), men)]
    rows = set()
    for one, other in itertools.combinations(armies, 2):
        row = np.bincount(one, minlength=k) - np.bincount(other, minlength=k)
        if np.abs(row).sum() and abs(row @ values) <= limit:
            rows.add(tuple(row))
    return np.array([*sorted(rows), (1, *[0] * (k - 1))])


MATCHES = near_balanced(VALUES)


def spread(shares, matches=MATCHES):
    """The sum of the values' variances, a pair, straight from the definition."""
    score = np.array([score_of(lead) for lead in matches @ ELO])
    information = (score * (1 - score)) ** 2 / pair_variances(matches, ELO)
    inverse = np.linalg.inv((matches * (shares * information)[:, None]).T @ matches)
    total = 0.0
    for i, value in enumerate(VALUES):
        contrast = np.zeros(len(VALUES))
        contrast[i] += 1
        contrast[0] -= value
        total += contrast @ inverse @ contrast / (ELO[0] * math.log(10) / 400) ** 2
    return total


def test_the_shares_are_the_best():
    """No mixture with any other design, near or far, is better by more than the tolerance."""
    shares = allocate(MATCHES, ELO, 0, tolerance=1e-4)
    best = spread(shares)
    assert shares.sum() == pytest.approx(1)
    assert np.all(shares >= 0)
    rng = np.random.default_rng(1)
    for weight in (0.001, 0.03, 0.3):
        for other in (*np.eye(len(MATCHES)), *rng.dirichlet(np.full(len(MATCHES), 0.1), 20)):
            assert spread((1 - weight) * shares + weight * other) >= best * (1 - 2e-3)
    uniform = np.full(len(MATCHES), 1 / len(MATCHES))
    assert best < 0.6 * spread(uniform)
    assert (shares > 0.01).sum() <= 2 * len(VALUES)


def test_the_sum_of_variances_is_what_reach_says():
    shares = allocate(MATCHES, ELO, 0)
    width = reach(MATCHES, ELO, 0, shares, units=1000, level=0.95)
    assert width[0] == 0
    assert np.sum((width / 1.959964) ** 2) * 1000 == pytest.approx(spread(shares), rel=1e-5)
    assert reach(MATCHES, ELO, 0, shares, 4000)[1:] == pytest.approx(width[1:] / 2)


def test_reach_is_the_width_of_the_intervals_that_are_measured():
    """Projects of 10 000 pairs, played out and fitted."""
    rng = np.random.default_rng(2)
    shares = allocate(MATCHES, ELO, 0)
    pairs = apportion(shares, 10_000)
    foretold = reach(MATCHES, ELO, 0, shares, 10_000)
    widths, errors = [], []
    for _ in range(60):
        counts = []
        for match, number in zip(MATCHES, pairs, strict=True):
            score = score_of(float(match @ ELO))
            draw = 0.3 * 4 * score * (1 - score)
            game = np.array([1 - score - draw / 2, draw, score - draw / 2])
            counts.append(rng.multinomial(number, np.convolve(game, game)))
        found = piece_values.fit(MATCHES, counts, 0)
        widths.append(np.array(found.half_widths()) / math.sqrt(found.lack_of_fit))
        errors.append(np.array(found.values) - VALUES)
    assert np.mean(widths, axis=0)[1:] == pytest.approx(foretold[1:], rel=0.05)
    assert 1.96 * np.std(errors, axis=0)[1:] == pytest.approx(foretold[1:], rel=0.25)


def test_the_star_case_of_the_manual():
    """One contrast at 60 Elo a pawn: about 9000 games for a tenth of a pawn.

    A man of known worth against a pawn's worth of doubt: n = (1.96 sd / (0.1 Elo a pawn))^2 games,
    sd = 290 Elo for three games in ten drawn.
    """
    width = reach([[0, 1], [1, 0]], [1e-6, 1e-6], 0, [1.0, 0.0], units=1)
    assert np.isinf(width[1])  # the pawn was not measured: no scale
    elo_a_point = 400 / math.log(10) / 0.25
    sd = elo_a_point * math.sqrt(2 * float(pair_variances([[1.0]], [0.0])[0]))
    assert sd == pytest.approx(290, abs=1)
    assert (1.96 * sd / (0.1 * 60)) ** 2 == pytest.approx(9000, rel=0.01)


def test_more_variance_makes_a_match_less_worth_playing():
    even = allocate(MATCHES, ELO, 0)
    favourite = int(np.argmax(even))
    noisy = pair_variances(MATCHES, ELO)
    noisy[favourite] *= 10
    assert allocate(MATCHES, ELO, 0, variances=noisy)[favourite] < even[favourite] / 2


def test_men_that_no_match_holds_are_named():
    with pytest.raises(UndeterminedError) as refused:
        allocate([[1, -1, 0], [2, -1, 0]], [60, 90, 300], 0)
    assert refused.value.types == (2,)
    with pytest.raises(UndeterminedError) as refused:
        allocate([[1, -1, -1], [1, 0, 0]], [60, 90, 300], 0)  # their sum, and neither of them
    assert refused.value.types == (1, 2)


def test_reach_is_infinite_for_what_the_shares_leave_out():
    width = reach([[1, 0, 0], [-3, 1, 0], [-5, 0, 1]], [60, 180, 300], 0, [0.5, 0.5, 0], 100)
    assert width[0] == 0
    assert np.isfinite(width[1])
    assert width[2] == math.inf
    assert reach([[1, 0], [-3, 1]], [60, 180], 0, [0.5, 0.5], 0)[1] == math.inf


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda: allocate([[1, 0], [-3, 1]], [0, 180], 0), "without a strength of the pawn"),
        (lambda: allocate([[1, 0], [-3, 1]], [60], 0), "every type has a strength"),
        (lambda: allocate([[1, 0], [-3, 1]], [60, math.inf], 0), "a finite one"),
        (lambda: allocate([[1, 0], [-3, 1]], [60, 180], 0, [0.1, 0]), "variance above 0"),
        (lambda: reach([[1, 0], [-3, 1]], [60, 180], 0, [1], 10), "a share"),
        (lambda: reach([[1, 0], [-3, 1]], [60, 180], 0, [1, 1], 10, level=1), "level"),
        (lambda: pair_variances([[1]], [60], draw_rate=1), "draw rate"),
        (lambda: apportion([0, 0], 5), "some match has a share"),
        (lambda: apportion([0.5, 0.5], 5, [1]), "number of pairs played"),
    ],
)
def test_arguments_that_are_none_are_refused(call, problem):
    with pytest.raises(ValueError, match=problem):
        call()


def test_units_go_where_the_shares_are_short():
    assert apportion([0.5, 0.3, 0.2], 10).tolist() == [5, 3, 2]
    assert apportion([0.5, 0.3, 0.2], 10, [5, 3, 2]).tolist() == [5, 3, 2]
    # The first is far ahead: it waits, and the others catch up.
    assert apportion([0.5, 0.3, 0.2], 10, [100, 0, 0]).tolist() == [0, 6, 4]
    # What no longer has a share gets nothing.
    assert apportion([0.5, 0.5, 0], 7, [0, 1, 90]).tolist() == [4, 3, 0]


@given(
    st.lists(
        st.tuples(st.one_of(st.just(0.0), st.floats(1e-6, 1)), st.integers(0, 500)),
        min_size=1,
        max_size=12,
    ).filter(lambda rows: any(share for share, _ in rows)),
    st.integers(0, 1000),
)
def test_every_unit_is_apportioned_once(rows, units):
    shares, played = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    found = apportion(shares, units, played)
    assert found.sum() == units
    assert np.all(found >= 0)
    assert np.all(found[shares == 0] == 0)
    # Nobody who got something is more than rounding ahead of anybody else.
    total = found + played
    behind = np.min([(total[m] + 1) / shares[m] for m in np.flatnonzero(shares)])
    for m in np.flatnonzero(found):
        assert (total[m] - 1) / shares[m] <= behind * (1 + 1e-6)
