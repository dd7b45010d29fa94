"""What the engine knows of a piece follows from how it moves, for either side."""

from typing import Any

from tabia.engine import RuleSet
from tabia.engine.weights import neutral_weights


def weights(**more: Any) -> dict[str, Any]:
    document = {
        "extends": "chess",
        "pieces": {"A": {"moves": "N"}},
        "array": {"3": "A7", "6": "a7"},
        **more,
    }
    return dict(neutral_weights(RuleSet.from_document(document))["letters"])


def test_pieces_come_out_near_their_usual_worth() -> None:
    found = neutral_weights(RuleSet.load("grand"))["letters"]
    usual = {"N": 300, "B": 330, "R": 500, "Q": 950}
    assert all(abs(found[letter]["mid"] / worth - 1) < 0.1 for letter, worth in usual.items())
    assert found["Q"]["mid"] > found["M"]["mid"] > found["C"]["mid"] > found["R"]["mid"]


def test_weights_follow_the_moves_and_not_the_letter() -> None:
    found = weights()
    assert found["A"] == found["N"]
    assert found["P"]["advance_end"][6] > found["P"]["advance_end"][1]


def test_a_piece_that_moves_otherwise_for_black_gets_the_mean() -> None:
    found = weights(black={"pieces": {"A": {"moves": "R"}}})
    assert found["A"]["mid"] == round((found["N"]["mid"] + found["R"]["mid"]) / 2)


def test_what_one_side_alone_may_become_counts_from_its_own_edge() -> None:
    other = {"pieces": "P", "to": "NBRQ", "optional": [], "compulsory": [8]}
    none = {"pieces": "P", "to": "", "optional": [], "compulsory": []}
    white = weights(white={"promotion": other}, black={"promotion": none})
    black = weights(white={"promotion": none}, black={"promotion": other})
    assert white["P"] == black["P"]


def test_every_way_of_going_counts() -> None:
    """Between what it can do at least and at most: hops, bends, skips, hurdles, cylinders."""
    bounds = {
        "mRcpR": ("mR", "R"),
        "pR": ("W", "R"),
        "gQ": ("F", "Q"),
        "FyafsF": ("R", "Q"),
        "jR": ("D", "R"),
        "oR": ("R", "Q"),
        "oW": ("W", "WF"),
        "mcdN": ("mN", "NN"),
        "jD": ("mfbD", "D"),
    }
    for moves, (least, most) in bounds.items():
        found = [
            weights(pieces={"A": {"moves": each}})["A"]["mid"] for each in (least, moves, most)
        ]
        assert 0 < found[0] <= found[1] <= found[2], (moves, found)
