"""What the page of a rule set says beside its picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from tabia.dashboards.look import Look
from tabia.engine import RuleSet
from tabia.engine.rules.explain.explanation import Explanation


class PieceRow(NamedTuple):
    """A piece as the page lists it."""

    letter: str
    name: str
    betza: str
    diagram: Markup
    sentences: tuple[str, ...]


def piece_rows(explained: Explanation, look: Look) -> list[PieceRow]:
    """The pieces by letter, with White's diagram and the moves in words."""
    diagrams = {piece.letter: piece.diagram for piece in look.pieces}
    return [
        PieceRow(piece.letter, piece.name, piece.betza, diagrams[piece.letter], piece.sentences)
        for piece in explained.pieces
    ]


def facts(rule_set: RuleSet) -> list[tuple[str, Any]]:
    """Every other rule as a dotted key and its value, defaults included.

    What is Black's own stands under ``black.``, as a rule file would state it.
    """
    rules = rule_set.rules
    white = rules.sides["white"].model_dump(exclude={"pieces", "endings"})
    return [
        *_flatten({"board": rules.board.model_dump()}),
        *_flatten(white),
        *_flatten({"endings": rules.endings.model_dump()}),
        *_flatten({"black": rule_set.canonical.get("black", {})}),
    ]


def _flatten(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, inner in value.items():
        if isinstance(inner, Mapping):
            yield from _flatten(inner, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", inner
