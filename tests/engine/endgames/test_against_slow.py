"""Endings against a second solver that knows no trick: position for position.

`slow_endgame` is the other one. Small boards, since it looks at every position one by one.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from slow_endgame import graph, placements, slow_graph, slow_key, slow_positions, solve

from tabia.engine import RuleSet
from tabia.engine.documents import DocumentError
from tabia.engine.endgames import Ending, Material
from tabia.engine.rules.tables import core_tables

ENDLESS = {"repetition": {"count": 0}, "n_move": {"moves": 0}, "dead_position": "play on"}


def document(
    pieces: dict[str, str],
    *,
    files: int = 5,
    ranks: int = 5,
    endings: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A game on a small board. With nothing but kings in the array, men may stand anywhere."""
    board = {"files": files, "ranks": ranks, **more.pop("board", {})}
    return {
        "board": board,
        "pieces": {
            letter: {"moves": moves, "royal": letter == "K"} for letter, moves in pieces.items()
        },
        "array": more.pop("array", {"1": f"K{files - 1}", str(ranks): f"{files - 1}k"}),
        "endings": ENDLESS | (endings or {}),
        **more,
    }


CASES = {
    "queen": (document({"K": "K", "Q": "Q"}), "KQ:K"),
    "rook, stalemate wins for the one who stalemates": (
        document({"K": "K", "R": "R"}, endings={"stalemate": "loss"}),
        "KR:K",
    ),
    "queen, stalemate wins for the stalemated": (
        document({"K": "K", "Q": "Q"}, endings={"stalemate": "win"}),
        "KQ:K",
    ),
    "no other man, stalemate loses": (
        document({"K": "W"}, files=2, ranks=4, endings={"stalemate": "loss"}),
        "K:K",
    ),
    "rook and knight": (document({"K": "K", "R": "R", "N": "N"}, files=4, ranks=3), "KR:KN"),
    "two rooks": (document({"K": "K", "R": "R"}, files=3, ranks=4), "KRR:K"),
    "alfils from the array": (
        document(
            {"K": "K", "A": "AD"},
            ranks=4,
            array={"4": "1a1ak", "1": "KA1A1"},
            endings={"bare_king": {"result": "loss", "answer": True}},
        ),
        "KA:K",
    ),
    "two bishops": (document({"K": "K", "B": "B"}, files=4, ranks=4), "KBB:K"),
    "cannons": (document({"K": "K", "C": "mRcpR"}, files=4, ranks=3), "KCC:K"),
    "cannon and vao": (
        document(
            {"K": "K", "C": "mRcpR", "V": "mBcpB"},
            files=4,
            ranks=3,
            endings={"bare_king": {"result": "loss"}},
        ),
        "KC:KV",
    ),
    "hurdles that are none": (
        document({"K": "K", "C": "pR"}, files=3, ranks=4)
        | {
            "pieces": {
                "K": {"moves": "K", "royal": True},
                "C": {"moves": "pR", "not_over": "C", "not_onto": "C"},
            }
        },
        "KC:KC",
    ),
    "grasshoppers": (
        document({"K": "K", "G": "gQ"}, files=4, ranks=3, endings={"stalemate": "loss"}),
        "KGG:K",
    ),
    "gryphon": (document({"K": "K", "G": "FyafsF"}), "KG:K"),
    "lame leapers": (document({"K": "K", "H": "afsW"}, files=3, ranks=4), "KHH:K"),
    "ski rider and falcon": (
        document(
            {"K": "K", "S": "jR", "F": "afafsWafraflWaflafrWafsafFafafsFafraflFaflafrFafsafW"},
            files=4,
            ranks=4,
        ),
        "KS:KF",
    ),
    "round a cylinder": (document({"K": "oK", "R": "oRoB"}, files=4, ranks=4), "KR:K"),
    "pawn, must promote": (
        document(
            {"K": "K", "P": "fmWfcF", "Q": "Q", "R": "R"},
            promotion={"to": "QR", "compulsory": [5]},
            array={"5": "kqr2", "4": "p4", "2": "4P", "1": "KQR2"},
        ),
        "KP:K",
    ),
    "pawn, may promote early, supply by captures": (
        document(
            {"K": "K", "P": "fmWfcF", "R": "R"},
            files=4,
            ranks=5,
            promotion={"to": "R", "supply": "captured", "optional": [4], "compulsory": [5]},
            array={"5": "kr2", "4": "pppp", "2": "PPPP", "1": "KR2"},
        ),
        "K:KP",
    ),
    "pawns, the second finds nothing to promote to": (
        document(
            {"K": "K", "P": "fmWfcF", "R": "R"},
            files=3,
            ranks=4,
            promotion={"to": "R", "supply": "captured", "compulsory": [4]},
            array={"4": "kr1", "3": "ppp", "2": "PPP", "1": "KR1"},
        ),
        "KPR:K",
    ),
    "a pawn that stays when there is nothing": (
        document(
            {"K": "K", "P": "fmWfcFbmW", "R": "R"},
            files=3,
            ranks=4,
            promotion={
                "to": "R", "supply": "captured", "compulsory": [4], "when_none": "stays",
            },
            array={"4": "kr1", "3": "ppp", "2": "PPP", "1": "KR1"},
        ),
        "KPR:K",
    ),
    "bare king loses": (
        document({"K": "K", "R": "R"}, files=4, ranks=3, endings={"bare_king": {"result": "loss"}}),
        "KR:KR",
    ),
    "bare king draws": (
        document({"K": "K", "R": "R"}, files=4, ranks=3, endings={"bare_king": {"result": "draw"}}),
        "KR:KR",
    ),
    "bare king loses unless it bares": (
        document(
            {"K": "K", "R": "R"},
            files=4,
            ranks=3,
            endings={"bare_king": {"result": "loss", "answer": True}},
        ),
        "KR:KR",
    ),
    "own men captured": (
        document({"K": "K", "S": "W", "T": "mcdR"}, files=4, ranks=3), "KST:K",
    ),
    "holes": (
        document({"K": "K", "Q": "Q"}, board={"holes": ["c3", "e1"]}, array={"1": "K4", "5": "4k"}),
        "KQ:K",
    ),
    "citadels": (
        document(
            {"K": "K", "R": "R"},
            files=5,
            ranks=4,
            board={"citadels": {"a1": "b2", "e4": "d3"}, "holes": ["a2", "e3"]},
            array={"4": "2k1r", "1": "R2K1"},
            endings={"bare_king": {"result": "loss", "citadels_count": False}},
        ),
        "KR:KR",
    ),
    "sides that move differently": (
        document(
            {"K": "K", "R": "R"},
            files=4,
            ranks=4,
            black={"pieces": {"K": {"moves": "W"}, "R": {"moves": "B"}}},
        ),
        "KR:KR",
    ),
    "a king that cannot move": (
        document({"K": "K", "A": "QN"}, white={"pieces": {"K": {"moves": ""}}}), "KA:K",
    ),
}  # fmt: skip


def fen_men(material: Material) -> str:
    return material.white + material.black.lower()


@pytest.mark.parametrize("case", CASES)
def test_every_position_is_worth_what_the_slow_solver_says(case: str) -> None:
    tables, text = CASES[case]
    rules = RuleSet.from_document(tables, "small")
    material = Material.parse(text, rules)
    ending = Ending(rules, material)
    ending.solve()
    asked = set(placements(rules, fen_men(material)))
    slow = solve(graph(rules, iter(asked)))
    compared, results = 0, set()
    for key in asked:
        try:
            found = ending.probe(key)
        except ValueError:  # a man where none may stand
            assert key not in slow
            continue
        if key not in slow:
            assert found is None, key
        elif found is not None:
            assert found == slow[key], key
            compared += 1
            results.add(found[0])
    # Where the array has men, they stand only where moves from there lead.
    everywhere = "white" not in tables and set("".join(tables["array"].values())) <= set("Kk123456")
    assert compared == len(asked & set(slow)) if everywhere else compared > 0
    assert len(results) > 1
    white, black = (
        sum(count.positions for kind in ending.kinds() for count in [getattr(kind, side)])
        for side in ("white_to_move", "black_to_move")
    )
    assert white + black == compared


@pytest.mark.parametrize("case", CASES)
def test_counts_are_those_of_the_positions(case: str) -> None:
    tables, text = CASES[case]
    rules = RuleSet.from_document(tables, "small")
    material = Material.parse(text, rules)
    ending = Ending(rules, material)
    ending.solve()
    kinds = ending.kinds()
    counted = {"w": [0, 0, 0], "b": [0, 0, 0]}
    longest = {1: -1, -1: -1}
    for key in placements(rules, fen_men(material)):
        try:
            found = ending.probe(key)
        except ValueError:
            continue
        if found is not None:
            counted[key[-1]][found[0]] += 1
            if found[0]:
                longest[found[0]] = max(longest[found[0]], found[1])
    for side, name in (("w", "white_to_move"), ("b", "black_to_move")):
        counts = [getattr(kind, name) for kind in kinds]
        assert counted[side] == [
            sum(count.drawn for count in counts),
            sum(count.white_wins for count in counts),
            sum(count.black_wins for count in counts),
        ]
    for result, name in ((1, "longest_white_win"), (-1, "longest_black_win")):
        wins = [win for kind in kinds if (win := getattr(kind, name)) is not None]
        assert longest[result] == max((win.plies for win in wins), default=-1)
        for win in wins:
            assert ending.probe(win.fen) == (result, win.plies)


GROUPS = (
    "W F D N A R B Q K R2 NN mW cF mN cR fW fF bW fmWfcF nN nD mRcpR mBcpB gQ pR gB FyafsF WyafsW "
    "afsW afsK jR jjB oR oN mcdW mcdF mcdN cdR jD jN fsN lfW"
)
KINGS = "K K K W F N mKcN Q2 KnD"


def random_game(rng: random.Random) -> tuple[dict[str, Any], str]:
    """A game on a small board, and three or four men of it."""
    files, ranks = rng.choice([(3, 4), (4, 3), (3, 3), (4, 4), (5, 3)])
    pieces = {
        "K": rng.choice(KINGS.split()),
        "A": "".join(rng.sample(GROUPS.split(), rng.choice([1, 2]))),
        "B": "".join(rng.sample(GROUPS.split(), rng.choice([1, 1, 2]))),
    }
    more: dict[str, Any] = {}
    if rng.random() < 0.5:
        more["promotion"] = {
            "pieces": "A",
            "to": "B",
            "supply": rng.choice(["any", "captured"]),
            rng.choice(["optional", "compulsory"]): [ranks],
            "when_none": rng.choice(["stays", "immobile"]),
        }
    if rng.random() < 0.5:
        more["black"] = {"pieces": {"A": {"moves": rng.choice(GROUPS.split())}}}
    bare = {"result": rng.choice(["play on", "play on", "loss", "draw"])}
    if bare["result"] == "loss":
        bare["answer"] = rng.choice([True, False])
    game = document(
        pieces,
        files=files,
        ranks=ranks,
        array={str(ranks): "kab".ljust(files, "1"), "1": "KAB".ljust(files, "1")},
        endings={"stalemate": rng.choice(["draw", "loss", "win"]), "bare_king": bare},
        **more,
    )
    if rng.random() < 0.3:
        game["pieces"]["A"]["not_over"] = "B"
    return game, rng.choice(["KA:K", "K:KB", "KA:K", "KA:KB"] if files * ranks < 13 else ["KA:K"])


def compare_random_game(rng: random.Random) -> int:
    """The number of positions compared; 0: the rules or the ending are refused."""
    game, text = random_game(rng)
    try:
        rules = RuleSet.from_document(game, "random")
        material = Material.parse(text, rules)
        ending = Ending(rules, material)
    except DocumentError:
        return 0
    ending.solve()
    tables = core_tables(rules)
    types = {letter: kind for kind, letter in enumerate(tables["letters"])}
    men = [(0, types[m]) for m in material.white] + [(1, types[m]) for m in material.black]
    asked = list(slow_positions(tables, men))
    slow = solve(slow_graph(iter(asked)))
    compared = 0
    for position in asked:
        try:
            found = ending.probe(slow_key(position))
        except ValueError:
            continue
        if found is not None:
            assert found == slow[slow_key(position)], (slow_key(position), game, text)
            compared += 1
    return compared


def test_random_games() -> None:
    rng = random.Random(5)
    assert sum(compare_random_game(rng) > 0 for _ in range(12)) >= 6


@pytest.mark.nightly
def test_many_random_games() -> None:
    rng = random.Random(6)
    assert sum(compare_random_game(rng) > 0 for _ in range(200)) >= 100
