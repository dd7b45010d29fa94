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

from tabia.engine.rules.effective import SIDES
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.rules.tables import core_tables

Weights = dict[str, Any]
"""{"tempo", "supply": int, "letters": {letter: {"mid", "end", "centre_mid", "centre_end", "phase",
"mobility", "mobility_mid", "mobility_end", "pair_mid", "pair_end": int,
"advance_mid", "advance_end": [int by rank from the side's own edge]}}}, in centipawns; "supply" in
64ths of what a passed man is worth."""

TEMPO = 28
# Mobility is counted on a board on which a square is empty with this chance ("crowded board
# mobility", R. Betza). The two scales are set so that on the board of Grand Chess the pieces come
# out near their usual worth: knight 300, bishop 330, rook 500, queen 950; on 8x8 a tenth less.
EMPTY_CHANCE = 0.7
CENTIPAWNS = 56.0
LONG_REACH = 0.9
COLOUR_BOUND = 0.96
# How much less a passed man is worth where nothing is there to promote to, in 64ths. Arms that
# differ in promotion are played without this knowledge, or they would differ from the first move.
SUPPLY = 32
# For two men that see one colour each.
PAIR_MID, PAIR_END = 36, 20
# From rim to centre, for each square more that a piece reaches there.
CENTRE = 14.0
# For the root of each square that a man can go to.
MOBILITY_MID, MOBILITY_END = 18, 38
KING_CENTRE_MID, KING_CENTRE_END = -70, 65
KING_ADVANCE = (0, -8, -24, -40)
PAWN_CENTRE = 16
# Against its worth by mobility: a man that promotes gains most as the board empties.
PAWN_MID, PAWN_END, PIECE_END = 1.08, 1.2, 1.26
# What a man is worth more for each step nearer to where it promotes, as a share of the step before.
PROMOTION_NEAR_MID, PROMOTION_NEAR_END, PROMOTION_FADE = 55.0, 140.0, 0.62
MOST = 2500


def neutral_weights(*rule_sets: RuleSet) -> Weights:
    """The weights for all of these rule sets together: of a piece that several have, or that moves
    otherwise for White than for Black, the mean."""
    men: dict[str, list[dict[str, Any]]] = {}
    kings: dict[str, list[dict[str, Any]]] = {}
    promotions = []
    for rule_set in rule_sets:
        tables = core_tables(rule_set)
        ways = _Ways(tables)
        promotions.append((tables["letters"], [s["promotions"] for s in tables["sides"]]))
        for side, name in enumerate(SIDES):
            king = rule_set.rules.only_king(name)
            for index, letter in enumerate(tables["letters"]):
                found = kings if letter == king else men
                found.setdefault(letter, []).append(
                    _king(tables["ranks"], 0.0)
                    if letter == king
                    else _letter(tables, ways, index, side)
                )
    # The only king of a side weighs nothing whatever is said: so the others of his letter decide.
    letters = {letter: _mean(found) for letter, found in sorted({**kings, **men}.items())}
    return {
        "tempo": TEMPO,
        "supply": SUPPLY if all(each == promotions[0] for each in promotions) else 0,
        "letters": letters,
    }


class _Ways:
    """How far the men of a board get, direction by direction.

    A square is its file and 64 times its rank, so that no offset leads from one edge to the other.
    """

    def __init__(self, tables: dict[str, Any]) -> None:
        shut = {*tables["holes"], *(citadel["square"] for citadel in tables.get("citadels", []))}
        self.files: int = tables["files"]
        self.squares = [
            _square(file, rank)
            for rank in range(tables["ranks"])
            for file in range(self.files)
            if rank * 16 + file not in shut
        ]
        self._free = frozenset(self.squares)
        self._runs: dict[tuple[int, bool], dict[int, int]] = {}
        self._lengths: dict[tuple[int, int, int, bool], list[int]] = {}

    def lengths(self, step: dict[str, Any]) -> list[int]:
        """How many squares the step may cross or reach from each square, were the board empty."""
        first = _square(*step.get("first", (0, 0)))
        offset = _square(step["dx"], step["dy"])
        reach, wraps = step["range"] or 16, step.get("wrap", False)
        key = (first, offset, reach, wraps)
        if key not in self._lengths:
            run = self._run(offset, wraps=wraps)
            found = [run.get(square + first, 0) for square in self.squares]
            self._lengths[key] = [reach if length > reach else length for length in found]
        return self._lengths[key]

    def _run(self, offset: int, *, wraps: bool) -> dict[int, int]:
        key = (offset, wraps)
        if key not in self._runs:
            self._runs[key] = self._around(offset) if wraps else self._onward(offset)
        return self._runs[key]

    def _onward(self, offset: int) -> dict[int, int]:
        # From the last square back: each has one more before it than the one that follows it.
        run: dict[int, int] = {}
        for square in self.squares if offset < 0 else reversed(self.squares):
            run[square] = run.get(square + offset, -1) + 1
        return run

    def _around(self, offset: int) -> dict[int, int]:
        """The same where the last file is beside the first: at most once around."""

        def onward(square: int) -> int:
            rank = (square + offset + 32) // 64
            return _square((square + offset - 64 * rank) % self.files, rank)

        run = {}
        for square in self.squares:
            at, length = onward(square), 0
            while at in self._free and at != square:
                at, length = onward(at), length + 1
            run[square] = length
        return run


def _square(file: int, rank: int) -> int:
    return file + 64 * rank


def _letter(tables: dict[str, Any], ways: _Ways, index: int, side: int) -> dict[str, Any]:
    steps = tables["sides"][side]["moves"][index]
    ranks = tables["ranks"]
    mobility = _mobility(steps, ways)
    mean = fsum(mobility) / len(mobility)  # exact: `sum` differs between Pythons
    value = CENTIPAWNS * mean * (LONG_REACH + 0.006 * mean)
    bound = all(_keeps_colour(step) for step in steps)
    if bound:
        value *= COLOUR_BOUND
    if index in tables["sides"][side]["royal"]:
        return _king(ranks, value)
    promotions = tables["sides"][side]["promotions"][index]
    if promotions:
        zone = {square // 16 for rule in promotions for square in rule["squares"]}
        if side == 1:
            zone = {ranks - 1 - rank for rank in zone}
        mid, end = (
            _approach(zone, ranks, PROMOTION_NEAR_MID),
            _approach(zone, ranks, PROMOTION_NEAR_END),
        )
        return _terms(value * PAWN_MID, value * PAWN_END, PAWN_CENTRE, 0, 0, mid, end)
    spread = max(mobility) - min(mobility)
    centre = CENTRE * spread * 300.0 / (300.0 + value / 2)
    return {
        **_terms(value, value * PIECE_END, centre * 0.85, centre * 0.5, value / 100, [], []),
        "mobility": round(mean),
        "mobility_mid": MOBILITY_MID,
        "mobility_end": MOBILITY_END,
        "pair_mid": PAIR_MID if bound else 0,
        "pair_end": PAIR_END if bound else 0,
    }


def _king(ranks: int, value: float) -> dict[str, Any]:
    """Of a royal man, whose place is at home until the board is emptier. value: in centipawns, of
    one who may be lost or won."""
    advance = [KING_ADVANCE[min(rank, len(KING_ADVANCE) - 1)] for rank in range(ranks)]
    return _terms(value, value, KING_CENTRE_MID, KING_CENTRE_END, 0, advance, [])


def _keeps_colour(step: dict[str, Any]) -> bool:
    first = step.get("first") or (0, 0)
    return (
        not step.get("wrap")
        and (step["dx"] + step["dy"]) % 2 == 0
        and (first[0] + first[1]) % 2 == 0
    )


def _mobility(steps: Sequence[dict[str, Any]], ways: _Ways) -> list[float]:
    """For each square of the board the squares reached from it, each with its chance; moving or
    capturing alone counts half. A capture of an own man and a step that a man can make but once add
    nothing: they are seldom wanted."""
    counted = [
        step
        for step in steps
        if {"m", "c"} & {*step["mode"]} and step["from"] is None and not step.get("unmoved")
    ]
    if not counted:
        return [0.0] * len(ways.squares)
    reached = [_chances(step) for step in counted]
    found = []
    # Of many squares the ways are equally long; of all the others the sum goes in one order.
    totals: dict[tuple[int, ...], float] = {}
    for lengths in zip(*(ways.lengths(step) for step in counted), strict=True):
        if lengths not in totals:
            total = 0.0
            for chances, length in zip(reached, lengths, strict=True):
                for chance in chances[length]:
                    total += chance
            totals[lengths] = total
        found.append(totals[lengths])
    return found


def _chances(step: dict[str, Any]) -> list[list[float]]:
    """By the length of the step's way: the chance of each square on it to be reached."""
    chance = 0.5 * (("m" in step["mode"]) + ("c" in step["mode"]))
    for _ in step["via"]:
        chance *= EMPTY_CHANCE
    for _ in step.get("over", ()):
        chance *= 1 - EMPTY_CHANCE
    for _ in (*step.get("takes", ()), *step.get("takes_own", ())):
        chance *= (1 - EMPTY_CHANCE) / 2  # of those who stand there one half are of that side
    if step.get("first"):
        chance *= EMPTY_CHANCE
    longest = step["range"] or 16
    if step.get("hop"):
        return [[chance * _hop(step, length)] for length in range(longest + 1)]
    along = [chance]
    while len(along) < longest:
        along.append(along[-1] * EMPTY_CHANCE)
    start = step.get("start", 1) - 1
    return [along[: max(0, length - start)] for length in range(longest + 1)]


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
        "mobility": 0,
        "mobility_mid": 0,
        "mobility_end": 0,
        "pair_mid": 0,
        "pair_end": 0,
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
