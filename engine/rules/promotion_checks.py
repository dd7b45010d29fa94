"""Which promotions a game can have."""

from __future__ import annotations

from typing import NamedTuple

from tabia.engine.documents import DocumentError
from tabia.engine.rules.effective import Rules
from tabia.engine.rules.known import require_common, require_letters, require_ranks
from tabia.engine.rules.model import Promotion


class _Zone(NamedTuple):
    """Who promotes to what on which ranks, and under which keys that is written."""

    pieces: str
    to: str
    ranks: dict[str, list[int]]
    key: str


def check_promotion(rules: Rules, side: str, source: str, key: str) -> None:
    """Raises DocumentError for the first thing that no game can have."""
    promotion: Promotion = rules.sides[side].promotion
    _check_supply(rules, promotion, source, key)
    zones = [
        _Zone(
            promotion.pieces,
            promotion.to,
            {"optional": promotion.optional, "compulsory": promotion.compulsory},
            key,
        ),
        *(
            _Zone(tier.pieces or promotion.pieces, tier.to, {"ranks": tier.ranks}, f"{key}.tiers")
            for tier in promotion.tiers
        ),
    ]
    for zone in zones:
        for field, ranks in zone.ranks.items():
            require_ranks(rules, ranks, source, f"{zone.key}.{field}")
    both = sorted(set(promotion.optional) & set(promotion.compulsory))
    if both:
        raise DocumentError(
            source,
            key,
            f"rank {both[0]} is both optional and compulsory; allowed: one of the two",
        )
    used = [zone for zone in zones if any(zone.ranks.values())]
    for zone in used:
        _check_pieces(rules, side, zone, source)
    _require_one_each(used, source, key)
    who = {letter for zone in used for letter in zone.pieces}
    for zone in used:
        again = sorted(who & set(zone.to))
        if again:
            raise DocumentError(
                source,
                f"{zone.key}.to",
                f"{again[0]} is itself a piece that promotes; allowed: other pieces",
            )


def _check_supply(rules: Rules, promotion: Promotion, source: str, key: str) -> None:
    for field, supply in (("reserve", "captured"), ("limits", "limited")):
        army = getattr(promotion, field)
        if army and promotion.supply != supply:
            raise DocumentError(
                source,
                f"{key}.{field}",
                f'found "{army}" with supply = "{promotion.supply}"; allowed: with "{supply}"',
            )
        require_letters(rules, army, source, f"{key}.{field}")


def _check_pieces(rules: Rules, side: str, zone: _Zone, source: str) -> None:
    require_letters(rules, zone.pieces, source, f"{zone.key}.pieces")
    require_letters(rules, zone.to, source, f"{zone.key}.to")
    if not zone.to:
        raise DocumentError(
            source, f"{zone.key}.to", "found nothing to promote to; needed: letters of pieces"
        )
    require_common(rules, side, zone.pieces, source, f"{zone.key}.pieces")


def _require_one_each(zones: list[_Zone], source: str, key: str) -> None:
    taken: set[tuple[str, int]] = set()
    for zone in zones:
        here = {(p, rank) for p in zone.pieces for ranks in zone.ranks.values() for rank in ranks}
        twice = sorted(here & taken)
        if twice:
            raise DocumentError(
                source,
                f"{key}.tiers",
                f"two promotions of {twice[0][0]} on rank {twice[0][1]}; allowed: one a rank",
            )
        taken |= here
