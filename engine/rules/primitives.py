"""The moves of a piece as the core takes them: steps turned the side's way, types as numbers."""

from __future__ import annotations

from typing import Any

from tabia.engine.rules import betza
from tabia.engine.rules.directions import Vector
from tabia.engine.rules.effective import SIDES, Rules
from tabia.engine.rules.model import SidePiece
from tabia.engine.rules.squares import STRIDE, absolute, all_squares, squares_of

HOPS = {"p": "over", "g": "behind"}


def primitives(rules: Rules, side: str, letter: str, *, open_to_ep: bool) -> list[dict[str, Any]]:
    """What the core knows of a side's piece, one dict a step; see engine/core/rules.hpp.

    open_to_ep: whether squares that it passes over may be open to capture en passant. Keys that say
    nothing are left out, but for those that every step has.
    """
    piece = rules.sides[side].pieces[letter]
    forward = 1 if side == "white" else -1
    # Sorted, so that what a tweak adds or takes away leaves the order of the others as it is.
    return [
        {
            "dx": step.dx,
            "dy": step.dy * forward,
            "range": step.reach,
            "mode": step.mode,
            "from": _origins(rules, side, letter, step),
            "via": _turned(step.via, forward),
            "ep": step.passing and open_to_ep,
            **_seldom(rules, side, piece, step),
        }
        for step in sorted(betza.steps(piece.moves))
    ]


def types(rules: Rules, letters: str) -> list[int]:
    """Piece types as numbers, ascending."""
    return sorted(rules.letters.index(letter) for letter in letters)


def _seldom(rules: Rules, side: str, piece: SidePiece, step: betza.Step) -> dict[str, Any]:
    """What few steps have."""
    forward = 1 if side == "white" else -1
    royal = rules.royals(SIDES[1 - SIDES.index(side)]) if step.tame else ""
    captures = step.takes or "c" in step.mode
    found = {
        "victims": types(rules, piece.own_victims if step.takes_own or "d" in step.mode else ""),
        "takes": _turned(step.takes, forward),
        "takes_own": _turned(step.takes_own, forward),
        "unmoved": step.initial and piece.initial == "unmoved",
        "first": _turned([step.first], forward)[0] if step.first else [],
        "start": step.start if step.start > 1 else 0,
        "over": _turned(step.over, forward),
        "hop": HOPS.get(step.hop),
        "not_over": types(rules, piece.not_over if step.hop or step.over else ""),
        "not_onto": types(rules, "".join({*piece.not_onto, *royal}) if captures else ""),
        "ep_victims": types(rules, piece.ep_victims if step.mode == "e" else ""),
        "wrap": step.wraps,
    }
    return {key: value for key, value in found.items() if value}


def _origins(rules: Rules, side: str, letter: str, step: betza.Step) -> list[int] | None:
    """The squares that a step starts from; None = any."""
    piece = rules.sides[side].pieces[letter]
    by_rank = step.initial and piece.initial == "rank"
    if not by_rank and not piece.ranks:
        return None
    origins = (
        squares_of(rules, _first_ranks(rules, side, letter)) if by_rank else (all_squares(rules))
    )
    if piece.ranks:
        reached = set(absolute(rules, side, piece.ranks))
        up = step.dy if side == "white" else -step.dy
        origins = [square for square in origins if square // STRIDE + up in reached]
    return origins


def _first_ranks(rules: Rules, side: str, letter: str) -> list[int]:
    """The ranks of `i`: a FEN does not tell which men have moved, so it is read from the rank, as
    FENs of other programs mean it, unless the rules ask for men that have not moved."""
    ranks = rules.sides[side].pieces[letter].initial_ranks
    return absolute(rules, side, ranks or rules.first_ranks(side, letter))


def _turned(offsets: tuple[Vector, ...] | list[Vector], forward: int) -> list[list[int]]:
    return [[x, y * forward] for x, y in offsets]
