"""Which rules describe a game that can be played: what no schema can say, one check a rule."""

from __future__ import annotations

from tabia.engine.documents import DocumentError
from tabia.engine.rules.array import EMPTY, square_name
from tabia.engine.rules.effective import SIDES, Rules, beside
from tabia.engine.rules.model import Castle, Castling, Promotion, RuleDocument


def require_playable(rules: Rules, document: RuleDocument, source: str) -> None:
    """Raises DocumentError for the first thing that no game can have. The document tells under
    which key a side's rule was written."""
    _check_resets(rules, source)
    _check_repetition(rules, source)
    for side in SIDES:
        prefix = f"{side}." if getattr(document, side) else ""
        _check_promotion(rules, side, source, prefix)
        _check_castling(rules, side, source, prefix)


def _check_resets(rules: Rules, source: str) -> None:
    resets = rules.endings.n_move.resets
    if resets == ["capture", "P"]:  # the default, which a game without a P need not unsay
        return
    _check_letters(
        rules, "".join(r for r in resets if r != "capture"), source, "endings.n_move.resets"
    )


def _check_repetition(rules: Rules, source: str) -> None:
    if rules.endings.repetition.count == 1:
        raise DocumentError(
            source, "endings.repetition.count", "found 1; allowed: 0 = never, or 2 to 16"
        )


def _check_letters(rules: Rules, letters: str, source: str, key: str) -> None:
    for letter in letters:
        if letter not in rules.letters:
            raise DocumentError(
                source,
                key,
                f"{letter} is no piece of this game; allowed: {', '.join(rules.letters)}",
            )


def _check_promotion(rules: Rules, side: str, source: str, prefix: str) -> None:
    promotion: Promotion = rules.sides[side].promotion
    key = f"{prefix}promotion"
    for field in ("optional", "compulsory"):
        for rank in getattr(promotion, field):
            if rank > rules.board.ranks:
                raise DocumentError(
                    source,
                    f"{key}.{field}",
                    f"rank {rank} is not on the board; allowed: 1 to {rules.board.ranks}",
                )
    both = sorted(set(promotion.optional) & set(promotion.compulsory))
    if both:
        raise DocumentError(
            source,
            key,
            f"rank {both[0]} is both optional and compulsory; allowed: one of the two",
        )
    if not promotion.optional and not promotion.compulsory:
        return
    _check_letters(rules, promotion.pieces, source, f"{key}.pieces")
    _check_letters(rules, promotion.to, source, f"{key}.to")
    if not promotion.to:
        raise DocumentError(
            source, f"{key}.to", "found nothing to promote to; needed: letters of pieces"
        )
    if rules.royal in promotion.pieces + promotion.to:
        field = "pieces" if rules.royal in promotion.pieces else "to"
        raise DocumentError(
            source,
            f"{key}.{field}",
            f"{rules.royal} is royal; allowed: pieces that are not",
        )
    again = sorted(set(promotion.pieces) & set(promotion.to))
    if again:
        raise DocumentError(
            source,
            f"{key}.to",
            f"{again[0]} is itself a piece that promotes; allowed: other pieces",
        )


def _check_castling(rules: Rules, side: str, source: str, prefix: str) -> None:
    castling: Castling = rules.sides[side].castling
    king = rules.royal_man(side)
    home = square_name(king.file, king.rank)
    both = (castling.kingside, castling.queenside)
    if both[0] and both[1] and both[0].king == both[1].king:
        raise DocumentError(
            source,
            f"{prefix}castling.queenside.king",
            f"found {both[0].king}, where kingside castling takes the king too; allowed: another "
            "file",
        )
    for wing in ("kingside", "queenside"):
        castle: Castle | None = getattr(castling, wing)
        if castle is None:
            continue
        key = f"{prefix}castling.{wing}"
        if castling.partner == rules.royal:
            raise DocumentError(
                source,
                f"{prefix}castling.partner",
                f"{rules.royal} is royal; allowed: a piece that is not",
            )
        if castle.king == home[0]:
            raise DocumentError(
                source,
                f"{key}.king",
                f"the king already stands on file {castle.king}; allowed: another file",
            )
        last = chr(ord("a") + rules.board.files - 1)
        _check_letters(rules, castling.partner, source, f"{prefix}castling.partner")
        to = castle.to or beside(home[0], castle)
        for field, file in (("king", castle.king), ("partner", castle.partner), ("to", to)):
            if not "a" <= file <= last:
                raise DocumentError(
                    source, f"{key}.{field}", f"no file {file} on the board; allowed: a to {last}"
                )
            square = f"{file}{home[1:]}"
            if square in rules.board.holes:
                raise DocumentError(
                    source, f"{key}.{field}", f"{square} is a hole; allowed: a square"
                )
        if castle.king == to:
            raise DocumentError(
                source, key, f"king and partner both end on file {to}; allowed: two files"
            )
        stands = rules.rows[king.rank + 1][ord(castle.partner) - ord("a")]
        own = castling.partner if side == "white" else castling.partner.lower()
        if stands != own:
            found = f"found {stands}" if stands != EMPTY else "found nobody"
            raise DocumentError(
                source,
                f"{key}.partner",
                f"{found} on {castle.partner}{home[1:]} in {side.capitalize()}'s array; "
                f"needed: {castling.partner}, who castles with the king on {home}",
            )
