"""The rules in force: what a document says for each side, checked and in one spelling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tabia.engine.documents import DocumentError, validate
from tabia.engine.rules import betza
from tabia.engine.rules.array import EMPTY, RowError, format_row, parse_row, square_name, square_of
from tabia.engine.rules.model import (
    Board,
    Castle,
    Check,
    Endings,
    Promotion,
    RuleDocument,
    SidePiece,
    SideRules,
    Tier,
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
    rows: Mapping[int, list[str]]
    endings: Endings
    sides: Mapping[str, SideRules]

    @cached_property
    def _array(self) -> Mapping[str | None, tuple[Man, ...]]:
        """The men of each side and of both, read once: checks and tables ask again and again."""
        both = tuple(
            Man(cell.upper(), "white" if cell.isupper() else "black", file, rank)
            for rank in range(self.board.ranks)
            for file, cell in enumerate(self.rows[rank + 1])
            if cell != EMPTY
        )
        return {None: both} | {side: tuple(m for m in both if m.side == side) for side in SIDES}

    def men(self, side: str | None = None) -> tuple[Man, ...]:
        """The men of the array, from a1 to the right and up; of one side or of both."""
        return self._array[side]

    def count(self, side: str, letter: str) -> int:
        """How many men of that type the side has in the array."""
        return sum(man.letter == letter for man in self.men(side))

    def first_ranks(self, side: str, letter: str) -> list[int]:
        """The ranks, from the side's own first one and from 1, on which its array has that type."""
        ranks = {man.rank for man in self.men(side) if man.letter == letter}
        last = self.board.ranks
        return sorted(rank + 1 if side == "white" else last - rank for rank in ranks)

    def royals(self, side: str) -> str:
        """The letters of the side's royal types."""
        return "".join(letter for letter, piece in self.sides[side].pieces.items() if piece.royal)

    def royal_men(self, side: str) -> tuple[Man, ...]:
        """The side's royal men in the array."""
        royals = self.royals(side)
        return tuple(man for man in self.men(side) if man.letter in royals)

    def only_king(self, side: str) -> str | None:
        """The side's royal type where it starts with one royal man and can get no other."""
        royals = self.royals(side)
        gets_more = set(royals) & promotes_to(self.sides[side].promotion)
        one = len(royals) == 1 and len(self.royal_men(side)) == 1 and not gets_more
        return royals if one else None

    def has(self, side: str, letter: str) -> bool:
        """Whether the side starts with men of that type, or may promote to it."""
        return bool(self.count(side, letter)) or letter in promotes_to(self.sides[side].promotion)

    def castling_man(self, side: str) -> Man | None:
        """The royal man who would castle: the one on the file that castling names, the nearest to
        the side's own edge; where it names none, the only one."""
        home = self.sides[side].castling.home
        men = self.royal_men(side)
        if home is None:
            return men[0] if len(men) == 1 else None
        there = [man for man in men if man.file == ord(home) - ord("a")]
        if not there:
            return None
        return there[0] if side == "white" else there[-1]


def in_force(document: RuleDocument, source: str) -> Rules:
    """The rules of a document, in one spelling. Raises DocumentError when there is no reading it;
    what no game can have is refused by `checks`."""
    letters = "".join(sorted(document.pieces))
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
    rules = Rules(board, letters, rows, endings, sides)
    _require_royal_men(rules, source)
    return replace(rules, sides={side: _usual(rules, side) for side in SIDES})


def shared_with_sides(document: RuleDocument) -> dict[str, Any]:
    """The fields of the document that a side may have otherwise, as `SideRules` has them."""
    data = document.model_dump()
    of_side = set(SidePiece.model_fields)
    return {
        "pieces": {
            letter: {key: value for key, value in piece.items() if key in of_side}
            for letter, piece in data["pieces"].items()
        },
        "check": data["check"],
        "en_passant": data["en_passant"],
        "castling": data["castling"],
        "promotion": data["promotion"],
        "endings": {"stalemate": data["endings"]["stalemate"]},
    }


def beside(king_from: str, king_to: str) -> str:
    """The file next to the king's new one, on the side the king came from."""
    step = 1 if king_from > king_to else -1
    return chr(ord(king_to) + step)


def promotes_to(promotion: Promotion) -> set[str]:
    """All that somebody may promote to."""
    found = set(promotion.to if promotion.optional or promotion.compulsory else "")
    return found.union(*(tier.to for tier in promotion.tiers))


def _board(board: Board, source: str) -> Board:
    for hole in board.holes:
        file, rank = square_of(hole)
        if file >= board.files or rank >= board.ranks:
            raise DocumentError(
                source,
                "board.holes",
                f"{hole} is not on the board; allowed: a1 to {_corner(board)}",
            )
    citadels = dict(sorted(board.citadels.items(), key=lambda item: square_of(item[0])))
    holes = sorted(set(board.holes), key=square_of)
    return board.model_copy(update={"holes": holes, "citadels": citadels})


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
            pieces[letter] = _piece(piece)
        except betza.BetzaError as error:
            raise DocumentError(source, f"{where}.moves", str(error)) from None
    givers = _letters(rules.en_passant.givers)
    return rules.model_copy(
        update={
            "pieces": pieces,
            "en_passant": rules.en_passant.model_copy(update={"givers": givers}),
            "promotion": _promotion(rules.promotion),
        }
    )


def _piece(piece: SidePiece) -> SidePiece:
    """A piece in one spelling; what only a kind of move asks for that it has not is left out."""
    found = betza.steps(piece.moves)
    first_moves = any(step.initial for step in found)
    modes = "".join(step.mode + "d" * bool(step.takes_own) for step in found)
    return SidePiece(
        moves=betza.canonical(piece.moves),
        royal=piece.royal,
        initial=piece.initial if first_moves else "rank",
        initial_ranks=sorted(set(piece.initial_ranks)) if first_moves else [],
        ranks=sorted(set(piece.ranks)),
        own_victims=_letters(piece.own_victims) if "d" in modes else "",
        not_over=_letters(piece.not_over) if any(s.hop or s.over for s in found) else "",
        not_onto=_letters(piece.not_onto),
        ep_victims=_letters(piece.ep_victims) if "e" in modes else "",
    )


def _promotion(promotion: Promotion) -> Promotion:
    """A promotion in one spelling: a tier that says what `to` says is no tier of its own."""
    pieces, to = _letters(promotion.pieces), _letters(promotion.to)
    optional, compulsory = set(promotion.optional), set(promotion.compulsory)
    tiers: dict[tuple[str, str, bool], set[int]] = {}
    for tier in promotion.tiers:
        who, what = _letters(tier.pieces) or pieces, _letters(tier.to)
        if (who, what) == (pieces, to):
            (compulsory if tier.compulsory else optional).update(tier.ranks)
        else:
            tiers.setdefault((who, what, tier.compulsory), set()).update(tier.ranks)
    return promotion.model_copy(
        update={
            "pieces": pieces,
            "to": to,
            "reserve": "".join(sorted(promotion.reserve)),
            "limits": "".join(sorted(promotion.limits)),
            "optional": sorted(optional),
            "compulsory": sorted(compulsory),
            "tiers": [
                Tier(
                    ranks=sorted(ranks),
                    to=what,
                    pieces="" if who == pieces else who,
                    compulsory=must,
                )
                for (who, what, must), ranks in sorted(tiers.items(), key=lambda t: sorted(t[1]))
            ],
        }
    )


def _letters(letters: str) -> str:
    return "".join(sorted(set(letters)))


def _require_royal_men(rules: Rules, source: str) -> None:
    for side in SIDES:
        royals = rules.royals(side)
        if not royals:
            raise DocumentError(
                source,
                "pieces",
                f"found no royal piece of {side.capitalize()}; allowed: one or more with "
                "royal = true",
            )
        if not rules.royal_men(side):
            raise DocumentError(
                source,
                "array",
                f"found no royal man ({', '.join(royals)}) of {side.capitalize()}; "
                "allowed: one or more a side",
            )


def _usual(rules: Rules, side: str) -> SideRules:
    """The side's rules in one spelling where that depends on the array: `to` of a castling move is
    left out where it is the usual file, who castles and what check is where there is but one king,
    and first ranks where they are those of the array."""
    own = rules.sides[side]
    king = rules.castling_man(side)
    castling: dict[str, Any] = {}
    for wing in ("kingside", "queenside"):
        castle: Castle | None = getattr(own.castling, wing)
        if castle is not None and king is not None:
            castling[wing] = _usual_castle(castle, square_name(king.file, 0)[0])
    if len(rules.royal_men(side)) == 1 and king is not None:
        castling["home"] = None
    pieces = {
        letter: piece.model_copy(update={"initial_ranks": []})
        if piece.initial_ranks == rules.first_ranks(side, letter)
        else piece
        for letter, piece in own.pieces.items()
    }
    return own.model_copy(
        update={
            "castling": own.castling.model_copy(update=castling),
            "pieces": pieces,
            "check": Check() if rules.only_king(side) else own.check,
        }
    )


def _usual_castle(castle: Castle, home: str) -> Castle:
    choices = sorted({castle.king, *castle.also}, key=lambda file: abs(ord(file) - ord(home)))
    usual = castle.to == beside(home, castle.king) and len(choices) == 1
    to = None if usual else castle.to
    return castle.model_copy(update={"king": choices[0], "also": choices[1:], "to": to})


def array_rows(rules: Rules) -> dict[int, str]:
    """The rows that are not empty, in one spelling."""
    return {rank: format_row(cells) for rank, cells in rules.rows.items() if any(cells)}
