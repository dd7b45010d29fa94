"""A position under one rule set: legal moves, history, outcome, search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tabia.engine import _core
from tabia.engine.compiled import compiled
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.weights import neutral_weights

if TYPE_CHECKING:
    from tabia.engine._core import Found

FenError = _core.FenError
MoveError = _core.MoveError
StopFlag = _core.StopFlag
MATE = 32_000
"""The score of a mate on the board; one in n plies scores n less."""
MATES = 31_000
"""Scores beyond it, either way, are mates."""


Reason = Literal[
    "checkmate",
    "stalemate",
    "dead position",
    "n-move rule",
    "repetition",
    "bare king",
    "ply cap",
]
"""The core's words for how a game ends; a position itself is never at the ply cap."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended: `result` is "1-0", "0-1" or "1/2-1/2"; `reason` one of `Reason`."""

    result: str
    reason: str


@dataclass(frozen=True)
class SearchResult:
    """What a search found. best_move: UCI, None where there is no legal move; score: centipawns
    from the side to move, beyond ±31,000 a mate; pv: the line expected, best move first; depth: of
    the last full iteration; nodes: moves made."""

    best_move: str | None
    score: int
    pv: tuple[str, ...]
    depth: int
    nodes: int


class Position:
    """A position that moves are made on and taken back from.

    Moves are UCI strings (`i9i10m`); castling or an e.p. capture with the squares of an ordinary
    move of the same man ends in `*`. With `black`, Black plays by rules of its own.
    """

    def __init__(self, rules: RuleSet, fen: str | None = None, *, black: RuleSet | None = None):
        """The array, or the position of a FEN. Raises FenError, which says what is wrong."""
        self.rules = rules
        self._black = black
        self._compiled = compiled(rules, black)
        self._board = _core.Board(self._compiled, fen)
        self._evaluator: _core.Evaluator | None = None

    @property
    def turn(self) -> Literal["white", "black"]:
        """The side to move."""
        return "white" if self._board.white_to_move() else "black"

    @property
    def key(self) -> int:
        """64-bit Zobrist key; equal for equal positions, whatever the rule set."""
        return self._board.key()

    def legal_moves(self) -> list[str]:
        """All legal moves, sorted, each once."""
        return self._board.legal_moves()

    def push(self, move: str) -> None:
        """Makes a legal move. Raises MoveError for any other text, and changes nothing then."""
        self._board.push(move)

    def pop(self) -> None:
        """Takes the last move back. Raises IndexError when there is none."""
        self._board.pop()

    def fen(self) -> str:
        """The position as a FEN; the e.p. field names only squares where a capture is legal."""
        return self._board.fen()

    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return self._board.in_check()

    def outcome(self) -> Outcome | None:
        """How the game has ended, or None while it goes on."""
        ended = self._board.outcome()
        return None if ended is None else Outcome(*ended)

    def perft(self, depth: int) -> int:
        """The number of sequences of `depth` legal moves."""
        return self._board.perft(depth)

    def search(
        self,
        *,
        nodes: int = 0,
        depth: int = 0,
        seconds: float = 0.0,
        stop: StopFlag | None = None,
        report: Callable[[SearchResult], object] | None = None,
        hash_mb: int = 0,
    ) -> SearchResult:
        """Searches with fresh tables until so many moves are made, that depth is finished, the time
        is up or `stop` is set, whichever comes first; 0 = no such limit, and one of them is needed.

        report: called with what is found so far after each depth; hash_mb: size of the table, 0 =
        by the number of nodes. Only a search without `seconds` and `stop` is the same each time.
        """
        if self._evaluator is None:
            both = (self.rules,) if self._black is None else (self.rules, self._black)
            weights = neutral_weights(*both)
            self._evaluator = _core.Evaluator.build(self._compiled, weights)
        told = None if report is None else lambda found: report(_result(found))
        found = self._board.search(self._evaluator, nodes, depth, seconds, stop, told, hash_mb)
        return _result(found)


def _result(found: Found) -> SearchResult:
    return SearchResult(
        found["move"], found["score"], tuple(found["pv"]), found["depth"], found["nodes"]
    )
