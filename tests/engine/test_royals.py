"""Several royal men a side: what check is, who may be lost, and how games end."""

from typing import Any

import pytest

from tabia.engine import FenError, Position, RuleSet
from tabia.engine.documents import DocumentError
from tabia.engine.endgames.material import Material
from tabia.engine.position import MATE

CHESS = RuleSet.load("chess")
COREGAL = RuleSet.load("coregal")
SPARTAN = RuleSet.load("spartan")


def two_kings(rule: str, **more: Any) -> RuleSet:
    """Chess in which each side has a king in place of its queen's bishop as well."""
    return RuleSet.from_document(
        {
            "extends": "chess",
            "array": {"8": "rnkqkbnr", "1": "RNKQKBNR"},
            "check": {"royals": rule},
            "castling": {"home": "e"},
            **more,
        }
    )


def legal(rules: RuleSet, fen: str) -> list[str]:
    return Position(rules, fen).legal_moves()


def stands(rules: RuleSet, fen: str) -> tuple[bool, str | None]:
    """Whether the side to move is in check, and how the game has ended."""
    position = Position(rules, fen)
    outcome = position.outcome()
    return position.in_check(), f"{outcome.result} {outcome.reason}" if outcome else None


# --- every royal man must be safe -------------------------------------------------------------


def test_an_attacked_queen_is_check() -> None:
    # The rook attacks the queen: she goes, or the rook is taken, or a man steps between.
    fen = "3rk3/8/8/8/8/8/4P3/3QK2N w - - 0 1"
    assert stands(COREGAL, fen) == (True, None)
    assert stands(CHESS, fen) == (False, None)
    moves = legal(COREGAL, fen)
    assert "e2e4" not in moves
    assert {"d1a4", "d1c1"} <= set(moves)
    assert "d1d8" not in moves  # the king guards the rook: a queen may not go there
    assert "d1d8" in legal(CHESS, fen)


def test_king_and_queen_forked_are_mated() -> None:
    # A knight on c2 attacks a1 and e1, and nobody can take it.
    fen = "4k3/8/8/8/8/8/2n5/Q2RKR2 w - - 0 1"
    assert stands(COREGAL, fen) == (True, "0-1 checkmate")
    assert stands(CHESS, fen) == (True, None)
    assert stands(COREGAL, "4k3/8/8/8/8/8/1Bn5/Q2RKR2 w - - 0 1") == (True, "0-1 checkmate")
    assert stands(COREGAL, "4k3/8/8/8/8/1B6/2n5/Q2RKR2 w - - 0 1") == (True, None)


def test_a_pawn_becomes_a_royal_queen_where_she_is_safe() -> None:
    moves = legal(COREGAL, "r3k3/1P6/8/8/8/8/8/3QK3 w - - 0 1")
    assert "b7a8q" in moves
    assert {"b7b8n", "b7b8q"} & set(moves) == {"b7b8n"}


def test_no_royal_man_is_captured() -> None:
    # A FEN may leave one en prise; a move does not take him.
    assert "d1d8" not in legal(COREGAL, "3qk3/8/8/8/8/8/8/3RK1Q1 w - - 0 1")
    assert "d1d8" in legal(CHESS, "3qk3/8/8/8/8/8/8/3RK1Q1 w - - 0 1")


def test_castling_leaves_no_royal_man_attacked() -> None:
    assert "e1g1" in legal(COREGAL, "4k3/8/8/8/8/8/8/3QK2R w K - 0 1")
    # The bishop attacks the queen: castling does not save her.
    assert "e1g1" not in legal(COREGAL, "4k3/8/8/7b/8/8/8/3QK2R w K - 0 1")
    # The rook attacks the queen; without her there, the square that the king would pass.
    assert "e1g1" not in legal(COREGAL, "4kr2/8/8/8/8/5Q2/8/4K2R w K - 0 1")
    assert "e1g1" not in legal(COREGAL, "4kr2/8/8/8/8/Q7/8/4K2R w K - 0 1")
    assert "e1g1" in legal(COREGAL, "4kr2/8/8/8/8/Q7/5P2/4K2R w K - 0 1")


# --- only the last one ------------------------------------------------------------------------


def test_all_but_the_last_king_may_be_lost() -> None:
    rules = two_kings("last")
    # Both kings stand attacked: no check, and one of them may be taken.
    fen = "3k3k/8/8/8/8/8/8/K2R3R b - - 0 1"
    assert stands(rules, fen) == (False, None)
    position = Position(rules, fen)
    position.push("d8c8")
    assert "h1h8" in position.legal_moves()
    position.push("h1h8")
    assert position.in_check()  # the last one is on the rook's rank
    assert "c8b8" not in position.legal_moves()
    assert "c8b7" in position.legal_moves()


def test_the_last_king_is_mated_as_ever() -> None:
    rules = two_kings("last")
    assert stands(rules, "k7/8/8/8/8/8/8/KR1R3R b - - 0 1") == (False, None)
    assert stands(rules, "k2R4/7R/8/8/8/8/8/K7 b - - 0 1") == (True, "1-0 checkmate")
    # With a spare king the same attack is no check, and no mate.
    assert stands(rules, "k2R3k/7R/8/8/8/8/8/K7 b - - 0 1")[0] is False


def test_several_kings_without_a_move_are_stalemated() -> None:
    for rule in ("every", "last", "duple"):
        rules = RuleSet.from_document(
            {
                "board": {"files": 4, "ranks": 4},
                "pieces": {"K": {"moves": "K", "royal": True}, "X": {"moves": ""}},
                "array": {"4": "kkx1", "3": "xxx1", "1": "3K"},
                "check": {"royals": rule},
            }
        )
        assert stands(rules, "kkx1/xxx1/4/3K b - - 0 1") == (False, "1/2-1/2 stalemate")


# --- duple check ------------------------------------------------------------------------------


def test_two_kings_attacked_at_once_are_in_check() -> None:
    fen = "3k3k/8/8/8/8/8/8/K2R3R b - - 0 1"
    assert stands(two_kings("duple"), fen) == (True, None)
    assert stands(two_kings("every"), fen) == (True, "1-0 checkmate")
    moves = legal(two_kings("duple"), fen)
    assert {"d8c8", "d8e7", "h8g8"} <= set(moves)
    assert "d8d7" not in moves  # both would stay attacked
    # One king attacked is no check, and he may be taken.
    one = "k6k/8/8/8/8/8/8/K2R3R b - - 0 1"
    assert stands(two_kings("duple"), one) == (False, None)
    assert "a8b8" in legal(two_kings("duple"), one)
    assert "h1h8" in legal(two_kings("duple"), one.replace(" b ", " w "))


def test_duple_mate() -> None:
    # Rooks on both edges, and neither king can get away from them.
    fen = "R2k1R1k/R6R/8/8/8/8/8/K7 b - - 0 1"
    assert stands(SPARTAN, fen) == (True, "1-0 checkmate")
    assert stands(two_kings("last"), fen)[0] is False


def test_spartan_chess_lets_a_hoplite_become_a_second_king() -> None:
    one = legal(SPARTAN, "k7/8/8/8/8/8/h7/7K b - - 0 1")
    assert {"a2b1k", "a2b1g"} <= set(one)
    two = legal(SPARTAN, "kk6/8/8/8/8/8/h7/7K b - - 0 1")
    assert "a2b1g" in two
    assert "a2b1k" not in two


# --- both sides -------------------------------------------------------------------------------


def test_each_side_has_royal_pieces_of_its_own() -> None:
    rules = RuleSet.from_document(
        {
            "extends": "chess",
            "black": {"pieces": {"K": {"royal": False}, "Q": {"royal": True}}},
            "castling": False,
            "promotion": {"to": "N"},
        }
    )
    moves = legal(rules, "3qk3/8/8/8/8/8/4R3/4K2R w - - 0 1")
    assert "e2e8" in moves  # Black's king is a man like others
    assert stands(rules, "3qk3/8/8/8/8/8/8/3RK3 b - - 0 1") == (True, None)
    moves = legal(rules, "3qk3/8/8/8/8/8/8/3RK3 b - - 0 1")
    assert {move for move in moves if move.startswith("e8")} == {"e8d7"}  # shields the queen
    assert "d8d2" not in moves
    with pytest.raises(FenError, match="Black has 2 royal pieces, exactly 1 is needed"):
        Position(rules, "3qq3/8/8/8/8/8/8/3RK3 b - - 0 1")


@pytest.mark.parametrize(
    ("rules", "fen", "says"),
    [
        (COREGAL, "8/8/8/8/8/8/8/3QK3 w - - 0 1", "Black has 0 royal pieces, at least 1 is needed"),
        (SPARTAN, "kk6/8/8/8/8/8/8/6KK w - - 0 1", "White has 2 royal pieces, exactly 1 is needed"),
        (
            COREGAL,
            "4k3/8/8/8/8/8/8/3Q3R w K - 0 1",
            'found "K", but no king is where the array has',
        ),
        (two_kings("last"), "4k3/8/8/8/8/8/8/K2K3R w K - 0 1", "no king is where the array has"),
        # Elsewhere he could be confused with another one that comes to his rank.
        (two_kings("last"), "4k3/8/8/8/8/8/8/3K3R w K - 0 1", "no king is where the array has"),
    ],
)
def test_a_bad_fen_is_refused(rules: RuleSet, fen: str, says: str) -> None:
    with pytest.raises(FenError) as refused:
        Position(rules, fen)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_array_in_which_white_could_take_a_bound_king_is_refused() -> None:
    arrays = {"8": "rnkqkbnr", "7": "pp1p1ppp", "2": "PP1P1PPP", "1": "RNRQKBNR"}
    castling = {"kingside": False, "queenside": False}
    for rule, refused in (("every", True), ("last", False), ("duple", False)):
        rules = two_kings(rule, array=arrays, castling=castling)
        if refused:
            with pytest.raises(DocumentError, match="could capture Black's king"):
                Position(rules)
        else:
            assert "c1c8" in Position(rules).legal_moves()


def test_who_castles_must_be_said() -> None:
    document = {"extends": "chess", "pieces": {"Q": {"royal": True}}}
    with pytest.raises(DocumentError) as missing:
        RuleSet.from_document(document)
    assert "castling.home: missing with several royal men of White; allowed" in str(missing.value)
    with pytest.raises(DocumentError) as nobody:
        RuleSet.from_document({**document, "castling": {"home": "f"}})
    assert "castling.home: found f, where no royal man of White stands" in str(nobody.value)
    one = RuleSet.from_document({"extends": "chess", "castling": {"home": "e"}})
    assert one.id == CHESS.id


def test_what_check_is_says_nothing_where_each_side_has_one_king() -> None:
    assert RuleSet.from_document({"extends": "chess", "check": {"royals": "duple"}}).id == CHESS.id


def test_a_king_that_may_be_lost_castles_through_attacks() -> None:
    fen = "2k1kr2/8/8/8/8/8/8/2K1K2R w K - 0 1"
    assert "e1g1" in legal(two_kings("last"), fen)
    assert "e1g1" in legal(two_kings("duple"), fen)
    assert "e1g1" not in legal(two_kings("every"), fen)
    # As the last one he does not.
    assert "e1g1" not in legal(two_kings("last"), "2k1kr2/8/8/8/8/8/8/4K2R w K - 0 1")


def test_a_side_with_royal_men_only_is_bare() -> None:
    rules = RuleSet.from_document(
        {"extends": "coregal", "endings": {"bare_king": {"result": "loss"}}}
    )
    assert stands(rules, "3qk3/8/8/8/8/8/4P3/3QK3 w - - 0 1")[1] == "1-0 bare king"
    assert stands(rules, "3qk1n1/8/8/8/8/8/4P3/3QK3 w - - 0 1")[1] is None


def test_a_spare_king_is_no_answer_to_a_bare_king() -> None:
    rules = RuleSet.from_document(
        {"extends": "spartan", "endings": {"bare_king": {"result": "loss", "answer": True}}}
    )
    # White is bare and could take a king, but not Black's last other man.
    assert stands(rules, "7l/8/8/8/8/8/k7/1K5k w - - 0 1")[1] == "0-1 bare king"
    assert stands(rules, "8/8/8/8/8/8/l7/1K4kk w - - 0 1")[1] is None


def test_kings_alone_are_dead_where_each_side_has_one_left() -> None:
    assert stands(SPARTAN, "k7/8/8/8/8/8/8/7K w - - 0 1")[1] == "1/2-1/2 dead position"
    assert stands(SPARTAN, "kk6/8/8/8/8/8/8/7K w - - 0 1")[1] is None


def test_the_search_mates_by_duple_check_and_takes_a_spare_king() -> None:
    mate = Position(SPARTAN, "R2k3k/R7/5R2/7R/8/8/8/K7 w - - 0 1")
    found = mate.search(nodes=3000)
    assert found.score == MATE - 1
    mate.push(str(found.best_move))
    outcome = mate.outcome()
    assert outcome is not None
    assert outcome.result == "1-0"
    spare = Position(SPARTAN, "k6k/hh6/8/8/8/8/PP6/K6R w - - 0 1")
    assert spare.search(nodes=500).best_move == "h1h8"


def test_a_spare_king_is_worth_something() -> None:
    two = Position(SPARTAN, "kk6/hh6/8/8/8/8/PP6/K7 b - - 0 1")
    one = Position(SPARTAN, "k7/hh6/8/8/8/8/PP6/K7 b - - 0 1")
    assert two.search(depth=1).score > one.search(depth=1).score + 200


def test_endgames_of_several_kings_are_refused_by_name() -> None:
    with pytest.raises(DocumentError) as refused:
        Material.parse("KQ:K", SPARTAN)
    assert "Black may have several royal men" in str(refused.value)
