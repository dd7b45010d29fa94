"""Royal pieces as Fairy-Stockfish's keys: its king, and the types that are royal like him.

Types beside or in place of the king are royal by `extinctionPseudoRoyal`, for both sides alike;
`royalty` reads it back, and says what the keys mean.
"""

from __future__ import annotations

from tabia.engine.rules.effective import SIDES, Man, Rules, promotes_to
from tabia.engine.rules.interchange.fairy_stockfish import betza
from tabia.engine.rules.interchange.fairy_stockfish.game import Game, Lines


def king_of(game: Game) -> str | None:
    """Our letter of the piece that can be Fairy-Stockfish's king: royal to both sides, of whom each
    has and keeps exactly one, and who castles if anybody does."""
    rules = game.rule_set.rules
    if any(_may_lose_some(rules, side) for side in SIDES):
        return None
    able = [
        letter for letter in game.ours if all(_is_single(rules, side, letter) for side in SIDES)
    ]
    castling = {man.letter for side in SIDES if (man := _castles(rules, side))}
    if castling:
        able = [letter for letter in able if castling == {letter}]
    kings = [letter for letter in able if game.moves[letter].steps == betza.parse("K")]
    return next(iter([*kings, *able]), None)


def royal_lines(game: Game) -> Lines:
    rules = game.rule_set.rules
    king = king_of(game)
    royals = {letter for side in SIDES for letter in rules.royals(side)} - {king}
    if not royals:
        return
    if game.tables.get("bare", "none") != "none":
        raise game.lacks(
            "endings.bare_king", "a bare king rule beside several royal pieces", "one of the two"
        )
    for letter in sorted(royals):
        if any(letter not in rules.royals(side) and rules.has(side, letter) for side in SIDES):
            raise game.lacks(
                f"pieces.{letter}.royal", "a piece that only one side has royal", "both, or neither"
            )
    checks: set[str] = {
        rules.sides[side].check.royals for side in SIDES if _may_lose_some(rules, side)
    }
    if checks:
        _require_one_rule(game, checks)
    yield "extinctionValue", "loss"
    yield "extinctionPieceTypes", game.types_of(royals)
    yield "extinctionPseudoRoyal", "true"
    yield "extinctionPieceCount", "0" if checks else str(game.files * game.ranks)
    if checks == {"duple"}:
        yield "dupleCheck", "true"


def _require_one_rule(game: Game, checks: set[str]) -> None:
    rules = game.rule_set.rules
    for side in SIDES:
        had = [letter for letter in rules.royals(side) if rules.has(side, letter)]
        single = all(_is_single(rules, side, letter) for letter in had)
        if len(checks) > 1 or not (_may_lose_some(rules, side) or single):
            raise game.lacks("check.royals", "sides with different rules", "one for both")
        if _may_lose_some(rules, side) and len(had) > 1:
            raise game.lacks(
                "check.royals",
                f"several royal types of which {side.capitalize()} may lose some men",
                "one royal type a side",
            )


def _may_lose_some(rules: Rules, side: str) -> bool:
    return not rules.only_king(side) and rules.sides[side].check.royals != "every"


def _castles(rules: Rules, side: str) -> Man | None:
    castling = rules.sides[side].castling
    return rules.castling_man(side) if castling.kingside or castling.queenside else None


def _is_single(rules: Rules, side: str, letter: str) -> bool:
    gets = letter in promotes_to(rules.sides[side].promotion)
    return letter in rules.royals(side) and rules.count(side, letter) == 1 and not gets
