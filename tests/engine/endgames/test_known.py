"""What is known about endings, from elsewhere: tests/data/endgames."""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tabia.engine import FenError, Position, RuleSet, _core
from tabia.engine.documents import DocumentError
from tabia.engine.endgames import Ending, Kind, Material
from tabia.engine.rules.tables import core_tables

DATA = Path(__file__).parents[2] / "data" / "endgames"
KNOWN = tomllib.loads((DATA / "known.toml").read_text())["chess"]
PAIRS = tomllib.loads((DATA / "gross_pairs.toml").read_text())["pairs"]


def solved(rules: str | RuleSet, text: str) -> Ending:
    rule_set = RuleSet.load(rules) if isinstance(rules, str) else rules
    ending = Ending(rule_set, Material.parse(text, rule_set))
    ending.solve()
    return ending


def only_kind(ending: Ending) -> Kind:
    [kind] = ending.kinds()
    return kind


@pytest.mark.parametrize(
    "known",
    [
        pytest.param(
            known, id=known["material"], marks=[pytest.mark.nightly] if "nightly" in known else []
        )
        for known in KNOWN
    ],
)
def test_longest_mates_of_chess(known: dict[str, Any]) -> None:
    text = known["material"]
    if known.get("reversed"):
        text = ":".join(reversed(text.split(":")))
    ending = solved("chess", text)
    kind = only_kind(ending)
    longest = [win for win in (kind.longest_white_win, kind.longest_black_win) if win]
    if "moves" in known:
        assert max(win.moves for win in longest) == known["moves"]
    if "plies" in known and "moves" in known:
        assert max(win.plies for win in longest) == known["plies"]
    if "fen" in known:
        found = ending.probe(known["fen"])
        assert found is not None
        assert found[0] != 0
        assert found[1] == known.get("plies", 2 * known.get("moves", 0))


def test_counts_of_queen_against_king() -> None:
    """All 144,508 positions with White to move are won, and 364 are mate: as G. McC. Haworth and
    others count them."""
    kind = only_kind(solved("chess", "KQ:K"))
    assert (kind.white_to_move.positions, kind.black_to_move.positions) == (144_508, 223_944)
    assert kind.white_to_move.white_wins == 144_508
    assert kind.mates == 364


def test_two_bishops_are_told_apart_by_colour() -> None:
    same, opposite = solved("chess", "KBB:K").kinds()
    assert (same.colours, opposite.colours) == ("same", "opposite")
    assert not same.is_decisive
    assert same.mates == 0
    assert opposite.longest_white_win is not None
    assert opposite.longest_white_win.moves == 19


def test_play_by_the_table_mates_in_as_many_plies_as_it_says() -> None:
    """A pawn ending of Grand Chess: each ply brings the mate one nearer, through the promotion."""
    grand = RuleSet.load("grand")
    ending = solved(grand, "KP:K")
    win = only_kind(ending).longest_white_win
    assert win is not None
    position, left = Position(grand, win.fen), win.plies
    while left:
        worth = after_each_move(ending, position)
        if position.turn == "white":
            left_after = min(plies for result, plies in worth.values() if result == 1)
        else:
            assert {result for result, _ in worth.values()} == {1}
            left_after = max(plies for _, plies in worth.values())
        assert left_after == left - 1
        position.push(next(move for move, found in worth.items() if found == (1, left_after)))
        left = left_after
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.result, outcome.reason) == ("1-0", "checkmate")


def after_each_move(ending: Ending, position: Position) -> dict[str, tuple[int, int]]:
    worth = {}
    for move in position.legal_moves():
        position.push(move)
        found = ending.probe(position.fen())
        assert found is not None, position.fen()
        worth[move] = found
        position.pop()
    return worth


LARGE = [
    ("gross", "KS:K", 200),
    ("gross-korean", "KC:K", 100),
    ("gigachess", "KH:K", 200),
    ("shako", "K:KP", 200),
    ("courier", "KEM:K", 100),
    *(
        pytest.param(name, text, 1000, marks=pytest.mark.nightly)
        for name, text in [
            ("gross", "KC:KV"),
            ("gross", "KWW:K"),
            ("gross", "KCC:K"),
            ("gross", "KCV:K"),
            ("gross", "KNN:K"),
            ("gross", "KNV:K"),
            ("gross", "KBN:K"),
            ("gross-korean", "KC:KV"),
            ("opulent", "KL:KW"),
            ("omega", "KW:KC"),
            ("great", "KW:KH"),
            ("grand", "KC:KP"),
        ]
    ),
]


@pytest.mark.parametrize(("name", "text", "samples"), LARGE)
def test_on_large_boards_a_position_is_worth_what_its_moves_lead_to(
    name: str, text: str, samples: int
) -> None:
    """Were this so of every position, all would be right: wins lead to shorter ones down to the end
    of the game, and draws to draws. Asked of positions here and there."""
    rules = RuleSet.load(name)
    ending = solved(rules, text)
    rng = random.Random(name + text)
    compared = 0
    while compared < samples:
        fen = random_fen(rules, Material.parse(text, rules), rng)
        try:
            found = ending.probe(fen)
        except FenError:
            continue
        if found is None:
            continue
        compared += 1
        position = Position(rules, fen)
        outcome = position.outcome()
        if outcome is not None and outcome.reason != "dead position":
            assert found == (RESULTS[outcome.result], 0), fen
            continue
        mover = 1 if position.turn == "white" else -1
        worth = after_each_move(ending, position).values()
        wins = [plies for result, plies in worth if result == mover]
        if wins:
            assert found == (mover, min(wins) + 1), fen
        elif all(result == -mover for result, _ in worth):
            assert found == (-mover, max(plies for _, plies in worth) + 1), fen
        else:
            assert found == (0, 0), fen


RESULTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}


def random_fen(rules: RuleSet, material: Material, rng: random.Random) -> str:
    board = rules.rules.board
    squares = [(file, rank) for rank in range(board.ranks) for file in range(board.files)]
    men = material.white + material.black.lower()
    at = dict(zip(rng.sample(squares, len(men)), men, strict=True))
    rows = (
        "".join(at.get((file, rank), ".") for file in range(board.files))
        for rank in reversed(range(board.ranks))
    )
    return f"{blanks_counted('/'.join(rows))} {rng.choice('wb')}"


def blanks_counted(board: str) -> str:
    return re.sub(r"\.+", lambda blank: str(len(blank[0])), board)


def test_the_cardinal_alone_mates_in_a_corner() -> None:
    """The Grand Chess Rulebook: the Cardinal "is the only piece that can checkmate a cornered King
    without support", of the three major pieces."""
    grand = RuleSet.load("grand")
    mates = {
        man
        for man in "QMC"
        for file in range(10)
        for rank in range(3, 10)
        for position in [Position(grand, _lone(man, file, rank))]
        if position.in_check() and not position.legal_moves()
    }
    assert mates == {"C"}


def _lone(man: str, file: int, rank: int) -> str:
    """Black's king on a10, White's on j1, and one man."""
    men = {(0, 9): "k", (9, 0): "K"}
    men.setdefault((file, rank), man)
    rows = ("".join(men.get((f, row), ".") for f in range(10)) for row in reversed(range(10)))
    return f"{blanks_counted('/'.join(rows))} b - - 0 1"


MATE_ONLY_A_HELPER = {"CC", "CV", "NN", "NV", "WW"}
"""Pairs that the page calls sufficient, and that have mates, but cannot force them."""


@pytest.mark.nightly
@pytest.mark.parametrize("pair", PAIRS)
def test_mating_pairs_of_gross_chess(pair: str) -> None:
    """Where the inventor's table and the solution differ is written in docs/results/endgames.md."""
    kinds = solved("gross", f"K{pair}:K").kinds()
    forced = [kind.white_to_move.white_wins / kind.white_to_move.positions for kind in kinds]
    claimed = PAIRS[pair] != "no"
    assert (max(forced) > 0.9) == (claimed and pair not in MATE_ONLY_A_HELPER)
    assert (max(forced) > 0) == claimed  # a mate exists where the page says that it suffices
    if "opposite" in PAIRS[pair]:
        assert min(forced) == 0


@pytest.mark.parametrize(
    ("rules", "text", "problem"),
    [
        ("chess", "KP:KP", "captures en passant are not solved: p may capture P so"),
        ("chess", "KQRB:KQRB", "8 men; at most 6 are solved"),
    ],
)
def test_what_cannot_be_solved(rules: str, text: str, problem: str) -> None:
    rule_set = RuleSet.load(rules)
    with pytest.raises(DocumentError, match=problem):
        Ending(rule_set, Material.parse(text, rule_set))


def test_rules_that_cannot_be_solved() -> None:
    repeating = RuleSet.from_toml('extends = "chess"\n[endings.repetition]\nresult = "loss"\n')
    with pytest.raises(DocumentError, match="repetition wins or loses"):
        Ending(repeating, Material.parse("KN:K", repeating))
    # No document says this, but tables may.
    tables = core_tables(RuleSet.load("chess"))
    bishop, knight = (tables["letters"].index(letter) for letter in "BN")
    for man, other in ((bishop, knight), (knight, bishop)):
        tables["sides"][0]["promotions"][man] = [
            {"squares": [0], "to": [other], "limit": [-1] * 6, "compulsory": False}
        ]
    with pytest.raises(ValueError, match="promote into each other"):
        _core.Endgame(_core.Rules.compile(tables), "KN", "K")
