"""Armies that differ: their labels, their positions, and that the rules know what to do there."""

from collections import Counter
from itertools import combinations_with_replacement

import pytest

from tabia.engine import Position, RuleSet
from tabia.engine.documents import DocumentError
from tabia.engine.match import Experiment, Imbalance
from tabia.engine.match.imbalance import array_of, near_balanced
from tabia.engine.rules.resolve import catalog_ids


def men(fen: str) -> dict[str, Counter[str]]:
    letters = [letter for letter in fen.split()[0] if letter.isalpha()]
    return {
        "white": Counter(letter for letter in letters if letter.isupper()),
        "black": Counter(letter.upper() for letter in letters if letter.islower()),
    }


def start(rules: str, label: str, *, seed: str = "seed", white: str = "a") -> str:
    return array_of(RuleSet.load(rules).rules, Imbalance.parse(label), seed, white)


def test_each_army_lacks_what_only_the_other_one_has() -> None:
    whole = men(RuleSet.load("grand").start_fen)["white"]
    found = men(start("grand", "Q:NR"))
    assert whole - found["white"] == Counter("NR")
    assert whole - found["black"] == Counter("Q")
    assert men(start("grand", "Q:NR", white="b")) == {
        "white": found["black"],
        "black": found["white"],
    }


def test_the_armies_of_the_two_games_are_mirror_images() -> None:
    # Whoever has army a lacks the same copies, so that colours are all that is exchanged.
    for seed in "abcdefgh":
        ours = start("gross", "M:NR", seed=seed)
        theirs = start("gross", "M:NR", seed=seed, white="b")
        turned = "/".join(reversed(ours.split()[0].split("/"))).swapcase()
        assert turned == theirs.split()[0]


def test_every_copy_has_its_turn() -> None:
    # Eight pawns: each of them is the missing one in some unit.
    boards = {start("chess", "N:P", seed=str(unit)).split()[0].split("/")[6] for unit in range(200)}
    assert len(boards) == 8


def test_a_castling_right_goes_with_its_rook() -> None:
    rights = {start("chess", "R:BP", seed=str(unit)).split()[2] for unit in range(40)}
    assert rights == {"KQk", "KQq"}  # army b, Black's, has one rook less
    assert {start("chess", "BN:PR", seed=str(u)).split()[2] for u in range(40)} == {"Kkq", "Qkq"}
    assert start("chess", "Q:RR").split()[2] == "kq"


@pytest.mark.parametrize("label", ["", "Q", "Q:", ":Q", "Q:RN", "QN:N", "q:r", "Q:N:R", "Q:1"])
def test_what_is_no_label(label: str) -> None:
    with pytest.raises(ValueError, match="no imbalance"):
        Imbalance.parse(label)


def test_more_men_than_the_array_has() -> None:
    with pytest.raises(ValueError, match="the array has 1 of Q"):
        start("chess", "QQ:RR")


def test_near_balanced_finds_every_pair_of_armies_once() -> None:
    worth, copies = {"P": 1.0, "N": 3.0, "B": 3.5, "R": 5.0}, {"P": 3, "N": 2, "B": 2, "R": 2}
    found = list(near_balanced(worth, copies, "P", 2, 1.0))
    armies = [
        "".join(army)
        for size in (1, 2, 3)
        for army in combinations_with_replacement("BNPR", size)
        if all(army.count(letter) <= copies[letter] for letter in army)
        and size - army.count("P") // 2 <= 2  # two pawns are one man
    ]
    value = {army: sum(worth[letter] for letter in army) for army in armies}
    level = {
        frozenset((one, other))
        for one in armies
        for other in armies
        if not set(one) & set(other) and abs(value[one] - value[other]) <= 1.0
    }
    assert {frozenset((match.a, match.b)) for match in found} == level
    assert len(found) == len(level)
    assert {"N:PPP", "R:BPP"} <= set(map(str, found))
    assert all((len(match.a), match.a) < (len(match.b), match.b) for match in found)


def test_armies_without_a_man_alike_are_not_weighed() -> None:
    document = {"name": "V", "kind": "material", "rules": "spartan", "test": {"budget": 100}}
    with pytest.raises(DocumentError, match="the sides of Spartan Chess have no men alike"):
        Experiment.from_document(document, "values.toml")


@pytest.mark.parametrize("rules", [rules for rules in catalog_ids() if rules != "spartan"])
def test_every_imbalance_of_every_game_can_be_played(rules: str) -> None:
    """All have a position to begin with, or the document were refused. Of some of each game: the
    FEN is one of this game, keeps the rights that are left, and no king is attacked."""
    document = {"name": "Values", "kind": "material", "rules": rules, "test": {"budget": 100}}
    experiment = Experiment.from_document(document, rules)
    material, units = experiment.material, experiment.units()
    assert material is not None
    whole = men(experiment.arms["a"].start_fen)
    for number, label in enumerate(material.matches[:: 1 + len(material.matches) // 30]):
        match = Imbalance.parse(label)
        for arm in "ab":
            fen = units.start(number, arm, label)
            assert fen is not None
            found = men(fen)
            lacks = [Counter(match.b), Counter(match.a)]
            white, black = lacks if arm == "a" else reversed(lacks)
            assert (whole["white"] - found["white"], whole["black"] - found["black"]) == (
                white,
                black,
            )
            position = Position(experiment.arms["a"], fen)
            assert position.fen().split()[:4] == fen.split()[:4]
            assert position.outcome() is None
            assert not position.in_check()


def test_a_man_missing_from_the_array_counts_as_captured() -> None:
    # Grand Chess: a pawn promotes to what its side has lost. Army b lacks its queen from the start.
    rules = RuleSet.load("grand")
    fen = start("grand", "Q:CP", white="b")
    rows = fen.split()[0].split("/")
    rows[2] = "6P3"  # White's pawn on the eighth rank, in place of Black's pawns
    position = Position(rules, "/".join(rows) + " w - - 0 1")
    promotions = {move[-1] for move in position.legal_moves() if move[-1].isalpha()}
    assert promotions == {"q"}
