"""Promotion as Fairy-Stockfish's keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tabia.engine.rules.interchange.fairy_stockfish.game import (
    Game,
    Lines,
    Squares,
    both_sides,
    region,
)
from tabia.engine.rules.interchange.fairy_stockfish.piece_types import PAWN
from tabia.engine.rules.squares import STRIDE


def promotion_lines(game: Game) -> Lines:
    zones = [_zone(game, side) for side in (0, 1)]
    promotes = [bool(zone.optional or zone.compulsory) for zone in zones]
    for side, zone in zip(("White", "Black"), zones, strict=True):
        yield f"promotionRegion{side}", region(zone.optional | zone.compulsory, game.files)
    if not any(promotes):
        return
    theirs = [game.types_of(zone.to) for zone in zones]
    yield from both_sides("promotionPieceTypes", theirs)
    yield from both_sides("promotionPawnTypes", [game.types_of(zone.men) for zone in zones])
    limits = {**zones[0].limits, **zones[1].limits}
    if any(zone.limits.get(t) != limits[t] for zone in zones for t in limits if t in zone.to):
        raise game.lacks("promotion.supply", "limits that differ by side", "one for both")
    if limits:
        pairs = (f"{game.letters[t].lower()}:{n}" for t, n in sorted(limits.items()))
        yield "promotionLimit", " ".join(pairs)
    compulsory = [z for z, some in zip(zones, promotes, strict=True) if some and z.compulsory]
    optional = [z for z, some in zip(zones, promotes, strict=True) if some and z.optional]
    if not optional:
        yield "mandatoryPawnPromotion", "true"
        return
    yield "mandatoryPawnPromotion", "false"
    if compulsory:
        _require_immobile_there(game, zones)
        yield "immobilityIllegal", "true"
    if any(kind == PAWN and letter not in zone.men for letter, kind in game.kinds.items()
           for zone in zones):  # fmt: skip
        raise game.lacks("promotion.pieces", "pawns that do not promote", "all pawns do")


def _zone(game: Game, side: int) -> _Zone:
    rules = game.tables["sides"][side]["promotions"]
    men = "".join(letter for letter, own in zip(game.ours, rules, strict=True) if own)
    found = {letter: own for letter, own in zip(game.ours, rules, strict=True) if own}
    if len({str(own) for own in found.values()}) > 1:
        raise game.lacks("promotion", "pieces that promote differently", "one way for all")
    own: list[dict[str, Any]] = next(iter(found.values()), [])
    if len({(str(rule["to"]), str(rule["limit"])) for rule in own}) > 1:
        raise game.lacks("promotion", "a choice that depends on the rank", "one for all ranks")
    squares: dict[bool, set[int]] = {True: set(), False: set()}
    for rule in own:
        squares[rule["compulsory"]] |= set(rule["squares"])
    to: list[str] = []
    limits: dict[str, int] = {}
    for index in own[0]["to"] if own else ():
        limit = own[0]["limit"][index]
        if limit != 0:  # never to be had
            to.append(game.ours[index])
        if limit > 0:
            limits[game.ours[index]] = limit
    if limits and any(rule.get("when_none") == "stays" for rule in own if rule["compulsory"]):
        raise game.lacks("promotion.when_none", '"stays"', '"immobile"')
    return _Zone(men, to, frozenset(squares[False]), frozenset(squares[True]), limits)


def _require_immobile_there(game: Game, zones: Iterable[_Zone]) -> None:
    """Promotion is compulsory, beside optional ranks, just where the man could not move on."""
    for side, zone in enumerate(zones):
        for index, letter in enumerate(game.ours):
            stuck = _stuck(game, side, index)
            if letter in zone.men and stuck & (zone.optional | zone.compulsory) != zone.compulsory:
                raise game.lacks(
                    "promotion.compulsory",
                    "compulsory promotion beside optional one",
                    "only where the man could not move on",
                )
            if (stuck - zone.compulsory if letter in zone.men else stuck) & _entered(
                game, side, index
            ):
                raise game.lacks(
                    f"pieces.{letter}.moves",
                    "squares that it cannot leave, with compulsory promotion beside optional one",
                    "none",
                )


def _stuck(game: Game, side: int, index: int) -> Squares:
    """Squares from which a man has no move on an empty board, first moves left aside."""
    steps = _vectors(game, side, index)
    return frozenset(
        square
        for square in game.squares
        if not any(_step(square, step) in game.squares for step in steps)
    )


def _entered(game: Game, side: int, index: int) -> Squares:
    steps = _vectors(game, side, index)
    return frozenset(
        target
        for square in game.squares
        for step in steps
        if (target := _step(square, step)) in game.squares
    )


def _vectors(game: Game, side: int, index: int) -> list[tuple[int, int]]:
    return [
        (move["dx"], move["dy"])
        for move in game.tables["sides"][side]["moves"][index]
        if move["mode"] != "e" and move["from"] is None and not move.get("unmoved")
    ]


def _step(square: int, step: tuple[int, int]) -> int:
    file, rank = square % STRIDE + step[0], square // STRIDE + step[1]
    return rank * STRIDE + file if 0 <= file < STRIDE and rank >= 0 else -1


@dataclass(frozen=True)
class _Zone:
    """One side's promotion: who, to what, where, and how many of a type on the board at most."""

    men: str
    to: list[str]
    optional: Squares
    compulsory: Squares
    limits: Mapping[str, int]
