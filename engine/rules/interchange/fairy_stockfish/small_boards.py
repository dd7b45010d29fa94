"""The small boards among Fairy-Stockfish's built-in variants, which other small games extend.

They are no games of the catalog, so they stand here in the words of a variants.ini, written from
their published rules.
"""

from __future__ import annotations

SMALL_BOARDS = {
    # P. Stein and M. Wells for the MANIAC, 1956: without bishops, so none to promote to; no double
    # steps, no castling (chessvariants.com, "Los Alamos Chess").
    "losalamos": """
        [losalamos]
        maxRank = 6
        maxFile = 6
        pawn = p
        knight = n
        rook = r
        queen = q
        king = k
        startFen = rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1
        promotionPieceTypes = nrq
        promotionRegionWhite = *6
        promotionRegionBlack = *1
        doubleStep = false
        castling = false
    """,
    # M. Gardner, 1969, as it is played since: he also had double steps and castling, which leave
    # little of such a board (Wikipedia, "Minichess").
    "gardner": """
        [gardner]
        maxRank = 5
        maxFile = 5
        pawn = p
        knight = n
        bishop = b
        rook = r
        queen = q
        king = k
        startFen = rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1
        promotionPieceTypes = nbrq
        promotionRegionWhite = *5
        promotionRegionBlack = *1
        doubleStep = false
        castling = false
    """,
}
