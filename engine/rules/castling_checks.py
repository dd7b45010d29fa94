"""Which castling a game can have."""

from __future__ import annotations

from tabia.engine.documents import DocumentError
from tabia.engine.rules.array import EMPTY, square_name
from tabia.engine.rules.effective import Man, Rules, beside
from tabia.engine.rules.known import require_common, require_letters
from tabia.engine.rules.model import Castle, Castling


def check_castling(rules: Rules, side: str, source: str, key: str) -> None:
    """Raises DocumentError for the first thing that no game can have."""
    castling: Castling = rules.sides[side].castling
    _check_wings(castling, source, key)
    for wing in ("kingside", "queenside"):
        castle: Castle | None = getattr(castling, wing)
        if castle is not None:
            require_common(rules, side, castling.partner, source, f"{key}.partner")
            require_letters(rules, castling.partner, source, f"{key}.partner")
            king = _castling_man(rules, side, source, f"{key}.home")
            _check_files(rules, king, castle, source, f"{key}.{wing}")
            _check_partner(rules, king, castle, source, f"{key}.{wing}")


def _check_wings(castling: Castling, source: str, key: str) -> None:
    both = (castling.kingside, castling.queenside)
    if both[0] and both[1]:
        shared = {both[0].king, *both[0].also} & {both[1].king, *both[1].also}
        if shared:
            raise DocumentError(
                source,
                f"{key}.queenside.king",
                f"found {min(shared)}, where kingside castling takes the king too; allowed: "
                "another file",
            )


def _castling_man(rules: Rules, side: str, source: str, key: str) -> Man:
    """Who castles; raises DocumentError where that is nobody, or not said."""
    king = rules.castling_man(side)
    if king is None:
        home = rules.sides[side].castling.home
        found = (
            f"found {home}, where no royal man of" if home else "missing with several royal men of"
        )
        on = ", ".join(square_name(man.file, man.rank) for man in rules.royal_men(side))
        raise DocumentError(
            source,
            key,
            f"{found} {side.capitalize()}{' stands' if home else ''}; "
            f"allowed: the file of one of those on {on}",
        )
    return king


def _check_files(rules: Rules, king: Man, castle: Castle, source: str, key: str) -> None:
    home = square_name(king.file, king.rank)
    choices = [castle.king, *castle.also]
    if home[0] in choices:
        raise DocumentError(
            source,
            f"{key}.{'king' if castle.king == home[0] else 'also'}",
            f"the king already stands on file {home[0]}; allowed: another file",
        )
    if castle.also and castle.to:
        raise DocumentError(
            source,
            f"{key}.to",
            "one file for several moves; allowed: left out, so that the partner ends beside the "
            "king",
        )
    if any((file > home[0]) != (castle.king > home[0]) for file in castle.also):
        raise DocumentError(
            source, f"{key}.also", f"files on both sides of {home}; allowed: on one side"
        )
    last = chr(ord("a") + rules.board.files - 1)
    ends = [("to", castle.to or beside(home[0], file)) for file in choices]
    stations = [("king", castle.king), *(("also", file) for file in castle.also)]
    for field, file in (*stations, ("partner", castle.partner), *ends):
        if not "a" <= file <= last:
            raise DocumentError(
                source, f"{key}.{field}", f"no file {file} on the board; allowed: a to {last}"
            )
        square = f"{file}{home[1:]}"
        if square in rules.board.holes or square in rules.board.citadels:
            what = "hole" if square in rules.board.holes else "citadel"
            raise DocumentError(
                source, f"{key}.{field}", f"{square} is a {what}; allowed: a square"
            )
    if castle.king == castle.to:
        raise DocumentError(
            source, key, f"king and partner both end on file {castle.to}; allowed: two files"
        )


def _check_partner(rules: Rules, king: Man, castle: Castle, source: str, key: str) -> None:
    side = king.side
    home = square_name(king.file, king.rank)
    partner = rules.sides[side].castling.partner
    stands = rules.rows[king.rank + 1][ord(castle.partner) - ord("a")]
    if stands != (partner if side == "white" else partner.lower()):
        found = f"found {stands}" if stands != EMPTY else "found nobody"
        raise DocumentError(
            source,
            f"{key}.partner",
            f"{found} on {castle.partner}{home[1:]} in {side.capitalize()}'s array; "
            f"needed: {partner}, who castles with the king on {home}",
        )
