"""Rules as the core takes them: numbers only, each side's moves turned its own way.

Squares are `rank * 16 + file`, both from 0; a piece type is its place in the sorted letters. The
tables depend on the canonical form alone, so rule sets of one id play the same games. What few
games ask for has a key only where it says something; engine/core/rules.hpp has the defaults.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tabia.engine.documents import DocumentError
from tabia.engine.rules import betza
from tabia.engine.rules.array import format_row
from tabia.engine.rules.diff import ABSENT, differences
from tabia.engine.rules.effective import SIDES, Rules, beside
from tabia.engine.rules.model import Castle
from tabia.engine.rules.primitives import primitives, types
from tabia.engine.rules.squares import absolute, number, numbered, squares_of

if TYPE_CHECKING:
    from tabia.engine.rules.ruleset import RuleSet

UNLIMITED = -1


def core_tables(white: RuleSet, black: RuleSet | None = None) -> dict[str, Any]:
    """The core's input: White plays by the first rule set, Black by the second (or by the same).

    Raises DocumentError when the two differ in anything that is not a right of one side: board,
    array, piece letters, which pieces are royal, what check is, endings.
    """
    by_side = {"white": white.rules, "black": (black or white).rules}
    if black is not None:
        _require_one_game(white, black)
    shared = white.rules
    resets = shared.endings.n_move.resets
    return {
        "files": shared.board.files,
        "ranks": shared.board.ranks,
        "holes": [numbered(hole) for hole in shared.board.holes],
        "letters": shared.letters,
        "repetition": shared.endings.repetition.count,
        "n_move_plies": 2 * shared.endings.n_move.moves,
        "n_move_reset_types": types(shared, "".join(r for r in resets if r in shared.letters)),
        "n_move_reset_capture": "capture" in resets,
        "dead_position": shared.endings.dead_position == "draw",
        "start_fen": _fen(shared, by_side),
        "sides": [_side(by_side, side) for side in SIDES],
        **_seldom(shared),
    }


def is_royal(tables: Mapping[str, Any], index: int) -> bool:
    """Whether either side has the piece type of that number royal."""
    return any(index in side["royal"] for side in tables["sides"])


def start_fen(rules: Rules) -> str:
    """The array as a FEN, White to move, with every castling right that the rules give."""
    return _fen(rules, dict.fromkeys(SIDES, rules))


def _require_one_game(white: RuleSet, black: RuleSet) -> None:
    rights = ("promotion.", "castling.", "pieces.", "en_passant.")
    for difference in differences(white.rules, black.rules):
        key = difference.key.removeprefix("white.").removeprefix("black.")
        one_piece_missing = key.endswith(".moves") and ABSENT in (difference.a, difference.b)
        if not key.startswith(rights) or key == "pieces.royal" or one_piece_missing:
            raise DocumentError(
                f"{white.name} against {black.name}",
                difference.key,
                f"found {difference.a} and {difference.b}; allowed: sides that differ in their "
                "pieces' moves, castling, promotion and who can be captured en passant, on one "
                "board with one array and one set of endings",
            )


def _fen(shared: Rules, by_side: dict[str, Rules]) -> str:
    rows = "/".join(format_row(shared.rows[rank]) for rank in range(shared.board.ranks, 0, -1))
    rights = ""
    for side, wings in (("white", "KQ"), ("black", "kq")):
        castling = by_side[side].sides[side].castling
        rights += wings[0] if castling.kingside else ""
        rights += wings[1] if castling.queenside else ""
    return f"{rows} w {rights or '-'} - 0 1"


def _seldom(rules: Rules) -> dict[str, Any]:
    """What few games have of what both sides share."""
    endings = rules.endings
    bare = endings.bare_king
    found = {
        "citadels": [
            {"square": numbered(citadel), "moves_as": numbered(out)}
            for citadel, out in rules.board.citadels.items()
        ],
        "repetition_result": endings.repetition.result.replace("draw", ""),
        "n_move_reset_own_capture": "own capture" in endings.n_move.resets,
        "bare": bare.result.replace("play on", ""),
        "bare_answer": bare.answer,
        "bare_ignores_citadels": not bare.citadels_count,
    }
    return {key: value for key, value in found.items() if value}


def _side(by_side: dict[str, Rules], side: str) -> dict[str, Any]:
    rules = by_side[side]
    limits = [_limit(rules, side, letter) for letter in rules.letters]
    check = rules.sides[side].check.royals
    return {
        "moves": [
            primitives(rules, side, letter, open_to_ep=_open_to_ep(by_side, side, letter))
            for letter in rules.letters
        ],
        "promotions": [_promotions(rules, side, letter, limits) for letter in rules.letters],
        "castling": list(_castling(rules, side)),
        "stalemate": rules.sides[side].endings.stalemate,
        "royal": types(rules, rules.royals(side)),
        **({} if check == "every" else {"check": check}),
    }


def _open_to_ep(by_side: dict[str, Rules], side: str, letter: str) -> bool:
    """Whether that piece of the side can be captured en passant: it gives such captures, and the
    other side has a man who takes them. A square is worth remembering only then. A king is never
    captured, in passing neither."""
    if letter in by_side[side].royals(side):
        return False
    givers = by_side[side].sides[side].en_passant.givers
    other = SIDES[1 - SIDES.index(side)]
    return letter in (givers or letter) and any(
        step.mode == "e" and letter in (taker.ep_victims or letter)
        for taker in by_side[other].sides[other].pieces.values()
        for step in betza.steps(taker.moves)
    )


def _promotions(rules: Rules, side: str, letter: str, limits: list[int]) -> list[dict[str, Any]]:
    promotion = rules.sides[side].promotion
    zones = [
        (promotion.pieces, promotion.optional, promotion.to, False),
        (promotion.pieces, promotion.compulsory, promotion.to, True),
        *((t.pieces or promotion.pieces, t.ranks, t.to, t.compulsory) for t in promotion.tiers),
    ]
    stays = {"when_none": "stays"} if promotion.when_none == "stays" else {}
    return [
        {
            "squares": squares,
            "to": types(rules, to),
            "limit": limits,
            "compulsory": compulsory,
            **(stays if compulsory else {}),
        }
        for pieces, ranks, to, compulsory in zones
        if letter in pieces and (squares := squares_of(rules, absolute(rules, side, ranks)))
    ]


def _limit(rules: Rules, side: str, letter: str) -> int:
    """How many men of that type on the board stand in the way of one more."""
    promotion = rules.sides[side].promotion
    if promotion.supply == "captured":
        return rules.count(side, letter) + promotion.reserve.count(letter)
    if promotion.supply == "limited" and letter in promotion.limits:
        return promotion.limits.count(letter)
    return UNLIMITED


def _castling(rules: Rules, side: str) -> Iterable[dict[str, Any]]:
    castling = rules.sides[side].castling
    king = rules.castling_man(side)
    later = {"from_move": castling.from_move} if castling.from_move > 1 else {}
    for letter, castle in (("K", castling.kingside), ("Q", castling.queenside)):
        if castle is not None and king is not None:
            yield _castle(rules, letter, castle, castling.partner, king.file, king.rank) | later


def _castle(
    rules: Rules, letter: str, castle: Castle, partner: str, king_from: int, rank: int
) -> dict[str, Any]:
    home = chr(ord("a") + king_from)
    rook_from = ord(castle.partner) - ord("a")
    moves = []
    for file in (castle.king, *castle.also):
        to = castle.to or beside(home, file)
        moves.append((ord(file) - ord("a"), ord(to) - ord("a")))
    king_to, rook_to = moves[0]
    travelled = {*_between(king_from, king_to), *_between(rook_from, rook_to)}
    choices = [
        {"king_to": number(king, rank), "rook_to": number(rook, rank)} for king, rook in moves
    ]
    return {
        "letter": letter,
        "king_from": number(king_from, rank),
        "king_to": number(king_to, rank),
        "rook_from": number(rook_from, rank),
        "rook_to": number(rook_to, rank),
        "rook": rules.letters.index(partner),
        "empty": [number(file, rank) for file in sorted(travelled - {king_from, rook_from})],
        "safe": [number(file, rank) for file in _between(king_from, king_to)],
        **({"moves": choices} if len(choices) > 1 else {}),
    }


def _between(one: int, other: int) -> range:
    """The files from one to the other, both included."""
    return range(min(one, other), max(one, other) + 1)
