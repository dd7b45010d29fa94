"""An explanation for a terminal: wrapped text, diagrams of characters."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from tabia.engine.rules.explain.explanation import Change, Explanation, PiecePart, Section
from tabia.engine.rules.pictures.characters import LEGEND, board_characters, move_characters

WIDTH = 92
_GAP = "   "


def as_text(explained: Explanation) -> str:
    """The whole explanation, a text of lines at most `WIDTH` wide where words allow it."""
    return "\n".join(_lines(explained)).rstrip() + "\n"


def _lines(explained: Explanation) -> Iterator[str]:
    yield from (explained.title, "=" * len(explained.title))
    for line in explained.about:
        yield from _wrapped(line)
    yield ""
    if explained.parent is not None:
        yield from _tweak(explained.parent, explained.changes)
    yield from _section(explained.board)
    tables = explained.tables
    yield from board_characters(
        explained.rule_set.rules.rows, tables["ranks"], tables["files"], tables["holes"]
    )
    yield ""
    yield from _section(explained.array)
    yield from _heading("Pieces")
    yield from _legend(explained.pieces)
    for piece in explained.pieces:
        yield from _piece(piece)
    for section in explained.rules:
        yield from _section(section)
    if explained.notes:
        yield from _section(Section("Notes", explained.notes))
    yield f"rules_id {explained.rule_set.id}"


def _tweak(parent: str, changes: Iterable[Change]) -> Iterator[str]:
    changes = list(changes)
    yield from _heading(f"What differs from {parent}")
    if not changes:
        yield from ("Nothing: the rules are the same.", "")
    for change in changes:
        yield f"{change.heading}"
        for sentence in change.before:
            yield from _wrapped(sentence, "  before: ")
        for sentence in change.now:
            yield from _wrapped(sentence, "  now:    ")
        yield ""


def _section(section: Section) -> Iterator[str]:
    yield from _heading(section.heading)
    for sentence in section.sentences:
        yield from _wrapped(sentence)
    yield ""


def _heading(text: str) -> Iterator[str]:
    yield from (text, "-" * len(text))


def _legend(pieces: Iterable[PiecePart]) -> Iterator[str]:
    used = {
        sign for piece in pieces for row in move_characters("?", piece.moves) for sign in row
    } & set(LEGEND)
    yield from _wrapped(
        "; ".join(f"{sign} {words}" for sign, words in LEGEND.items() if sign in used) + "."
    )
    yield ""


def _piece(piece: PiecePart) -> Iterator[str]:
    diagram = move_characters(piece.letter, piece.moves)
    beside = [f"{piece.letter}  {piece.name}"]
    room = WIDTH - len(diagram[0]) - len(_GAP)
    for sentence in piece.sentences:
        beside += textwrap.wrap(sentence, room)
    beside += textwrap.wrap(f"Betza: {piece.betza or 'none'}", room)
    blank = " " * len(diagram[0])
    for index in range(max(len(diagram), len(beside))):
        row = diagram[index] if index < len(diagram) else blank
        words = beside[index] if index < len(beside) else ""
        yield f"{row}{_GAP}{words}".rstrip()
    yield ""


def _wrapped(text: str, head: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)) or [
        head
    ]
