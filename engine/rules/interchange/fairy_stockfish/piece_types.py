"""Fairy-Stockfish's piece types: predefined ones by name, and 25 slots for custom ones.

Their order matters: a later type that takes a letter takes it away from an earlier one.
"""

from __future__ import annotations

PAWN = "pawn"
KING = "king"
CUSTOM_SLOTS = tuple(f"customPiece{number}" for number in range(1, 26))

PREDEFINED = {
    PAWN: "fmWfceF",
    "knight": "N",
    "bishop": "B",
    "rook": "R",
    "queen": "Q",
    "fers": "F",
    "alfil": "A",
    "fersAlfil": "FA",
    "silver": "FfW",
    "aiwok": "RNF",
    "bers": "RF",
    "archbishop": "BN",
    "chancellor": "RN",
    "amazon": "QN",
    "knibis": "mNcB",
    "biskni": "mBcN",
    "kniroo": "mNcR",
    "rookni": "mRcN",
    "shogiPawn": "fW",
    "lance": "fR",
    "shogiKnight": "fN",
    "gold": "WfF",
    "dragonHorse": "BW",
    "clobber": "cW",
    "breakthrough": "fmWfF",
    "immobile": "",
    "cannon": "mRcpR",
    "janggiCannon": "pR",
    "soldier": "fsW",
    "horse": "nN",
    "elephant": "nA",
    "janggiElephant": "nZ",
    "banner": "RcpRnN",
    "wazir": "W",
    "commoner": "K",
    "centaur": "KN",
}
"""Name -> moves in Fairy-Stockfish's Betza. The pawn's double step comes from the region keys; two
janggi cannons neither capture nor hop over each other, which no Betza says."""

JANGGI_CANNON = "janggiCannon"

ORDER = (*PREDEFINED, *CUSTOM_SLOTS, KING)
