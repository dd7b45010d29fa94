"""Positions of other programs' bug reports; where they are from is in tests/data/oracles.md."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tabia.engine import Position, RuleSet
from tabia.engine.documents import DocumentError

DATA = Path(__file__).parents[1] / "data"
CASES = tomllib.loads((DATA / "bug_cases.toml").read_text(encoding="utf-8"))["case"]
QUESTIONS = {"legal", "illegal", "from", "moves", "check", "outcome", "becomes", "perft", "refused"}
MATE_IN_SIGHT = 31_000


def rule_set(rules: str | dict[str, Any]) -> RuleSet:
    return RuleSet.load(rules) if isinstance(rules, str) else RuleSet.from_document(rules)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_others_had_wrong(case: dict[str, Any]) -> None:
    asked = set(case) - {"name", "tracker", "rules", "fen", "push"}
    assert asked
    assert asked <= QUESTIONS
    if "refused" in case:
        with pytest.raises(DocumentError) as refused:
            rule_set(case["rules"])
        assert case["refused"] in str(refused.value)
        return
    position = Position(rule_set(case["rules"]), case.get("fen"))
    for move in case.get("push", []):
        position.push(move)
    moves = position.legal_moves()
    assert set(case.get("legal", [])) <= set(moves)
    assert not set(case.get("illegal", [])) & set(moves)
    for square, expected in case.get("from", {}).items():
        assert [move for move in moves if move.startswith(square)] == expected
    if "moves" in case:
        assert len(moves) == case["moves"]
    if "check" in case:
        assert position.in_check() == case["check"]
    if "outcome" in case:
        outcome = position.outcome()
        assert outcome is not None
        assert [outcome.result, outcome.reason] == case["outcome"]
    if "becomes" in case:
        assert position.fen() == case["becomes"]
    if "perft" in case:
        depth, nodes = case["perft"]
        assert position.perft(depth) == nodes


def test_a_second_occurrence_is_no_third_where_repetition_loses() -> None:
    # Fairy-Stockfish 49 and 635: false mates from a search that ends a line at the second one.
    repetition = {"count": 3, "result": "loss"}
    position = Position(rule_set({"extends": "chess", "endings": {"repetition": repetition}}))
    for move in ("g1f3", "g8f6", "f3g1"):
        position.push(move)
    for depth in (1, 2, 3):
        assert abs(position.search(depth=depth).score) < MATE_IN_SIGHT
