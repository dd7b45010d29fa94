"""The profile of a game: what playing under a rule set is like, in numbers.

A tally of games that can be moved forward one game at a time and merged with another: whole-number
sums and sparse histograms alone, so that the order of the games and of the merging does not matter.
What each row means, with its formula, is written down once, in docs/metrics.md.

No row has an interval: a page shows the profile while an experiment runs, when only always-valid
intervals may be shown, and those belong to the metrics that the experiment declared.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from tabia.server.metrics import HALF, ONE, ZERO, Game, is_capped, white_class
from tabia.server.statistics.diversity import diversity

SIDES: Final = ("white", "black")
WINNERS: Final = {ONE: "white", ZERO: "black"}

Counts = Counter[str]
Row = dict[str, Any]
"""{"name", "label", "value", "unit", "detail"}: a number in that unit, None where there is none."""

PERCENT: Final = "%"

OCCURS_WITH: Final[Mapping[str, str]] = {
    "promotions_declined": "declined_promotions",
    "castlings": "castling",
    "en_passant": "en_passant",
    "own_captures": "own_captures",
    "citadel_exits": "citadel_exits",
}
"""Rows that not every game can have, by name, and the metric of
:data:`tabia.server.metrics.OBSERVED` without which they are not shown."""


def _by_side() -> dict[str, Counts]:
    return {side: Counter() for side in SIDES}


@dataclass
class Profile:
    """Sums over games. Those by side count what the side did, or had done to its men."""

    games: int = 0
    capped: int = 0
    """Stopped at the ply cap: neither won nor drawn."""
    won: dict[str, Counts] = field(default_factory=_by_side)
    """By winner and reason."""
    drawn: Counts = field(default_factory=Counter)
    """By reason."""
    lengths: Counts = field(default_factory=Counter)
    """Games by number of plies, openings included and capped games too."""
    offered: int = 0
    chosen: int = 0
    forced: int = 0
    promotions: dict[str, Counts] = field(default_factory=_by_side)
    """By side and what was promoted to."""
    promoting_games: int = 0
    first_promotions: int = 0
    """The sum of their plies, over ``promoting_games``."""
    declined: Counts = field(default_factory=Counter)
    castlings: Counts = field(default_factory=Counter)
    en_passant: Counts = field(default_factory=Counter)
    own_captures: Counts = field(default_factory=Counter)
    citadel_exits: Counts = field(default_factory=Counter)
    survivors: dict[str, Counts] = field(default_factory=_by_side)
    lead_changes: int = 0
    changing_games: int = 0
    """Games in which the lead changed at all."""
    decided_plies: int = 0
    """The sum of the plies at which won games were decided."""
    won_plies: int = 0
    """The sum of the lengths of the same games."""
    first_moves: dict[str, Counts] = field(default_factory=_by_side)
    """The first move of each side that an engine chose."""

    def add(self, game: Game) -> None:
        """Count one game, a record with its ``profile``."""
        seen = game["profile"]
        self.games += 1
        self.lengths[str(game["plies"])] += 1
        if is_capped(game):
            self.capped += 1
        elif (outcome := white_class(game)) == HALF:
            self.drawn[game["reason"]] += 1
        else:
            self.won[WINNERS[outcome]][game["reason"]] += 1
            self.won_plies += game["plies"]
            self.decided_plies += seen["decided_at"]
        self.offered += seen["offered"]
        self.chosen += seen["chosen"]
        self.forced += seen["forced"]
        self.lead_changes += seen["lead_changes"]
        self.changing_games += seen["lead_changes"] > 0
        if seen["first_promotion"] is not None:
            self.promoting_games += 1
            self.first_promotions += seen["first_promotion"]
        for side in SIDES:
            self.promotions[side].update(game["promotions"][side])
            self.survivors[side].update(seen["survivors"][side])
            self.declined[side] += game["declined"][side]
            self.castlings[side] += seen["castlings"][side]
            self.en_passant[side] += seen["en_passant"][side]
            self.own_captures[side] += seen["own_captures"][side]
            self.citadel_exits[side] += seen["citadel_exits"][side]
        for side, move in _first_moves(game):
            self.first_moves[side][move] += 1

    def merged(self, other: Profile) -> Profile:
        """The profile of these games and of those."""
        return Profile(
            **{each.name: _sum(getattr(self, each.name), getattr(other, each.name))
               for each in fields(self)}
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """Plain data from which :meth:`from_json` makes an equal profile."""
        return {each.name: _plain(getattr(self, each.name)) for each in fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Profile:
        """The profile that ``to_json`` made ``data`` of."""
        empty = cls()
        return cls(
            **{each.name: _counted(getattr(empty, each.name), data[each.name])
               for each in fields(cls)}
        )  # fmt: skip

    def rows(
        self,
        array: Mapping[str, Mapping[str, int]] | None = None,
        observed: Collection[str] | None = None,
    ) -> list[Row]:
        """What is shown, in this order.

        ``array``: how many men of each letter a side starts with ({side: {letter: men}}, see
        :func:`array_of`). Without it there are no rows on what is left of them. ``observed``: the
        metrics that can occur under the rules (:mod:`tabia.server.occurrence`); what cannot has no
        row. Without it everything has one.
        """
        rows = [*self._results(), *self._play(), *self._rules(), *self._survival(array or {})]
        if observed is None:
            return rows
        return [row for row in rows if OCCURS_WITH.get(row["name"]) in (None, *observed)]

    def _results(self) -> Iterator[Row]:
        wins = {side: self.won[side].total() for side in SIDES}
        draws, decisive = self.drawn.total(), sum(wins.values())
        halves = 2 * wins["white"] + draws + self.capped
        score = _share(halves, 2 * self.games)
        yield _row(
            "first_move_advantage",
            "First-move advantage",
            None if score is None else score - 50,
            "percentage points",
            "" if score is None else f"White scores {score:.1f} %",
        )
        yield _row("draws", "Drawn games", _share(draws, self.games), PERCENT,
                   f"{draws} of {self.games}")  # fmt: skip
        for reason in sorted(self.drawn):
            yield _row(f"drawn_by:{reason}", f"Drawn by {reason}",
                       _share(self.drawn[reason], self.games), PERCENT,
                       f"{self.drawn[reason]} of {self.games}")  # fmt: skip
        yield _row("decisive", "Won games", _share(decisive, self.games), PERCENT,
                   _sides(wins))  # fmt: skip
        for reason in sorted({*self.won["white"], *self.won["black"]}):
            by = {side: self.won[side][reason] for side in SIDES}
            yield _row(f"won_by:{reason}", f"Won by {reason}",
                       _share(sum(by.values()), self.games), PERCENT, _sides(by))  # fmt: skip
        yield _row("capped", "Stopped at the ply cap", _share(self.capped, self.games), PERCENT,
                   f"{self.capped} of {self.games}")  # fmt: skip

    def _play(self) -> Iterator[Row]:
        quartiles = self._quartiles()
        low, median, high = quartiles or (None, None, None)
        yield _row("length", "Length, median", median, "plies")
        yield _row(
            "length_iqr",
            "Length, interquartile range",
            None if low is None or high is None else high - low,
            "plies",
            "" if quartiles is None else f"from {low:g} to {high:g}",
        )
        yield _row("branching", "Branching factor", _ratio(self.offered, self.chosen),
                   "legal moves a ply", f"over {self.chosen} plies")  # fmt: skip
        yield _row("forced", "Forced plies", _share(self.forced, self.chosen), PERCENT,
                   f"{self.forced} of {self.chosen} plies")  # fmt: skip
        yield _row("lead_changes", "Lead changes", _ratio(self.lead_changes, self.games), "a game",
                   f"in {self.changing_games} of {self.games} games")  # fmt: skip
        won = sum(self.won[side].total() for side in SIDES)
        ply = _ratio(self.decided_plies, won)
        yield _row("decided_at", "Won games are decided at",
                   _share(self.decided_plies, self.won_plies), "% of their length",
                   "" if ply is None else f"ply {ply:.1f} on average")  # fmt: skip
        for side in SIDES:
            found = diversity(self.first_moves[side].values())
            known = bool(self.first_moves[side])
            yield _row(
                f"opening_diversity:{side}",
                f"Diversity of {side.title()}'s first own move",
                found.effective if known else None,
                "equally frequent moves",
                f"{found.different} different, entropy {found.entropy:.3f} nats" if known else "",
            )

    def _rules(self) -> Iterator[Row]:
        made = {side: self.promotions[side].total() for side in SIDES}
        total, declined = sum(made.values()), self.declined.total()
        yield _row("promotions", "Promotions", _ratio(total, self.games), "a game",
                   f"in {self.promoting_games} of {self.games} games; {_sides(made)}")  # fmt: skip
        for letter in sorted({*self.promotions["white"], *self.promotions["black"]}):
            times = sum(self.promotions[side][letter] for side in SIDES)
            yield _row(f"promoted_to:{letter}", f"Promotions to {letter}", _share(times, total),
                       "% of promotions", f"{times} of {total}")  # fmt: skip
        yield _row("first_promotion", "First promotion at ply",
                   _ratio(self.first_promotions, self.promoting_games), "plies",
                   f"over {self.promoting_games} games")  # fmt: skip
        yield _row("promotions_declined", "Promotions declined",
                   _share(declined, total + declined), "% of chances",
                   f"{declined} of {total + declined}; {_sides(self.declined)}")  # fmt: skip
        yield _row("castlings", "Castling", _share(self.castlings.total(), 2 * self.games),
                   "% of sides", _sides(self.castlings))  # fmt: skip
        for name, label, counts in (
            ("en_passant", "Captures en passant", self.en_passant),
            ("own_captures", "Captures of own men", self.own_captures),
            ("citadel_exits", "Exits from a citadel", self.citadel_exits),
        ):
            yield _row(name, label, _ratio(counts.total(), self.games), "a game",
                       _sides(counts))  # fmt: skip

    def _survival(self, array: Mapping[str, Mapping[str, int]]) -> Iterator[Row]:
        for letter in sorted({letter for men in array.values() for letter in men}):
            started = {side: array.get(side, {}).get(letter, 0) * self.games for side in SIDES}
            left = {side: self.survivors[side][letter] for side in SIDES}
            yield _row(
                f"survival:{letter}",
                f"{letter} still on the board at the end",
                _share(sum(left.values()), sum(started.values())),
                "% of those of the array",
                f"{_sides(left)}, of {sum(started.values())}",
            )

    def _quartiles(self) -> tuple[float, float, float] | None:
        """Of the lengths, interpolated between neighbours (Hyndman and Fan's type 7)."""
        ordered = sorted((int(plies), games) for plies, games in self.lengths.items())
        if not ordered:
            return None
        low, median, high = (_quantile(ordered, self.games, q / 4) for q in (1, 2, 3))
        return low, median, high


def array_of(fen: str, royals: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """The men of a position by side and upper-case letter, without the royal ones. royals: side ->
    its royal letters."""
    board = [letter for letter in fen.split()[0] if letter.isalpha()]
    men = {"white": filter(str.isupper, board), "black": filter(str.islower, board)}
    return {
        side: dict(
            Counter(letter.upper() for letter in letters if letter.upper() not in royals[side])
        )
        for side, letters in men.items()
    }


def _first_moves(game: Game) -> Iterator[tuple[str, str]]:
    """(side, move) for the first ply of each side that an engine chose. White moves on ply 1."""
    first = game["opening_plies"]
    for index, move in enumerate(game["moves"].split()[first : first + 2], start=first):
        yield SIDES[index % 2], move


def _quantile(ordered: list[tuple[int, int]], total: int, share: float) -> float:
    place = share * (total - 1)
    below = math.floor(place)
    low, high = _at(ordered, below), _at(ordered, min(below + 1, total - 1))
    return low + (place - below) * (high - low)


def _at(ordered: list[tuple[int, int]], place: int) -> int:
    """The value at this place, from 0, of values with multiplicities."""
    for value, times in ordered:
        place -= times
        if place < 0:
            return value
    raise IndexError("there are not so many values")


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, Counter):
        return one + other  # which leaves out noughts
    if isinstance(one, dict):
        return {key: _sum(value, other[key]) for key, value in one.items()}
    return one + other


def _plain(value: Any) -> Any:
    if isinstance(value, Counter):
        return {key: times for key, times in sorted(value.items()) if times}
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return value


def _counted(empty: Any, value: Any) -> Any:
    """Plain data as what the empty field is."""
    if isinstance(empty, Counter):
        return Counter(value)
    if isinstance(empty, dict):
        return {key: Counter(value[key]) for key in empty}
    return value


def _row(name: str, label: str, value: float | None, unit: str, detail: str = "") -> Row:
    return {"name": name, "label": label, "value": value, "unit": unit, "detail": detail}


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _share(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def _sides(counts: Mapping[str, int]) -> str:
    return f"White {counts['white']}, Black {counts['black']}"
