"""Evaluation weights from the movement of the pieces alone.

They know where pieces go and nothing of promotion, endings or castling, and they are the mean over
the rule sets they are asked for: so both arms of an experiment are played with the same judgement.
All are integers; the arithmetic before the rounding is plain multiplication and addition in a fixed
order, so that every machine finds the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import Any

from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.rules.tables import core_tables

Weights = dict[str, Any]
"""{"tempo": int, "letters": {letter: {"mid", "end", "centre_mid", "centre_end", "phase": int,
"advance_mid", "advance_end": [int by rank from the side's own edge]}}}, in centipawns."""

TEMPO = 12
# Mobility is counted on a board on which a square is empty with this chance ("crowded board
# mobility", R. Betza). The two scales are set so that on the board of Grand Chess the pieces come
# out near their usual worth: knight 300, bishop 330, rook 500, queen 950; on 8x8 a tenth less.
EMPTY_CHANCE = 0.7
CENTIPAWNS = 56.0
LONG_REACH = 0.9
COLOUR_BOUND = 0.96
# From rim to centre, for each square more that a piece reaches there.
CENTRE = 14.0
KING_CENTRE_MID, KING_CENTRE_END = -60, 60
KING_ADVANCE = (0, -8, -24, -40)
PAWN_CENTRE = 16
# What a man is worth more for each step nearer to where it promotes, as a share of the step before.
PROMOTION_NEAR_MID, PROMOTION_NEAR_END, PROMOTION_FADE = 55.0, 140.0, 0.62
MOST = 2500


def neutral_weights(*rule_sets: RuleSet) -> Weights:
    """The weights for all of these rule sets together: of a piece that several have, or that moves
    otherwise for White than for Black, the mean."""
    by_letter: dict[str, list[dict[str, Any]]] = {}
    for rule_set in rule_sets:
        tables = core_tables(rule_set)
        for index, letter in enumerate(tables["letters"]):
            for side in (0, 1):
                by_letter.setdefault(letter, []).append(_letter(tables, index, side))
    letters = {letter: _mean(found) for letter, found in sorted(by_letter.items())}
    return {"tempo": TEMPO, "letters": letters}


def _letter(tables: dict[str, Any], index: int, side: int) -> dict[str, Any]:
    steps = tables["sides"][side]["moves"][index]
    ranks = tables["ranks"]
    if index == tables["royal"]:
        advance = [KING_ADVANCE[min(rank, len(KING_ADVANCE) - 1)] for rank in range(ranks)]
        return _terms(0, 0, KING_CENTRE_MID, KING_CENTRE_END, 0, advance, [])
    squares = _squares(tables)
    mobility = {square: _mobility(steps, square, squares) for square in sorted(squares)}
    mean = fsum(mobility.values()) / len(mobility)  # exact: `sum` differs between Pythons
    value = CENTIPAWNS * mean * (LONG_REACH + 0.006 * mean)
    if all((step["dx"] + step["dy"]) % 2 == 0 for step in steps):
        value *= COLOUR_BOUND
    promotions = tables["sides"][side]["promotions"][index]
    if promotions:
        zone = {square // 16 for rule in promotions for square in rule["squares"]}
        if side == 1:
            zone = {ranks - 1 - rank for rank in zone}
        mid, end = (
            _approach(zone, ranks, PROMOTION_NEAR_MID),
            _approach(zone, ranks, PROMOTION_NEAR_END),
        )
        return _terms(value, value * 1.2, PAWN_CENTRE, 0, 0, mid, end)
    spread = max(mobility.values()) - min(mobility.values())
    centre = CENTRE * spread * 300.0 / (300.0 + value / 2)
    return _terms(value, value * 1.05, centre, centre * 0.8, value / 100, [], [])


def _squares(tables: dict[str, Any]) -> set[tuple[int, int]]:
    holes = set(tables["holes"])
    return {
        (file, rank)
        for rank in range(tables["ranks"])
        for file in range(tables["files"])
        if rank * 16 + file not in holes
    }


def _mobility(
    steps: Sequence[dict[str, Any]], square: tuple[int, int], squares: set[tuple[int, int]]
) -> float:
    """Squares reached, each with its chance; moving or capturing alone counts half."""
    total = 0.0
    for step in steps:
        if step["mode"] == "e" or step["from"] is not None:
            continue
        weight = 1.0 if step["mode"] == "mc" else 0.5
        chance = weight
        for _ in step["via"]:
            chance *= EMPTY_CHANCE
        file, rank = square
        for _ in range(step["range"] or 16):
            file, rank = file + step["dx"], rank + step["dy"]
            if (file, rank) not in squares:
                break
            total += chance
            chance *= EMPTY_CHANCE
    return total


def _approach(zone: Iterable[int], ranks: int, near: float) -> list[int]:
    first = min(zone)
    worth = []
    for rank in range(ranks):
        bonus = near
        for _ in range(max(0, first - rank)):
            bonus *= PROMOTION_FADE
        worth.append(round(bonus))
    return worth


def _terms(
    mid: float,
    end: float,
    centre_mid: float,
    centre_end: float,
    phase: float,
    advance_mid: list[int],
    advance_end: list[int],
) -> dict[str, Any]:
    return {
        "mid": min(round(mid), MOST),
        "end": min(round(end), MOST),
        "centre_mid": round(centre_mid),
        "centre_end": round(centre_end),
        "phase": min(round(phase), 100),
        "advance_mid": advance_mid,
        "advance_end": advance_end,
    }


def _mean(found: list[dict[str, Any]]) -> dict[str, Any]:
    def mean(numbers: Sequence[int]) -> int:
        return round(sum(numbers) / len(numbers))

    def rows(key: str) -> list[int]:
        tables = [each[key] for each in found if each[key]]
        longest = max((len(table) for table in tables), default=0)
        padded = [[*table, *[table[-1]] * (longest - len(table))] for table in tables]
        return [mean(column) for column in zip(*padded, strict=True)]

    return {
        key: rows(key) if key.startswith("advance") else mean([each[key] for each in found])
        for key in found[0]
    }
