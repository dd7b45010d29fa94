"""The rules in force: what a document says for each side, checked and in one spelling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tabia.engine.documents import DocumentError, validate
from tabia.engine.rules import betza
from tabia.engine.rules.array import EMPTY, RowError, format_row, parse_row, square_name, square_of
from tabia.engine.rules.model import (
    Board,
    Castle,
    Endings,
    RuleDocument,
    SidePiece,
    SideRules,
)
from tabia.engine.rules.resolve import overlay

SIDES = ("white", "black")


@dataclass(frozen=True)
class Man:
    """One man of the array; file and rank count from 0."""

    letter: str
    side: str
    file: int
    rank: int


@dataclass(frozen=True)
class Rules:
    """The rules in force: what both sides share, and what each has.

    rows: rank (from 1) -> its contents from file a on, for every rank; the `stalemate` of `endings`
    is White's and stands in `sides` for both.
    """

    board: Board
    letters: str
    royal: str
    rows: Mapping[int, list[str]]
    endings: Endings
    sides: Mapping[str, SideRules]

    def men(self, side: str | None = None) -> Iterator[Man]:
        """The men of the array, from a1 to the right and up; of one side or of both."""
        for rank in range(self.board.ranks):
            for file, cell in enumerate(self.rows[rank + 1]):
                owner = "white" if cell.isupper() else "black"
                if cell != EMPTY and side in (None, owner):
                    yield Man(cell.upper(), owner, file, rank)

    def count(self, side: str, letter: str) -> int:
        """How many men of that type the side has in the array."""
        return sum(man.letter == letter for man in self.men(side))

    def royal_man(self, side: str) -> Man:
        """The side's king."""
        return next(man for man in self.men(side) if man.letter == self.royal)


def in_force(document: RuleDocument, source: str) -> Rules:
    """The rules of a document, in one spelling. Raises DocumentError when there is no reading it;
    what no game can have is refused by `checks`."""
    letters = "".join(sorted(document.pieces))
    royal = _royal(document, source)
    board = _board(document.board, source)
    rows = _rows(document, source)
    sides = {side: _side(document, side, source) for side in SIDES}
    # Where White has a rule of its own, it stands in the shared place and Black's is the exception.
    stalemate = sides["white"].endings.stalemate
    resets = sorted(set(document.endings.n_move.resets), key=lambda r: (r != "capture", r))
    endings = document.endings.model_copy(
        update={
            "stalemate": stalemate,
            "n_move": document.endings.n_move.model_copy(update={"resets": resets}),
        }
    )
    rules = Rules(board, letters, royal, rows, endings, sides)
    _require_kings(rules, source)
    return replace(rules, sides={side: _usual_castling(rules, side) for side in SIDES})


def shared_with_sides(document: RuleDocument) -> dict[str, Any]:
    """The fields of the document that a side may have otherwise, as `SideRules` has them."""
    data = document.model_dump()
    return {
        "pieces": {letter: {"moves": piece["moves"]} for letter, piece in data["pieces"].items()},
        "castling": data["castling"],
        "promotion": data["promotion"],
        "endings": {"stalemate": data["endings"]["stalemate"]},
    }


def beside(king_from: str, castle: Castle) -> str:
    """The file next to the king's new one, on the side the king came from."""
    step = 1 if king_from > castle.king else -1
    return chr(ord(castle.king) + step)


def _royal(document: RuleDocument, source: str) -> str:
    royals = sorted(letter for letter, piece in document.pieces.items() if piece.royal)
    if len(royals) != 1:
        found = ", ".join(royals) or "none"
        raise DocumentError(
            source, "pieces", f"found royal pieces: {found}; allowed: exactly one with royal = true"
        )
    return royals[0]


def _board(board: Board, source: str) -> Board:
    for hole in board.holes:
        file, rank = square_of(hole)
        if file >= board.files or rank >= board.ranks:
            raise DocumentError(
                source,
                "board.holes",
                f"{hole} is not on the board; allowed: a1 to {_corner(board)}",
            )
    return board.model_copy(update={"holes": sorted(set(board.holes), key=square_of)})


def _corner(board: Board) -> str:
    return square_name(board.files - 1, board.ranks - 1)


def _rows(document: RuleDocument, source: str) -> dict[int, list[str]]:
    board = document.board
    rows = {rank: [EMPTY] * board.files for rank in range(1, board.ranks + 1)}
    known = ", ".join(sorted(document.pieces))
    for key, row in document.array.items():
        where = f"array.{key}"
        if int(key) > board.ranks:
            raise DocumentError(
                source, where, f"no such rank on the board; allowed: 1 to {board.ranks}"
            )
        try:
            cells = parse_row(row, board.files)
        except RowError as error:
            raise DocumentError(source, where, f'found "{row}" with {error}') from None
        for file, cell in enumerate(cells):
            if cell != EMPTY and cell.upper() not in document.pieces:
                raise DocumentError(
                    source,
                    where,
                    f'found "{row}", where {cell} is no piece of this game; '
                    f"allowed: {known}, small letters for Black",
                )
            if cell != EMPTY and square_name(file, int(key) - 1) in board.holes:
                raise DocumentError(
                    source,
                    where,
                    f'found "{row}" with a man on the hole {square_name(file, int(key) - 1)}; '
                    "allowed: men on squares",
                )
        rows[int(key)] = cells
    return rows


def _side(document: RuleDocument, side: str, source: str) -> SideRules:
    own = getattr(document, side)
    key = side if own else ""
    rules = validate(SideRules, overlay(shared_with_sides(document), own), source, key)
    pieces = {}
    for letter, piece in sorted(rules.pieces.items()):
        where = ".".join(filter(None, (key, "pieces", letter)))
        if letter not in document.pieces:
            known = ", ".join(sorted(document.pieces))
            raise DocumentError(source, where, f"no piece of this game; allowed: {known}")
        try:
            betza.steps(piece.moves)
            pieces[letter] = SidePiece(moves=betza.canonical(piece.moves))
        except betza.BetzaError as error:
            raise DocumentError(source, f"{where}.moves", str(error)) from None
    promotion = rules.promotion.model_copy(
        update={
            "pieces": "".join(sorted(set(rules.promotion.pieces))),
            "to": "".join(sorted(set(rules.promotion.to))),
            "optional": sorted(set(rules.promotion.optional)),
            "compulsory": sorted(set(rules.promotion.compulsory)),
        }
    )
    return rules.model_copy(update={"pieces": pieces, "promotion": promotion})


def _require_kings(rules: Rules, source: str) -> None:
    for side in SIDES:
        kings = [man for man in rules.men(side) if man.letter == rules.royal]
        if len(kings) != 1:
            on = f" ({', '.join(square_name(man.file, man.rank) for man in kings)})"
            raise DocumentError(
                source,
                "array",
                f"found {len(kings)} royal {rules.royal} of {side.capitalize()}"
                f"{on if kings else ''}; allowed: exactly one a side",
            )


def _usual_castling(rules: Rules, side: str) -> SideRules:
    """The side's rules with castling spelt one way: `to` is left out where it is the usual file."""
    home = square_name(rules.royal_man(side).file, 0)[0]
    castling = rules.sides[side].castling
    wings = {}
    for wing in ("kingside", "queenside"):
        castle: Castle | None = getattr(castling, wing)
        if castle is not None and castle.to == beside(home, castle):
            wings[wing] = castle.model_copy(update={"to": None})
    castling = castling.model_copy(update=wings)
    return rules.sides[side].model_copy(update={"castling": castling})


def array_rows(rules: Rules) -> dict[int, str]:
    """The rows that are not empty, in one spelling."""
    return {rank: format_row(cells) for rank, cells in rules.rows.items() if any(cells)}
