"""Units of several matches, counted apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tabia.server.match_tally import MatchTally
from tabia.server.tally import Unit


def game(match: str, result: str, reason: str = "checkmate", moves: str = "e2e4") -> dict[str, Any]:
    return {"match": match, "result": result, "reason": reason, "moves": moves}


def unit(match: str, first: str, second: str, number: int = 0) -> Unit:
    return Unit(number, game(match, first), game(match, second, moves="d2d4"))


def test_the_second_game_is_seen_from_the_first_side() -> None:
    tally = MatchTally()
    tally.add(unit("x:y", "1-0", "0-1"))  # the first side won with White, and then with Black
    tally.add(unit("x:y", "0-1", "1-0"))
    tally.add(unit("x:y", "1/2-1/2", "0-1"))
    assert tally.pentanomial(["x:y"]).tolist() == [[1, 0, 0, 1, 1]]


def test_matches_are_counted_apart_and_those_without_a_unit_are_nought() -> None:
    tally = MatchTally()
    tally.add(unit("x:y", "1-0", "0-1"))
    tally.add(unit("y:z", "1-0", "1-0", number=1))
    assert tally.pentanomial(["y:z", "x:z", "x:y"]).tolist() == [
        [0, 0, 1, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 1],
    ]
    assert tally.pentanomial([]).shape == (0, 5)


def test_a_capped_game_counts_one_half_and_is_remembered() -> None:
    tally = MatchTally()
    capped = game("x:y", "1/2-1/2", reason="ply cap")
    tally.add(Unit(0, capped, game("x:y", "0-1", moves="d2d4")))
    assert tally.pentanomial(["x:y"]).tolist() == [[0, 0, 0, 1, 0]]
    assert tally.capped == 1


def test_one_capped_game_seen_twice_is_level_whatever_it_was_worth() -> None:
    tally = MatchTally()
    capped = game("x:y", "1/2-1/2", reason="ply cap")
    tally.add(Unit(0, capped, capped))
    assert tally.pentanomial(["x:y"]).tolist() == [[0, 0, 1, 0, 0]]
    assert tally.capped == 0


def test_a_unit_of_two_matches_is_refused() -> None:
    with pytest.raises(ValueError, match="unit 3: one match is expected, not 'x:y' and 'x:z'"):
        MatchTally().add(Unit(3, game("x:y", "1-0"), game("x:z", "1-0")))


def test_it_comes_back_from_storage_as_it_was() -> None:
    tally = MatchTally()
    tally.add(unit("x:y", "1-0", "0-1"))
    stored = tally.to_json()
    again = MatchTally.from_json(stored)
    again.add(unit("x:y", "1-0", "0-1", number=1))
    assert np.array(stored["x:y"]).sum() == 1
    assert again.joint(["x:y"]).sum() == 2
