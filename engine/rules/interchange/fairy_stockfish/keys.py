"""Every key of a variants.ini: which are rules that we play, and which must hold what they hold
when nobody writes them.

The keys are those of Fairy-Stockfish's parser of 2026. A key that is no rule (pictures, the values
that its evaluation gives to pieces) is left out and said to be.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tabia.engine.rules.interchange.fairy_stockfish.piece_types import KING, ORDER, PAWN
from tabia.engine.rules.interchange.fairy_stockfish.values import (
    EVERY_SQUARE,
    EVERY_TYPE,
    VALUE,
    rank_squares,
)

SIDES = ("White", "Black")


class Key(NamedTuple):
    """A key that we read: kind of its value and what holds while nobody writes it. by_side: it may
    also be written for one side, with `White` or `Black` behind it."""

    kind: str
    default: Any
    by_side: bool = False


class Unplayed(NamedTuple):
    """A key of rules that we do not play: kind, the value that asks for nothing, what any other
    asks for; `matters_with` names the key without which it asks for nothing either."""

    kind: str
    neutral: Any
    asks: str
    matters_with: str | None = None


PLAYED: dict[str, Key] = {
    "maxRank": Key("rank", 8),
    "maxFile": Key("file", 8),
    "startFen": Key("text", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    "promotionRegionWhite": Key("squares", rank_squares(8)),
    "promotionRegionBlack": Key("squares", rank_squares(1)),
    "promotionPawnTypes": Key("types", frozenset({PAWN}), by_side=True),
    "promotionPieceTypes": Key(
        "types", frozenset({"queen", "rook", "bishop", "knight"}), by_side=True
    ),
    "promotionLimit": Key("counts", {}),
    "mandatoryPawnPromotion": Key("truth", True),
    "doubleStep": Key("truth", True),
    "doubleStepRegionWhite": Key("squares", rank_squares(2)),
    "doubleStepRegionBlack": Key("squares", rank_squares(7)),
    "tripleStepRegionWhite": Key("squares", frozenset()),
    "tripleStepRegionBlack": Key("squares", frozenset()),
    "enPassantRegion": Key("squares", EVERY_SQUARE, by_side=True),
    "enPassantTypes": Key("types", frozenset({PAWN}), by_side=True),
    "castling": Key("truth", True),
    "castlingKingsideFile": Key("file", 7),
    "castlingQueensideFile": Key("file", 3),
    "castlingRank": Key("rank", 1),
    "castlingKingFile": Key("file", 5),
    "castlingKingPiece": Key("type", KING, by_side=True),
    "castlingRookKingsideFile": Key("file", 12),
    "castlingRookQueensideFile": Key("file", 1),
    "castlingRookPieces": Key("types", frozenset({"rook"}), by_side=True),
    "immobilityIllegal": Key("truth", False),
    "nMoveRuleTypes": Key("types", frozenset({PAWN}), by_side=True),
    "nMoveRule": Key("number", 50),
    "nFoldRule": Key("number", 3),
    "nFoldValue": Key(VALUE, "draw"),
    "stalemateValue": Key(VALUE, "draw"),
    "extinctionValue": Key(VALUE, "none"),
    "extinctionClaim": Key("truth", False),
    "extinctionPieceTypes": Key("types", frozenset()),
    "extinctionPieceCount": Key("number", 0),
    "extinctionOpponentPieceCount": Key("number", 0),
    "extinctionPseudoRoyal": Key("truth", False),
    "dupleCheck": Key("truth", False),
}

ALIASES = {
    "pawnTypes": ("promotionPawnTypes", "enPassantTypes", "nMoveRuleTypes"),
    "castlingRookPiece": ("castlingRookPieces",),
}
"""Keys that are written for several others; each of those may overrule them."""

_DROPS, _SHOGI, _FLAG, _CONNECT = "pieceDrops", "promotedPieceType", "flagRegion", "connectN"
_NO_TYPES: frozenset[str] = frozenset()

UNPLAYED: dict[str, Unplayed] = {
    "chess960": Unplayed("truth", False, "castling in the notation of Fischer's random chess"),
    "twoBoards": Unplayed("truth", False, "a second board"),
    "sittuyinPromotion": Unplayed("truth", False, "promotion as in Sittuyin"),
    _SHOGI: Unplayed("becomes", {}, "each piece promoting to another one, as in shogi"),
    "piecePromotionOnCapture": Unplayed("truth", False, "promotion by capture only", _SHOGI),
    "mandatoryPiecePromotion": Unplayed("truth", False, "compulsory promotion as in shogi", _SHOGI),
    "pieceDemotion": Unplayed("truth", False, "pieces that turn back", _SHOGI),
    "blastOnCapture": Unplayed("truth", False, "captures that explode"),
    "blastImmuneTypes": Unplayed("types", _NO_TYPES, "pieces that withstand", "blastOnCapture"),
    "mutuallyImmuneTypes": Unplayed("types", _NO_TYPES, "pieces that cannot capture their like"),
    "petrifyOnCaptureTypes": Unplayed("types", _NO_TYPES, "pieces that turn to stone"),
    "petrifyBlastPieces": Unplayed("truth", False, "stones", "petrifyOnCaptureTypes"),
    "castlingDroppedPiece": Unplayed("truth", False, "castling with dropped pieces", _DROPS),
    "oppositeCastling": Unplayed("truth", False, "castling to the side opposite to the opponent's"),
    "castlingWins": Unplayed("rights", "", "castling that wins"),
    "checking": Unplayed("truth", True, "a game without checks"),
    "dropChecks": Unplayed("truth", True, "no checks by drops", _DROPS),
    "mustCapture": Unplayed("truth", False, "compulsory captures"),
    "mustDrop": Unplayed("truth", False, "compulsory drops", _DROPS),
    "mustDropType": Unplayed("type", EVERY_TYPE, "compulsory drops", _DROPS),
    _DROPS: Unplayed("truth", False, "drops of pieces from the hand"),
    "dropLoop": Unplayed("truth", False, "dropped pieces that stay promoted", _DROPS),
    "capturesToHand": Unplayed("truth", False, "captured pieces that go to the hand", _DROPS),
    "firstRankPawnDrops": Unplayed("truth", False, "pawn drops on the first rank", _DROPS),
    "promotionZonePawnDrops": Unplayed("truth", False, "pawn drops in the zone", _DROPS),
    "enclosingDrop": Unplayed(
        "none|reversi|ataxx|quadwrangle|snort|anyside|top", "none", "drops that enclose", _DROPS
    ),
    "enclosingDropStart": Unplayed("squares", frozenset(), "drops that enclose", _DROPS),
    "dropRegionWhite": Unplayed("squares", EVERY_SQUARE, "regions of drops", _DROPS),
    "dropRegionBlack": Unplayed("squares", EVERY_SQUARE, "regions of drops", _DROPS),
    "sittuyinRookDrop": Unplayed("truth", False, "rook drops as in Sittuyin", _DROPS),
    "dropOppositeColoredBishop": Unplayed("truth", False, "bishop drops on both colours", _DROPS),
    "dropPromoted": Unplayed("truth", False, "drops of promoted pieces", _DROPS),
    "dropNoDoubled": Unplayed("type", None, "no two of a piece on a file", _DROPS),
    "dropNoDoubledCount": Unplayed("number", 1, "how many of a piece on a file", _DROPS),
    "shogiPawnDropMateIllegal": Unplayed("truth", False, "no mate by pawn drops", _DROPS),
    "gating": Unplayed("truth", False, "pieces that enter behind a moving one"),
    "seirawanGating": Unplayed("truth", False, "gating as in S-Chess", "gating"),
    "cambodianMoves": Unplayed("truth", False, "first moves as in Cambodian chess"),
    "wallingRule": Unplayed("none|arrow|duck|edge|past|static", "none", "walls that are built"),
    "wallingRegionWhite": Unplayed("squares", EVERY_SQUARE, "where walls go", "wallingRule"),
    "wallingRegionBlack": Unplayed("squares", EVERY_SQUARE, "where walls go", "wallingRule"),
    "wallingRegion": Unplayed("squares", EVERY_SQUARE, "where walls go", "wallingRule"),
    "wallOrMove": Unplayed("truth", False, "walls in place of moves", "wallingRule"),
    "diagonalLines": Unplayed("squares", frozenset(), "lines of a palace"),
    "passWhite": Unplayed("truth", False, "passing"),
    "passBlack": Unplayed("truth", False, "passing"),
    "pass": Unplayed("truth", False, "passing"),
    "passOnStalemate": Unplayed("truth", False, "passing when stalemated"),
    "passOnStalemateWhite": Unplayed("truth", False, "passing when stalemated"),
    "passOnStalemateBlack": Unplayed("truth", False, "passing when stalemated"),
    "makpongRule": Unplayed("truth", False, "a king that may not leave check by moving"),
    "flyingGeneral": Unplayed("truth", False, "kings that may not face each other"),
    "soldierPromotionRank": Unplayed("rank", 1, "soldiers that gain moves on a rank"),
    "flipEnclosedPieces": Unplayed(
        "none|reversi|ataxx|quadwrangle|snort|anyside|top", "none", "pieces that change colour"
    ),
    "nFoldValueAbsolute": Unplayed("truth", False, "repetition that wins for one colour"),
    "perpetualCheckIllegal": Unplayed("truth", False, "no perpetual check"),
    "moveRepetitionIllegal": Unplayed("truth", False, "no repetition of moves"),
    "chasingRule": Unplayed("none|axf", "none", "no perpetual chasing"),
    "stalematePieceCount": Unplayed("truth", False, "stalemate decided by counting pieces"),
    "checkmateValue": Unplayed(VALUE, "loss", "checkmate that does not lose"),
    "shatarMateRule": Unplayed("truth", False, "mates as in Shatar"),
    "bikjangRule": Unplayed("truth", False, "kings facing each other, as in Janggi"),
    "flagPiece": Unplayed("type", EVERY_TYPE, "a race", _FLAG),
    "flagPieceWhite": Unplayed("type", EVERY_TYPE, "a race", _FLAG),
    "flagPieceBlack": Unplayed("type", EVERY_TYPE, "a race", _FLAG),
    _FLAG: Unplayed("squares", frozenset(), "a race to a region"),
    "flagRegionWhite": Unplayed("squares", frozenset(), "a race to a region"),
    "flagRegionBlack": Unplayed("squares", frozenset(), "a race to a region"),
    "flagPieceCount": Unplayed("number", 1, "a race", _FLAG),
    "flagPieceBlockedWin": Unplayed("truth", False, "a race", _FLAG),
    "flagMove": Unplayed("truth", False, "a race", _FLAG),
    "flagPieceSafe": Unplayed("truth", False, "a race", _FLAG),
    "checkCounting": Unplayed("truth", False, "wins by so many checks"),
    _CONNECT: Unplayed("number", 0, "wins by pieces in a row"),
    "connectPieceTypes": Unplayed("types", frozenset({EVERY_TYPE}), "pieces in a row", _CONNECT),
    "connectVertical": Unplayed("truth", True, "pieces in a row", _CONNECT),
    "connectHorizontal": Unplayed("truth", True, "pieces in a row", _CONNECT),
    "connectDiagonal": Unplayed("truth", True, "pieces in a row", _CONNECT),
    "connectRegion1White": Unplayed("squares", frozenset(), "wins by a connection"),
    "connectRegion2White": Unplayed("squares", frozenset(), "wins by a connection"),
    "connectRegion1Black": Unplayed("squares", frozenset(), "wins by a connection"),
    "connectRegion2Black": Unplayed("squares", frozenset(), "wins by a connection"),
    "connectNxN": Unplayed("number", 0, "wins by a block of pieces"),
    "collinearN": Unplayed("number", 0, "wins by pieces in a line"),
    "connectValue": Unplayed(VALUE, "win", "pieces in a row", _CONNECT),
    "materialCounting": Unplayed(
        "none|janggi|unweighted|whitedrawodds|blackdrawodds", "none", "draws decided by material"
    ),
    "adjudicateFullBoard": Unplayed("truth", False, "draws by material", "materialCounting"),
    "countingRule": Unplayed("none|makruk|cambodian|asean", "none", "counting as in Makruk"),
}


def mobility(side: str, piece: str) -> str:
    """The key that confines a side's piece to a region."""
    return f"mobilityRegion{side}{piece[0].upper()}{piece[1:]}"


PLAYED.update(
    {mobility(side, piece): Key("squares", frozenset()) for side in SIDES for piece in ORDER}
)

OLD_NAMES = {
    "whiteFlag": "flagRegionWhite",
    "blackFlag": "flagRegionBlack",
    "whiteDropRegion": "dropRegionWhite",
    "blackDropRegion": "dropRegionBlack",
}
"""Names that keys had in older files, still read by Fairy-Stockfish."""

OLD_RANKS = ("promotionRank", "doubleStepRank", "doubleStepRankMin")
"""Old keys that name a rank where newer ones name a region."""

NO_RULES = {
    "variantTemplate": "what XBoard draws",
    "pieceToCharTable": "what XBoard draws",
    "pocketSize": "what XBoard draws",
    "pieceValueMg": "Fairy-Stockfish's own evaluation",
    "pieceValueEg": "Fairy-Stockfish's own evaluation",
}
"""Keys that no rule depends on, and what they are for."""

EVERY_KEY = sorted(
    {
        *ORDER,
        *PLAYED,
        *(key + side for key, entry in PLAYED.items() if entry.by_side for side in SIDES),
        *ALIASES,
        *UNPLAYED,
        *OLD_NAMES,
        *OLD_RANKS,
        "dropOnTop",
        *NO_RULES,
    }
)
