"""What differs between two rule sets, in words a player reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tabia.engine.rules import betza
from tabia.engine.rules.effective import SIDES, Rules, array_rows
from tabia.engine.rules.model import BareKing, Castle, Promotion, Repetition, SidePiece, Tier

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
        "board.citadels": _citadels(board.citadels),
        **{f"array.{rank}": rows.get(rank, "empty") for rank in range(board.ranks, 0, -1)},
        "endings.bare_king": _bare_king(endings.bare_king),
        "endings.repetition": _repetition(endings.repetition),
        "endings.n_move.moves": _n_move(endings.n_move.moves),
        "endings.n_move.resets": ", ".join(_reset(r) for r in endings.n_move.resets) or ABSENT,
        "endings.dead_position": endings.dead_position,
    }


def _of_side(rules: Rules, side: str) -> Flat:
    own = rules.sides[side]
    flat: Flat = {"pieces.royal": _letters(rules.royals(side))}
    if not rules.only_king(side):
        flat["check.royals"] = _CHECK[own.check.royals]
    for letter, piece in own.pieces.items():
        flat.update(_piece(letter, piece))
    givers = own.en_passant.givers
    flat["en_passant.givers"] = _letters(givers) if givers else "everybody whose moves say so"
    for wing in ("kingside", "queenside"):
        castle = getattr(own.castling, wing)
        flat[f"castling.{wing}"] = ABSENT if castle is None else _castle(castle)
    castles = own.castling.kingside or own.castling.queenside
    flat["castling.partner"] = own.castling.partner if castles else ABSENT
    if castles and own.castling.home:
        flat["castling.home"] = f"the royal man of the {own.castling.home}-file"
    if castles and own.castling.from_move > 1:
        flat["castling.from_move"] = f"not before move {own.castling.from_move}"
    flat.update(_promotion(own.promotion))
    flat["endings.stalemate"] = _STALEMATE[own.endings.stalemate]
    return flat


_CHECK = {
    "every": "no royal man may be left attacked",
    "last": "all but the last royal man may be lost",
    "duple": "all but the last royal man may be lost, but all may not be left attacked at once",
}
_SUPPLY = {
    "any": "any of them, any number",
    "captured": "only types of which one was captured",
    "limited": "only types of which few enough are on the board",
}
_WHEN_NONE = {"immobile": "the move cannot be made", "stays": "the man stays what it is"}
_STALEMATE = {
    "draw": "draw",
    "loss": "the stalemated side loses",
    "win": "the stalemated side wins",
}


def _piece(letter: str, piece: SidePiece) -> Flat:
    passing = any("e" in group.modes for group in betza.parse(piece.moves))
    moves = f"{piece.moves or 'cannot move'}{', captures en passant' if passing else ''}"
    flat = {f"pieces.{letter}.moves": moves}
    stated = piece.model_dump(exclude_defaults=True, exclude={"moves", "royal"})
    for field, value in stated.items():
        if field == "initial":
            words = "while it has not moved"
        elif isinstance(value, list):
            words = _ranks(value)
        else:
            words = _letters(value)
        flat[f"pieces.{letter}.{field}"] = words
    return flat


def _promotion(promotion: Promotion) -> Flat:
    ways = bool(promotion.optional or promotion.compulsory)
    promotes = ways or bool(promotion.tiers)
    return {
        "promotion.pieces": _letters(promotion.pieces) if promotes else ABSENT,
        "promotion.optional": _ranks(promotion.optional),
        "promotion.compulsory": _ranks(promotion.compulsory),
        "promotion.to": _letters(promotion.to) if ways else ABSENT,
        "promotion.tiers": "; ".join(map(_tier, promotion.tiers)) or ABSENT,
        "promotion.supply": _SUPPLY[promotion.supply] if promotes else ABSENT,
        "promotion.reserve": _army(promotion.reserve),
        "promotion.limits": _army(promotion.limits),
        "promotion.when_none": _WHEN_NONE[promotion.when_none] if promotes else ABSENT,
    }


def _tier(tier: Tier) -> str:
    who = f"{_letters(tier.pieces)} " if tier.pieces else ""
    must = "must" if tier.compulsory else "may"
    return f"{who}on {_ranks(tier.ranks)} {must} become {_letters(tier.to)}"


def _citadels(citadels: Mapping[str, str]) -> str:
    return ", ".join(f"{a} (moves as from {b})" for a, b in citadels.items()) or ABSENT


def _bare_king(bare: BareKing) -> str:
    if bare.result == "play on":
        return "no rule"
    words = "draw" if bare.result == "draw" else "the bared side loses"
    words += ", unless it bares the other with its next move" if bare.answer else ""
    return words + ("" if bare.citadels_count else "; men on citadels do not count")


def _repetition(repetition: Repetition) -> str:
    words = {"draw": "draw", "loss": "loss of who repeats", "win": "win of who repeats"}
    times = f" when a position occurs {repetition.count} times"
    return words[repetition.result] + times if repetition.count else "no rule"


def _n_move(moves: int) -> str:
    return f"draw after {moves} moves of each side" if moves else "no rule"


def _reset(reset: str) -> str:
    return {"capture": "captures", "own capture": "own captures"}.get(reset, f"moves of {reset}")


def _army(letters: str) -> str:
    return ", ".join(f"{letters.count(x)} {x}" for x in sorted(set(letters))) or ABSENT


def _letters(letters: str) -> str:
    return ", ".join(letters) or ABSENT


def _ranks(ranks: list[int]) -> str:
    return (
        ("rank " if len(ranks) == 1 else "ranks ") + ", ".join(map(str, ranks))
        if ranks
        else (ABSENT)
    )


def _castle(castle: Castle) -> str:
    files = ", ".join([castle.king, *castle.also])
    beside = f"to the {castle.to}-file" if castle.to else "beside the king"
    return f"king to the {files}-file, partner from {castle.partner} {beside}"
