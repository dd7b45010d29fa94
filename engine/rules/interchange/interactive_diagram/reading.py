"""An Interactive Diagram as a document of our rule language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

from tabia.engine.documents import DocumentError, show
from tabia.engine.rules import betza
from tabia.engine.rules.array import EMPTY, format_row, square_name
from tabia.engine.rules.interchange.interactive_diagram.castling import castling_of, split_castling
from tabia.engine.rules.interchange.interactive_diagram.default_moves import BY_NAME
from tabia.engine.rules.interchange.interactive_diagram.keys import REFUSED
from tabia.engine.rules.interchange.interactive_diagram.page import Page, PieceLine, read_page
from tabia.engine.rules.interchange.interactive_diagram.promotion import promotion_of
from tabia.engine.rules.model import MAX_SIZE

Document = dict[str, Any]
Square = tuple[int, int]
HOLE = "hole"


def as_document(text: str, source: str, name: str) -> tuple[Document, tuple[str, ...]]:
    """The diagram in a page's text as a rule set's document, and remarks for whoever imports it.
    Raises DocumentError that names the parameter or the piece which we do not play."""
    return _Reading(read_page(text, source), source, name).document()


class _Reading:
    def __init__(self, page: Page, source: str, name: str) -> None:
        self.page = page
        self.source = source
        self.name = name
        self.remarks = list(page.remarks)
        for key, what in REFUSED.items():
            if page.settings.get(key, "0") not in ("0", ""):
                raise self.refused(key, f"asks for {what}, which is not read; allowed: without it")
        self.files = self.number("files", 8, 1, MAX_SIZE)
        self.ranks = self.number("ranks", 8, 1, MAX_SIZE)
        self.first_rank = self.number("firstRank", 1, 0, 1)
        self.symmetry = page.settings.get("symmetry", "none")
        if self.symmetry not in ("none", "mirror", "rotate"):
            raise self.refused(
                "symmetry", f"found {show(self.symmetry)}; allowed: none, mirror, rotate"
            )
        self.pieces = [piece for piece in page.pieces if piece.name.lower() != HOLE]
        if not self.pieces:
            raise self.refused("", "no piece but holes")
        self.letters = self.given_letters()

    def document(self) -> tuple[Document, tuple[str, ...]]:
        men = self.men()
        royals = self.royals()
        moves = [self.moves(piece, index in royals) for index, piece in enumerate(self.pieces)]
        pieces: Document = {}
        for index, (piece, (own, _)) in enumerate(zip(self.pieces, moves, strict=True)):
            pieces[self.letters[index]] = {
                "name": piece.name[:100].strip().capitalize() or "Piece",
                "moves": own,
                **({"royal": True} if index in royals else {}),
                **({"initial": "unmoved"} if self.may_come_back(own) else {}),
            }
        castling, black = self.castling(
            men,
            {self.letters[royal]: moves[royal][1] for royal in royals},
            self.royal_men(men, royals),
        )
        promotion, remarks = promotion_of(
            self.page.settings,
            self.source,
            self.ranks,
            self.letters,
            "".join(self.letters[royal] for royal in royals),
            self.reserve(),
        )
        self.remarks.extend(remarks)
        holes = {s for p in self.page.pieces if p.name.lower() == HOLE
                 for s in self.squares(p, p.squares)}  # fmt: skip
        document: Document = {
            "name": self.name[:100] or "Imported",
            "source": ["an Interactive Diagram of the Chess Variant Pages"],
            "board": {
                "files": self.files,
                "ranks": self.ranks,
                **({"holes": [square_name(*hole) for hole in sorted(holes)]} if holes else {}),
            },
            "pieces": pieces,
            "array": self.array(men),
            "castling": castling,
            "promotion": promotion,
            "endings": {"n_move": {"resets": ["capture", *sorted(promotion.get("pieces", ""))]}},
            **({"black": {"castling": black}} if black != castling else {}),
        }
        return document, tuple(self.remarks)

    # --- pieces -------------------------------------------------------------------------------

    def given_letters(self) -> list[str]:
        """A letter for each piece: its ID where that is one letter and free, else a free one."""
        chosen: list[str] = []
        for piece in self.pieces:
            wanted = (piece.id or piece.name[:1]).upper()
            free = [c for c in (wanted, *piece.name.upper(), *ascii_uppercase)
                    if len(c) == 1 and c in ascii_uppercase and c not in chosen]  # fmt: skip
            if not free:
                raise self.refused(piece.name, "a 27th piece type; allowed: 26 letters")
            if free[0] != wanted:
                self.remarks.append(f"{piece.name}: {show(wanted)} became the letter {free[0]}")
            chosen.append(free[0])
        return chosen

    def moves(self, piece: PieceLine, royal: bool) -> tuple[str, list[tuple[str, int]]]:
        """Moves without castling, and the castling groups as (directions, squares)."""
        text = piece.moves
        if not text:
            known = BY_NAME.get(piece.name.lower())
            if known is None:
                raise self.refused(
                    piece.name,
                    "no moves, and no name that says them; needed: moves in the third field",
                )
            text = known
            if royal:
                self.remarks.append(
                    f"{piece.name}: moves by its name, {text}; castling is read only where the "
                    "moves have an O"
                )
        own, castles = split_castling(text)
        if castles and not royal:
            raise self.refused(piece.name, "castling of a piece that is not royal")
        try:
            betza.steps(own)
        except betza.BetzaError as error:
            raise self.refused(piece.name, str(error)) from None
        return own, castles

    def may_come_back(self, moves: str) -> bool:
        """Whether `i` must be told from the man and not from the rank he stands on."""
        steps = betza.steps(moves)
        return any(step.initial for step in steps) and any(step.dy < 0 for step in steps)

    def reserve(self) -> Mapping[str, int]:
        """Letters and how many of them are in the holdings from the start."""
        found = {}
        for letter, piece in zip(self.letters, self.pieces, strict=True):
            if not piece.holdings:
                continue
            if not re.fullmatch(r"[0-9]{1,2}", piece.holdings):
                raise self.refused(
                    piece.name, f"found holdings {show(piece.holdings)}; allowed: 0 to 99"
                )
            found[letter] = int(piece.holdings)
        return found

    # --- array --------------------------------------------------------------------------------

    def men(self) -> dict[Square, str]:
        """Square -> letter, capital for White."""
        found: dict[Square, str] = {}
        for letter, piece in zip(self.letters, self.pieces, strict=True):
            white, comma, black = piece.squares.partition(",,")
            ours = self.squares(piece, white)
            theirs = self.squares(piece, black) if comma else [self.opposite(s) for s in ours]
            if not comma and self.symmetry == "none":
                theirs = []
            for squares, man in ((ours, letter), (theirs, letter.lower())):
                for square in squares:
                    if square in found:
                        raise self.refused(piece.name, f"{square_name(*square)} is taken already")
                    found[square] = man
        return found

    def opposite(self, square: Square) -> Square:
        file, rank = square
        turned = self.files - 1 - file if self.symmetry == "rotate" else file
        return turned, self.ranks - 1 - rank

    def squares(self, piece: PieceLine, text: str) -> list[Square]:
        """Squares and ranges of squares, such as a3-j3."""
        found = []
        for item in filter(None, text.split(",")):
            first, dash, last = item.partition("-")
            low, high = self.square(piece, first), self.square(piece, last if dash else first)
            found += [
                (file, rank)
                for rank in range(min(low[1], high[1]), max(low[1], high[1]) + 1)
                for file in range(min(low[0], high[0]), max(low[0], high[0]) + 1)
            ]
        return found

    def square(self, piece: PieceLine, name: str) -> Square:
        match = re.fullmatch(r"([a-p])([0-9]{1,2})", name)
        file, rank = (ord(match[1]) - ord("a"), int(match[2])) if match else (-1, -1)
        rank -= self.first_rank
        if not (0 <= file < self.files and 0 <= rank < self.ranks):
            raise self.refused(piece.name, f"found {show(name)}; allowed: squares of the board")
        return file, rank

    def array(self, men: Mapping[Square, str]) -> dict[str, str]:
        rows = {}
        for rank in range(self.ranks, 0, -1):
            cells = [men.get((file, rank - 1), EMPTY) for file in range(self.files)]
            if any(cells):
                rows[str(rank)] = format_row(cells)
        return rows

    def royal_men(self, men: Mapping[Square, str], royals: list[int]) -> dict[str, int]:
        """How many royal men White and Black have in the array."""
        counts = Counter(men.values())
        letters = [self.letters[royal] for royal in royals]
        found = {}
        for side, cased in (("White", str.upper), ("Black", str.lower)):
            found[side] = sum(counts[cased(letter)] for letter in letters)
            if not found[side]:
                raise self.refused("royal", f"no {' or '.join(letters)} of {side}")
            if found[side] > 1:
                self.remarks.append(
                    f"royal: {side} has several royal men, read as: none may be left attacked "
                    '(check.royals has "last" and "duple" beside it)'
                )
        return found

    def castling(
        self,
        men: Mapping[Square, str],
        castles: Mapping[str, list[tuple[str, int]]],
        royal_men: Mapping[str, int],
    ) -> tuple[Document, Document]:
        """castles: royal letter -> its castling groups."""
        able = [letter for letter, groups in castles.items() if groups]
        if len(able) > 1:
            raise self.refused("royal", f"castling of {able[0]} and of {able[1]}; allowed: of one")
        if not able:
            return {}, {}
        tables: list[Document] = []
        for side, letter in (("White", able[0]), ("Black", able[0].lower())):
            squares = [square for square, man in men.items() if man == letter]
            if len(squares) > 1:
                raise self.refused("royal", f"castling with {len(squares)} {able[0]} of {side}")
            if not squares:
                tables.append({})
                continue
            table, remarks = castling_of(men, letter, castles[able[0]], self.files)
            if table and royal_men[side] > 1:
                table["home"] = square_name(*squares[0])[0]
            tables.append(table)
            self.remarks.extend(each for each in remarks if each not in self.remarks)
        return tables[0], tables[1]

    # --- settings -----------------------------------------------------------------------------

    def royals(self) -> list[int]:
        """The royal pieces by number from 0; where none is named, the last one."""
        text = self.page.settings.get("royal", str(len(self.pieces)))
        found = []
        for number in text.split(","):
            if not re.fullmatch(r"[0-9]{1,3}", number) or not 1 <= int(number) <= len(self.pieces):
                allowed = f"1 to {len(self.pieces)}, with commas between several"
                raise self.refused("royal", f"found {show(text)}; allowed: {allowed}")
            found.append(int(number) - 1)
        return sorted(set(found))

    def number(self, key: str, default: int, low: int, high: int) -> int:
        text = self.page.settings.get(key)
        if text is None:
            return default
        if not re.fullmatch(r"[0-9]{1,3}", text) or not low <= int(text) <= high:
            raise self.refused(key, f"found {show(text)}; allowed: {low} to {high}")
        return int(text)

    def refused(self, key: str, problem: str) -> DocumentError:
        return DocumentError(self.source, key, problem)
