"""Pieces as Fairy-Stockfish's types and letters, and the array in those letters.

Fairy-Stockfish's custom is C for the chancellor (rook and knight) and A for the archbishop (bishop
and knight): a game that has one of those letters for the other piece gets them changed, since its
readers would take one for the other.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabia.engine.rules.array import EMPTY, format_row
from tabia.engine.rules.interchange.fairy_stockfish import betza
from tabia.engine.rules.interchange.fairy_stockfish.betza import Step
from tabia.engine.rules.interchange.fairy_stockfish.game import Game, Lines
from tabia.engine.rules.interchange.fairy_stockfish.movement import (
    Inexpressible,
    Movement,
    in_betza,
)
from tabia.engine.rules.interchange.fairy_stockfish.piece_types import (
    CUSTOM_SLOTS,
    JANGGI_CANNON,
    KING,
    ORDER,
    PAWN,
    PREDEFINED,
)
from tabia.engine.rules.interchange.fairy_stockfish.royal_lines import king_of
from tabia.engine.rules.squares import STRIDE

CUSTOMARY = {"archbishop": "A", "chancellor": "C"}
_PAWN_STEPS = frozenset(
    {Step(0, 1, "leap", 0, "m", False)} | {Step(x, 1, "leap", 0, "c", False) for x in (1, -1)}
)
PAWN_LEAPS = {(0, 2): "double", (0, 3): "triple"}


def piece_kinds(game: Game, wanted: Mapping[str, str]) -> dict[str, str]:
    """Our letter -> piece type of Fairy-Stockfish."""
    known = {
        betza.parse(text): kind
        for kind, text in PREDEFINED.items()
        if kind not in (PAWN, JANGGI_CANNON, "soldier", "commoner")
    }
    known[betza.parse("K")] = "commoner"
    slots = iter(CUSTOM_SLOTS)
    asked = {ours: kind for kind, ours in wanted.items() if kind in CUSTOM_SLOTS}
    kinds: dict[str, str] = {}
    king = king_of(game)
    for letter in [*asked, *(each for each in game.ours if each not in asked)]:
        if letter == king:
            kinds[letter] = KING
        elif _is_pawn(game.moves[letter]) and PAWN not in kinds.values():
            kinds[letter] = PAWN
        else:
            kind = known.get(game.moves[letter].steps)
            free = kind is not None and kind not in kinds.values()
            kinds[letter] = kind if kind is not None and free else next(slots)
    return kinds


def _is_pawn(moves: Movement) -> bool:
    leaps = {step for step in moves.steps if step.initial}
    return moves.steps - leaps == _PAWN_STEPS and all(
        (step.dx, step.dy) in PAWN_LEAPS and step.kind == "lame" for step in leaps
    )


def piece_letters(game: Game, wanted: Mapping[str, str]) -> dict[str, str]:
    """Our letters -> theirs."""
    crossed = any(
        wanted.get(kind, letter) != letter and letter in CUSTOMARY.values()
        for letter, kind in game.kinds.items()
    )
    wanted = wanted if crossed or wanted is not CUSTOMARY else {}
    chosen = {
        letter: wanted.get(kind, letter) if kind not in CUSTOM_SLOTS else letter
        for letter, kind in game.kinds.items()
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


def piece_lines(game: Game) -> Lines:
    for letter, kind in sorted(game.kinds.items(), key=lambda item: ORDER.index(item[1])):
        theirs = game.letters[letter].lower()
        if kind in CUSTOM_SLOTS or (kind == KING and game.moves[letter].steps != betza.parse("K")):
            yield kind, f"{theirs}:{_betza(game, letter, game.moves[letter])}"
        else:
            yield kind, theirs


def _betza(game: Game, letter: str, moves: Movement) -> str:
    try:
        text = in_betza(moves)
        reread = betza.parse(text)
    except (Inexpressible, ValueError) as error:
        raise game.lacks(f"pieces.{letter}.moves", str(error), "its own Betza") from None
    if reread != moves.steps:
        raise game.lacks(f"pieces.{letter}.moves", "moves that need two ranges", "one range")
    return text


def written_fen(game: Game) -> str:
    rules = game.rule_set.rules
    holes = set(game.tables["holes"])
    rows = []
    for rank in range(game.ranks, 0, -1):
        cells = [
            "*" if (rank - 1) * STRIDE + file in holes else _their(game, cell)
            for file, cell in enumerate(rules.rows[rank])
        ]
        rows.append(format_row(cells))
    _, turn, rights, *rest = game.tables["start_fen"].split()
    return " ".join(["/".join(rows), turn, rights, *rest])


def _their(game: Game, cell: str) -> str:
    if cell == EMPTY:
        return cell
    theirs = game.letters[cell.upper()]
    return theirs if cell.isupper() else theirs.lower()
