"""The largest rule sets that a stranger may send: bounded work, and scores that stay scores."""

import random
from typing import Any

import pytest

from tabia.engine import FenError, MoveError, Position, RuleSet, _core
from tabia.engine.compiled import compiled
from tabia.engine.documents import DocumentError
from tabia.engine.weights import neutral_weights

AMAZON = "BRN"
FIGHTERS = "ABCDEFG"


def full_board(moves: str, **more: Any) -> RuleSet:
    """Sixteen by sixteen squares, half of them with men of type A around each king."""
    rows = {str(rank): "A" * 16 for rank in range(1, 5)}
    rows |= {str(rank): "a" * 16 for rank in range(13, 17)}
    rows["1"], rows["16"] = "A" * 8 + "K" + "A" * 7, "a" * 8 + "k" + "a" * 7
    return RuleSet.from_document(
        {
            "board": {"files": 16, "ranks": 16},
            "pieces": {"K": {"moves": "K", "royal": True}, "A": {"moves": moves}},
            "array": rows,
            **more,
        }
    )


def every_promotion() -> RuleSet:
    """Amazons that may promote to six more types of amazon wherever they go: near the bound on the
    moves that a position may have."""
    to = FIGHTERS.replace("A", "")
    pieces = {letter: {"moves": AMAZON} for letter in FIGHTERS}
    return full_board(
        AMAZON,
        pieces={"K": {"moves": "K", "royal": True}, **pieces},
        promotion={"pieces": "A", "to": to, "optional": list(range(1, 17))},
    )


# White has sixteen amazons in the open.
OPEN = "7k8/6aaa7/16/16/1A1A1A1A1A1A1A1A/16/16/16/16/16/16/A1A1A1A1A1A1A1A1/16/16/16/K15 w - - 0 1"


def test_thousands_of_moves_a_position_are_unique_and_one_is_found() -> None:
    position = Position(every_promotion(), OPEN)
    moves = position.legal_moves()
    assert len(moves) > 3_000
    assert len(moves) == len(set(moves))
    assert position.search(nodes=300).best_move in moves


def test_a_search_ends_when_it_has_listed_too_many_moves_a_node() -> None:
    # Leapers that capture nothing and may become one of seven others wherever they go.
    leaper, to = "mNmCmZmFmWmDmAmHmG", "BCDEFGH"
    rules = full_board(
        leaper,
        pieces={
            "K": {"moves": "K", "royal": True},
            **{letter: {"moves": leaper} for letter in "A" + to},
        },
        promotion={"pieces": "A", "to": to, "optional": list(range(1, 17))},
    )
    rows = ["8k7", *["a3a3a3a3", "2a3a3a3a1"] * 4, *["A3A3A3A3", "2A3A3A3A1"] * 3, "8K7"]
    position = Position(rules, "/".join(rows) + " w - - 0 1")
    assert len(position.legal_moves()) > 6000
    found = position.search(nodes=30_000)
    assert 1000 < found.nodes < 30_000
    assert found.best_move in position.legal_moves()
    assert Position(RuleSet.load("grand")).search(nodes=30_000).nodes == 30_000


def test_scores_stay_below_mates_whatever_stands_on_the_board() -> None:
    # Men that never capture, so many that they are worth more than a score can say.
    rules = full_board("mBmRmN")
    crowd = "/".join(["8k7", *["16"] * 9, *["A" * 16] * 5, "8K7"])
    for turn, clock, score in (("w", 0, 30_000), ("b", 0, -30_000), ("w", 60, 30_000)):
        position = Position(rules, f"{crowd} {turn} - - {clock} 1")
        found = position.search(nodes=2000)
        assert found.score == score
        assert found.best_move in position.legal_moves()


def judged(rules: RuleSet, **letters: dict[str, int]) -> tuple[_core.Rules, _core.Evaluator]:
    """The rules, and an evaluator to which nothing but these terms of these men has any worth."""
    weights = neutral_weights(rules)
    weights["tempo"] = 0
    for letter, terms in weights["letters"].items():
        nothing = {term: [] if "advance" in term else 0 for term in terms}
        weights["letters"][letter] = nothing | letters.get(letter, {})
    return compiled(rules), _core.Evaluator.build(compiled(rules), weights)


def test_what_men_do_is_no_mate_on_top_of_all_that_they_are_worth() -> None:
    rules = RuleSet.from_document(
        {
            "board": {"files": 8, "ranks": 8},
            "pieces": {"K": {"moves": "K", "royal": True}} | {man: {"moves": "W"} for man in "AB"},
            "array": {"1": "AAAAKAAA", "8": "bbb1k3"},
        }
    )
    worth = {"mid": 3000, "end": 3000}
    table, evaluator = judged(rules, A=worth | {"pair_mid": 3000, "pair_end": 3000}, B=worth)
    board = _core.Board(table, "k6b/8/8/8/1b6/1A6/AAAA4/KAAAAAA1 w - - 0 1")
    assert 0 < board.search(evaluator, nodes=0, depth=2)["score"] <= 30_000


def test_a_king_is_not_pressed_by_men_worth_less_than_nothing() -> None:
    rules = full_board("NADCZHGK")
    table, evaluator = judged(rules, A={"mid": -3000, "end": -3000, "phase": 100})
    rows = ["7k8", "16", *["A" * 16] * 3, "16", *["a" * 16] * 3, *["16"] * 6, "K15"]
    assert _core.Board(table, f"{'/'.join(rows)} w - - 0 1").evaluate(evaluator) == 0


def test_who_can_go_nowhere_is_worth_less_however_much_moves_count() -> None:
    rules = full_board("W")
    table, evaluator = judged(rules, A={"mobility": 3000, "mobility_mid": 1874, "phase": 100})
    fen = "/".join(["8k7", "a15", *["16"] * 12, "AA14", "A7K7"]) + " w - - 0 1"
    assert _core.Board(table, fen).evaluate(evaluator) < 0


def test_a_crowd_is_judged_alike_for_either_side() -> None:
    """More pawns and threats than are counted: the same ones are left out for White and Black."""
    pieces = {"A": {"moves": "NADK"}, "P": {"moves": "mWcF"}}
    rules = full_board(
        "",
        pieces={"K": {"moves": "K", "royal": True}, **pieces},
        promotion={"pieces": "P", "to": "A", "compulsory": [16]},
    )
    men = {"A": {"mid": 900, "end": 900, "phase": 9}, "P": {"mid": 100, "end": 100}}
    table, evaluator = judged(rules, **men)
    rng = random.Random(2)
    for _ in range(20):
        crowd = ["".join(rng.choices("PpAa", (50, 20, 20, 20), k=16)) for _ in range(10)]
        rows = ["8k7", "16", "16", *crowd, "16", "16", "7K8"]
        swapped = [row.swapcase() for row in reversed(rows)]
        board = _core.Board(table, f"{'/'.join(rows)} w - - 0 1")
        twin = _core.Board(table, f"{'/'.join(swapped)} b - - 0 1")
        assert board.evaluate(evaluator) == twin.evaluate(evaluator)


def test_a_king_does_not_castle_across_a_hole() -> None:
    document: dict[str, Any] = {
        "board": {"files": 8, "ranks": 8},
        "pieces": {"K": {"moves": "K", "royal": True}, "R": {"moves": "R"}},
        "array": {"1": "R3K2R", "8": "r3k2r"},
        "castling": {
            "kingside": {"king": "g", "partner": "h", "to": "e"},
            "queenside": {"king": "c", "partner": "a"},
        },
    }
    whole = Position(RuleSet.from_document(document)).legal_moves()
    assert {"e1g1", "e1c1"} <= set(whole)
    for hole, there in (("f1", "e1c1"), ("b1", "e1g1")):
        document["board"]["holes"] = [hole]
        holed = Position(RuleSet.from_document(document)).legal_moves()
        assert {"e1g1", "e1c1"} & set(holed) == {there}


def test_castling_asks_for_the_squares_crossed_and_no_others() -> None:
    # The partner goes away from the king: nobody crosses c1 and d1.
    rules = RuleSet.from_document(
        {
            "board": {"files": 8, "ranks": 8},
            "pieces": {"K": {"moves": "K", "royal": True}, "R": {"moves": "R"}},
            "array": {"1": "1RR1K3", "8": "1rr1k3"},
            "castling": {"kingside": {"king": "g", "partner": "b", "to": "a"}},
        }
    )
    assert "e1g1" in Position(rules).legal_moves()


def test_a_wing_is_the_partner_that_the_rules_name() -> None:
    rules = RuleSet.from_document(
        {
            "board": {"files": 8, "ranks": 8},
            "pieces": {"K": {"moves": "K", "royal": True}, "R": {"moves": "R"}},
            "array": {"1": "4K1RR", "2": "6RR", "8": "4k1rr"},
            "castling": {"kingside": {"king": "g", "partner": "g", "to": "f"}},
        }
    )
    position = Position(rules)
    position.push("e1g1")
    assert position.fen().startswith("4k1rr/8/8/8/8/8/6RR/5RKR b")


def test_a_man_that_captures_in_passing_promotes() -> None:
    early = RuleSet.from_document({"extends": "grand", "promotion": {
        "pieces": "P", "to": "NBRCMQ", "supply": "any", "optional": [7, 8, 9], "compulsory": [10]
    }})  # fmt: skip
    position = Position(early, "4k5/10/5p4/10/4P5/10/10/10/10/4K5 b - - 0 1")
    position.push("f8f6")
    assert {"e6f7", "e6f7q", "e6f7n"} <= set(position.legal_moves())
    position.push("e6f7q")
    assert position.fen().startswith("4k5/10/10/5Q4/10/")
    position.pop()
    assert position.fen().startswith("4k5/10/10/10/4Pp4/")


def test_one_man_may_stop_two_lame_leapers() -> None:
    # Both horses pass over d2, where the rook may step in.
    rules = RuleSet.from_document({"extends": "chess", "pieces": {"N": {"moves": "nN"}}})
    position = Position(rules, "4k3/8/8/8/8/3n4/2n4R/4K3 w - - 0 1")
    assert position.in_check()
    assert "h2d2" in position.legal_moves()


def test_an_array_that_no_game_can_start_from_is_a_bad_document() -> None:
    with pytest.raises(DocumentError, match="could capture Black's king"):
        Position(full_board(AMAZON, array={"1": "K7A7", "16": "8k7"}))


def test_messages_are_printable_whatever_was_sent() -> None:
    rules = RuleSet.load("chess")
    for text in ("é" * 9, "a" + "é" * 40, "\x00\n", "\u202e" * 3, "😀/8"):
        with pytest.raises(MoveError) as refused:
            Position(rules).push(text)
        assert str(refused.value).isprintable()
        with pytest.raises(FenError) as bad:
            Position(rules, text + " w")
        assert str(bad.value).isprintable()
        with pytest.raises(FenError) as bad:
            Position(rules, f"4k3/8/8/8/8/8/8/4K3 {text} {text}")
        assert str(bad.value).isprintable()


def test_royal_men_of_very_many_steps_are_not_searched_for_dead_positions() -> None:
    # To try every placement of two such men takes seconds on the largest board.
    pieces = {"K": {"moves": "KNADCZ", "royal": True}}
    rules = {"board": {"files": 16, "ranks": 16}, "pieces": pieces}
    rows = {"16": "k15", "1": "K15"}
    alone = Position(RuleSet.from_document({**rules, "array": rows}))
    assert alone.outcome() is None
    pieces["K"]["moves"] = "K"
    alone = Position(RuleSet.from_document({**rules, "array": rows}))
    assert alone.outcome() is not None
