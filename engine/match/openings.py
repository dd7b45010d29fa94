"""Openings: random legal moves from the array, drawn from a seed.

The draw is a hash and no generator with a state, so that any opening of an experiment can be drawn
by anyone, in any order, in any language.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from tabia.engine.position import Position

MOST_ATTEMPTS = 1000


@dataclass(frozen=True)
class Opening:
    """moves: UCI, from the array; attempts: how many were drawn until one left a game to play."""

    moves: tuple[str, ...]
    attempts: int


class NoOpeningError(ValueError):
    """There is no opening of that length, or next to none."""


def draw_move(seed: str, moves: Sequence[str]) -> str:
    """One of these moves, each with the same chance: SHA-256 of the seed, modulo their number."""
    digest = hashlib.sha256(seed.encode("utf-8")).digest()
    return moves[int.from_bytes(digest, "big") % len(moves)]


def draw_opening(
    seed: str, plies: int, games: Sequence[Position], attempts: int = MOST_ATTEMPTS
) -> Opening:
    """`plies` random moves, each legal in all of these games, which stand at their arrays.

    Drawn again while it ends one of the games or leaves no move that all of them allow. The games
    stand at their arrays again afterwards. Raises NoOpeningError when so many draws failed.
    """
    for attempt in range(attempts):
        moves = _draw(f"{seed}:{attempt}", plies, games)
        if moves is not None:
            return Opening(moves, attempt + 1)
    raise NoOpeningError(
        f"no opening of {plies} plies found in {attempts} draws; allowed: a length that the "
        "rules leave room for"
    )


def _draw(seed: str, plies: int, games: Sequence[Position]) -> tuple[str, ...] | None:
    moves: list[str] = []
    try:
        for ply in range(plies + 1):
            if any(game.outcome() is not None for game in games):
                return None
            if ply == plies:
                return tuple(moves)
            common = games[0].legal_moves()
            for game in games[1:]:
                legal = set(game.legal_moves())
                common = [move for move in common if move in legal]
            if not common:
                return None
            move = draw_move(f"{seed}:{ply}", common)
            for game in games:
                game.push(move)
            moves.append(move)
        return None
    finally:
        for _ in moves:
            for game in games:
                game.pop()
