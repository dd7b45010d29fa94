"""Rules as the core takes them: numbers only, each side's moves turned its own way.

Squares are `rank * 16 + file`, both from 0; a piece type is its place in the sorted letters. The
tables depend on the canonical form alone, so rule sets of one id play the same games.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tabia.engine.documents import DocumentError
from tabia.engine.rules import betza
from tabia.engine.rules.array import format_row, square_of
from tabia.engine.rules.diff import ABSENT, differences
from tabia.engine.rules.effective import SIDES, Rules, beside
from tabia.engine.rules.model import Castle

if TYPE_CHECKING:
    from tabia.engine.rules.ruleset import RuleSet

STRIDE = 16
UNLIMITED = -1


def core_tables(white: RuleSet, black: RuleSet | None = None) -> dict[str, Any]:
    """The core's input: White plays by the first rule set, Black by the second (or by the same).

    Raises DocumentError when the two differ in anything that is not a right of one side: board,
    array, piece letters, which piece is royal, endings.
    """
    by_side = {"white": white.rules, "black": (black or white).rules}
    if black is not None:
        _require_one_game(white, black)
    shared = white.rules
    endings = shared.endings
    return {
        "files": shared.board.files,
        "ranks": shared.board.ranks,
        "holes": [_number(*square_of(hole)) for hole in shared.board.holes],
        "letters": shared.letters,
        "royal": shared.letters.index(shared.royal),
        "repetition": endings.repetition.count,
        "n_move_plies": 2 * endings.n_move.moves,
        "n_move_reset_types": [
            shared.letters.index(r) for r in endings.n_move.resets if r in shared.letters
        ],
        "n_move_reset_capture": "capture" in endings.n_move.resets,
        "dead_position": endings.dead_position == "draw",
        "start_fen": _fen(shared, by_side),
        "sides": [_side(by_side, side) for side in SIDES],
    }


def start_fen(rules: Rules) -> str:
    """The array as a FEN, White to move, with every castling right that the rules give."""
    return _fen(rules, dict.fromkeys(SIDES, rules))


def _require_one_game(white: RuleSet, black: RuleSet) -> None:
    rights = ("promotion.", "castling.", "pieces.")
    for difference in differences(white.rules, black.rules):
        key = difference.key.removeprefix("white.").removeprefix("black.")
        one_piece_missing = key.startswith("pieces.") and ABSENT in (difference.a, difference.b)
        if not key.startswith(rights) or key == "pieces.royal" or one_piece_missing:
            raise DocumentError(
                f"{white.name} against {black.name}",
                difference.key,
                f"found {difference.a} and {difference.b}; allowed: sides that differ in their "
                "pieces' moves, castling and promotion, on one board with one array and one set "
                "of endings",
            )


def _number(file: int, rank: int) -> int:
    return rank * STRIDE + file


def _fen(shared: Rules, by_side: dict[str, Rules]) -> str:
    rows = "/".join(format_row(shared.rows[rank]) for rank in range(shared.board.ranks, 0, -1))
    rights = ""
    for side, wings in (("white", "KQ"), ("black", "kq")):
        castling = by_side[side].sides[side].castling
        rights += wings[0] if castling.kingside else ""
        rights += wings[1] if castling.queenside else ""
    return f"{rows} w {rights or '-'} - 0 1"


def _side(by_side: dict[str, Rules], side: str) -> dict[str, Any]:
    rules = by_side[side]
    own = rules.sides[side]
    other = SIDES[1 - SIDES.index(side)]
    # A square passed is worth remembering only when the other side has a man who captures there.
    answered = any(
        step.mode == "e"
        for piece in by_side[other].sides[other].pieces.values()
        for step in betza.steps(piece.moves)
    )
    return {
        "moves": [_moves(rules, side, letter, answered) for letter in rules.letters],
        "promotions": [_promotions(rules, side, letter) for letter in rules.letters],
        "castling": list(_castling(rules, side)),
        "stalemate": own.endings.stalemate,
    }


def _moves(rules: Rules, side: str, letter: str, answered: bool) -> list[dict[str, Any]]:
    # Sorted, so that what a tweak adds or takes away leaves the order of the others as it is.
    steps = sorted(betza.steps(rules.sides[side].pieces[letter].moves))
    forward = 1 if side == "white" else -1
    home = _home_squares(rules, side, letter)
    elsewhere = [square for square in _all_squares(rules) if square not in set(home)]
    return [
        {
            "dx": step.dx,
            "dy": step.dy * forward,
            "range": step.reach,
            "mode": mode,
            "from": origins,
            "via": [[x, y * forward] for x, y in step.via],
            # A king is never captured, in passing neither.
            "ep": bool(step.via) and mode == "m" and answered and letter != rules.royal,
        }
        for step in steps
        for mode, origins in _origins(step, steps, home, elsewhere)
    ]


def _origins(
    step: betza.Step, steps: list[betza.Step], home: list[int], elsewhere: list[int]
) -> Iterable[tuple[str, list[int] | None]]:
    """Where a step starts from, mode by mode; None = anywhere. Where the step from the start goes
    further the same way, the usual one is for the other squares: no move is made twice."""
    if step.initial:
        return [(step.mode, home)]
    further = "".join(
        other.mode
        for other in steps
        if other.initial and other[:2] == step[:2] and other.via == step.via
    )
    both = "".join(mode for mode in step.mode if mode in further)
    rest = "".join(mode for mode in step.mode if mode not in further)
    split: list[tuple[str, list[int] | None]] = [(rest, None), (both, elsewhere)]
    return [(mode, origins) for mode, origins in split if mode]


def _home_squares(rules: Rules, side: str, letter: str) -> list[int]:
    """Every square of the ranks on which the side's array has that type: a FEN does not tell which
    men have moved, so "initial" is read from the rank, as FENs of other programs mean it."""
    ranks = sorted({man.rank for man in rules.men(side) if man.letter == letter})
    return list(_squares_of(rules, ranks))


def _all_squares(rules: Rules) -> Iterable[int]:
    return _squares_of(rules, range(rules.board.ranks))


def _squares_of(rules: Rules, ranks: Iterable[int]) -> Iterable[int]:
    holes = {square_of(hole) for hole in rules.board.holes}
    for rank in ranks:
        for file in range(rules.board.files):
            if (file, rank) not in holes:
                yield _number(file, rank)


def _promotions(rules: Rules, side: str, letter: str) -> list[dict[str, Any]]:
    promotion = rules.sides[side].promotion
    if letter not in promotion.pieces:
        return []
    zones = ((promotion.optional, False), (promotion.compulsory, True))
    return [
        {
            "squares": list(_squares_of(rules, _absolute(rules, side, ranks))),
            "to": [rules.letters.index(each) for each in promotion.to],
            "limit": [
                rules.count(side, each) if promotion.supply == "captured" else UNLIMITED
                for each in rules.letters
            ],
            "compulsory": compulsory,
        }
        for ranks, compulsory in zones
        if ranks
    ]


def _absolute(rules: Rules, side: str, ranks: Iterable[int]) -> list[int]:
    """Ranks counted from the side's own first one, as ranks of the board from 0."""
    if side == "white":
        return sorted(rank - 1 for rank in ranks)
    return sorted(rules.board.ranks - rank for rank in ranks)


def _castling(rules: Rules, side: str) -> Iterable[dict[str, Any]]:
    castling = rules.sides[side].castling
    king = rules.royal_man(side)
    for letter, castle in (("K", castling.kingside), ("Q", castling.queenside)):
        if castle is not None:
            yield _castle(rules, letter, castle, castling.partner, king.file, king.rank)


def _castle(
    rules: Rules, letter: str, castle: Castle, partner: str, king_file: int, rank: int
) -> dict[str, Any]:
    home = chr(ord("a") + king_file)
    to = castle.to or beside(home, castle)
    king_from, king_to = king_file, ord(castle.king) - ord("a")
    rook_from, rook_to = ord(castle.partner) - ord("a"), ord(to) - ord("a")
    travelled = {*_between(king_from, king_to), *_between(rook_from, rook_to)}
    empty = sorted(travelled - {king_from, rook_from})
    return {
        "letter": letter,
        "king_from": _number(king_from, rank),
        "king_to": _number(king_to, rank),
        "rook_from": _number(rook_from, rank),
        "rook_to": _number(rook_to, rank),
        "rook": rules.letters.index(partner),
        "empty": [_number(file, rank) for file in empty],
        "safe": [_number(file, rank) for file in _between(king_from, king_to)],
    }


def _between(one: int, other: int) -> range:
    """The files from one to the other, both included."""
    return range(min(one, other), max(one, other) + 1)
