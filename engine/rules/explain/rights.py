"""Castling, en passant and promotion of one side, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tabia.engine.rules.array import square_name
from tabia.engine.rules.effective import Rules, beside
from tabia.engine.rules.explain.phrases import listed, number, ranks_in_words, sentence
from tabia.engine.rules.model import Castle, Promotion, Tier

Name = Callable[[str], str]


def castling_in_words(rules: Rules, side: str, name: Name) -> Iterator[str]:
    """What king and partner do, and on what conditions."""
    castling = rules.sides[side].castling
    king = rules.castling_man(side)
    wings = [castle for castle in (castling.kingside, castling.queenside) if castle is not None]
    if not wings or king is None:
        yield "There is no castling."
        return
    home = square_name(king.file, king.rank)
    for castle in wings:
        yield _castle(castle, home, name(king.letter), name(castling.partner))
    yield (
        "Both must not have moved in this game, all squares that they pass or reach must be empty, "
        f"and the {name(king.letter)} must not be in check, pass over or reach an attacked square."
    )
    if not rules.only_king(side) and rules.sides[side].check.royals != "every":
        yield (
            "While its side has another royal man, it may be attacked before, on its way and "
            "after, as far as the rule of check lets it."
        )
    if castling.from_move > 1:
        yield f"Castling is allowed from move {castling.from_move} on."


def _castle(castle: Castle, home: str, royal: str, partner: str) -> str:
    files = [castle.king, *castle.also]
    rank = home[1:]
    to = [castle.to or beside(home[0], file) for file in files]
    kings = listed((f"{file}{rank}" for file in files), "or")
    partners = listed(dict.fromkeys(f"{file}{rank}" for file in to), "or")
    choice = ", which is beside the king" if len(files) > 1 else ""
    return (
        f"The {royal} may castle from {home} to {kings}, the {partner} then going from "
        f"{castle.partner}{rank} to {partners}{choice}."
    )


def en_passant_in_words(rules: Rules, side: str, name: Name) -> Iterator[str]:
    """Who of the side can be captured so, where that is not everybody whose moves allow it."""
    givers = rules.sides[side].en_passant.givers
    if givers:
        yield f"En passant only these can be captured: {listed(map(name, givers))}."


def promotion_in_words(rules: Rules, side: str, name: Name) -> Iterator[str]:
    """Who promotes where, to what, from which supply."""
    promotion = rules.sides[side].promotion
    if not (promotion.optional or promotion.compulsory or promotion.tiers):
        yield "Nothing promotes."
        return
    who = listed(map(name, promotion.pieces), "or")
    yield from _where(promotion, who, name)
    yield from (_tier(tier, who, name) for tier in promotion.tiers)
    yield from _supply(promotion, name)


def _where(promotion: Promotion, who: str, name: Name) -> Iterator[str]:
    parts = []
    if promotion.optional:
        parts.append(f"may promote on reaching its own {ranks_in_words(promotion.optional)}")
    if promotion.compulsory:
        parts.append(f"must promote on reaching its own {ranks_in_words(promotion.compulsory)}")
    if parts:
        to = listed(map(name, promotion.to), "or")
        yield sentence(f"A {who} {listed(parts)}, to {to}")
    if promotion.optional:
        yield "One that did not promote can do so with a later move that ends on such a rank."


def _tier(tier: Tier, who: str, name: Name) -> str:
    men = listed(map(name, tier.pieces), "or") or who
    must = "must" if tier.compulsory else "may"
    to = listed(map(name, tier.to), "or")
    return f"On reaching its own {ranks_in_words(tier.ranks)} a {men} {must} promote to {to}."


def _supply(promotion: Promotion, name: Name) -> Iterator[str]:
    if promotion.supply == "any":
        return
    if promotion.supply == "captured":
        reserve = {letter: promotion.reserve.count(letter) for letter in promotion.reserve}
        beyond = f", and a reserve of {_army(reserve, name)} beyond" if reserve else ""
        yield (
            "It promotes only to a piece of which its side has fewer on the board than in the "
            f"array{beyond}: one that was captured{' or is held in reserve' if reserve else ''}."
        )
    else:
        limits = {letter: promotion.limits.count(letter) for letter in promotion.limits}
        yield f"A side never has more on the board by promotion than {_army(limits, name)}."
    compulsory = promotion.compulsory or any(tier.compulsory for tier in promotion.tiers)
    if compulsory and promotion.when_none == "immobile":
        yield (
            "With nothing to promote to, a move to a rank of compulsory promotion cannot be made; "
            "the man attacks there all the same, and gives check."
        )
    elif compulsory:
        yield "With nothing to promote to, the man stays what it is."


def _army(counts: dict[str, int], name: Name) -> str:
    return listed(f"{number(count)} {name(letter)}{'s' if count != 1 else ''}"
                  for letter, count in sorted(counts.items()))  # fmt: skip
