"""Ratings against references, against Ordo, by simulation, and where there are none."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from tabia.server.statistics.draw_models import MODELS
from tabia.server.statistics.ratings import (
    ELO_PER_NAT,
    DisconnectedError,
    Games,
    NoFiniteRatingError,
    Pairs,
    fit,
    pools,
    within,
)

MODEL_NAMES = sorted(MODELS)


def of_rows(rows):
    """Games, and the players' names in the order of their numbers."""
    names = sorted({name for row in rows for name in row[:2]})
    sides = [[names.index(row[side]) for row in rows] for side in (0, 1)]
    return Games(*sides, *(np.array([row[i] for row in rows]) for i in (2, 3, 4))), names


def simulated_pairs(theta, rng, pairs, *, draw=0.7, opening_sd=0.8, h=0.15):
    """A round robin: pairs on shared openings that favour a side, so that a pair's games depend."""
    n = len(theta)
    first, second = np.triu_indices(n, 1)
    cells = np.zeros((first.size, 3, 3))
    for m, (one, other) in enumerate(zip(first, second, strict=True)):
        bias = rng.normal(h, opening_sd, pairs)
        results = []
        for lead in (theta[one] - theta[other], theta[other] - theta[one]):
            win, loss = (1 / (1 + np.exp(-(s * (lead + bias) - draw))) for s in (1, -1))
            u = rng.random(pairs)
            results.append(np.where(u < win, 2, np.where(u < win + loss, 0, 1)))
        np.add.at(cells[m], (results[0], 2 - results[1]), 1)
    return Pairs(first, second, cells)


@pytest.mark.reference("ratings", "reference")
def test_ratings_as_in_the_reference(row):
    games, names = of_rows(row["games"])
    found = fit(games, len(names), model=row["model"], errors="information")
    near = {"rel": row["rtol"], "abs": row["rtol"] * 1e-3}
    assert found.elo == pytest.approx([row["elo"][name] for name in names], **near)
    assert found.se == pytest.approx([row["se"][name] for name in names], **near)
    assert found.advantage == pytest.approx(row["advantage"], **near)
    assert found.log_likelihood == pytest.approx(row["log_likelihood"], **near)
    if row["draw_parameter"] is None:
        assert found.draw_parameter is None
    else:
        assert found.draw_parameter == pytest.approx(row["draw_parameter"], **near)


@pytest.mark.reference("ratings", "ordo")
def test_the_logistic_ratings_are_ordos(row):
    games, names = of_rows(row["games"])
    found = fit(games, len(names))
    assert found.elo == pytest.approx([row["elo"][name] for name in names], abs=1e-3)
    assert found.advantage == pytest.approx(row["advantage"], abs=6e-3)


@pytest.mark.parametrize("model", MODEL_NAMES)
def test_no_other_ratings_are_more_likely(model):
    """The slopes and curvatures that Newton uses are those of the likelihood itself."""
    rng = np.random.default_rng(5)
    pairs = simulated_pairs(np.array([0.5, 0.0, -0.7, 0.2]), rng, 40)
    found = fit(pairs, 4, model=model, errors="information")
    first, second = (
        np.concatenate([pairs.first, pairs.second]),
        np.concatenate([pairs.second, pairs.first]),
    )
    counts = np.concatenate([pairs.cells.sum(axis=2), pairs.cells.sum(axis=1)[:, ::-1]])

    def loss(at):
        theta = np.append(at[:3], -at[:3].sum())
        z = at[4] if model == "davidson" else math.exp(at[4])
        terms = MODELS[model].terms(theta[first] - theta[second] + at[3], z)
        return -float(np.sum(counts * terms.log))

    best = minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-6})
    assert -best.fun <= found.log_likelihood + 1e-6
    assert best.x[:3] * ELO_PER_NAT == pytest.approx(found.elo[:3], abs=0.01)
    assert best.x[3] * ELO_PER_NAT == pytest.approx(found.advantage, abs=0.01)


@pytest.mark.parametrize("model", MODEL_NAMES)
def test_the_chances_of_the_three_outcomes_sum_to_one(model):
    x = np.linspace(-12, 12, 41)
    chances = np.exp(MODELS[model].terms(x, 0.8).log)
    if model == "logistic":  # a quasi-likelihood: it speaks of wins and losses
        chances = chances[:, [0, 2]]
    assert chances.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("model", MODEL_NAMES)
def test_errors_by_pairs_cover_the_truth(model):
    """150 round robins of 5 with drawn and biased openings; the truth is what a huge one says."""
    theta = np.array([0.6, 0.25, 0.0, -0.25, -0.6])
    rng = np.random.default_rng(11)
    truth = fit(simulated_pairs(theta, rng, 40_000), 5, model=model).elo
    held = {"clustered": [], "information": []}
    for _ in range(150):
        pairs = simulated_pairs(theta, rng, 60)
        for errors, hits in held.items():
            found = fit(pairs, 5, model=model, errors=errors)
            hits.append(np.abs(found.elo - truth) <= 1.96 * found.se)
    # Five ratings that sum to 0 are about four independent ones: one s.e. is .009.
    assert 0.925 <= np.mean(held["clustered"]) <= 0.975
    if model == "logistic":  # the others have the draws in their information, not the pairs
        assert np.mean(held["information"]) > 0.975


def test_the_spread_of_ratings_over_repetitions_is_what_the_errors_say():
    theta = np.array([0.4, 0.1, -0.5])
    rng = np.random.default_rng(2)
    fits = [fit(simulated_pairs(theta, rng, 100), 3, anchor=1) for _ in range(300)]
    spread = np.std([found.elo for found in fits], axis=0)
    assert spread[[0, 2]] == pytest.approx(
        np.mean([found.se for found in fits], axis=0)[[0, 2]], rel=0.1
    )
    spread_h = np.std([found.advantage for found in fits])
    assert spread_h == pytest.approx(np.mean([found.advantage_se for found in fits]), rel=0.1)


def test_errors_hold_in_a_pool_of_a_few_dozen_pairs_too():
    theta = np.array([0.6, 0.25, 0.0, -0.25, -0.6])
    rng = np.random.default_rng(12)
    truth = fit(simulated_pairs(theta, rng, 20_000), 5).elo
    fits = [fit(simulated_pairs(theta, rng, 5), 5, virtual_draws=0.5) for _ in range(250)]
    held = [np.abs(found.elo - truth) <= 1.96 * found.se for found in fits]
    assert 0.92 <= np.mean(held) <= 0.975


def test_pairs_without_their_cells_are_games():
    """The estimates of pairs and of their games are the same, the errors are not."""
    pairs = simulated_pairs(np.array([0.5, 0.0, -0.5]), np.random.default_rng(3), 200)
    wins, losses = pairs.cells[:, 2].sum(axis=1), pairs.cells[:, 0].sum(axis=1)
    as_black = pairs.cells.sum(axis=1)
    games = Games(
        np.concatenate([pairs.first, pairs.second]),
        np.concatenate([pairs.second, pairs.first]),
        np.concatenate([wins, as_black[:, 0]]),
        np.concatenate([pairs.cells[:, 1].sum(axis=1), as_black[:, 1]]),
        np.concatenate([losses, as_black[:, 2]]),
    )
    by_pairs, by_games = fit(pairs, 3), fit(games, 3)
    assert by_games.elo == pytest.approx(by_pairs.elo, abs=1e-7)
    assert by_games.advantage == pytest.approx(by_pairs.advantage, abs=1e-7)
    # Swapped colours take an opening's bias out of a pair's sum.
    assert np.all(by_games.se > 1.05 * by_pairs.se)
    assert by_pairs.games == pytest.approx([800, 800, 800])
    assert by_pairs.score[0] > 0.5 > by_pairs.score[2]


def test_cells_that_count_alike_may_be_kept_apart():
    pairs = simulated_pairs(np.array([0.3, -0.3]), np.random.default_rng(4), 50)
    split = np.zeros((1, 4, 4))
    split[:, :3, :3] = pairs.cells
    split[0, 1, 1] -= 3
    split[0, 3, 3] += 2
    split[0, 1, 3] += 1
    apart = fit(Pairs([0], [1], split, values=(0, 0.5, 1, 0.5)), 2)
    assert apart.elo == pytest.approx(fit(pairs, 2).elo)
    assert apart.se == pytest.approx(fit(pairs, 2).se)


@pytest.mark.parametrize("errors", ["clustered", "information"])
def test_the_anchor_moves_the_origin_and_no_difference(errors):
    pairs = simulated_pairs(np.array([0.5, 0.1, -0.2, -0.4]), np.random.default_rng(6), 60)
    free, tied = (fit(pairs, 4, anchor=a, errors=errors) for a in (None, 2))
    assert free.elo.sum() == pytest.approx(0, abs=1e-9)
    assert (tied.elo[2], tied.se[2]) == (0, 0)
    assert tied.elo == pytest.approx(free.elo - free.elo[2])
    for found in (free, tied):
        assert found.se**2 == pytest.approx(np.diagonal(found.covariance()))
        for one, other in ((0, 1), (3, 2)):
            contrast = np.zeros(4)
            contrast[[one, other]] = 1, -1
            gap, se = found.difference(one, other)
            assert gap == pytest.approx(contrast @ found.elo)
            assert se**2 == pytest.approx(contrast @ found.covariance() @ contrast)
    assert tied.difference(0, 2)[1] == pytest.approx(tied.se[0])
    assert free.difference(1, 1) == (0, 0)


def test_without_an_advantage_colours_do_not_matter():
    games = Games([0], [1], [30], [20], [10])
    found = fit(games, 2, advantage=False)
    turned = fit(Games([1], [0], [10], [20], [30]), 2, advantage=False)
    assert found.elo == pytest.approx(turned.elo)
    assert found.elo[0] - found.elo[1] == pytest.approx(400 * math.log10(2))
    assert (found.advantage, found.advantage_se) == (0, 0)


# Pools.


def test_a_player_who_only_won_is_a_pool_of_his_own():
    results = Games([0, 1, 1, 2], [1, 2, 0, 0], [5, 2, 0, 0], [0, 1, 0, 0], [0, 2, 5, 3])
    assert pools(results, 4) == [(1, 2), (0,), (3,)]
    with pytest.raises(DisconnectedError) as refused:
        fit(results, 4)
    assert refused.value.pools == [(1, 2), (0,), (3,)]
    assert "3 pools" in str(refused.value)
    inner = within(results, (1, 2))
    assert fit(inner, 2, advantage=False).elo[0] == pytest.approx(0, abs=1e-6)


def test_a_draw_links_both_ways_and_virtual_draws_link_whoever_met():
    assert pools(Games([0], [1], [9], [1], [0]), 2) == [(0, 1)]
    won = Games([0, 1], [1, 0], [9, 0], [0, 0], [0, 9])
    assert pools(won, 2) == [(0,), (1,)]
    assert pools(won, 2, virtual_draws=2) == [(0, 1)]
    assert pools(won, 3, virtual_draws=2) == [(0, 1), (2,)]


def test_a_ring_of_winners_is_one_pool():
    n = 400
    ring = Games(np.arange(n), (np.arange(n) + 1) % n, np.ones(n), np.zeros(n), np.zeros(n))
    assert pools(ring, n) == [tuple(range(n))]
    broken = Games(*(np.asarray(part)[:-1] for part in ring))
    assert len(pools(broken, n)) == n


@given(
    st.lists(st.tuples(*[st.integers(0, 6)] * 2, *[st.integers(0, 2)] * 3), min_size=1, max_size=20)
)
def test_there_are_finite_ratings_or_a_reason_why_not(rows):
    """Whatever the results, nothing is NaN and every refusal has a name."""
    rows = [row for row in rows if row[0] != row[1]]
    games = Games(*(np.array([row[i] for row in rows], dtype=int) for i in range(5)))
    connected = len(pools(games, 7)) == 1
    for model in MODEL_NAMES:
        try:
            found = fit(games, 7, model=model)
        except DisconnectedError:
            assert not connected
        except NoFiniteRatingError:
            assert connected
        else:
            assert connected
            assert np.isfinite([*found.elo, *found.se, found.advantage]).all()
    linked = len(pools(games, 7, virtual_draws=2)) == 1
    if linked:
        found = fit(games, 7, virtual_draws=2, advantage=False)
        assert np.isfinite([*found.elo, *found.se]).all()
        assert np.all(found.se > 0)


def test_a_perfect_score_has_a_finite_rating_with_virtual_draws():
    perfect = Pairs([0], [1], [[[0, 0, 0], [0, 0, 0], [0, 0, 100]]])
    with pytest.raises(DisconnectedError):
        fit(perfect, 2)
    found = fit(perfect, 2, virtual_draws=2)
    # The two players add two draws each: 202 points of 204.
    assert found.elo[0] - found.elo[1] == pytest.approx(400 * math.log10(202 / 2), rel=1e-6)
    assert 50 < found.difference(0, 1)[1] < 200
    # With no loss among them, rating and draw rate may both rise for ever.
    for model in ("davidson", "rao_kupper"):
        with pytest.raises(NoFiniteRatingError, match=r"finite estimate|either side"):
            fit(perfect, 2, model=model, virtual_draws=2)


def test_when_white_always_wins_the_advantage_has_no_estimate():
    games = Games([0, 1], [1, 0], [10, 10], [0, 0], [0, 0])
    with pytest.raises(NoFiniteRatingError, match="White"):
        fit(games, 2)
    assert fit(games, 2, advantage=False).elo == pytest.approx([0, 0])
    assert fit(games, 2, virtual_draws=2).advantage == pytest.approx(400 * math.log10(22 / 2))


def test_an_advantage_that_is_a_rating_in_disguise_is_refused():
    """One player always had White: who can tell strength from colour?"""
    games = Games([0], [1], [6], [3], [4])
    with pytest.raises(NoFiniteRatingError, match="both colours"):
        fit(games, 2)


def test_where_everything_is_drawn_all_are_equal_or_the_model_says_no():
    drawn = Pairs([0, 1], [1, 2], [np.diag([0, 50, 0])] * 2)
    found = fit(drawn, 3)
    assert found.elo == pytest.approx([0, 0, 0])
    assert found.se == pytest.approx([0, 0, 0])  # all units alike: no spread was seen
    assert np.all(fit(drawn, 3, errors="information").se > 10)
    for model in ("davidson", "rao_kupper"):
        with pytest.raises(NoFiniteRatingError, match="drawn"):
            fit(drawn, 3, model=model)


def test_without_a_draw_the_models_agree():
    games = Games([0, 1], [1, 0], [20, 14], [0, 0], [11, 17])
    logistic = fit(games, 2)
    for model in ("davidson", "rao_kupper"):
        found = fit(games, 2, model=model)
        assert found.elo == pytest.approx(logistic.elo)
        assert (found.draw_parameter, found.draws_of_equals) == (0, 0)


def test_models_with_draws_tell_the_draw_rate_of_equals():
    equal = Pairs([0], [1], [[[10, 15, 10], [15, 30, 15], [10, 15, 10]]])
    for model in ("davidson", "rao_kupper"):
        found = fit(equal, 2, model=model)
        assert found.draws_of_equals == pytest.approx(60 / 130)
    assert fit(equal, 2).draws_of_equals is None


def test_one_player_and_no_game():
    nobody = Games([], [], [], [], [])
    alone = fit(nobody, 1, advantage=False)
    assert (alone.elo.tolist(), alone.se.tolist(), alone.score.tolist()) == ([0], [0], [0.5])
    with pytest.raises(NoFiniteRatingError):
        fit(nobody, 1)
    with pytest.raises(DisconnectedError):
        fit(nobody, 2)
    assert pools(nobody, 2) == [(0,), (1,)]


@pytest.mark.parametrize(
    ("results", "problem"),
    [
        (Games([0], [0], [1], [1], [1]), "himself"),
        (Games([0], [2], [1], [1], [1]), "numbered 0 to 1"),
        (Games([0], [1], [-1], [1], [1]), "not negative"),
        (Games([0], [1], [math.nan], [1], [1]), "finite"),
        (Games([0, 1], [1], [1], [1], [1]), "two players"),
        (Games([0], [1], [1, 2], [1], [1]), "shape"),
        (Pairs([0], [1], np.ones((1, 3, 3)), values=(0, 0.4, 1)), "scores 0, 0.5 or 1"),
        (Pairs([0], [1], np.ones((1, 3, 2))), "shape"),
    ],
)
def test_counts_that_are_none_are_refused(results, problem):
    with pytest.raises(ValueError, match=problem):
        fit(results, 2)
