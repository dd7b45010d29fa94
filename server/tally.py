"""Counting games: everything that is said of an experiment is computed from one tally.

A unit is one opening: played under the rules of A and under those of B (``compare``), or played
twice, both ways round (every other kind). A tally counts units in schedule order and is moved
forward, never computed again from the games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tabia.server import metrics
from tabia.server.lengths import Lengths
from tabia.server.metrics import CAPPED, CLASSES, HALF, OBSERVED, Game, is_capped
from tabia.server.profile import Profile
from tabia.server.question import Question

SIDES = ("white", "black")


@dataclass(frozen=True)
class Unit:
    """The two games of one opening."""

    number: int
    a: Game
    b: Game

    @property
    def alike(self) -> bool:
        """Whether it is the same game twice: the same moves and the same end."""
        return bool(self.a["moves"] == self.b["moves"] and self.a["result"] == self.b["result"])


def units_of(games: Iterable[Game]) -> list[Unit]:
    """The games of a batch's result as units, in schedule order.

    ValueError when a unit does not have exactly one game of each arm.
    """
    found: dict[int, dict[str, Game]] = {}
    for game in games:
        arms = found.setdefault(game["unit"], {})
        if game["arm"] in arms or game["arm"] not in ("a", "b"):
            raise ValueError(f"unit {game['unit']}: one game each of arms a and b is expected")
        arms[game["arm"]] = game
    for number, arms in found.items():
        if len(arms) != 2:
            raise ValueError(f"unit {number}: one game each of arms a and b is expected")
    return [Unit(number, arms["a"], arms["b"]) for number, arms in sorted(found.items())]


@dataclass
class ArmTally:
    """What was seen of the games of one arm."""

    games: int = 0
    white_wins: int = 0
    draws: int = 0
    black_wins: int = 0
    capped: int = 0
    """Games stopped at the ply cap; they are in none of the three counts above."""
    plies: int = 0
    """The sum of the games' lengths."""
    reasons: dict[str, int] = field(default_factory=dict)
    """How games ended, by the engine's words."""
    promotions: int = 0
    """Promotions made, by either side."""
    declined: int = 0
    """Times a side moved a pawn to where it could promote, and did not."""

    def add(self, game: Game) -> None:
        """Count one game."""
        self.games += 1
        if is_capped(game):
            self.capped += 1
        elif game["result"] == "1-0":
            self.white_wins += 1
        elif game["result"] == "0-1":
            self.black_wins += 1
        else:
            self.draws += 1
        self.plies += game["plies"]
        self.reasons[game["reason"]] = self.reasons.get(game["reason"], 0) + 1
        self.promotions += sum(promoted(game, side) for side in SIDES)
        self.declined += sum(game["declined"][side] for side in SIDES)

    @property
    def mean_plies(self) -> float | None:
        """The mean length of a game; None without a game."""
        return self.plies / self.games if self.games else None


def promoted(game: Game, side: str) -> int:
    """How many promotions ``side`` made."""
    return sum(game["promotions"][side].values())


@dataclass
class RightTally:
    """In how many units the right to promote was at stake at all.

    ``used`` and ``declined`` overlap: a unit can see both. Holder ``a`` is whoever has the rights
    of arm a: White in the first game of a unit, Black in the second.
    """

    used: int = 0
    declined: int = 0
    arose: int = 0
    used_by: dict[str, int] = field(default_factory=lambda: {"a": 0, "b": 0})
    declined_by: dict[str, int] = field(default_factory=lambda: {"a": 0, "b": 0})

    def add(self, unit: Unit) -> None:
        """Count one unit."""
        holders = {"a": ((unit.a, "white"), (unit.b, "black")),
                   "b": ((unit.a, "black"), (unit.b, "white"))}  # fmt: skip
        used = {who: any(promoted(*seat) for seat in seats) for who, seats in holders.items()}
        declined = {
            who: any(game["declined"][side] for game, side in seats)
            for who, seats in holders.items()
        }
        for who in ("a", "b"):
            self.used_by[who] += used[who]
            self.declined_by[who] += declined[who]
        self.used += any(used.values())
        self.declined += any(declined.values())
        self.arose += any(used.values()) or any(declined.values())


Cells = list[list[int]]


def no_cells() -> Cells:
    """The joint cells without a unit."""
    return [[0] * CLASSES for _ in range(CLASSES)]


@dataclass
class Tally:
    """The counts of an experiment's first ``units`` units.

    ``cells[i][j]`` counts units by class (see :mod:`tabia.server.metrics`): for ``compare`` by the
    primary metric of the game under A and of the game under B; in every other kind by what A (the
    holder of A's rights, player A, the first side of the match) scored as White and as Black.
    ``others`` has the cells of every other metric that the question observes, by the metric of the
    games of arms a and b. ``profiles`` has a game profile for every rule set: of a and of b for
    ``compare``, of all games as a for every other kind.
    """

    units: int = 0
    cells: Cells = field(default_factory=no_cells)
    others: dict[str, Cells] = field(default_factory=dict)
    lengths: Lengths = field(default_factory=Lengths)
    profiles: dict[str, Profile] = field(default_factory=dict)
    touched: int = 0
    """Units whose two games are not alike: where what differs between the arms came to matter."""
    arms: dict[str, ArmTally] = field(default_factory=lambda: {"a": ArmTally(), "b": ArmTally()})
    right: RightTally = field(default_factory=RightTally)

    def add(self, question: Question, unit: Unit) -> None:
        """Count the next unit of the schedule; ValueError when it is not the next one."""
        if unit.number != self.units:
            raise ValueError(f"unit {self.units} comes next, not {unit.number}")
        row, column = _classes(question, unit)
        self.cells[row][column] += 1
        for name in question.secondary:
            row, column = _observed(question, name, unit)
            self.others.setdefault(name, no_cells())[row][column] += 1
        self.lengths.add(unit.a, unit.b)
        for game in (unit.a, unit.b):
            arm = game["arm"] if question.kind == "compare" else "a"
            self.profiles.setdefault(arm, Profile()).add(game)
        self.units += 1
        self.touched += not unit.alike
        self.arms["a"].add(unit.a)
        self.arms["b"].add(unit.b)
        self.right.add(unit)

    def to_json(self) -> dict[str, Any]:
        """Plain data from which :meth:`from_json` makes an equal tally."""
        return {
            "units": self.units,
            "cells": [list(row) for row in self.cells],
            "others": {name: [list(row) for row in cells] for name, cells in self.others.items()},
            "lengths": self.lengths.to_json(),
            "profiles": {arm: profile.to_json() for arm, profile in self.profiles.items()},
            "touched": self.touched,
            "arms": {arm: asdict(counts) for arm, counts in self.arms.items()},
            "right": asdict(self.right),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Tally:
        """The tally that ``to_json`` made ``data`` of."""
        return cls(
            units=data["units"],
            cells=[list(row) for row in data["cells"]],
            others={name: [list(row) for row in cells] for name, cells in data["others"].items()},
            lengths=Lengths.from_json(data["lengths"]),
            profiles={arm: Profile.from_json(profile) for arm, profile in data["profiles"].items()},
            touched=data["touched"],
            arms={
                arm: ArmTally(**{**counts, "reasons": dict(counts["reasons"])})
                for arm, counts in data["arms"].items()
            },
            right=RightTally(
                **{
                    **data["right"],
                    "used_by": dict(data["right"]["used_by"]),
                    "declined_by": dict(data["right"]["declined_by"]),
                }
            ),
        )


def tally_of(question: Question, units: Sequence[Unit]) -> Tally:
    """The tally of an experiment's first units."""
    tally = Tally()
    for unit in units:
        tally.add(question, unit)
    return tally


def shown(tally: Tally) -> dict[str, Any]:
    """What a page shows of each arm's games."""
    return {
        arm: {
            "games": counts.games,
            "white_wins": counts.white_wins,
            "draws": counts.draws,
            "black_wins": counts.black_wins,
            "capped": counts.capped,
            "mean_plies": counts.mean_plies,
            "reasons": dict(counts.reasons),
            "promotions": counts.promotions,
            "declined": counts.declined,
        }
        for arm, counts in tally.arms.items()
    }


def profiled(question: Question, tally: Tally) -> dict[str, Any]:
    """The game profile's rows of each rule set: of a and b, or of all games as a."""
    arms = ("a", "b") if question.kind == "compare" else ("a",)
    rows = {
        arm: tally.profiles.get(arm, Profile()).rows(
            question.arrays.get(arm), question.observed or None
        )
        for arm in arms
    }
    return {"a": None, "b": None, **rows}


def _classes(question: Question, unit: Unit) -> tuple[int, int]:
    if question.kind == "compare":
        return _observed(question, question.metric, unit)
    first, second = metrics.white_class(unit.a), metrics.white_class(unit.b)
    # In the second game A is Black.
    second = second if second == CAPPED else metrics.ONE - second
    return _levelled(question, unit, first, second)


def _observed(question: Question, name: str, unit: Unit) -> tuple[int, int]:
    classify = OBSERVED[name].classify
    return _levelled(question, unit, classify(unit.a), classify(unit.b))


def _levelled(question: Question, unit: Unit, first: int, second: int) -> tuple[int, int]:
    if question.paired and first == second == CAPPED and unit.alike:
        # One game, seen twice: what it would have been worth, it would have been worth both times
        # (to White, who is A once and B once, where A and B meet), so the unit is level.
        return HALF, HALF
    return first, second
