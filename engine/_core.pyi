"""The C++ core, as Python sees it; `Position` and `play_batch` stand on it."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypedDict

class FenError(ValueError): ...
class MoveError(ValueError): ...

class Found(TypedDict):
    move: str | None
    score: int
    depth: int
    nodes: int
    pv: list[str]

class Game(TypedDict):
    moves: list[str]
    result: str
    reason: str
    nodes: int
    promotions: dict[str, dict[str, int]]
    declined: dict[str, int]
    castlings: dict[str, int]
    en_passant: dict[str, int]
    own_captures: dict[str, int]
    citadel_exits: dict[str, int]
    first_promotion: int | None
    offered: int
    forced: int
    scores: list[int]
    survivors: dict[str, dict[str, int]]

class SideCounts(TypedDict):
    positions: int
    white_wins: int
    black_wins: int
    mates: int
    stalemates: int
    bare_kings: int

class LongestWin(TypedDict):
    plies: int
    fen: str

class EndgameCounts(TypedDict):
    colours: Literal["same", "opposite"] | None
    white_to_move: SideCounts
    black_to_move: SideCounts
    longest_white_win: LongestWin | None
    longest_black_win: LongestWin | None

class Rules:
    @staticmethod
    def compile(tables: dict[str, Any]) -> Rules: ...
    @property
    def start_fen(self) -> str: ...

class Evaluator:
    @staticmethod
    def build(rules: Rules, weights: dict[str, Any]) -> Evaluator: ...

class StopFlag:
    def __init__(self) -> None: ...
    def set(self) -> None: ...

class Board:
    def __init__(self, rules: Rules, fen: str | None = None) -> None: ...
    def legal_moves(self) -> list[str]: ...
    def legal_moves_in_stages(self) -> tuple[list[str], list[str]]: ...
    def push(self, move: str) -> None: ...
    def pop(self) -> None: ...
    def fen(self) -> str: ...
    def key(self) -> int: ...
    def in_check(self) -> bool: ...
    def white_to_move(self) -> bool: ...
    def outcome(self) -> tuple[str, str] | None: ...
    def perft(self, depth: int) -> int: ...
    def search(
        self,
        evaluator: Evaluator,
        nodes: int,
        depth: int,
        seconds: float = 0.0,
        stop: StopFlag | None = None,
        report: Callable[[Found], object] | None = None,
        hash_mb: int = 0,
    ) -> Found: ...
    def evaluate(self, evaluator: Evaluator) -> int: ...

class Endgame:
    def __init__(self, rules: Rules, white: str, black: str) -> None: ...
    def materials(self) -> list[tuple[str, str]]: ...
    def placements(self) -> int: ...
    def bytes(self) -> int: ...
    def solve(self, pulse: Callable[[], object]) -> None: ...
    def counts(self) -> list[EndgameCounts]: ...
    def probe(self, fen: str) -> tuple[int, int] | None: ...

def play_game(
    rules: Rules,
    white: Evaluator,
    black: Evaluator,
    opening: Sequence[str],
    white_nodes: int,
    black_nodes: int,
    max_plies: int,
    fen: str | None = None,
    white_seconds: float = 0.0,
    black_seconds: float = 0.0,
    white_outside: Callable[[list[str]], tuple[str, int]] | None = None,
    black_outside: Callable[[list[str]], tuple[str, int]] | None = None,
) -> Game: ...
def quiet_plies(rules: Rules, moves: Sequence[str]) -> list[int]: ...
def men_counts(rules: Rules, moves: Sequence[str], plies: Sequence[int]) -> list[int]: ...
def evaluations(
    rules: Rules, moves: Sequence[str], plies: Sequence[int], evaluators: Sequence[Evaluator]
) -> list[int]: ...
