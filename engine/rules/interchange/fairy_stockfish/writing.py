"""A rule set as a section of a variants.ini, or the name of the rule that Fairy-Stockfish lacks.

What is written is read off the tables that our core plays by, so that it says what is played and
not how it was put. Fairy-Stockfish's custom is C for the chancellor (rook and knight) and A for the
archbishop (bishop and knight): a game that has one of those letters for the other piece gets them
changed, since its readers would take one for the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tabia.engine.documents import DocumentError
from tabia.engine.rules.array import EMPTY, format_row, square_name
from tabia.engine.rules.interchange.fairy_stockfish import betza
from tabia.engine.rules.interchange.fairy_stockfish.betza import Step
from tabia.engine.rules.interchange.fairy_stockfish.keys import mobility
from tabia.engine.rules.interchange.fairy_stockfish.movement import (
    Inexpressible,
    Movement,
    in_betza,
    movement,
)
from tabia.engine.rules.interchange.fairy_stockfish.names import BUILT_IN_NAMES
from tabia.engine.rules.interchange.fairy_stockfish.piece_types import (
    CUSTOM_SLOTS,
    JANGGI_CANNON,
    KING,
    ORDER,
    PAWN,
    PREDEFINED,
)
from tabia.engine.rules.interchange.fairy_stockfish.values import MAX_FILES, MAX_RANKS
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.rules.squares import STRIDE
from tabia.engine.rules.tables import core_tables

Tables = Mapping[str, Any]
Squares = frozenset[int]

CUSTOMARY = {"archbishop": "A", "chancellor": "C"}
WORST = {"draw": "draw", "loss": "win", "win": "loss"}
_PAWN_STEPS = frozenset(
    {Step(0, 1, "leap", 0, "m", False)} | {Step(x, 1, "leap", 0, "c", False) for x in (1, -1)}
)
_PAWN_LEAPS = {(0, 2): "double", (0, 3): "triple"}


@dataclass(frozen=True)
class Written:
    """A section: its name, its lines in order, and which of our letters became which."""

    name: str
    lines: tuple[tuple[str, str], ...]
    letters: Mapping[str, str]
    remarks: tuple[str, ...]

    def __str__(self) -> str:
        head = [f"# {remark}" for remark in self.remarks]
        return "\n".join([*head, f"[{self.name}]", *(f"{k} = {v}" for k, v in self.lines)]) + "\n"


def section_name(rule_set: RuleSet) -> str:
    """A name for the section that no built-in variant has."""
    name = rule_set.catalog_id or str(rule_set.labels.get("id") or "my-game")
    return f"tabia-{name}" if name in BUILT_IN_NAMES else name


def write_section(
    rule_set: RuleSet, name: str | None = None, wanted: Mapping[str, str] | None = None
) -> Written:
    """The rule set as a section. wanted: letters for piece types instead of the customary ones, and
    for custom pieces their slots' order, as `customPiece1: our letter`. Raises DocumentError that
    names the rule which Fairy-Stockfish cannot express."""
    return _Writer(rule_set, wanted or CUSTOMARY).section(name or section_name(rule_set))


class _Writer:
    def __init__(self, rule_set: RuleSet, wanted: Mapping[str, str]) -> None:
        self.rule_set = rule_set
        self.tables: Tables = core_tables(rule_set)
        self.files, self.ranks = self.tables["files"], self.tables["ranks"]
        self.ours: str = self.tables["letters"]
        holes = set(self.tables["holes"])
        self.squares: Squares = frozenset(
            rank * STRIDE + file
            for rank in range(self.ranks)
            for file in range(self.files)
            if rank * STRIDE + file not in holes
        )
        self.wanted = wanted
        self.remarks: list[str] = []

    def section(self, name: str) -> Written:
        self._require_board()
        moves = {letter: self._movement(letter) for letter in self.ours}
        kinds = self._kinds(moves)
        self.letters = self._letters(kinds)
        lines = [
            ("maxRank", str(self.ranks)),
            ("maxFile", str(self.files)),
            *self._pieces(kinds, moves),
            ("startFen", self._fen()),
            *self._castling(),
            *self._promotion(kinds),
            *self._regions(kinds),
            *self._starts(moves, kinds),
            *self._en_passant(moves, kinds),
            *self._endings(moves),
        ]
        changed = [
            f"{ours} is written {theirs}"
            for ours, theirs in sorted(self.letters.items())
            if ours != theirs
        ]
        about = f"{self.rule_set.name}, rules_id {self.rule_set.id}"
        heads = [about, *([", ".join(changed)] if changed else []), *self.remarks]
        return Written(name, tuple(lines), self.letters, tuple(heads))

    # --- board and pieces ---------------------------------------------------------------------

    def _require_board(self) -> None:
        if self.files > MAX_FILES:
            raise self._lacks("board.files", f"{self.files} files", f"{MAX_FILES} at most")
        if self.ranks > MAX_RANKS:
            raise self._lacks("board.ranks", f"{self.ranks} ranks", f"{MAX_RANKS} at most")
        if self.tables.get("citadels"):
            raise self._lacks("board.citadels", "citadels", "none")

    def _movement(self, letter: str) -> Movement:
        by_side = []
        for side in (0, 1):
            try:
                moves = self._movement_of(letter, side)
            except Inexpressible as what:
                raise self._lacks(f"pieces.{letter}.moves", str(what), "none") from None
            by_side.append(moves)
        white, black = by_side
        if white.steps != black.steps:
            raise self._lacks(f"black.pieces.{letter}.moves", "moves of one side only", "none")
        return white

    def _home(self, letter: str, side: int) -> Squares:
        return frozenset(
            man.rank * STRIDE + man.file
            for man in self.rule_set.rules.men(("white", "black")[side])
            if man.letter == letter
        )

    def _kinds(self, moves: Mapping[str, Movement]) -> dict[str, str]:
        """Our letter -> piece type of Fairy-Stockfish."""
        known = {
            betza.parse(text): kind
            for kind, text in PREDEFINED.items()
            if kind not in (PAWN, JANGGI_CANNON, "soldier", "commoner")
        }
        known[betza.parse("K")] = "commoner"
        slots = iter(CUSTOM_SLOTS)
        asked = {ours: kind for kind, ours in self.wanted.items() if kind in CUSTOM_SLOTS}
        kinds: dict[str, str] = {}
        for letter in [*asked, *(each for each in self.ours if each not in asked)]:
            if letter == self.ours[self.tables["royal"]]:
                kinds[letter] = KING
            elif self._is_pawn(moves[letter]) and PAWN not in kinds.values():
                kinds[letter] = PAWN
            else:
                kind = known.get(moves[letter].steps)
                free = kind is not None and kind not in kinds.values()
                kinds[letter] = kind if kind is not None and free else next(slots)
        return kinds

    def _is_pawn(self, moves: Movement) -> bool:
        leaps = {step for step in moves.steps if step.initial}
        return moves.steps - leaps == _PAWN_STEPS and all(
            (step.dx, step.dy) in _PAWN_LEAPS and step.kind == "lame" for step in leaps
        )

    def _letters(self, kinds: Mapping[str, str]) -> dict[str, str]:
        """Our letters -> theirs."""
        crossed = any(
            self.wanted.get(kind, letter) != letter and letter in CUSTOMARY.values()
            for letter, kind in kinds.items()
        )
        wanted = self.wanted if crossed or self.wanted is not CUSTOMARY else {}
        chosen = {
            letter: wanted.get(kind, letter) if kind not in CUSTOM_SLOTS else letter
            for letter, kind in kinds.items()
        }
        while True:
            clashes = [
                letter
                for letter, theirs in chosen.items()
                if letter != theirs and list(chosen.values()).count(theirs) > 1
            ]
            if not clashes:
                return chosen
            chosen |= {letter: letter for letter in clashes}

    def _pieces(
        self, kinds: Mapping[str, str], moves: Mapping[str, Movement]
    ) -> Iterator[tuple[str, str]]:
        for letter, kind in sorted(kinds.items(), key=lambda item: ORDER.index(item[1])):
            theirs = self.letters[letter].lower()
            if kind in CUSTOM_SLOTS or (
                kind == KING and moves[letter].steps != betza.parse("K")
            ):
                yield kind, f"{theirs}:{self._betza(letter, moves[letter])}"
            else:
                yield kind, theirs

    def _betza(self, letter: str, moves: Movement) -> str:
        try:
            text = in_betza(moves)
            reread = betza.parse(text)
        except (Inexpressible, ValueError) as error:
            raise self._lacks(f"pieces.{letter}.moves", str(error), "its own Betza") from None
        if reread != moves.steps:
            raise self._lacks(f"pieces.{letter}.moves", "moves that need two ranges", "one range")
        return text

    def _fen(self) -> str:
        rules = self.rule_set.rules
        holes = set(self.tables["holes"])
        rows = []
        for rank in range(self.ranks, 0, -1):
            cells = [
                "*" if (rank - 1) * STRIDE + file in holes else self._their(cell)
                for file, cell in enumerate(rules.rows[rank])
            ]
            rows.append(format_row(cells))
        _, turn, rights, *rest = self.rule_set.start_fen.split()
        return " ".join(["/".join(rows), turn, rights, *rest])

    def _their(self, cell: str) -> str:
        if cell == EMPTY:
            return cell
        theirs = self.letters[cell.upper()]
        return theirs if cell.isupper() else theirs.lower()

    # --- castling and promotion ---------------------------------------------------------------

    def _castling(self) -> Iterator[tuple[str, str]]:
        white, black = (
            {entry["letter"]: self._castle(entry) for entry in side["castling"]}
            for side in self.tables["sides"]
        )
        entries = {**white, **black}
        if not entries:
            yield "castling", "false"
            return
        for letter in set(white) & set(black):
            ours, theirs = white[letter], black[letter]
            if ours[1:] != theirs[1:] or ours[0] != self.ranks - 1 - theirs[0]:
                raise self._lacks("castling", "sides that castle differently", "one way for both")
        first = next(iter(entries.values()))
        rank = first[0] if first in white.values() else self.ranks - 1 - first[0]
        yield "castlingRank", str(rank + 1)
        yield "castlingKingFile", _file(first[1])
        for letter, wing in (("K", "Kingside"), ("Q", "Queenside")):
            if letter in entries:
                _, king_from, king_to, rook_from, _ = entries[letter]
                if (letter == "K") != (rook_from > king_from):
                    raise self._lacks("castling", f"right {letter} on the other wing", "K right of Q")
                yield f"castling{wing}File", _file(king_to)
                yield f"castlingRook{wing}File", _file(rook_from)
        yield "castlingRookPieces", self.letters[self.ours[first[4]]].lower()

    def _castle(self, entry: Mapping[str, Any]) -> tuple[int, int, int, int, int]:
        """Rank, files of king, king's target and partner, and the partner's type."""
        targets = entry.get("moves") or [entry]
        if len(targets) > 1:
            raise self._lacks("castling", "a choice of squares for the king", "one a side")
        if entry.get("from_move", 1) > 1:
            raise self._lacks("castling", "castling from a later move on only", "from the start")
        king_from, king_to = entry["king_from"], targets[0]["king_to"]
        rook_from, rook_to = entry["rook_from"], targets[0]["rook_to"]
        if len({square // STRIDE for square in (king_from, king_to, rook_from, rook_to)}) > 1:
            raise self._lacks("castling", "castling off the rank", "along one rank")
        if rook_to != king_to + (-1 if rook_from > king_from else 1):
            raise self._lacks("castling", "a partner that does not end beside the king", "beside it")
        return (
            king_from // STRIDE,
            king_from % STRIDE,
            king_to % STRIDE,
            rook_from % STRIDE,
            entry["rook"],
        )

    def _promotion(self, kinds: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        zones = [self._zone(side) for side in (0, 1)]
        promotes = [bool(zone.optional or zone.compulsory) for zone in zones]
        for side, zone in zip(("White", "Black"), zones, strict=True):
            yield f"promotionRegion{side}", _region(zone.optional | zone.compulsory, self.files)
        if not any(promotes):
            return
        theirs = [self._types(zone.to) for zone in zones]
        yield from _both("promotionPieceTypes", theirs)
        yield from _both("promotionPawnTypes", [self._types(zone.men) for zone in zones])
        limits = {**zones[0].limits, **zones[1].limits}
        if any(zone.limits[t] != limits[t] for zone in zones for t in zone.limits):
            raise self._lacks("promotion.supply", "limits that differ by side", "one for both")
        if limits:
            pairs = (f"{self.letters[t].lower()}:{n}" for t, n in sorted(limits.items()))
            yield "promotionLimit", " ".join(pairs)
        compulsory = [z for z, some in zip(zones, promotes, strict=True) if some and z.compulsory]
        optional = [z for z, some in zip(zones, promotes, strict=True) if some and z.optional]
        if not optional:
            yield "mandatoryPawnPromotion", "true"
            return
        yield "mandatoryPawnPromotion", "false"
        if compulsory:
            self._require_immobile_there(zones)
            yield "immobilityIllegal", "true"
        if any(kind == PAWN and letter not in zone.men for letter, kind in kinds.items()
               for zone in zones):  # fmt: skip
            raise self._lacks("promotion.pieces", "pawns that do not promote", "all pawns do")

    def _zone(self, side: int) -> _Zone:
        rules = self.tables["sides"][side]["promotions"]
        men = "".join(letter for letter, own in zip(self.ours, rules, strict=True) if own)
        found = {letter: own for letter, own in zip(self.ours, rules, strict=True) if own}
        if len({str(own) for own in found.values()}) > 1:
            raise self._lacks("promotion", "pieces that promote differently", "one way for all")
        own = next(iter(found.values()), [])
        if len({(str(rule["to"]), str(rule["limit"])) for rule in own}) > 1:
            raise self._lacks("promotion", "a choice that depends on the rank", "one for all ranks")
        squares: dict[bool, set[int]] = {True: set(), False: set()}
        for rule in own:
            squares[rule["compulsory"]] |= set(rule["squares"])
        to: list[str] = []
        limits: dict[str, int] = {}
        for index in own[0]["to"] if own else ():
            limit = own[0]["limit"][index]
            if limit != 0:  # never to be had
                to.append(self.ours[index])
            if limit > 0:
                limits[self.ours[index]] = limit
        if limits and any(rule.get("when_none") == "stays" for rule in own if rule["compulsory"]):
            raise self._lacks("promotion.when_none", '"stays"', '"immobile"')
        return _Zone(men, to, frozenset(squares[False]), frozenset(squares[True]), limits)

    def _require_immobile_there(self, zones: Iterable[_Zone]) -> None:
        """Promotion is compulsory, beside optional ranks, just where the man could not move on."""
        for side, zone in enumerate(zones):
            for index, letter in enumerate(self.ours):
                stuck = self._stuck(side, index)
                if letter in zone.men and stuck & (zone.optional | zone.compulsory) != zone.compulsory:
                    raise self._lacks(
                        "promotion.compulsory",
                        "compulsory promotion beside optional one",
                        "only where the man could not move on",
                    )
                if (stuck - zone.compulsory if letter in zone.men else stuck) & self._entered(
                    side, index
                ):
                    raise self._lacks(
                        f"pieces.{letter}.moves",
                        "squares that it cannot leave, with compulsory promotion beside optional one",
                        "none",
                    )

    def _stuck(self, side: int, index: int) -> Squares:
        """Squares from which a man has no move on an empty board, first moves left aside."""
        steps = self._vectors(side, index)
        return frozenset(
            square
            for square in self.squares
            if not any(self._step(square, step) in self.squares for step in steps)
        )

    def _entered(self, side: int, index: int) -> Squares:
        steps = self._vectors(side, index)
        return frozenset(
            target
            for square in self.squares
            for step in steps
            if (target := self._step(square, step)) in self.squares
        )

    def _vectors(self, side: int, index: int) -> list[tuple[int, int]]:
        return [
            (move["dx"], move["dy"])
            for move in self.tables["sides"][side]["moves"][index]
            if move["mode"] != "e" and move["from"] is None and not move.get("unmoved")
        ]

    @staticmethod
    def _step(square: int, step: tuple[int, int]) -> int:
        file, rank = square % STRIDE + step[0], square // STRIDE + step[1]
        return rank * STRIDE + file if 0 <= file < STRIDE and rank >= 0 else -1

    def _types(self, letters: Iterable[str]) -> str:
        return "".join(sorted(self.letters[letter].lower() for letter in letters)) or "-"

    def _regions(self, kinds: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        for letter, kind in kinds.items():
            for side, name in ((0, "White"), (1, "Black")):
                confined = self._confined(letter, side)
                if confined != self.squares:
                    yield mobility(name, kind), _region(confined, self.files)

    # --- first moves and en passant -----------------------------------------------------------

    def _starts(
        self, moves: Mapping[str, Movement], kinds: Mapping[str, str]
    ) -> Iterator[tuple[str, str]]:
        """The regions of double and triple steps; every piece's first moves share the former."""
        regions: dict[tuple[str, str], Squares] = {}
        for letter, own in moves.items():
            for number, side in enumerate(("White", "Black")):
                theirs = self._movement_of(letter, number)
                if theirs.region is None:
                    continue
                self._require_told_by_square(letter, number, theirs)
                lengths = {_PAWN_LEAPS.get((s.dx, s.dy), "double") for s in own.steps if s.initial}
                for length in lengths if kinds[letter] == PAWN else {"double"}:
                    before = regions.setdefault((length, side), theirs.region)
                    if before != theirs.region:
                        raise self._lacks(
                            f"pieces.{letter}.moves",
                            "first moves from other squares than another piece's",
                            "one region for all",
                        )
        if not any(length == "double" for length, _ in regions):
            yield "doubleStep", "false"
        for (length, side), squares in sorted(regions.items()):
            yield f"{length}StepRegion{side}", _region(squares, self.files)

    def _movement_of(self, letter: str, side: int) -> Movement:
        return movement(
            self.tables["sides"][side]["moves"][self.ours.index(letter)],
            1 if side == 0 else -1,
            self._home(letter, side),
            self.squares,
            self._confined(letter, side),
        )

    def _confined(self, letter: str, side: int) -> Squares:
        """The squares that a side's piece may move to."""
        ranks = self.rule_set.rules.sides[("white", "black")[side]].pieces[letter].ranks
        absolute = {rank - 1 if side == 0 else self.ranks - rank for rank in ranks}
        return frozenset(
            square for square in self.squares if not ranks or square // STRIDE in absolute
        )

    def _require_told_by_square(self, letter: str, side: int, own: Movement) -> None:
        """A first move that only an unmoved man has can be had from squares that no moved man of
        that type comes to: all on one rank, and every step leads forward from it."""
        index = self.ours.index(letter)
        primitives = self.tables["sides"][side]["moves"][index]
        if not any(primitive.get("unmoved") for primitive in primitives):
            return
        forward = 1 if side == 0 else -1
        ranks = {square // STRIDE for square in own.region or ()}
        back = any(primitive["dy"] * forward <= 0 for primitive in primitives)
        if len(ranks) != 1 or back:
            raise self._lacks(
                f"pieces.{letter}.moves",
                "first moves that depend on whether the man has moved",
                "on the square it stands on",
            )

    def _en_passant(
        self, moves: Mapping[str, Movement], kinds: Mapping[str, str]
    ) -> Iterator[tuple[str, str]]:
        takers: list[list[str]] = []
        for side, name in ((0, "White"), (1, "Black")):
            own = {letter: self._movement_of(letter, side) for letter in self.ours}
            takers.append([letter for letter, each in own.items() if each.takes])
            for letter in takers[-1]:
                captures = {(s.dx, s.dy) for s in own[letter].steps if s.mode == "c"}
                quiet = {(s.dx, s.dy) for s in own[letter].steps if s.mode == "m" and not s.initial}
                if own[letter].takes != captures - quiet:
                    raise self._lacks(
                        f"pieces.{letter}.moves",
                        "captures en passant by some of its captures",
                        "by all that are captures only",
                    )
            if takers[-1]:
                self._require_left_open(1 - side)
            else:
                yield f"enPassantRegion{name}", "-"
            if takers[-1] and any(
                kind == PAWN and letter not in takers[-1] for letter, kind in kinds.items()
            ):
                raise self._lacks("pieces.P.moves", "pawns without en passant", "all take so")
        yield from _both("enPassantTypes", [self._types(each) for each in takers])

    def _require_left_open(self, side: int) -> None:
        for letter in self.ours:
            own = self._movement_of(letter, side)
            if own.region is not None and not own.leaves:
                raise self._lacks(
                    f"pieces.{letter}.moves",
                    "first moves that leave nothing open to en passant",
                    "all first moves do",
                )

    # --- endings ------------------------------------------------------------------------------

    def _endings(self, moves: Mapping[str, Movement]) -> Iterator[tuple[str, str]]:
        tables = self.tables
        if tables["n_move_plies"] % 2:
            raise self._lacks("endings.n_move", "a count of half moves", "whole moves")
        yield "nMoveRule", str(tables["n_move_plies"] // 2)
        if tables["n_move_plies"]:
            yield from self._resets(moves)
        yield "nFoldRule", str(tables["repetition"])
        yield "nFoldValue", WORST[tables.get("repetition_result", "draw")]
        stalemates = {side["stalemate"] for side in tables["sides"]}
        if len(stalemates) > 1:
            raise self._lacks("endings.stalemate", "stalemate that differs by side", "one for both")
        yield "stalemateValue", stalemates.pop()
        if tables.get("n_move_result", "draw") != "draw":
            raise self._lacks("endings.n_move.result", "a loss by the n-move rule", "a draw")
        yield from self._bare()

    def _resets(self, moves: Mapping[str, Movement]) -> Iterator[tuple[str, str]]:
        tables = self.tables
        if not tables["n_move_reset_capture"]:
            raise self._lacks("endings.n_move.resets", "captures that do not count", "they do")
        resets = [self.ours[index] for index in tables["n_move_reset_types"]]
        yield "nMoveRuleTypes", self._types(resets)
        for letter in resets:
            vectors = {(s.dx, s.dy) for s in moves[letter].steps if not s.initial}
            if any((-x, -y) in vectors for x, y in vectors):
                self.remarks.append(
                    f"nMoveRuleTypes: Fairy-Stockfish does not count the moves of {letter} that it "
                    "could take back; Tabia does"
                )

    def _bare(self) -> Iterator[tuple[str, str]]:
        bare = self.tables.get("bare", "none")
        if bare == "none":
            return
        if bare != "loss":
            raise self._lacks("endings.bare", "a draw by a bare king", "a loss, or no such rule")
        yield "extinctionValue", "loss"
        yield "extinctionClaim", "true" if self.tables.get("bare_answer") else "false"
        yield "extinctionPieceTypes", "*"
        yield "extinctionPieceCount", "1"
        yield "extinctionOpponentPieceCount", "2"

    def _lacks(self, key: str, what: str, allowed: str) -> DocumentError:
        return DocumentError(
            self.rule_set.name,
            key,
            f"found {what}, which Fairy-Stockfish cannot express; allowed: {allowed}",
        )


@dataclass(frozen=True)
class _Zone:
    """One side's promotion: who, to what, where, and how many of a type on the board at most."""

    men: str
    to: list[str]
    optional: Squares
    compulsory: Squares
    limits: Mapping[str, int]


def _both(key: str, by_side: list[str]) -> Iterator[tuple[str, str]]:
    white, black = by_side
    if white == black:
        yield key, white
    else:
        yield f"{key}White", white
        yield f"{key}Black", black


def _file(file: int) -> str:
    return "abcdefghijkl"[file]


def _region(squares: Squares, files: int) -> str:
    """Squares as Fairy-Stockfish lists them: whole ranks by a star."""
    if not squares:
        return "-"
    whole, rest = [], []
    for rank in sorted({square // STRIDE for square in squares}):
        own = sorted(square for square in squares if square // STRIDE == rank)
        if len(own) == files:
            whole.append(f"*{rank + 1}")
        else:
            rest.extend(square_name(square % STRIDE, rank) for square in own)
    return " ".join([*whole, *rest])
