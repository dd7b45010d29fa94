"""The atoms of Betza notation: capitals, each a step and all its turned and mirrored images."""

from __future__ import annotations

from tabia.engine.rules.directions import Vector

# Atom -> the first of its vectors (0 <= across <= along) and, for the sliders, the usual range.
LEAPS = {
    "W": (0, 1),
    "F": (1, 1),
    "D": (0, 2),
    "N": (1, 2),
    "A": (2, 2),
    "H": (0, 3),
    "C": (1, 3),
    "Z": (2, 3),
    "G": (3, 3),
}
SYNONYMS = {"L": "C", "J": "Z"}
SLIDERS = {"R": ("W",), "B": ("F",), "Q": ("W", "F")}
COMPOUNDS = {"K": ("W", "F"), **SLIDERS}
EXTENDED = {"X": "WFDNAHCZG", "Y": "DNACZ"}
"""Suffix -> the leaps it lengthens: X by three squares along, Y by two across and two along (the
table of the Chess Variant Pages, "Betza notation (extended)")."""

ATOMS = "W F D N A H C(=L) Z(=J) G K R B Q, WX to GX, DY NY AY CY ZY"

ORTHOGONAL = ("W", "D", "H", "R")
DIAGONAL = ("F", "A", "G", "B")


def first_vectors(atom: str) -> list[Vector]:
    """One vector of each leap in that atom, `NX` and `K` included."""
    if len(atom) == 2:
        across, along = LEAPS[atom[0]]
        return [(across, along + 3) if atom[1] == "X" else (across + 2, along + 2)]
    return [LEAPS[base] for base in COMPOUNDS.get(atom, (atom,))]
