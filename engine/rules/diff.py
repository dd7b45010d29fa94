"""What differs between two rule sets, in words a player reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabia.engine.rules import betza
from tabia.engine.rules.effective import SIDES, Rules, array_rows

ABSENT = "none"

Flat = dict[str, str]
"""Dotted key -> what holds there, in words."""


@dataclass(frozen=True)
class Difference:
    """One rule that two rule sets have otherwise; a and b in words."""

    key: str
    a: str
    b: str

    def __str__(self) -> str:
        return f"{self.key}: {self.a} -> {self.b}"


def differences(a: Rules, b: Rules) -> list[Difference]:
    """The rules that differ. A rule that differs alike for both sides is named once, one that
    differs for a side under `white.` or `black.`."""
    found = _compare(_shared(a), _shared(b))
    by_side = {side: _compare(_of_side(a, side), _of_side(b, side)) for side in SIDES}
    both = [change for change in by_side["white"] if change in by_side["black"]]
    found.extend(both)
    for side in SIDES:
        found.extend(
            Difference(f"{side}.{change.key}", change.a, change.b)
            for change in by_side[side]
            if change not in both
        )
    return found


def _compare(a: Flat, b: Flat) -> list[Difference]:
    keys = [*a, *(key for key in b if key not in a)]
    return [
        Difference(key, a.get(key, ABSENT), b.get(key, ABSENT))
        for key in keys
        if a.get(key, ABSENT) != b.get(key, ABSENT)
    ]


def _shared(rules: Rules) -> Flat:
    board, endings = rules.board, rules.endings
    rows = array_rows(rules)
    return {
        "board.files": str(board.files),
        "board.ranks": str(board.ranks),
        "board.holes": ", ".join(board.holes) or ABSENT,
        **{f"array.{rank}": rows.get(rank, "empty") for rank in range(board.ranks, 0, -1)},
        "pieces.royal": rules.royal,
        "endings.repetition": _repetition(endings.repetition.count),
        "endings.n_move.moves": _n_move(endings.n_move.moves),
        "endings.n_move.resets": ", ".join(_reset(r) for r in endings.n_move.resets) or ABSENT,
        "endings.dead_position": endings.dead_position,
    }


def _of_side(rules: Rules, side: str) -> Flat:
    own = rules.sides[side]
    promotion = own.promotion
    flat = {f"pieces.{letter}.moves": _moves(piece.moves) for letter, piece in own.pieces.items()}
    for wing in ("kingside", "queenside"):
        castle = getattr(own.castling, wing)
        flat[f"castling.{wing}"] = ABSENT if castle is None else _castle(castle.model_dump())
    castles = own.castling.kingside or own.castling.queenside
    flat["castling.partner"] = own.castling.partner if castles else ABSENT
    promotes = bool(promotion.optional or promotion.compulsory)
    flat["promotion.pieces"] = _letters(promotion.pieces) if promotes else ABSENT
    flat["promotion.optional"] = _ranks(promotion.optional)
    flat["promotion.compulsory"] = _ranks(promotion.compulsory)
    flat["promotion.to"] = _letters(promotion.to) if promotes else ABSENT
    flat["promotion.supply"] = _SUPPLY[promotion.supply] if promotes else ABSENT
    flat["endings.stalemate"] = _STALEMATE[own.endings.stalemate]
    return flat


_SUPPLY = {"any": "any of them, any number", "captured": "only types of which one was captured"}
_STALEMATE = {
    "draw": "draw",
    "loss": "the stalemated side loses",
    "win": "the stalemated side wins",
}


def _moves(moves: str) -> str:
    passing = any("e" in group.modes for group in betza.parse(moves))
    return f"{moves or 'cannot move'}{', captures en passant' if passing else ''}"


def _repetition(count: int) -> str:
    return f"draw when a position occurs {count} times" if count else "no rule"


def _n_move(moves: int) -> str:
    return f"draw after {moves} moves of each side" if moves else "no rule"


def _reset(reset: str) -> str:
    return "captures" if reset == "capture" else f"moves of {reset}"


def _letters(letters: str) -> str:
    return ", ".join(letters) or ABSENT


def _ranks(ranks: list[int]) -> str:
    return (
        ("rank " if len(ranks) == 1 else "ranks ") + ", ".join(map(str, ranks))
        if ranks
        else (ABSENT)
    )


def _castle(castle: Mapping[str, Any]) -> str:
    beside = f"to the {castle['to']}-file" if castle["to"] else "beside the king"
    return f"king to the {castle['king']}-file, partner from {castle['partner']} {beside}"
