"""How games end, as Fairy-Stockfish's keys."""

from __future__ import annotations

from tabia.engine.rules.interchange.fairy_stockfish.game import Game, Lines

FOR_THE_NEXT = {"draw": "draw", "loss": "win", "win": "loss"}
"""What the side that made a move gets -> what the side to move then gets."""


def ending_lines(game: Game) -> Lines:
    tables = game.tables
    if tables["n_move_plies"] % 2:
        raise game.lacks("endings.n_move", "a count of half moves", "whole moves")
    yield "nMoveRule", str(tables["n_move_plies"] // 2)
    if tables["n_move_plies"]:
        yield from _resets(game)
    yield "nFoldRule", str(tables["repetition"])
    yield "nFoldValue", FOR_THE_NEXT[tables.get("repetition_result", "draw")]
    stalemates = {side["stalemate"] for side in tables["sides"]}
    if len(stalemates) > 1:
        raise game.lacks("endings.stalemate", "stalemate that differs by side", "one for both")
    yield "stalemateValue", stalemates.pop()
    if tables.get("n_move_result", "draw") != "draw":
        raise game.lacks("endings.n_move.result", "a loss by the n-move rule", "a draw")
    yield from _bare(game)


def _resets(game: Game) -> Lines:
    tables = game.tables
    if not tables["n_move_reset_capture"]:
        raise game.lacks("endings.n_move.resets", "captures that do not count", "they do")
    resets = [game.ours[index] for index in tables["n_move_reset_types"]]
    yield "nMoveRuleTypes", game.types_of(resets)
    for letter in resets:
        vectors = {(s.dx, s.dy) for s in game.moves[letter].steps if not s.initial}
        if any((-x, -y) in vectors for x, y in vectors):
            game.remarks.append(
                f"nMoveRuleTypes: Fairy-Stockfish does not count the moves of {letter} that it "
                "could take back; Tabia does"
            )


def _bare(game: Game) -> Lines:
    bare = game.tables.get("bare", "none")
    if bare == "none":
        return
    if bare != "loss":
        raise game.lacks("endings.bare", "a draw by a bare king", "a loss, or no such rule")
    yield "extinctionValue", "loss"
    yield "extinctionClaim", "true" if game.tables.get("bare_answer") else "false"
    yield "extinctionPieceTypes", "*"
    yield "extinctionPieceCount", "1"
    yield "extinctionOpponentPieceCount", "2"
