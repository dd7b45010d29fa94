"""Castling as Fairy-Stockfish's keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabia.engine.rules.interchange.fairy_stockfish.game import Game, Lines, file_name
from tabia.engine.rules.interchange.fairy_stockfish.piece_types import KING
from tabia.engine.rules.squares import STRIDE


def castling_lines(game: Game) -> Lines:
    white, black = (
        {entry["letter"]: _castle(game, entry) for entry in side["castling"]}
        for side in game.tables["sides"]
    )
    entries = {**white, **black}
    if not entries:
        yield "castling", "false"
        return
    for letter in set(white) & set(black):
        ours, theirs = white[letter], black[letter]
        if ours[1:] != theirs[1:] or ours[0] != game.ranks - 1 - theirs[0]:
            raise game.lacks("castling", "sides that castle differently", "one way for both")
    first = next(iter(entries.values()))
    rank = first[0] if first in white.values() else game.ranks - 1 - first[0]
    yield "castlingRank", str(rank + 1)
    yield "castlingKingFile", file_name(first[1])
    for letter, wing in (("K", "Kingside"), ("Q", "Queenside")):
        if letter in entries:
            _, king_from, king_to, rook_from, *_ = entries[letter]
            if (letter == "K") != (rook_from > king_from):
                raise game.lacks("castling", f"right {letter} on the other wing", "K right of Q")
            yield f"castling{wing}File", file_name(king_to)
            yield f"castlingRook{wing}File", file_name(rook_from)
    if game.kinds[first[5]] != KING:
        yield "castlingKingPiece", game.letters[first[5]].lower()
    yield "castlingRookPieces", game.letters[game.ours[first[4]]].lower()


def _castle(game: Game, entry: Mapping[str, Any]) -> tuple[int, int, int, int, int, str]:
    """Rank, files of king, king's target and partner, the partner's type and the king's letter."""
    targets = entry.get("moves") or [entry]
    if len(targets) > 1:
        raise game.lacks("castling", "a choice of squares for the king", "one a side")
    if entry.get("from_move", 1) > 1:
        raise game.lacks("castling", "castling from a later move on only", "from the start")
    king_from, king_to = entry["king_from"], targets[0]["king_to"]
    rook_from, rook_to = entry["rook_from"], targets[0]["rook_to"]
    if len({square // STRIDE for square in (king_from, king_to, rook_from, rook_to)}) > 1:
        raise game.lacks("castling", "castling off the rank", "along one rank")
    if rook_to != king_to + (-1 if rook_from > king_from else 1):
        raise game.lacks("castling", "a partner that does not end beside the king", "beside it")
    rows = game.rule_set.rules.rows
    return (
        king_from // STRIDE,
        king_from % STRIDE,
        king_to % STRIDE,
        rook_from % STRIDE,
        entry["rook"],
        rows[king_from // STRIDE + 1][king_from % STRIDE].upper(),
    )
