"""Pictures of pieces: a drawing where a piece is well known, else its letter and its moves."""

from tabia.dashboards.pieces.diagrams import move_diagram
from tabia.dashboards.pieces.kinds import kind_of
from tabia.dashboards.pieces.symbols import piece_symbol

__all__ = ["kind_of", "move_diagram", "piece_symbol"]
