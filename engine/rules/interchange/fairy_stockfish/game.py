"""A rule set as its writer looks at it: tables, squares, letters, and the refusal of what
Fairy-Stockfish lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tabia.engine.documents import DocumentError
from tabia.engine.rules.array import square_name
from tabia.engine.rules.interchange.fairy_stockfish.movement import (
    Inexpressible,
    Movement,
    movement,
)
from tabia.engine.rules.interchange.fairy_stockfish.values import MAX_FILES, MAX_RANKS
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.rules.squares import STRIDE
from tabia.engine.rules.tables import core_tables

Tables = Mapping[str, Any]
Squares = frozenset[int]
Lines = Iterator[tuple[str, str]]
SIDES = ((0, "White"), (1, "Black"))


class Game:
    """black: by whose rules Black plays where the sides have different ones; ours: our letters,
    sorted; squares: all of the board; moves: letter -> how the piece moves, for both sides;
    letters: ours -> theirs, and kinds: ours -> piece type, once they are chosen; remarks:
    differences that no key can say."""

    def __init__(self, rule_set: RuleSet, black: RuleSet | None = None) -> None:
        self.rule_set = rule_set
        self.sides = (rule_set, black or rule_set)
        self.tables: Tables = core_tables(rule_set, black)
        self.files: int = self.tables["files"]
        self.ranks: int = self.tables["ranks"]
        self.ours: str = self.tables["letters"]
        holes = set(self.tables["holes"])
        self.squares: Squares = frozenset(
            rank * STRIDE + file
            for rank in range(self.ranks)
            for file in range(self.files)
            if rank * STRIDE + file not in holes
        )
        self.letters: Mapping[str, str] = {}
        self.kinds: Mapping[str, str] = {}
        self.remarks: list[str] = []
        self._require_board()
        self.moves = {letter: self._movement(letter) for letter in self.ours}

    def movement_of(self, letter: str, side: int) -> Movement:
        """How one side's piece moves; 0 is White. Raises Inexpressible."""
        return movement(
            self.tables["sides"][side]["moves"][self.ours.index(letter)],
            1 if side == 0 else -1,
            self._home(letter, side),
            self.squares,
            self.confined(letter, side),
        )

    def confined(self, letter: str, side: int) -> Squares:
        """The squares that a side's piece may move to."""
        ranks = self.sides[side].rules.sides[("white", "black")[side]].pieces[letter].ranks
        absolute = {rank - 1 if side == 0 else self.ranks - rank for rank in ranks}
        return frozenset(
            square for square in self.squares if not ranks or square // STRIDE in absolute
        )

    def types_of(self, letters: Iterable[str]) -> str:
        """Our letters as a set of theirs."""
        return "".join(sorted(self.letters[letter].lower() for letter in letters)) or "-"

    def lacks(self, key: str, what: str, allowed: str) -> DocumentError:
        """The refusal of a rule."""
        return DocumentError(
            self.rule_set.name,
            key,
            f"found {what}, which Fairy-Stockfish cannot express; allowed: {allowed}",
        )

    def _require_board(self) -> None:
        if self.files > MAX_FILES:
            raise self.lacks("board.files", f"{self.files} files", f"{MAX_FILES} at most")
        if self.ranks > MAX_RANKS:
            raise self.lacks("board.ranks", f"{self.ranks} ranks", f"{MAX_RANKS} at most")
        if self.tables.get("citadels"):
            raise self.lacks("board.citadels", "citadels", "none")

    def _movement(self, letter: str) -> Movement:
        try:
            white, black = (self.movement_of(letter, side) for side, _ in SIDES)
        except Inexpressible as what:
            raise self.lacks(f"pieces.{letter}.moves", str(what), "none") from None
        if white.steps != black.steps:
            raise self.lacks(f"black.pieces.{letter}.moves", "moves of one side only", "none")
        return white

    def _home(self, letter: str, side: int) -> Squares:
        return frozenset(
            man.rank * STRIDE + man.file
            for man in self.rule_set.rules.men(("white", "black")[side])
            if man.letter == letter
        )


def both_sides(key: str, by_side: list[str]) -> Lines:
    """One line where the sides have the same, else one for each."""
    white, black = by_side
    if white == black:
        yield key, white
    else:
        yield f"{key}White", white
        yield f"{key}Black", black


def file_name(file: int) -> str:
    """The letter of a file, from 0."""
    return "abcdefghijkl"[file]


def region(squares: Squares, files: int) -> str:
    """Squares as Fairy-Stockfish lists them: whole ranks by a star."""
    if not squares:
        return "-"
    whole: list[str] = []
    rest: list[str] = []
    for rank in sorted({square // STRIDE for square in squares}):
        own = sorted(square for square in squares if square // STRIDE == rank)
        if len(own) == files:
            whole.append(f"*{rank + 1}")
        else:
            rest.extend(square_name(square % STRIDE, rank) for square in own)
    return " ".join([*whole, *rest])
