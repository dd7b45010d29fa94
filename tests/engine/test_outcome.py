"""How games end, by the rules that say so."""

import random
import re
from pathlib import Path
from typing import get_args

import pytest

from tabia.engine import Outcome, Position, RuleSet
from tabia.engine.documents import DocumentError
from tabia.engine.position import Reason

CHESS = RuleSet.load("chess")
GRAND = RuleSet.load("grand")


def outcome(rules: str, fen: str) -> Outcome | None:
    return Position(RuleSet.load(rules), fen).outcome()


def test_checkmate() -> None:
    position = Position(CHESS)
    for move in ("f2f3", "e7e5", "g2g4"):
        position.push(move)
        assert position.outcome() is None
    position.push("d8h4")
    assert position.outcome() == Outcome("0-1", "checkmate")


@pytest.mark.parametrize(
    ("rules", "result"),
    [("grand", "1/2-1/2"), ("grander", "1-0"), ("grand-stalemate-wins", "1-0")],
)
def test_stalemate_is_what_the_rules_say(rules: str, result: str) -> None:
    fen = "k9/10/1Q8/10/10/10/10/10/10/K9 b - - 0 1"
    assert outcome(rules, fen) == Outcome(result, "stalemate")


def test_third_occurrence_with_the_same_rights() -> None:
    position = Position(CHESS)
    there_and_back = ("g1f3", "g8f6", "f3g1", "f6g8")
    for move in there_and_back * 2:
        assert position.outcome() is None
        position.push(move)
    assert position.outcome() == Outcome("1/2-1/2", "repetition")
    # A king's walk loses the right to castle: the position after it is a new one.
    position = Position(CHESS, "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    for move in ("e1e2", "e8e7", "e2e1", "e7e8", "e1e2", "e8e7", "e2e1", "e7e8"):
        assert position.outcome() is None
        position.push(move)
    assert position.outcome() is None
    position.push("e1e2")  # for the third time: e2, e8, no rights
    assert position.outcome() == Outcome("1/2-1/2", "repetition")


def test_n_move_rule_counts_from_the_fen_and_mate_comes_first() -> None:
    position = Position(CHESS, "4k3/8/8/8/8/8/8/R3K3 w Q - 99 80")
    position.push("a1a2")
    assert position.outcome() == Outcome("1/2-1/2", "n-move rule")
    mate = Position(CHESS, "k7/8/1K6/8/8/8/8/7R w - - 99 80")
    mate.push("h1h8")
    assert mate.outcome() == Outcome("1-0", "checkmate")
    pawn = Position(CHESS, "4k3/8/8/8/8/8/P7/4K3 w - - 99 80")
    pawn.push("a2a3")
    assert pawn.outcome() is None
    assert outcome("grander", "3k6/10/10/10/10/10/10/10/10/R3K5 w - - 400 300") is None


def test_taking_the_last_man_wins_even_when_it_leaves_the_king_no_move() -> None:
    position = Position(RuleSet.load("great"), "10/1k8/10/2s7/10/10/10/10/2Q2K4/10 w - - 0 1")
    assert position.search(depth=2).score > 31_000
    position.push("c2c7")
    assert position.legal_moves() == []
    assert not position.in_check()
    assert position.outcome() == Outcome("1-0", "bare king")


@pytest.mark.parametrize(
    ("rules", "fen", "dead"),
    [
        ("chess", "8/8/4k3/8/8/3K4/8/8 w - - 0 1", True),
        ("chess", "8/8/4k3/8/8/3K4/8/6N1 w - - 0 1", True),
        ("chess", "8/8/4k3/8/8/3K4/8/6B1 w - - 0 1", True),
        ("chess", "8/8/4k3/8/8/3K4/8/6R1 w - - 0 1", False),
        ("chess", "8/8/4k3/8/8/3K4/P7/8 w - - 0 1", False),
        ("chess", "8/8/4k1b1/8/8/3K4/8/5B2 w - - 0 1", True),  # both on light squares
        ("chess", "8/8/4k1b1/8/8/3K4/8/6B1 w - - 0 1", False),  # a mate can be helped to
        ("chess", "8/8/4k1n1/8/8/3K4/8/6B1 w - - 0 1", False),
        ("chess", "8/8/4k3/8/8/3K4/8/5NN1 w - - 0 1", False),
        # The Cardinal alone can mate a king in the corner (Grand Chess Rulebook); a bishop cannot.
        ("grand", "10/10/4k5/10/10/10/3K6/10/10/6C3 w - - 0 1", False),
        ("grand", "10/10/4k5/10/10/10/3K6/10/10/6B3 w - - 0 1", True),
        ("grand", "10/10/4k5/10/10/10/3K6/10/10/6N3 w - - 0 1", True),
        # Where stalemate wins, a knight may still do it; two bare kings may not.
        ("grander", "10/10/4k5/10/10/10/3K6/10/10/6N3 w - - 0 1", False),
        ("grander", "10/10/4k5/10/10/10/3K6/10/10/10 w - - 0 1", True),
    ],
)
def test_dead_positions(rules: str, fen: str, dead: bool) -> None:
    expected = Outcome("1/2-1/2", "dead position") if dead else None
    assert outcome(rules, fen) == expected


KINGS = ("K", "K", "W", "F", "WD", "N", "Q2", "mWcF", "KnD", "fFbW")
MEN = ("B", "F", "A", "N", "W", "R", "fF", "D", "FA", "nA", "mFcA", "fW", "WnAnD", "tR", "mcdF")


def small_rules(rng: random.Random, dead_position: str) -> RuleSet:
    """Three by three or four squares, a king of some kind for each side, two more types of men."""
    ranks = rng.choice([3, 4])
    king, other = rng.choice(KINGS), rng.choice(KINGS)
    a, b = rng.sample(MEN, 2)
    return RuleSet.from_document(
        {
            "board": {"files": 3, "ranks": ranks},
            "pieces": {
                "K": {"moves": king, "royal": True},
                "A": {"moves": a},
                "B": {"moves": b},
            },
            "array": {"1": "K2", str(ranks): "2k"},
            "black": {"pieces": {"K": {"moves": other}}} if rng.random() < 0.3 else {},
            "endings": {
                "stalemate": rng.choice(["draw", "draw", "loss"]),
                "repetition": {"count": 0},
                "n_move": {"moves": 0},
                "dead_position": dead_position,
            },
        }
    )


def board_with(men: str, files: int, ranks: int, rng: random.Random) -> str:
    squares = dict(zip(rng.sample(range(files * ranks), len(men)), men, strict=True))
    rows = (
        "".join(squares.get(rank * files + file, "1") for file in range(files))
        for rank in range(ranks)
    )
    return re.sub("1+", lambda empty: str(len(empty[0])), "/".join(rows))


def reachable_end(position: Position) -> Outcome | None:
    """An outcome other than a draw to which some moves lead; None when there is none."""
    seen, waiting = {position.fen().rsplit(" ", 2)[0]}, [position.fen()]
    while waiting:
        here = Position(position.rules, waiting.pop())
        ended = here.outcome()
        if ended is not None and ended.result != "1/2-1/2":
            return ended
        for move in here.legal_moves():
            here.push(move)
            fen = here.fen()
            here.pop()
            if (key := fen.rsplit(" ", 2)[0]) not in seen:
                seen.add(key)
                waiting.append(f"{key} 0 1")
    return None


@pytest.mark.parametrize("seed", range(8))
def test_a_dead_position_leads_to_no_decision(seed: int) -> None:
    dead = 0
    for number in range(30):
        draws = small_rules(random.Random(f"{seed} {number}"), "draw")
        plays_on = small_rules(random.Random(f"{seed} {number}"), "play on")
        rng = random.Random(f"men {seed} {number}")
        for men in ("Kk", "KkA", "Kkb", "KkAB", "KkAb", "KkAa"):
            fen = board_with(men, 3, draws.rules.board.ranks, rng) + " w - - 0 1"
            try:
                ended = Position(draws, fen).outcome()
            except DocumentError:
                continue  # White could take the king of the array
            if ended == Outcome("1/2-1/2", "dead position"):
                dead += 1
                assert reachable_end(Position(plays_on, fen)) is None, (draws.canonical, fen)
    assert dead > 0


def lone_man(moves: str, **endings: object) -> RuleSet:
    return RuleSet.from_document(
        {
            "board": {"files": 5, "ranks": 5},
            "pieces": {"K": {"moves": "K", "royal": True}, "A": {"moves": moves}},
            "array": {"1": "A1K2", "5": "4k"},
            "endings": endings,
        }
    )


def test_a_man_that_captures_over_empty_squares_can_mate_too() -> None:
    """Its captures are found by other tables than those of plain leaps and rides."""
    rules = lone_man("WFnDnA")
    assert Position(rules).outcome() is None
    mate = Position(rules, "k4/5/KA3/5/5 w - - 0 1")
    mate.push("b3b4")
    assert mate.outcome() == Outcome("1-0", "checkmate")
    assert Position(lone_man("nD")).outcome() == Outcome("1/2-1/2", "dead position")


def test_a_repetition_that_loses_keeps_every_position_alive() -> None:
    assert Position(lone_man("D")).outcome() == Outcome("1/2-1/2", "dead position")
    rules = lone_man("D", repetition={"count": 3, "result": "loss"})
    assert Position(rules).outcome() is None


def test_the_core_has_no_other_words_for_the_end_of_a_game() -> None:
    source = (Path(__file__).parents[2] / "engine/core/outcome.cpp").read_text("utf-8")
    body = source[source.index("reason_text") : source.index('return "";')]
    assert tuple(re.findall(r'return "(.+?)"', body)) == get_args(Reason)
