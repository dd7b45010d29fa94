"""What a search must find, keep to and repeat."""

import random
import re

import pytest

from tabia.engine import Position, RuleSet

CHESS = RuleSet.load("chess")
COREGAL = RuleSet.load("coregal")
GRAND = RuleSet.load("grand")
GRANDER = RuleSet.load("grander")


@pytest.mark.parametrize(
    ("rules", "fen", "moves"),
    [
        (CHESS, "k7/8/1K6/8/8/8/8/7R w - - 0 1", 1),
        (CHESS, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        (CHESS, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),  # S. Loyd: 1. Ra6
        (CHESS, "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
        (GRAND, "k9/10/1K8/10/10/10/10/10/10/7M2 w - - 0 1", 1),
    ],
)
def test_mates(rules: RuleSet, fen: str, moves: int) -> None:
    position = Position(rules, fen)
    found = position.search(nodes=60_000)
    assert found.score == 32000 - (2 * moves - 1)
    for move in found.pv:
        position.push(move)
    ended = position.outcome()
    assert ended is not None
    assert ended.reason == "checkmate"


def test_stalemate_is_sought_where_it_wins_and_shunned_where_it_draws() -> None:
    # Qb3-b8 stalemates; other moves win slowly, if at all.
    fen = "10/10/10/10/10/10/10/1Q8/8K1/k9 w - - 0 1"
    wins = Position(GRANDER, fen).search(nodes=20_000)
    assert wins.score > 31_000
    position = Position(GRAND, fen)
    position.push(position.search(nodes=20_000).best_move or "")
    assert position.outcome() is None or position.outcome() != "stalemate"


def test_the_same_search_twice_and_within_its_limit() -> None:
    for nodes in (1, 7, 500, 4000):
        first = Position(GRAND).search(nodes=nodes)
        assert first == Position(GRAND).search(nodes=nodes)
        assert first.nodes <= nodes
        assert first.best_move in Position(GRAND).legal_moves()
    assert Position(CHESS).search(depth=3).depth == 3
    with pytest.raises(ValueError, match="limit"):
        Position(CHESS).search()


def test_no_move_where_there_is_none() -> None:
    mated = Position(CHESS, "k6R/8/1K6/8/8/8/8/8 b - - 0 1")
    assert mated.search(nodes=100).best_move is None


def test_the_line_is_legal() -> None:
    position = Position(CHESS)
    found = position.search(nodes=20_000)
    assert len(found.pv) >= 3
    for move in found.pv:
        position.push(move)


def wins_against_bare_king(rules: RuleSet, piece: str, games: int, nodes: int) -> int:
    rng = random.Random(f"{rules.id} {piece}")
    board = rules.rules.board
    won = 0
    for _ in range(games):
        position = bare_king(rules, piece, board.files, board.ranks, rng)
        for _ in range(240):
            if position.outcome() is not None:
                break
            position.push(position.search(nodes=nodes).best_move or "")
        ended = position.outcome()
        won += ended is not None and ended.result == "1-0"
    return won


def bare_king(rules: RuleSet, piece: str, files: int, ranks: int, rng: random.Random) -> Position:
    """White: king and that piece, to move; Black: a king that cannot take it at once."""
    while True:
        squares = rng.sample(range(files * ranks), 3)
        men = dict(zip(squares, ["K", piece, "k"], strict=True))
        rows = []
        for rank in reversed(range(ranks)):
            row = "".join(men.get(rank * files + file, "1") for file in range(files))
            rows.append(re.sub("1+", lambda empty: str(len(empty[0])), row))
        try:
            black_first = Position(rules, "/".join(rows) + " b - - 0 1")
            position = Position(rules, "/".join(rows) + " w - - 0 1")
        except ValueError:
            continue
        at = f"{chr(ord('a') + squares[1] % files)}{squares[1] // files + 1}"
        if not any(move.endswith(at) for move in black_first.legal_moves()):
            return position


@pytest.mark.parametrize("rules", [CHESS, GRAND, GRANDER], ids=lambda rules: rules.name)
@pytest.mark.parametrize("piece", ["Q", "R", "M"])
@pytest.mark.nightly
def test_bare_kings_are_mated(rules: RuleSet, piece: str) -> None:
    if piece not in rules.rules.letters:
        piece = "Q"
    assert wins_against_bare_king(rules, piece, games=100, nodes=1000) >= 95


def test_a_bare_king_is_mated_on_the_large_board() -> None:
    assert wins_against_bare_king(GRAND, "R", games=6, nodes=1000) == 6


def reflected(fen: str) -> str:
    """The board turned over and the colours exchanged: the same position for the mover."""
    board, turn, rights, _, clock, number = fen.split()
    rows = "/".join(reversed(board.split("/"))).swapcase()
    rights = "".join(sorted(rights.swapcase()))
    return f"{rows} {'b' if turn == 'w' else 'w'} {rights} - {clock} {number}"


@pytest.mark.parametrize("rules", [CHESS, GRAND, COREGAL], ids=lambda rules: rules.name)
def test_white_and_black_are_played_alike(rules: RuleSet) -> None:
    # An engine that leans to one side would be measured as an advantage of moving first.
    # Not all searches agree to the last node: the two positions share no hash slots.
    rng = random.Random(rules.id)
    agreed = []
    while len(agreed) < 40:
        position = Position(rules)
        while position.outcome() is None and rng.random() < 0.97:
            position.push(rng.choice(position.legal_moves()))
        fen = position.fen()
        if position.outcome() is None and fen.split()[3] == "-":
            found, twin = (Position(rules, f).search(depth=4) for f in (fen, reflected(fen)))
            agreed.append(found.score == twin.score)
    assert agreed.count(True) >= 38
