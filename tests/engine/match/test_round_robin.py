"""Who meets whom in a pool."""

from collections import Counter
from itertools import combinations

import pytest

from tabia.engine.match.round_robin import meeting, pairs

SIZES = (2, 3, 4, 5, 8, 13, 64)


def keys(players: int) -> list[str]:
    return [f"player-{number}" for number in range(players)]


@pytest.mark.parametrize("players", SIZES)
def test_everybody_meets_everybody_once_and_then_again(players: int) -> None:
    pool = keys(players)
    once = pairs(players)
    met = [meeting(pool, unit) for unit in range(2 * once)]
    assert Counter(map(frozenset, met[:once])) == Counter(map(frozenset, combinations(pool, 2)))
    assert met[once:] == met[:once]


@pytest.mark.parametrize("players", SIZES)
def test_as_many_units_as_players_connect_them_all(players: int) -> None:
    # So a pool has a rating list long before everybody has met everybody.
    pool = keys(players)
    groups = {key: {key} for key in pool}
    for unit in range(players):
        one, other = meeting(pool, unit)
        merged = groups[one] | groups[other]
        groups.update(dict.fromkeys(merged, merged))
    assert len(groups[pool[0]]) == players


@pytest.mark.parametrize("players", SIZES)
def test_nobody_plays_much_more_than_others(players: int) -> None:
    pool = keys(players)
    games: Counter[str] = Counter()
    for unit in range(pairs(players)):
        games.update(meeting(pool, unit))
        assert max(games.values()) - min(games[key] for key in pool) <= 2
