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
    mobility = {
        square: _mobility(steps, square, squares, tables["files"]) for square in sorted(squares)
    }
    mean = fsum(mobility.values()) / len(mobility)  # exact: `sum` differs between Pythons
    value = CENTIPAWNS * mean * (LONG_REACH + 0.006 * mean)
    if all(_keeps_colour(step) for step in steps):
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
    holes = {*tables["holes"], *(citadel["square"] for citadel in tables.get("citadels", []))}
    return {
        (file, rank)
        for rank in range(tables["ranks"])
        for file in range(tables["files"])
        if rank * 16 + file not in holes
    }


def _keeps_colour(step: dict[str, Any]) -> bool:
    first = step.get("first") or (0, 0)
    return (
        not step.get("wrap")
        and (step["dx"] + step["dy"]) % 2 == 0
        and (first[0] + first[1]) % 2 == 0
    )


def _mobility(
    steps: Sequence[dict[str, Any]],
    square: tuple[int, int],
    squares: set[tuple[int, int]],
    files: int,
) -> float:
    """Squares reached, each with its chance; moving or capturing alone counts half. A capture of
    an own man and a step that a man can make but once add nothing: they are seldom wanted."""
    total = 0.0
    for step in steps:
        moves = ("m" in step["mode"]) + ("c" in step["mode"])
        if moves == 0 or step["from"] is not None or step.get("unmoved"):
            continue
        chance = 0.5 * moves
        for _ in step["via"]:
            chance *= EMPTY_CHANCE
        for _ in step.get("over", ()):
            chance *= 1 - EMPTY_CHANCE
        way = _way(step, square, squares, files)
        if step.get("first"):
            chance *= EMPTY_CHANCE
        if step.get("hop"):
            total += chance * _hop(step, len(way))
            continue
        for _ in way[step.get("start", 1) - 1 :]:
            total += chance
            chance *= EMPTY_CHANCE
    return total


def _way(
    step: dict[str, Any], square: tuple[int, int], squares: set[tuple[int, int]], files: int
) -> list[tuple[int, int]]:
    """The squares that a step may cross or reach, in its order."""

    def onward(at: tuple[int, int], offset: Sequence[int]) -> tuple[int, int]:
        file = at[0] + offset[0]
        return (file % files if step.get("wrap") else file, at[1] + offset[1])

    at = square
    if step.get("first"):
        at = onward(at, step["first"])
        if at not in squares:
            return []
    way: list[tuple[int, int]] = []
    for _ in range(step["range"] or 16):
        at = onward(at, (step["dx"], step["dy"]))
        if at not in squares or at == square or at in way:
            break
        way.append(at)
    return way


def _hop(step: dict[str, Any], length: int) -> float:
    """How many squares of such a way a hopper reaches in the mean: behind just one man."""
    total, empty = 0.0, 1.0  # the chance that all squares before are empty, but for the hurdle
    for before in range(1, length):
        hurdles = before if step["hop"] == "over" else 1
        total += hurdles * (1 - EMPTY_CHANCE) * empty
        empty *= EMPTY_CHANCE
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
