"""An explanation as HTML: a page of its own, or the parts of it for a page of others."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from tabia.engine.rules.explain.explanation import Change, Explanation, PiecePart, Section
from tabia.engine.rules.pictures.board import Geometry, board_svg
from tabia.engine.rules.pictures.diagrams import LEGEND, move_diagram
from tabia.engine.rules.pictures.symbols import piece_symbol

STYLE = """
:root { --light: #f1e9d8; --dark: #c8b08b; --ink: #231e1a; --move: #2456a6; --take: #b3261e; }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; background: #fffdf8; }
figure { margin: 0; } .array { max-width: 38rem; } .board { width: 100%; height: auto; }
.square.light { fill: var(--light); } .square.dark { fill: var(--dark); }
.coordinates text { font: 30px system-ui, sans-serif; fill: var(--ink); }
.white { --fill: #fffdf6; --detail: var(--ink); } .black { --fill: #3a332d; --detail: #fffdf6; }
.body { fill: var(--fill); stroke: var(--ink); stroke-width: 3.2; stroke-linejoin: round; }
.line { fill: none; stroke: var(--detail); stroke-width: 4; stroke-linecap: round; }
.dot { fill: var(--detail); } .letter { fill: var(--detail); font-family: Georgia, serif; }
.pieces { list-style: none; padding: 0; display: grid; gap: 1.2rem;
  grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); }
.pieces svg { width: 100%; max-width: 13rem; } .pieces p { margin: .3rem 0; }
.move-diagram .slide { stroke: var(--move); stroke-width: 2.4; stroke-linecap: round; fill: none; }
.move-diagram .takes-line { stroke: var(--take); } .move-diagram .both { fill: var(--move); }
.move-diagram .walks { fill: #fffdf8; stroke: var(--move); stroke-width: 2; }
.move-diagram .takes { stroke: var(--take); stroke-width: 2.4; stroke-linecap: round; fill: none; }
.move-diagram .special { stroke-dasharray: 2.2 1.8; }
.changes dd.before { text-decoration: line-through; opacity: .7; }
code { font-size: .9em; overflow-wrap: anywhere; }
"""


def as_html(explained: Explanation) -> str:
    """A page that needs nothing but itself."""
    title = escape(explained.title)
    about = "".join(f"<p>{escape(line)}</p>" for line in explained.about)
    notes = section_html(Section("Notes", explained.notes)) if explained.notes else ""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body>"
        f"<h1>{title}</h1>{about}{changes_html(explained)}"
        f"{section_html(explained.board)}{array_html(explained)}"
        f"<h2>Pieces</h2>{pieces_html(explained.pieces)}"
        f"{''.join(map(section_html, explained.rules))}{notes}"
        f"<p>rules_id <code>{explained.rule_set.id}</code></p></body></html>\n"
    )


def section_html(section: Section) -> str:
    """A heading and its sentences."""
    return f"<h2>{escape(section.heading)}</h2>{_sentences(section.sentences)}"


def array_html(explained: Explanation) -> str:
    """The picture of the array, and where everybody stands."""
    tables = explained.tables
    men = {
        (rank - 1) * 16 + file: cell
        for rank, cells in explained.rule_set.rules.rows.items()
        for file, cell in enumerate(cells)
        if cell
    }
    symbols = [
        piece_symbol(piece.letter, piece.moves, royal=piece.royal) for piece in explained.pieces
    ]
    geometry = Geometry(tables["files"], tables["ranks"], frozenset(tables["holes"]))
    picture = board_svg(geometry, men, symbols, label=f"The array. FEN: {tables['start_fen']}")
    return (
        f'<figure class="array">{picture}</figure>'
        f"<h2>{escape(explained.array.heading)}</h2>{_sentences(explained.array.sentences)}"
    )


def pieces_html(pieces: Iterable[PiecePart]) -> str:
    """Each piece with its diagram and its moves in words; the symbols of the pieces are those of
    the array's picture."""
    items = "".join(
        f"<li>{move_diagram(piece.letter, piece.moves, name=f'Moves of the {piece.name}')}"
        f"<p><strong>{piece.letter}</strong> {escape(piece.name)} "
        f"<code>{escape(piece.betza)}</code></p>{_sentences(piece.sentences)}</li>"
        for piece in pieces
    )
    return f'<ul class="pieces">{items}</ul><p class="note">{escape(LEGEND)}</p>'


def changes_html(explained: Explanation) -> str:
    """What differs from the parent; nothing for a rule set that is no tweak."""
    if explained.parent is None:
        return ""
    items = "".join(map(_change, explained.changes)) or "<dd>Nothing: the rules are the same.</dd>"
    return f'<h2>What differs from {escape(explained.parent)}</h2><dl class="changes">{items}</dl>'


def _change(change: Change) -> str:
    before = "".join(f'<dd class="before">{escape(each)}</dd>' for each in change.before)
    now = "".join(f'<dd class="now">{escape(each)}</dd>' for each in change.now)
    return f"<dt>{escape(change.heading)}</dt>{before}{now}"


def _sentences(sentences: Iterable[str]) -> str:
    return f"<p>{'<br>'.join(escape(each) for each in sentences)}</p>"
