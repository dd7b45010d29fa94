"""How a game looks: the shape of its board and the pictures of its pieces, by its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from tabia.dashboards.board import Geometry
from tabia.dashboards.pieces import kind_of, move_diagram, piece_symbol
from tabia.engine.rules.tables import is_royal


@dataclass(frozen=True)
class PieceLook:
    """One piece type: its letter, what it is called by its moves, its picture and its diagram."""

    letter: str
    kind: str | None
    symbol: Markup
    diagram: Markup


@dataclass(frozen=True)
class Look:
    """Board and pieces of a game. Pictures show White's moves where the sides differ."""

    geometry: Geometry
    pieces: tuple[PieceLook, ...]
    array: str
    """The starting position as FEN."""

    @property
    def symbols(self) -> list[Markup]:
        """The pictures of all pieces, for ``board_svg``."""
        return [piece.symbol for piece in self.pieces]

    @property
    def pawns(self) -> frozenset[str]:
        """Letters of the pieces whose letter a move list leaves out."""
        return frozenset(piece.letter for piece in self.pieces if piece.kind == "pawn")


def look_of(tables: Mapping[str, Any]) -> Look:
    """The look of a game, from the tables that the core plays by (``core_tables``)."""
    white = tables["sides"][0]["moves"]
    return Look(
        geometry=Geometry(tables["files"], tables["ranks"], frozenset(tables["holes"])),
        pieces=tuple(
            _piece(letter, white[index], royal=is_royal(tables, index))
            for index, letter in enumerate(tables["letters"])
        ),
        array=tables["start_fen"],
    )


def _piece(letter: str, moves: list[Mapping[str, Any]], *, royal: bool) -> PieceLook:
    kind = kind_of(moves, royal=royal)
    return PieceLook(
        letter=letter,
        kind=kind,
        symbol=piece_symbol(letter, moves, royal=royal),
        diagram=move_diagram(letter, moves, name=f"Moves of the {kind or f'piece {letter}'}"),
    )
