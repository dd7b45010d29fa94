"""How each piece of a variant moves, in our Betza notation: pawns with the steps that regions give
them, first moves with the ranks they start from, captures en passant."""

from __future__ import annotations

from collections.abc import Iterable

from tabia.engine.rules.interchange.fairy_stockfish import betza
from tabia.engine.rules.interchange.fairy_stockfish.betza import Step
from tabia.engine.rules.interchange.fairy_stockfish.fen import Setup
from tabia.engine.rules.interchange.fairy_stockfish.keys import SIDES
from tabia.engine.rules.interchange.fairy_stockfish.piece_types import KING, PAWN, PREDEFINED
from tabia.engine.rules.interchange.fairy_stockfish.values import EVERY_TYPE, FilesRanks
from tabia.engine.rules.interchange.fairy_stockfish.variant import (
    Variant,
    board_squares,
    refusal,
)
from tabia.engine.rules.interchange.spelling import Way, spell

_SIGNS = {"leap": "", "slide": "", "lame": "n", "hop": "p", "grasshopper": "g"}
_DOUBLE = Step(0, 2, "lame", 0, "m", True)
_TRIPLE = Step(0, 3, "lame", 0, "m", True)


class Men:
    """The pieces of one variant."""

    def __init__(self, variant: Variant, name: str, source: str, setup: Setup, ranks: int) -> None:
        self.variant = variant
        self.name = name
        self.source = source
        self.setup = setup
        self.ranks = ranks
        self.board = board_squares(variant) - setup.holes
        self.remarks: list[str] = []

    def betza(self, kind: str, side: str) -> str:
        """The moves of a side's piece in our notation."""
        ways: list[Way] = []
        anywhere = self._region(kind, side) >= self.board
        steps = self._steps(kind, side)
        for step in steps:
            reach = step.reach if step.kind in ("slide", "hop") else 1
            signs = _SIGNS[step.kind]
            if step.initial:
                if step.kind == "slide" and step.reach != 1:
                    ways.extend(self._as_leaps(kind, step, anywhere))
                    continue
                signs = signs if anywhere else "i" + signs
            ways.append(Way(step.dx, step.dy, reach, step.mode, signs))
        ways.extend(Way(dx, dy, 1, "e", "") for dx, dy in self._takes(kind, side, steps))
        return spell(ways)

    def starts(self, kind: str, side: str) -> list[int] | None:
        """The ranks of the piece's first moves, from the side's own first one; None where it has
        none or has them from everywhere."""
        region = self._region(kind, side)
        if region >= self.board or not any(step.initial for step in self._steps(kind, side)):
            return None
        ranks = sorted({rank for _, rank in region})
        if region != {square for square in self.board if square[1] in ranks}:
            raise self._refused(f"doubleStepRegion{side}", "a region that is not of whole ranks")
        return sorted(rank + 1 if side == "White" else self.ranks - rank for rank in ranks)

    def stuck_ranks(self, kind: str, board: FilesRanks, side: str) -> set[int] | None:
        """The side's own ranks of which no square can be left by the piece, though it can come
        there; None where single squares are such."""
        steps = [step for step in self._all_steps(kind, side) if not step.initial]
        forward = 1 if side == "White" else -1
        vectors = {(step.dx, step.dy * forward) for step in steps}
        stuck = {
            (file, rank)
            for file, rank in board
            if not any((file + dx, rank + dy) in board for dx, dy in vectors)
        }
        entered = {(file + dx, rank + dy) for file, rank in board for dx, dy in vectors} & board
        ranks = {rank for _, rank in stuck & entered}
        if stuck & entered != {square for square in board if square[1] in ranks}:
            return None
        return {rank + 1 if side == "White" else self.ranks - rank for rank in ranks}

    def _all_steps(self, kind: str, side: str) -> Iterable[Step]:
        if kind == PAWN:
            steps = betza.parse(PREDEFINED[PAWN])
            double = self._double_region(side) & self.board
            triple = self.variant.value(f"tripleStepRegion{side}") & self.board
            return steps | ({_DOUBLE} if double else set()) | ({_TRIPLE} if triple else set())
        if kind in self.variant.moves:
            return betza.parse(self.variant.moves[kind])
        return betza.parse("K" if kind == KING else PREDEFINED.get(kind, ""))

    def _steps(self, kind: str, side: str) -> list[Step]:
        """The piece's steps, first moves left out where there is nowhere to make them from."""
        possible = bool(self._region(kind, side))
        return sorted(s for s in self._all_steps(kind, side) if possible or not s.initial)

    def _double_region(self, side: str) -> FilesRanks:
        if not self.variant.value("doubleStep"):
            return frozenset()
        region: FilesRanks = self.variant.value(f"doubleStepRegion{side}")
        return region

    def _region(self, kind: str, side: str) -> FilesRanks:
        """The squares on which a first move can be made: those where such a man can stand."""
        double = self._double_region(side) & self.board
        triple: FilesRanks = frozenset()
        if kind == PAWN:
            triple = self.variant.value(f"tripleStepRegion{side}") & self.board
        if double >= self.board and triple in (frozenset(), double):
            return double
        reached = self._reached(kind, side)
        double, triple = double & reached, triple & reached
        if double and triple and double != triple:
            raise self._refused(
                f"tripleStepRegion{side}", "another region than that of double steps"
            )
        return double | triple

    def _reached(self, kind: str, side: str) -> FilesRanks:
        """Squares where such a man may come to stand: those of ranks not behind all of its men in
        the array, where it never moves backwards and nobody promotes to it."""
        own = str.upper if side == "White" else str.lower
        letter = own(self.variant.letters[kind])
        promoted = self.variant.value(f"promotionPieceTypes{side}")
        retreats = any(step.dy < 0 for step in self._all_steps(kind, side))
        if retreats or kind in promoted or EVERY_TYPE in promoted:
            return self.board
        ranks = [square[1] for square, man in self.setup.men.items() if man == letter]
        if not ranks:
            return self.board
        if side == "White":
            return frozenset(square for square in self.board if square[1] >= min(ranks))
        return frozenset(square for square in self.board if square[1] <= max(ranks))

    def _as_leaps(self, kind: str, step: Step, anywhere: bool) -> Iterable[Way]:
        """A short first ride as a step and lame leaps, which leave open to capture en passant what
        they pass over."""
        if step.reach not in (2, 3) or abs(step.dx) > 1 or abs(step.dy) > 1:
            raise self._refused(kind, "first moves that ride further than three squares")
        first = "" if anywhere else "i"
        yield Way(step.dx, step.dy, 1, step.mode, first)
        for times in range(2, step.reach + 1):
            yield Way(step.dx * times, step.dy * times, 1, step.mode, first + "n")

    def _takes(self, kind: str, side: str, steps: list[Step]) -> list[tuple[int, int]]:
        """The vectors of captures en passant: all that capture and do nothing else."""
        region = self.variant.value(f"enPassantRegion{side}")
        listed = self.variant.value(f"enPassantTypes{side}")
        takes = kind in listed or EVERY_TYPE in listed
        if kind == PAWN and region and not takes:
            key = f"enPassantTypes{side}"
            self.remarks.append(
                f"{self.variant.where(key)}: Fairy-Stockfish's own pawns capture en passant all "
                "the same, and so they do here; enPassantRegion = - is what stops them"
            )
            takes = True
        quiet = {(s.dx, s.dy) for s in steps if s.mode == "m" and not s.initial}
        found = [s for s in steps if s.mode == "c" and (s.dx, s.dy) not in quiet]
        if not takes or not found or not region:
            return []
        passed = self._passed(SIDES[side == "White"])
        if not passed & region:
            return []
        if not passed <= region:
            raise self._refused(f"enPassantRegion{side}", "some of the squares passed over only")
        if any(step.kind != "leap" for step in found):
            raise self._refused(kind, "captures en passant by rides or lame leaps")
        return [(step.dx, step.dy) for step in found]

    def _passed(self, side: str) -> FilesRanks:
        """The squares that first moves of a side pass over."""
        forward = 1 if side == "White" else -1
        passed = set()
        for kind in self.variant.letters:
            for step in self._steps(kind, side):
                longest = max(abs(step.dx), abs(step.dy)) * (step.reach or 1)
                if not step.initial or longest < 2:
                    continue
                if step.kind == "leap":
                    raise self._refused(
                        kind, "first moves that jump and yet can be captured en passant"
                    )
                x, y = (step.dx > 0) - (step.dx < 0), (step.dy > 0) - (step.dy < 0)
                for file, rank in self._region(kind, side):
                    for times in range(1, longest):
                        passed.add((file + x * times, rank + y * times * forward))
        return frozenset(passed) & self.board

    def _refused(self, key: str, problem: str) -> Exception:
        return refusal(self.variant, self.name, key, self.source, problem)
