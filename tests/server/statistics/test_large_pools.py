"""Ratings of hundreds of players and more, against the formulas on whole matrices."""

import math

import numpy as np
import pytest

from tabia.server.statistics.ratings import ELO_PER_NAT, Games, NoFiniteRatingError, Pairs, fit


def strangers(players, meetings, rng):
    """Pairs of games between players who were drawn to meet, and whoever comes next."""
    first = np.concatenate([np.arange(players), rng.integers(0, players, meetings - players)])
    apart = np.concatenate([np.ones(players, int), rng.integers(1, players, meetings - players)])
    return drawn(first, (first + apart) % players, rng.normal(0, 1, players), rng)


def chain(players, rng):
    """Everybody has met the next one, and nobody else."""
    first = np.arange(players - 1)
    return drawn(first, first + 1, rng.normal(0, 0.1, players), rng)


def drawn(first, second, theta, rng):
    """Ten pairs a meeting; every other row is repeated the other way round."""
    first, second = (np.concatenate([first, second[::2]]), np.concatenate([second, first[::2]]))
    lead = (theta[first] - theta[second])[:, None]
    win = 1 / (1 + np.exp(0.5 - lead - rng.normal(0, 0.7, (first.size, 1))))
    chances = np.concatenate([0.7 * (1 - win), np.full_like(win, 0.3), 0.7 * win], axis=1)
    joint = chances[:, :, None] * chances[:, None, :]
    return Pairs(first, second, rng.multinomial(10, joint.reshape(-1, 9)).reshape(-1, 3, 3))


def plainly(pairs, players, found, virtual):
    """The slope, and the covariances by information and by clusters, in nats; h comes last."""
    first, second, cells = pairs[:3]
    scores = np.array([0, 0.5, 1])
    # How the lead of the first player depends on the estimates where he has White, and Black.
    white = np.zeros((first.size, players + 1))
    white[np.arange(first.size), first] += 1
    white[np.arange(first.size), second] -= 1
    black = white.copy()
    white[:, players], black[:, players] = 1, -1
    at = np.append(found.elo, found.advantage) / ELO_PER_NAT
    as_white, as_black = (1 / (1 + np.exp(-(lead @ at))) for lead in (white, black))
    games = cells.sum(axis=(1, 2))
    total = np.abs(white[:, :players]).T @ (2 * games)
    draws = virtual * games * (1 / total[first] + 1 / total[second])

    information = sum(
        lead.T @ (lead * ((games + draws) * mean * (1 - mean))[:, None])
        for lead, mean in ((white, as_white), (black, as_black))
    )
    u, v = (scores - mean[:, None] for mean in (as_white, as_black))
    slope = white.T @ (np.einsum("pij,pi->p", cells, u) + draws * (0.5 - as_white))
    slope += black.T @ (np.einsum("pij,pj->p", cells, v) + draws * (0.5 - as_black))
    spread = white.T @ (
        white * (np.einsum("pij,pi->p", cells, u**2) + draws * (0.5 - as_white) ** 2)[:, None]
    )
    spread += black.T @ (
        black * (np.einsum("pij,pj->p", cells, v**2) + draws * (0.5 - as_black) ** 2)[:, None]
    )
    both = white.T @ (black * np.einsum("pij,pi,pj->p", cells, u, v)[:, None])
    spread += both + both.T
    origin = np.zeros((players + 1, players + 1))
    origin[:players, :players] = 1 / players
    inverse = np.linalg.inv(information + origin) - origin
    few = games.sum() / (games.sum() - players)
    return slope, inverse, inverse @ spread @ inverse * few


@pytest.mark.parametrize(
    ("players", "meetings", "anchor"),
    # A few, of whom nearly all met; and so many that their inverse is in single precision.
    [(30, 300, None), (300, 1000, 3), (1100, 2200, None), (1100, 2200, 3)],
)
def test_many_players_have_the_errors_of_the_formula_on_whole_matrices(players, meetings, anchor):
    pairs = strangers(players, meetings, np.random.default_rng(8))
    found = fit(pairs, players, virtual_draws=2, anchor=anchor)
    slope, information, clustered = plainly(pairs, players, found, virtual=2)
    assert np.abs(slope).max() < 1e-6
    origin = np.eye(players + 1)
    if anchor is not None:
        origin[:players, anchor] -= 1
    expected = np.sqrt(np.diagonal(origin @ clustered @ origin.T)) * ELO_PER_NAT
    assert found.se == pytest.approx(expected[:players], rel=2e-6)
    assert found.advantage_se == pytest.approx(expected[players], rel=2e-6)
    contrast = origin[5] - origin[9]
    assert found.difference(5, 9)[1] == pytest.approx(
        math.sqrt(contrast @ clustered @ contrast) * ELO_PER_NAT, rel=2e-6
    )
    narrow = fit(pairs, players, virtual_draws=2, anchor=anchor, errors="information")
    expected = np.sqrt(np.diagonal(origin @ information @ origin.T)) * ELO_PER_NAT
    assert narrow.se == pytest.approx(expected[:players], rel=2e-6)


def test_what_single_precision_cannot_say_is_said_in_double():
    """A chain of 1100, whose ends are known to each other by 1099 matches."""
    pairs = chain(1100, np.random.default_rng(9))
    found = fit(pairs, 1100, virtual_draws=2)
    _, _, clustered = plainly(pairs, 1100, found, virtual=2)
    expected = np.sqrt(np.diagonal(clustered)[:1100]) * ELO_PER_NAT
    assert found.spread.bread.dtype == np.float64
    assert found.se == pytest.approx(expected, rel=2e-6)


def test_a_first_move_that_all_ratings_imitate_is_refused_in_a_large_pool_too():
    """Whoever is of an even number always has White, against one of an odd number."""
    rng = np.random.default_rng(3)
    white = np.concatenate([np.arange(0, 1100, 2), 2 * rng.integers(0, 550, 3000)])
    black = np.concatenate([np.arange(1, 1100, 2), 2 * rng.integers(0, 550, 3000) + 1])
    won = np.ones(white.size)
    with pytest.raises(NoFiniteRatingError, match="both colours"):
        fit(Games(white, black, won, won, won), 1100, virtual_draws=2)
