"""Gross, Gigachess and Great Chess against slow generators written from the games' own texts, and
two games of ours with men that capture on the way.

No other program can check these. In random games, all that can be seen of a position is
compared at every ply: the men, the legal moves, check, the outcome. The games are of six kinds,
since a game without any aim sees hardly any promotion, mate or repetition; and endgames from boards
with few men see what games from the array do not come to.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from oracle.slow.gigachess import GIGACHESS
from oracle.slow.great import CORNERS, GREAT
from oracle.slow.gross import GROSS
from oracle.slow.kernel import Game, Move, State
from oracle.slow.locusts import LIONS, LOCUSTS

from tabia.engine import Position, RuleSet
from tabia.engine.rules.resolve import catalog_ids

GAMES: dict[str, Game] = {
    "gross": GROSS,
    "gigachess": GIGACHESS,
    "great": GREAT,
    "lions": LIONS,
    "locusts": LOCUSTS,
}
FILES = Path(__file__).parents[1] / "data" / "games"
KINDS = ("aimless", "greedy", "special", "marching", "quiet", "shuffling")
PLIES = 150
SECOND_RANK = [f"{file}2" for file in "abcdef"]


@cache
def rule_set(name: str) -> RuleSet:
    """The rule set of the catalog, or of tests/data/games."""
    return RuleSet.load(name if name in catalog_ids() else FILES / f"{name}.toml")


def wanted(kind: str, moves: Sequence[Move], before: Move | None, position: Position) -> list[Move]:
    """The moves that a game of this kind has a liking for; none when there are none such."""
    match kind:
        case "greedy":
            return [m for m in moves if ends(position, m)] or [m for m in moves if m.taken]
        case "special":
            special = [m for m in moves if m.promoted or m.en_passant or len(m.on) > 1]
            special += [m for m in moves if "," in m.text or m.off[0] == m.on[0][0]]
            return special or [m for m in moves if m.pawn and not m.taken]
        case "marching":  # promotes only where it must
            pawns = [m for m in moves if m.pawn]
            return [m for m in pawns if not m.promoted] or pawns
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


def agree(rules: str, start: State, kind: str, seed: str, plies: int) -> str:
    """Plays a game and compares at every ply; how the game ended."""
    game, state = GAMES[rules], start
    fen = game.fen(start)
    position = Position(rule_set(rules), fen)
    seen: Counter[object] = Counter()
    played: list[Move] = []
    for ply in range(plies):
        where = f"{rules} {fen}, {kind} game {seed}: {' '.join(move.text for move in played)}"
        assert position.fen().split()[0] == game.placement(state), where
        moves = game.moves(state)
        assert set(position.legal_moves()) == set(moves), where
        assert position.in_check() == game.check(state), where
        seen[identity := game.identity(state, moves)] += 1
        expected = game.outcome(state, moves, seen[identity])
        ended = position.outcome()
        assert (ended and (ended.result, ended.reason)) == expected, where
        if expected is not None:
            return expected[1]
        choice = [moves[text] for text in sorted(moves)]
        digest = hashlib.sha256(f"{rules} {seed} {ply}".encode()).digest()
        if kind == "quiet" or digest[0] % 8:  # else, now and then, any move at all
            before = played[-2] if ply > 1 else None
            choice = wanted(kind, choice, before, position) or choice
        move = choice[int.from_bytes(digest) % len(choice)]
        position.push(move.text)
        state = game.play(state, move)
        played.append(move)
    return "unfinished"


def game_from_the_array(rules: str, number: int, plies: int) -> str:
    return agree(rules, GAMES[rules].start, KINDS[number % len(KINDS)], str(number), plies)


def few_men(rules: str, seed: str) -> State:
    """The kings and up to eight of the other men, on squares where a game may bring them."""
    game, rng = GAMES[rules], random.Random(f"{rules} {seed}")
    army = sorted(man for man in game.start.board.values() if man not in "Kk")
    while True:
        men = ["K", "k", *rng.sample(army, rng.randrange(9))]
        board = dict(zip(rng.sample(game.squares(), len(men)), men, strict=True))
        if not all(game.may_stand(square, man) for square, man in board.items()):
            continue
        quiet = rng.choice([0, 90])
        state = game.set_up(board, white=rng.random() < 0.5, quiet=quiet, castling=False)
        if game.may_be(state):
            return state


def thin_array(rules: str, seed: str) -> State:
    """The array without most of its men: kings castle, and few men have left a citadel."""
    game, rng = GAMES[rules], random.Random(f"{rules} {seed}")
    while True:
        share = rng.choice([0.02, 0.2, 0.5])
        board = {
            square: man
            for square, man in game.start.board.items()
            if man in "Kk"
            or (rules == "great" and square in CORNERS)
            or rng.random() < (0.7 if square in game.wings else share)
        }
        state = game.set_up(board, white=True, quiet=0, castling=True)
        if game.may_be(state):
            return state


def endgame(rules: str, number: int, plies: int) -> str:
    kind = ("aimless", "greedy", "special", "marching")[number % 4]
    start = (few_men, thin_array)[number // 4 % 2](rules, str(number))
    return agree(rules, start, kind, f"endgame {number}", plies)


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("number", range(2 * len(KINDS)))
def test_random_games_agree_at_every_ply(rules: str, number: int) -> None:
    game_from_the_array(rules, number, plies=60)


@pytest.mark.parametrize("rules", GAMES)
def test_endgames_agree_at_every_ply(rules: str) -> None:
    for number in range(40):
        endgame(rules, number, plies=40)


@pytest.mark.parametrize("letter", "BNVWSCRAMQ")
def test_promotion_until_the_reserve_runs_out(letter: str) -> None:
    army = [*GROSS.start.board.values(), *GROSS.extra_reserve]
    for missing in range(2):
        men = [letter] * (army.count(letter) - missing)
        board = {"a4": "K", "l7": "k", "e11": "P", **dict(zip(SECOND_RANK, men, strict=False))}
        state = GROSS.set_up(board, white=True, quiet=0, castling=False)
        assert (f"e11e12{letter.lower()}" in GROSS.moves(state)) == (missing == 1)
        agree("gross", state, "special", letter, plies=1)


@pytest.mark.nightly
@pytest.mark.parametrize("rules", GAMES)
def test_200_random_games_agree_at_every_ply(rules: str) -> None:
    ended = Counter(game_from_the_array(rules, number, PLIES) for number in range(200))
    print(rules, dict(ended))
    decided = {"great": {"checkmate", "bare king"}}.get(rules, {"checkmate"})
    assert {*decided, "repetition", "n-move rule"} <= set(ended)


@pytest.mark.nightly
@pytest.mark.parametrize("rules", GAMES)
def test_200_endgames_agree_at_every_ply(rules: str) -> None:
    ended = Counter(endgame(rules, number, PLIES) for number in range(200))
    print(rules, dict(ended))
    assert {"checkmate", "n-move rule"} <= set(ended)


@pytest.mark.parametrize("depth", [1, 2, pytest.param(3, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("rules", GAMES)
def test_perft_from_the_array(rules: str, depth: int) -> None:
    game = GAMES[rules]
    assert Position(rule_set(rules)).perft(depth) == game.perft(game.start, depth)
