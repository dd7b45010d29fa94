"""Diagrams of characters."""

from typing import Any

import pytest

from tabia.engine.rules import RuleSet
from tabia.engine.rules.pictures.characters import board_characters, move_characters
from tabia.engine.rules.tables import core_tables


def moves(rule_set: RuleSet, letter: str) -> list[dict[str, Any]]:
    tables = core_tables(rule_set)
    found: list[dict[str, Any]] = tables["sides"][0]["moves"][tables["letters"].index(letter)]
    return found


def drawn(name: str, letter: str) -> list[str]:
    return move_characters(letter, moves(RuleSet.load(name), letter))


def test_a_pawn() -> None:
    assert drawn("chess", "P") == [
        "· · ◇ · ·",
        "· × ○ × ·",
        "· · P · ·",
        "· · · · ·",
        "· · · · ·",
    ]


def test_a_knight_and_a_bent_rider() -> None:
    assert drawn("chess", "N")[0] == "· ● · ● ·"
    gryphon = drawn("gigachess", "H")
    assert gryphon == gryphon[::-1]
    middle = len(gryphon) // 2
    assert gryphon[middle].split()[middle] == "H"
    assert gryphon[middle - 1].split().count("●") == 2 * middle
    assert gryphon[middle].split().count("●") == 0


@pytest.mark.parametrize("name", ["grand", "omega"])
def test_a_board(name: str) -> None:
    rules = RuleSet.load(name).rules
    tables = core_tables(RuleSet.load(name))
    rows = board_characters(rules.rows, tables["ranks"], tables["files"], tables["holes"])
    assert len(rows) == tables["ranks"] + 1
    assert rows[-1].split() == list("abcdefghijkl"[: tables["files"]])
    men = [cell for row in rows[:-1] for cell in row[4:] if cell.isalpha()]
    assert len(men) == sum(1 for _ in rules.men())
