"""One material under one rule set: what solving it takes, and every position solved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tabia.engine import _core
from tabia.engine.compiled import compiled
from tabia.engine.documents import DocumentError
from tabia.engine.endgames.material import Material
from tabia.engine.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from tabia.engine._core import EndgameCounts, LongestWin, SideCounts

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Count:
    """The legal positions with one side to move, on the whole board: how many there are, who wins
    them, and how many are over, by reason."""

    positions: int
    white_wins: int
    black_wins: int
    mates: int
    stalemates: int
    bare_kings: int

    @property
    def drawn(self) -> int:
        """Positions in which neither side can force a win."""
        return self.positions - self.white_wins - self.black_wins


@dataclass(frozen=True)
class Win:
    """The longest win of a side: plies to the end of the game by best play, and a position that
    needs them."""

    plies: int
    fen: str

    @property
    def moves(self) -> int:
        """Moves of the winner's."""
        return (self.plies + 1) // 2


@dataclass(frozen=True)
class Kind:
    """The positions of an ending, or a half of them: where each of two men keeps to squares of one
    colour, those with both on the "same" colour and those on "opposite" colours."""

    colours: Literal["same", "opposite"] | None
    white_to_move: Count
    black_to_move: Count
    longest_white_win: Win | None
    longest_black_win: Win | None

    @property
    def mates(self) -> int:
        """Positions in which somebody is mated."""
        return self.white_to_move.mates + self.black_to_move.mates

    @property
    def is_decisive(self) -> bool:
        """Whether any of the positions is won for either side."""
        return self.longest_white_win is not None or self.longest_black_win is not None


class Ending:
    """A material with all others that captures and promotions make of it.

    Mate, stalemate and bare king decide as the rules have them; repetition and the n-move rule are
    left out, so that "drawn" says that nobody can force an end. Castling rights are gone, every man
    has moved before, and each stands where moves from the array could have brought it.
    """

    def __init__(self, rules: RuleSet, material: Material) -> None:
        """Solves nothing yet. Raises DocumentError where the rules or the men cannot be solved."""
        self.rules = rules
        self.material = material
        try:
            self._endgame = _core.Endgame(compiled(rules), material.white, material.black)
        except ValueError as error:
            if isinstance(error, DocumentError):
                raise
            raise DocumentError(str(material), "", str(error)) from None

    @property
    def family(self) -> list[Material]:
        """The endings that are solved, smallest first, this one last."""
        return [Material(white, black) for white, black in self._endgame.materials()]

    @property
    def placements(self) -> int:
        """How many placements of men are stored, of each family of images one."""
        return self._endgame.placements()

    @property
    def bytes(self) -> int:
        """The memory that the tables take."""
        return self._endgame.bytes()

    def require_memory(self, megabytes: int) -> None:
        """Raises DocumentError when the tables take more than that."""
        needed = -(-self.bytes // MEGABYTE)
        if needed > megabytes:
            board = self.rules.rules.board
            raise DocumentError(
                str(self.material),
                "",
                f"{len(self.material)} men on {board.files}x{board.ranks} take {needed:,} MB in "
                f"{len(self.family)} tables; allowed: {megabytes:,} MB",
            )

    def solve(self, pulse: Callable[[], object] = lambda: None) -> None:
        """Solves every position. `pulse` is called now and then; what it raises ends that."""
        self._endgame.solve(pulse)

    def kinds(self) -> list[Kind]:
        """What was found: one kind of positions, or those on the same and on opposite colours."""
        return [_kind(counts) for counts in self._endgame.counts()]

    def probe(self, fen: str) -> tuple[int, int] | None:
        """White's result (1, 0, -1) and the plies to the end, 0 for a draw, of a position of this
        ending or of one that it leads to; None for a position that is not legal or that moves from
        the array cannot lead to. Castling and e.p. fields are not looked at. Raises ValueError
        when the men are others, FenError when it is no position."""
        return self._endgame.probe(fen)


def _kind(counts: EndgameCounts) -> Kind:
    return Kind(
        counts["colours"],
        _count(counts["white_to_move"]),
        _count(counts["black_to_move"]),
        _win(counts["longest_white_win"]),
        _win(counts["longest_black_win"]),
    )


def _count(counts: SideCounts) -> Count:
    return Count(**counts)


def _win(longest: LongestWin | None) -> Win | None:
    return None if longest is None else Win(**longest)
