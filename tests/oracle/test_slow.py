"""Gross, Gigachess and Great Chess against slow generators written from the games' own texts.

No other program can check these three. In random games, all that can be seen of a position is
compared at every ply: the men, the legal moves, check, the outcome. The games are of five kinds,
since a game without any aim sees hardly any promotion, mate or repetition.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

import pytest
from oracle.slow.gigachess import GIGACHESS
from oracle.slow.great import GREAT
from oracle.slow.gross import GROSS
from oracle.slow.kernel import Game, Move

from tabia.engine import Position, RuleSet

GAMES: dict[str, Game] = {"gross": GROSS, "gigachess": GIGACHESS, "great": GREAT}
KINDS = ("aimless", "greedy", "marching", "quiet", "shuffling")
PLIES = 150


def wanted(kind: str, moves: Sequence[Move], before: Move | None, position: Position) -> list[Move]:
    """The moves that a game of this kind has a liking for; none when there are none such."""
    match kind:
        case "greedy":
            return [m for m in moves if ends(position, m)] or [m for m in moves if m.taken]
        case "marching":
            return [m for m in moves if m.promoted or m.en_passant] or [m for m in moves if m.pawn]
        case "quiet":
            return [m for m in moves if not m.taken and not m.pawn]
        case "shuffling":
            back = before and before.on[0][0] + before.off[0]
            return [m for m in moves if m.text == back]
    return []


def ends(position: Position, move: Move) -> bool:
    position.push(move.text)
    ended = position.outcome()
    position.pop()
    return ended is not None and ended.result != "1/2-1/2"


def agree(rules: str, number: int, plies: int) -> tuple[int, str]:
    """Plays a game and compares; plies compared, and how the game ended."""
    game, position = GAMES[rules], Position(RuleSet.load(rules))
    state, kind = game.start, KINDS[number % len(KINDS)]
    seen: Counter[object] = Counter()
    played: list[Move] = []
    for ply in range(plies):
        where = f"{rules}, game {number}: {' '.join(move.text for move in played)}"
        assert position.fen().split()[0] == game.placement(state), where
        moves = game.moves(state)
        assert set(position.legal_moves()) == set(moves), where
        assert position.in_check() == game.check(state), where
        seen[identity := game.identity(state, moves)] += 1
        expected = game.outcome(state, moves, seen[identity])
        ended = position.outcome()
        assert (ended and (ended.result, ended.reason)) == expected, where
        if expected is not None:
            return ply + 1, expected[1]
        choice = [moves[text] for text in sorted(moves)]
        number_of = hashlib.sha256(f"{rules} {number} {ply}".encode()).digest()
        if number_of[0] % 8:  # now and then, any move at all
            before = played[-2] if ply > 1 else None
            choice = wanted(kind, choice, before, position) or choice
        move = choice[int.from_bytes(number_of) % len(choice)]
        position.push(move.text)
        state = game.play(state, move)
        played.append(move)
    return plies, "unfinished"


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("number", range(len(KINDS)))
def test_random_games_agree_at_every_ply(rules: str, number: int) -> None:
    agree(rules, number, plies=60)


@pytest.mark.nightly
@pytest.mark.parametrize("rules", GAMES)
def test_200_random_games_agree_at_every_ply(rules: str) -> None:
    ends = Counter(agree(rules, number, PLIES)[1] for number in range(200))
    print(rules, dict(ends))
    decided = {"great": {"checkmate", "bare king"}}.get(rules, {"checkmate"})
    assert {*decided, "repetition", "n-move rule"} <= set(ends)


@pytest.mark.parametrize("depth", [1, 2, pytest.param(3, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("rules", GAMES)
def test_perft_from_the_array(rules: str, depth: int) -> None:
    game = GAMES[rules]
    assert Position(RuleSet.load(rules)).perft(depth) == game.perft(game.start, depth)
