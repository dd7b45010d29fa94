"""Moves that capture on the way, or end where they began: what a player of such a game would miss.

That all legal moves are found, and no others, is for `test_brute_force` and `tests/oracle`.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from tabia.engine import MoveError, Position, RuleSet, _core
from tabia.engine.compiled import compiled
from tabia.engine.documents import DocumentError
from tabia.engine.endgames import Ending, Material
from tabia.engine.weights import neutral_weights

LION = "KNADcaKmcabK"
CHECKER = "fmFfcafmF"
GAMES = Path(__file__).parents[1] / "data" / "games"


def game(moves: str, *, size: int = 8, **more: Any) -> RuleSet:
    """A board with kings, rooks, pawns of chess and the piece X."""
    document: dict[str, Any] = {
        "board": {"files": size, "ranks": size},
        "pieces": {
            "K": {"moves": more.pop("king", "K"), "royal": True},
            "P": {"moves": "fmWifmnDfceF"},
            "R": {"moves": "R"},
            "X": {"moves": moves, **more.pop("piece", {})},
        },
        "array": {"1": f"K{size - 2}X", str(size): f"k{size - 2}x"},
        "promotion": {"pieces": "P", "to": "R", "compulsory": [size]},
        **more,
    }
    return RuleSet.from_document(document, "test")


def of(position: Position, square: str) -> set[str]:
    return {move for move in position.legal_moves() if move.startswith(square)}


def test_a_lion_alone_reaches_all_squares_within_two_and_may_pass() -> None:
    position = Position(game(LION, size=12), "k11/12/12/12/12/6X5/12/12/12/12/12/K11 w - - 0 1")
    around = {f"g7{file}{rank}" for file in "efghi" for rank in range(5, 10)}
    assert of(position, "g7") == around  # g7g7 among them


def test_a_lion_shut_in_by_its_own_men_may_not_pass() -> None:
    shut_in = "k7/8/8/2RRR3/2RXR3/2RRR3/8/K7 w - - 0 1"
    assert "d4d4" not in of(Position(game(LION), shut_in), "d4")
    one_open = "k7/8/8/2R1R3/2RXR3/2RRR3/8/K7 w - - 0 1"
    assert "d4d4" in of(Position(game(LION), one_open), "d4")


@pytest.mark.parametrize(
    ("move", "after"),
    [
        ("d4d5", "k7/8/3p4/3X4/8/8/8/K7"),
        ("d4d5,d5d6", "k7/8/3X4/8/8/8/8/K7"),  # two men
        ("d4d6", "k7/8/3X4/3p4/8/8/8/K7"),  # by a leap, one man
        ("d4d5,d5d4", "k7/8/3p4/8/3X4/8/8/K7"),  # igui
        ("d4d5,d5e6", "k7/8/3pX3/8/8/8/8/K7"),
        ("d4e6", "k7/8/3pX3/3p4/8/8/8/K7"),
        ("d4d4", "k7/8/3p4/3p4/3X4/8/8/K7"),  # the turn is passed
    ],
)
def test_what_a_lion_captures_is_in_the_name_of_its_move(move: str, after: str) -> None:
    position = Position(game(LION), "k7/8/3p4/3p4/3X4/8/8/K7 w - - 7 1")
    fen, key = position.fen(), position.key
    position.push(move)
    board, side, _, _, clock, _ = position.fen().split()
    assert (board, side) == (after, "b")
    assert clock == ("8" if after.count("p") == 2 else "0")
    position.pop()
    assert (position.fen(), position.key) == (fen, key)


@pytest.mark.parametrize("text", ["d4d5,d5", "d4d5,d6d7", "d4d5d5d6", "d4d6,d6d5", "d4d5,d5d6,"])
def test_other_texts_name_no_move(text: str) -> None:
    position = Position(game(LION), "k7/8/3p4/3p4/3X4/8/8/K7 w - - 0 1")
    with pytest.raises(MoveError):
        position.push(text)


@pytest.mark.parametrize(
    ("fen", "check"),
    [
        ("8/8/8/4k3/3X4/8/8/K7 b - - 0 1", True),
        ("8/8/5p2/4k3/3X4/8/8/K7 b - - 0 1", False),  # nowhere to land
        ("8/8/5R2/4k3/3X4/8/8/K7 b - - 0 1", False),
        ("8/8/8/8/3X4/4k3/8/K7 b - - 0 1", False),  # not backwards
        ("8/8/8/7k/6X1/8/8/K7 b - - 0 1", False),  # the board ends behind the king
    ],
)
def test_a_man_of_checkers_gives_check_where_it_can_jump(fen: str, check: bool) -> None:
    assert Position(game(CHECKER), fen).in_check() == check


def test_a_king_may_not_step_to_where_it_could_be_jumped() -> None:
    position = Position(game(CHECKER), "8/8/3k4/8/3X4/8/8/K7 b - - 0 1")
    assert "d6e5" not in position.legal_moves()  # f6 is empty
    assert "d6c5" not in position.legal_moves()
    blocked = Position(game(CHECKER), "8/8/3k1r2/8/3X4/8/8/K7 b - - 0 1")
    assert "d6e5" in blocked.legal_moves()


def test_to_stand_where_the_jump_would_land_answers_its_check() -> None:
    position = Position(game(CHECKER), "8/8/r7/4k3/3X4/8/8/K7 b - - 0 1")
    assert position.in_check()
    assert "a6f6" in position.legal_moves()
    assert "a6a5" not in position.legal_moves()


def test_a_capture_on_the_way_answers_check_and_two_of_them_a_double_check() -> None:
    single = Position(game(LION), "7k/8/8/8/8/8/2X5/3rK3 w - - 0 1")
    assert of(single, "c2") >= {"c2d1", "c2d1,d1c2", "c2d1,d1d2"}
    assert "c2c2" not in single.legal_moves()
    # Rooks on e2 and d1 both give check; the Lion beside them takes the one and then the other.
    both = Position(game(LION), "7k/8/8/8/8/8/3Xr3/3rK3 w - - 0 1")
    assert "d2e2,e2d1" in both.legal_moves()
    assert "d2d1,d1e2" in both.legal_moves()
    assert "d2e2" not in both.legal_moves()


def test_no_capture_on_the_way_may_bare_the_king() -> None:
    position = Position(game(CHECKER), "4r2k/8/8/4p3/3X4/8/8/4K3 w - - 0 1")
    assert "d4e5,e5f6" not in position.legal_moves()  # the pawn was the king's shield
    shielded = Position(game(CHECKER), "7k/8/8/4p3/3X4/8/8/4K3 w - - 0 1")
    assert "d4e5,e5f6" in shielded.legal_moves()


def test_a_royal_lion_captures_twice_and_stays_out_of_check() -> None:
    rules = game("R", king="KcaK")
    position = Position(rules, "7k/8/8/3r4/2p5/3K4/8/8 w - - 0 1")
    assert "d3c4,c4d5" in position.legal_moves()
    assert "d3c4,c4b5" not in position.legal_moves()  # the rook guards rank 5


def test_the_king_is_never_taken_on_the_way() -> None:
    # A FEN may say that White, to move, attacks the king.
    position = Position(game(LION), "8/8/8/4k3/3X4/8/8/K7 w - - 0 1")
    assert not any("e5" in move for move in position.legal_moves())


def test_jumps_promote_and_the_letter_comes_last() -> None:
    rules = game(CHECKER, promotion={"pieces": "X", "to": "R", "compulsory": [8]})
    position = Position(rules, "8/3p3k/2X5/8/8/8/8/K7 w - - 0 1")
    assert of(position, "c6") == {"c6d7,d7e8r", "c6b7"}
    position.push("c6d7,d7e8r")
    assert position.fen().split()[0] == "4R3/7k/8/8/8/8/8/K7"
    position.pop()
    assert position.fen().split()[0] == "8/3p3k/2X5/8/8/8/8/K7"


def test_men_taken_on_the_way_come_back_by_promotion() -> None:
    rules = game(
        LION,
        array={"1": "KR5X", "8": "kr5x"},
        promotion={"pieces": "P", "to": "R", "supply": "captured", "compulsory": [8]},
    )
    position = Position(rules, "k7/8/8/8/4r3/3X4/p6K/8 b - - 0 1")
    assert of(position, "a2") == set()  # the rook stands on the board: there is none to become
    position.push("a8b8")
    position.push("d3e4,e4d3")
    assert of(position, "a2") == {"a2a1r"}


def test_own_men_are_taken_on_the_way_and_only_those_allowed() -> None:
    rules = game("dafcW", piece={"own_victims": "P"})
    position = Position(rules, "k7/8/3r4/3P4/1rRX4/8/8/K7 w - - 9 1")
    assert of(position, "d4") == {"d4d5,d5d6"}
    position.push("d4d5,d5d6")
    assert position.fen().split()[0] == "k7/8/3X4/8/1rR5/8/8/K7"


def test_a_rook_taken_on_the_way_takes_the_right_to_castle_with_it() -> None:
    rules = game(
        LION,
        array={"1": "4K2R", "8": "4k2r"},
        castling={"kingside": {"king": "g", "partner": "h"}},
    )
    position = Position(rules, "4k2r/8/8/8/8/8/6x1/4K2R b Kk - 0 1")
    position.push("g2h1,h1g2")
    assert position.fen().split()[2] == "k"
    position.pop()
    assert position.fen().split()[2] == "Kk"


def test_a_man_that_came_back_has_moved() -> None:
    rules = game("WimDmabW", piece={"initial": "unmoved"})
    position = Position(rules)
    assert "h1h3" in position.legal_moves()
    position.push("h1h1")
    position.push("a8b8")
    assert "h1h3" not in position.legal_moves()


def test_passing_repeats_the_position() -> None:
    position = Position(game(LION), "k7/8/8/8/8/8/8/K6X w - - 0 1")
    for _ in range(2):
        for move in ("h1h1", "a8b8", "h1h1", "b8a8"):
            assert position.outcome() is None
            position.push(move)
    ended = position.outcome()
    assert ended is not None
    assert ended.reason == "repetition"


def test_two_ways_that_capture_the_same_are_one_move() -> None:
    # Over the same man, then by d6 or by e5.
    position = Position(game("camamW"), "k7/8/8/3p4/3X4/8/8/K7 w - - 0 1")
    assert position.legal_moves().count("d4d5,d5e6") == 1
    assert position.perft(1) == len(set(position.legal_moves()))


def test_a_search_takes_both_men() -> None:
    rules = game(LION)
    position = Position(rules, "k7/8/8/8/8/3rr3/3X4/7K w - - 0 1")
    best = position.search(depth=1).best_move
    assert best is not None
    position.push(best)
    assert "r" not in position.fen().split()[0]


@pytest.mark.parametrize(
    ("moves", "fen", "best", "more"),
    [
        (CHECKER, "7k/8/8/4r3/3X4/8/8/K7 w - - 0 1", "d4e5,e5f6", {}),
        ("mKmafcabmK", "7k/8/3r4/8/3X4/8/8/K7 w - - 0 1", "d4d6,d6d5", {}),  # withdraws
        (
            "cadK", "7k/8/3P4/3r4/3X4/8/8/K7 w - - 0 1", "d4d5,d5d6",
            {"piece": {"own_victims": "P"}},
        ),
    ],
)  # fmt: skip
def test_a_search_takes_on_the_way_where_it_lands_on_nobody(
    moves: str, fen: str, best: str, more: dict[str, Any]
) -> None:
    position = Position(game(moves, **more), fen)
    assert position.search(depth=3).best_move == best


def test_who_can_take_the_checking_man_on_the_way_is_not_mated() -> None:
    position = Position(game(CHECKER), "7k/8/8/8/8/r7/3X1X2/3PKP2 b - - 0 1")
    assert abs(position.search(depth=2).score) < 20_000
    position.push("a3e3")
    assert "d2e3,e3f4" in position.legal_moves()
    assert abs(position.search(depth=3).score) < 20_000


def test_whole_games_tell_who_was_left() -> None:
    rules = RuleSet.load(GAMES / "lions.toml")
    core = compiled(rules)
    weights = _core.Evaluator.build(core, neutral_weights(rules))
    record = _core.play_game(core, weights, weights, [], 200, 200, 200)
    position = Position(rules)
    for move in record["moves"]:
        position.push(move)
    survivors = sum(sum(men.values()) for men in record["survivors"].values())
    men = sum(c.isalpha() for c in position.fen().split()[0])
    assert 0 < survivors <= men
    assert any("," in move for move in record["moves"])


def test_endings_with_such_men_are_refused() -> None:
    rules = game(LION)
    Ending(rules, Material.parse("KR:K", rules))
    with pytest.raises(DocumentError, match="not solved: X moves so"):
        Ending(rules, Material.parse("KX:K", rules))


def test_beside_citadels_they_are_refused() -> None:
    board = {"files": 8, "ranks": 8, "citadels": {"h4": "g4"}}
    with pytest.raises(DocumentError, match="none capture on the way, or come back, where"):
        Position(game(LION, board=board))


def test_more_sets_of_squares_than_a_move_has_room_for_are_refused() -> None:
    ways = [
        f"ca{one}ca{two}ca{three}cafmK"
        for one in ("f", "r", "fr", "fl")
        for two in ("f", "fr", "fl")
        for three in ("f", "l", "fr", "fl")
    ]
    pieces = {
        letter: {"moves": "".join(ways[12 * index : 12 * index + 12])}
        for index, letter in enumerate("ABCD")
    }
    document = {
        "board": {"files": 8, "ranks": 8},
        "pieces": {"K": {"moves": "K", "royal": True}, **pieces},
        "array": {"1": "K3ABCD", "8": "k3abcd"},
    }
    with pytest.raises(DocumentError, match="at most 252 different sets of squares"):
        Position(RuleSet.from_document(document, "test"))


@pytest.mark.parametrize("name", ["lions", "locusts"])
def test_games_are_taken_back_move_by_move(name: str) -> None:
    position = Position(RuleSet.load(GAMES / f"{name}.toml"))
    before: list[tuple[str, int]] = []
    while len(before) < 300 and position.outcome() is None:
        before.append((position.fen(), position.key))
        moves = position.legal_moves()
        through = [move for move in moves if "," in move] or moves
        digest = hashlib.sha256(f"{name} {len(before)}".encode()).digest()
        position.push(through[int.from_bytes(digest) % len(through)])
        assert Position(position.rules, position.fen()).key == position.key
    while before:
        position.pop()
        assert (position.fen(), position.key) == before.pop()


def test_nobody_captures_the_last_two_kings_at_once() -> None:
    """Of royal men that may be lost, one has to be left to be mated."""
    two_kings = {"array": {"1": "KK4XX", "8": "kk4xx"}}
    game(LION, check={"royals": "every"}, **two_kings)
    game(CHECKER, check={"royals": "last"}, **two_kings)
    for rule in ("last", "duple"):
        with pytest.raises(DocumentError) as refused:
            game(LION, check={"royals": rule}, **two_kings)
        assert str(refused.value) == (
            'test:pieces.X.moves: found "ADKNcaKmcabK", which captures two men at once, of a side '
            'that may lose royal men; allowed: where Black has check.royals = "every"'
        )
