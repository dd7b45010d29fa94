"""First moves, captures en passant and confinement as Fairy-Stockfish's keys."""

from __future__ import annotations

from tabia.engine.rules.effective import SIDES as OUR_SIDES
from tabia.engine.rules.interchange.fairy_stockfish.game import (
    SIDES,
    Game,
    Lines,
    Squares,
    both_sides,
    region,
)
from tabia.engine.rules.interchange.fairy_stockfish.keys import mobility
from tabia.engine.rules.interchange.fairy_stockfish.movement import Movement
from tabia.engine.rules.interchange.fairy_stockfish.piece_lines import PAWN_LEAPS
from tabia.engine.rules.interchange.fairy_stockfish.piece_types import PAWN
from tabia.engine.rules.squares import STRIDE


def confinement_lines(game: Game) -> Lines:
    for letter, kind in game.kinds.items():
        for side, name in SIDES:
            confined = game.confined(letter, side)
            if confined != game.squares:
                yield mobility(name, kind), region(confined, game.files)


def first_move_lines(game: Game) -> Lines:
    """The regions of double and triple steps; every piece's first moves share the former."""
    regions: dict[tuple[str, str], Squares] = {}
    rules = game.rule_set.rules
    for letter, own in game.moves.items():
        for number, side in SIDES:
            theirs = game.movement_of(letter, number)
            if theirs.region is None or not rules.has(OUR_SIDES[number], letter):
                continue
            _require_told_by_square(game, letter, number, theirs)
            lengths = {PAWN_LEAPS.get((s.dx, s.dy), "double") for s in own.steps if s.initial}
            for length in lengths if game.kinds[letter] == PAWN else {"double"}:
                before = regions.setdefault((length, side), theirs.region)
                if before != theirs.region:
                    raise game.lacks(
                        f"pieces.{letter}.moves",
                        "first moves from other squares than another piece's",
                        "one region for all",
                    )
    if not any(length == "double" for length, _ in regions):
        yield "doubleStep", "false"
    for (length, side), squares in sorted(regions.items()):
        yield f"{length}StepRegion{side}", region(squares, game.files)


def _require_told_by_square(game: Game, letter: str, side: int, own: Movement) -> None:
    """A first move that only an unmoved man has can be had from squares that no moved man of
    that type comes to: all on one rank, and every step leads forward from it."""
    index = game.ours.index(letter)
    primitives = game.tables["sides"][side]["moves"][index]
    if not any(primitive.get("unmoved") for primitive in primitives):
        return
    forward = 1 if side == 0 else -1
    ranks = {square // STRIDE for square in own.region or ()}
    back = any(primitive["dy"] * forward <= 0 for primitive in primitives)
    if len(ranks) != 1 or back:
        raise game.lacks(
            f"pieces.{letter}.moves",
            "first moves that depend on whether the man has moved",
            "on the square it stands on",
        )


def en_passant_lines(game: Game) -> Lines:
    takers: list[list[str]] = []
    for side, name in SIDES:
        own = {letter: game.movement_of(letter, side) for letter in game.ours}
        takers.append([letter for letter, each in own.items() if each.takes])
        for letter in takers[-1]:
            captures = {(s.dx, s.dy) for s in own[letter].steps if s.mode == "c"}
            quiet = {(s.dx, s.dy) for s in own[letter].steps if s.mode == "m" and not s.initial}
            if own[letter].takes != captures - quiet:
                raise game.lacks(
                    f"pieces.{letter}.moves",
                    "captures en passant by some of its captures",
                    "by all that are captures only",
                )
        if takers[-1]:
            _require_left_open(game, 1 - side)
        else:
            yield f"enPassantRegion{name}", "-"
        if takers[-1] and any(
            kind == PAWN and letter not in takers[-1] for letter, kind in game.kinds.items()
        ):
            raise game.lacks("pieces.P.moves", "pawns without en passant", "all take so")
    yield from both_sides("enPassantTypes", [game.types_of(each) for each in takers])


def _require_left_open(game: Game, side: int) -> None:
    for letter in game.ours:
        own = game.movement_of(letter, side)
        if own.region is not None and not own.leaves:
            raise game.lacks(
                f"pieces.{letter}.moves",
                "first moves that leave nothing open to en passant",
                "all first moves do",
            )
