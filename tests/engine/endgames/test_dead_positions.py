"""What the rules call dead, no game can decide: every position of the ending is drawn."""

from __future__ import annotations

import random

import pytest

from tabia.engine import FenError, Position, RuleSet
from tabia.engine.documents import DocumentError
from tabia.engine.endgames import Ending, Material
from tabia.engine.rules.resolve import catalog_ids

SOON = ("chess", "chess-stalemate-win", "grand", "grander")
TRIES = 200


def materials(rules: RuleSet, most_others: int) -> list[Material]:
    royal = rules.rules.only_king("white") or ""
    others = [letter for letter in rules.rules.letters if letter != royal]
    found = [Material(royal, royal)]
    if most_others > 0:
        found += [Material(royal + man, royal) for man in others]
        found += [Material(royal, royal + man) for man in others]
    if most_others > 1:
        found += [Material(royal + a + b, royal) for a in others for b in others if a <= b]
        found += [Material(royal + a, royal + b) for a in others for b in others]
    return found


def some_dead_position(rules: RuleSet, material: Material, rng: random.Random) -> str | None:
    """A position of that material that the rules call dead, if one of some hundred is."""
    board = rules.rules.board
    squares = [(file, rank) for rank in range(board.ranks) for file in range(board.files)]
    for _ in range(TRIES):
        men = dict(
            zip(rng.sample(squares, len(material)), material.white + material.black.lower(),
                strict=True)
        )  # fmt: skip
        rows = []
        for rank in reversed(range(board.ranks)):
            text, blank = "", 0
            for file in range(board.files):
                man = men.get((file, rank))
                text, blank = (f"{text}{blank or ''}{man}", 0) if man else (text, blank + 1)
            rows.append(f"{text}{blank or ''}")
        fen = f"{'/'.join(rows)} {rng.choice('wb')} - - 0 1"
        try:
            outcome = Position(rules, fen).outcome()
        except FenError:
            continue
        if outcome is not None and outcome.reason == "dead position":
            return fen
    return None


def dead_materials(catalog_id: str, most_others: int) -> list[Material]:
    """Those that are called dead, each of them solved and found to be drawn everywhere."""
    rules, rng = RuleSet.load(catalog_id), random.Random(catalog_id)
    dead = []
    for material in materials(rules, most_others):
        fen = some_dead_position(rules, material, rng)
        if fen is None:
            continue
        ending = Ending(rules, material)
        ending.solve()
        kinds = ending.kinds()
        if len(kinds) == 2:  # dead are those on squares of one colour only
            kinds = [kind for kind in kinds if kind.colours == "same"]
        for kind in kinds:
            assert not kind.is_decisive, (catalog_id, str(material), fen)
            assert kind.mates == 0, (catalog_id, str(material), fen)
        dead.append(material)
    return dead


@pytest.mark.parametrize("catalog_id", SOON)
def test_dead_with_three_men(catalog_id: str) -> None:
    dead = {str(material) for material in dead_materials(catalog_id, 1)}
    # With stalemate won, a knight or a bishop may win, and even kings alone are not asked about.
    stalemate_decides = catalog_id in ("chess-stalemate-win", "grander")
    assert ({"K:K", "KB:K", "KN:K", "K:KB", "K:KN"} <= dead) is not stalemate_decides


@pytest.mark.nightly
@pytest.mark.parametrize("catalog_id", [name for name in catalog_ids() if name not in SOON])
def test_dead_with_three_men_in_every_game(catalog_id: str) -> None:
    dead_materials(catalog_id, 1)


@pytest.mark.nightly
def test_dead_with_four_men() -> None:
    dead = {str(material) for material in dead_materials("chess", 2)}
    assert {"KBB:K", "KB:KB"} <= dead


def test_what_is_not_dead_is_not_called_so() -> None:
    """The converse need not hold, but does for one man in chess."""
    rules = RuleSet.load("chess")
    dead = set(map(str, dead_materials("chess", 1)))
    for material in materials(rules, 1):
        try:
            ending = Ending(rules, material)
        except DocumentError:
            continue
        ending.solve()
        assert any(kind.is_decisive for kind in ending.kinds()) is (str(material) not in dead)
