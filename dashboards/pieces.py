"""Pictures of pieces on a page: the engine's, as markup."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from tabia.engine.rules.pictures import diagrams, symbols
from tabia.engine.rules.pictures.kinds import kind_of
from tabia.engine.rules.pictures.paths import Primitive

__all__ = ["kind_of", "move_diagram", "piece_symbol"]


def move_diagram(letter: str, moves: Iterable[Primitive], *, name: str) -> Markup:
    """How a piece of White's moves; ``name`` is the text alternative."""
    return Markup(diagrams.move_diagram(letter, moves, name=name))


def piece_symbol(letter: str, moves: Iterable[Primitive], *, royal: bool) -> Markup:
    """The ``<symbol id="piece-LETTER">`` of a piece."""
    return Markup(symbols.piece_symbol(letter, moves, royal=royal))
