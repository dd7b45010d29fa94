"""Positions: FEN in and out, moves made and taken back, keys, promotion in Grand Chess."""

import hashlib

import pytest

from tabia.engine import FenError, MoveError, Position, RuleSet

CHESS = RuleSet.load("chess")
GRAND = RuleSet.load("grand")
NO_EP = RuleSet.load("grand-no-ep")
FREE = RuleSet.load("grand-free-promotion")


def moves_from(position: Position, square: str) -> list[str]:
    return [move for move in position.legal_moves() if move.startswith(square)]


def random_walk(position: Position, plies: int, seed: str) -> list[str]:
    moves: list[str] = []
    while len(moves) < plies and position.outcome() is None:
        legal = position.legal_moves()
        digest = hashlib.sha256(f"{seed} {len(moves)}".encode()).digest()
        moves.append(legal[int.from_bytes(digest) % len(legal)])
        position.push(moves[-1])
    return moves


@pytest.mark.parametrize("rules", [CHESS, GRAND], ids=lambda rules: rules.name)
@pytest.mark.parametrize("game", range(8))
def test_moves_are_taken_back_and_fens_say_all(rules: RuleSet, game: int) -> None:
    position = Position(rules)
    before: list[tuple[str, int]] = []
    for move in random_walk(Position(rules), 150, f"walk {game}"):
        before.append((position.fen(), position.key))
        position.push(move)
        again = Position(rules, position.fen())
        assert again.fen() == position.fen()
        assert again.key == position.key
        assert again.legal_moves() == position.legal_moves()
    while before:
        position.pop()
        assert (position.fen(), position.key) == before.pop()
    with pytest.raises(IndexError):
        position.pop()


def test_legal_moves_are_unique_and_sorted() -> None:
    position = Position(GRAND)
    for move in random_walk(Position(GRAND), 120, "unique"):
        legal = position.legal_moves()
        assert legal == sorted(set(legal))
        position.push(move)


def test_a_refused_move_changes_nothing() -> None:
    position = Position(CHESS)
    fen = position.fen()
    for text in ("e2e5", "e7e5", "", "e2", "e2e4q", "a1a1", "z9z9", "e2e4\n", "0000", "é" * 40):
        with pytest.raises(MoveError, match="not legal here"):
            position.push(text)
    assert position.fen() == fen


def test_equal_positions_have_equal_keys_under_any_rule_set() -> None:
    moves = random_walk(Position(NO_EP), 40, "keys")
    with_ep, without = Position(GRAND), Position(NO_EP)
    for move in moves:
        with_ep.push(move)
        without.push(move)
        if with_ep.fen() == without.fen():
            assert with_ep.key == without.key
    other_order, one_order = Position(CHESS), Position(CHESS)
    for move in ("g1f3", "g8f6", "b1c3"):
        one_order.push(move)
    for move in ("b1c3", "g8f6", "g1f3"):
        other_order.push(move)
    assert one_order.key == other_order.key


@pytest.mark.parametrize(
    ("fen", "square", "expected"),
    [
        # Nothing captured: no way to the tenth rank, not even by a capture.
        ("r4n3k/6P3/10/10/10/10/10/10/1NBQKMCBN1/R8R w - - 0 1", "g9", []),
        ("r4n3k/6P3/10/10/10/10/10/10/1NB1KMCBN1/R8R w - - 0 1", "g9", ["g9f10q", "g9g10q"]),
        (
            "r4n3k/6P3/10/10/10/10/10/10/1NB1KMCBN1/R9 w - - 0 1",
            "g9",
            ["g9f10q", "g9f10r", "g9g10q", "g9g10r"],
        ),
        # An option on the eighth and ninth.
        ("r8k/10/10/6P3/10/10/10/10/1NB1KMCBN1/R8R w - - 0 1", "g7", ["g7g8", "g7g8q"]),
        ("r8k/10/10/6P3/10/10/10/10/1NBQKMCBN1/R9 w - - 0 1", "g7", ["g7g8", "g7g8r"]),
    ],
)
def test_grand_promotion(fen: str, square: str, expected: list[str]) -> None:
    # Behaviour that Fairy-Stockfish shows for the same positions (and the cutechess specification).
    assert moves_from(Position(GRAND, fen), square) == expected


def test_a_pawn_that_cannot_move_gives_check() -> None:
    fen = "r6k2/6P3/10/10/10/10/10/10/1NBQKMCBN1/R8R b - - 0 1"
    assert Position(GRAND, fen).in_check()


def test_free_promotion_needs_nothing_captured() -> None:
    position = Position(FREE, "r4n3k/6P3/10/10/10/10/10/10/1NBQKMCBN1/R8R w - - 0 1")
    assert len(moves_from(position, "g9")) == 12


def test_sides_may_have_rights_of_their_own() -> None:
    compulsory = RuleSet.load("grand-mandatory-promotion")
    fen = "r8k/10/10/6P3/3p6/10/10/10/1NB1KMCBN1/R8R {} - - 0 1"
    both = [(GRAND, compulsory), (compulsory, GRAND)]
    for white, black in both:
        own = moves_from(Position(white, fen.format("w"), black=black), "g7")
        assert ("g7g8" in own) == (white is GRAND)


def test_the_fen_names_only_en_passant_that_can_be_played() -> None:
    position = Position(CHESS)
    position.push("e2e4")
    assert position.fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    pinned = Position(CHESS, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")
    pinned.push("e2e4")  # f4xe3 would open the fourth rank to the rook
    assert pinned.fen().split()[3] == "-"
    free = Position(CHESS, "4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1")
    free.push("e2e4")
    assert free.fen().split()[3] == "e3"
    assert "f4e3" in free.legal_moves()


def test_no_en_passant_where_the_rules_have_none() -> None:
    fen = "r8r/10/4k5/10/10/5p4/10/4P5/4K5/R8R w - - 0 1"
    for rules, expected in ((GRAND, True), (NO_EP, False)):
        position = Position(rules, fen)
        position.push("e3e5")
        assert ("f5e4" in position.legal_moves()) is expected


def test_castling_from_other_squares() -> None:
    beside = Position(CHESS, "2r5/8/8/8/8/8/6PP/k2KR3 w K - 0 1")
    assert "d1g1" in beside.legal_moves()
    beside.push("d1g1")
    assert beside.fen().split()[0] == "2r5/8/8/8/8/8/6PP/k4RK1"
    # The king's own step and castling have the same squares: castling is marked.
    both = Position(CHESS, "4k3/8/8/8/8/8/8/5K1R w K - 0 1")
    assert {"f1g1", "f1g1*"} <= set(both.legal_moves())
    both.push("f1g1*")
    assert both.fen().split()[0] == "4k3/8/8/8/8/8/8/5RK1"
    # A rook that shields the king until it has castled.
    shielded = Position(CHESS, "4k3/8/8/8/8/8/8/qR1K4 w B - 0 1")
    assert "d1c1" in shielded.legal_moves()
    assert "d1c1*" not in shielded.legal_moves()


@pytest.mark.parametrize(
    ("fen", "says"),
    [
        ("", "found 0 fields"),
        ("8/8/8/8/8/8/8/8 w", "White has 0 royal pieces"),
        ("4k3/8/8/8/8/8/8 w - - 0 1", "found 7 ranks, 8 are needed"),
        ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8: found 9 files, 8 are needed"),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "rank 1: found 7 files"),
        ("4k3/8/8/8/8/8/8/4K2X w - - 0 1", 'rank 1: found "X", the pieces here are BKNPQR'),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "w or b is allowed"),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "no rook stands on that side"),
        ("4k3/8/8/8/8/8/8/4K2R w Z - 0 1", "KQkq, the file of a rook, or - is allowed"),
        ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "a second right on the same wing"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no man can just have passed over e6"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "squares of this board or - are allowed"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -3 1", "halfmove clock"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999", "move number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 more", "found 7 fields"),
        ("3Pk3/8/8/8/8/8/8/4K3 w - - 0 1", "P on d8 must have promoted"),
        ("4kk2/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 2 royal pieces"),
        ("9" * 3000, "longer than"),
        ("00000000000000000000000008/8 w", "found 2 ranks"),
    ],
)
def test_a_bad_fen_is_refused_in_one_line(fen: str, says: str) -> None:
    with pytest.raises(FenError) as caught:
        Position(CHESS, fen)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_a_king_en_prise_is_not_captured() -> None:
    # Published test positions stand like this; Black's king could be taken.
    position = Position(CHESS, "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1")
    assert "e2e7" in position.legal_moves()
    assert "e2e8" not in position.legal_moves()
    position.search(nodes=200)
