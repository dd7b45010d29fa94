"""Fast games of the engine against itself, and the quiet positions in them.

All is a function of the rules, the weights and the seed, whatever the number of threads: each game
has an opening and a choice of positions of its own, drawn by a hash of the seed and its number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tabia.engine import _core
from tabia.engine.compiled import compiled
from tabia.engine.match.openings import draw_opening
from tabia.engine.match.record import WINNER
from tabia.engine.position import Position
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.weights import Weights

OPENING_PLIES = (6, 16)
"""Random plies at the start, from and to: long ones bring material out of balance."""
MAX_PLIES = 400
SAMPLES = 10
"""Positions of one game at most: they all share its result."""
DECIDED = 1200
"""Centipawns either way beyond which the rest of a game is not worth a sample."""
UNREST = 70
"""Centipawns by which search and evaluation may differ in a position that counts as quiet."""


@dataclass(frozen=True)
class Game:
    """moves: UCI, from the array; plies: those before which it was quiet, rising; score: what White
    made of it, 0, 0.5 or 1."""

    moves: tuple[str, ...]
    plies: tuple[int, ...]
    score: float


def play_games(
    rules: RuleSet,
    weights: Weights,
    *,
    games: int,
    nodes: int,
    seed: int,
    workers: int = 1,
    played: Callable[[int], object] = lambda _: None,
) -> list[Game]:
    """That many games, in order; those without a quiet position, and those that were stopped for
    their length, are left out.

    nodes: a move; workers: threads, the core lets go of Python while it plays; played: told how
    many games there are so far. Raises NoOpeningError.
    """
    core = compiled(rules)
    evaluator = _core.Evaluator.build(core, weights)

    def one(number: int) -> Game | None:
        moves, opening = _played(rules, core, evaluator, f"{seed}:{number}", nodes)
        if moves["reason"] == "ply cap":
            return None
        plies = _samples(core, evaluator, moves, opening, f"{seed}:{number}")
        if not plies:
            return None
        return Game(tuple(moves["moves"]), tuple(plies), (WINNER[moves["result"]] + 1) / 2)

    found = []
    with ThreadPoolExecutor(workers) as threads:
        try:
            for number, game in enumerate(threads.map(one, range(games)), 1):
                played(number)
                if game is not None:
                    found.append(game)
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise
    return found


def _played(
    rules: RuleSet, core: _core.Rules, evaluator: _core.Evaluator, seed: str, nodes: int
) -> tuple[_core.Game, int]:
    shortest, longest = OPENING_PLIES
    plies = shortest + _draw(f"{seed}:plies") % (longest - shortest + 1)
    opening = draw_opening(f"calibrate:{seed}", plies, [Position(rules)]).moves
    game = _core.play_game(
        core, evaluator, evaluator, list(opening), nodes, nodes, MAX_PLIES + len(opening)
    )
    return game, len(opening)


def _samples(
    core: _core.Rules, evaluator: _core.Evaluator, game: _core.Game, opening: int, seed: str
) -> list[int]:
    """The chosen plies: quiet by the moves around them, and searched to what they look like."""
    plies = [ply for ply in _core.quiet_plies(core, game["moves"]) if ply >= opening]
    seen = _core.evaluations(core, game["moves"], plies, [evaluator])
    quiet = [
        ply
        for ply, static in zip(plies, seen, strict=True)
        if abs(game["scores"][ply - opening]) <= DECIDED
        and abs(game["scores"][ply - opening] - static) <= UNREST
    ]
    return sorted(sorted(quiet, key=lambda ply: _draw(f"{seed}:{ply}"))[:SAMPLES])


def _draw(seed: str) -> int:
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")
