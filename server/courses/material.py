"""The course of a ``material`` experiment: what the men of an array are worth, in pawns.

It stops when the widest interval of a value reaches no further than the declared target to either
side, or at the budget. To stop when an interval has become narrow is to look at it again and again,
so the rule reads the intervals that may be watched: they hold the truth at whatever moment it
stops, with the declared confidence, and take more units than those of a fixed sample. At the
declared end the intervals are those of a fixed sample.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from tabia.server import imbalances, value_words
from tabia.server.allocation import stages
from tabia.server.courses.course import Json
from tabia.server.courses.matches import UNKNOWN, Matches
from tabia.server.match_tally import OUTCOMES
from tabia.server.question import Material
from tabia.server.ranking import Ranking, finite
from tabia.server.statistics.piece_values import Interval, Values
from tabia.server.tally import profiled, shown

_EVERYTHING = Interval(-math.inf, math.inf)
_EXACT = Interval(1.0, 1.0)

EARLIEST_STAGE: Final = 1
"""It does not stop before this stage (the first is 0): until then it plays by a guess."""


class Weighing(Matches):
    """Men by letter, weighed against each other."""

    @property
    def material(self) -> Material:
        """What is weighed."""
        assert self.question.material is not None, "a material experiment says what it weighs"
        return self.question.material

    def is_good_enough(self) -> bool:
        """Whether every value is known to the declared target."""
        starts = [stage.first for stage in stages(self.material.stages, self.question.budget)]
        if len(starts) <= EARLIEST_STAGE or self.units < starts[EARLIEST_STAGE]:
            return False
        return self._reached(self._weigh())

    def estimate(self) -> Json:
        """Values in pawns, what a pawn is worth, and how well values explain the scores."""
        found = self._weigh()
        return {
            "values": {
                "men": self._men(found),
                "pawn_elo": self._pawn_elo(found),
                "chi2": None if found is None or not found.units.any() else found.chi2,
                "dof": None if found is None or not found.units.any() else max(found.dof, 0),
                "matches": self._matches(found),
                "reach": self._reach(),
                "target": self.material.target,
                "watched": self.precision.watched,
            },
            "profile": profiled(self.question, self.tally),
            "tallies": shown(self.tally),
        }

    def point(self) -> Json:
        """The reach of the widest interval, which is what it waits for, and every value."""
        found = self._weigh()
        lines = {man["letter"]: man["value"] for man in self._men(found)}
        return {**UNKNOWN, "value": finite(max(self._halves(found))), "lines": lines}

    def sentence(self) -> str:
        """The values in order, and whether they agree with a published order."""
        found, material = self._weigh(), self.material
        return value_words.sentence(
            self._weighed(found),
            self.tally,
            alpha=self.question.alpha,
            target=material.target,
            reached=self._reached(found),
        )

    def _weigh(self) -> Values | None:
        return imbalances.weigh(self.material, self.matches)

    def _intervals(self, found: Values | None) -> tuple[Interval, ...]:
        """Of all values; they may be watched, but at the declared end."""
        width = self.precision.width()
        if found is None or not math.isfinite(width):
            return tuple(
                _EXACT if letter == self.material.pawn else _EVERYTHING
                for letter in self.material.men
            )
        return found.intervals(width)

    def _halves(self, found: Values | None) -> list[float]:
        """How far each interval reaches, half of its width; may be infinite."""
        return [(high - low) / 2 for low, high in self._intervals(found)]

    def _reached(self, found: Values | None) -> bool:
        return max(self._halves(found)) <= self.material.target

    def _men(self, found: Values | None) -> list[Json]:
        # What is counted in pawns that are worth nothing, or less, is upside down.
        told = found is not None and (found.pawn_elo or 0) > 0
        values = found.values if found and told else (None,) * len(self.material.men)
        return [
            {
                "letter": letter,
                "name": self._name(letter),
                "value": 1.0 if letter == self.material.pawn else value,
                "low": finite(low),
                "high": finite(high),
            }
            for letter, value, (low, high) in zip(
                self.material.men, values, self._intervals(found), strict=True
            )
        ]

    def _pawn_elo(self, found: Values | None) -> Json:
        if found is None or found.pawn_elo is None or found.pawn_elo_se is None:
            return dict(UNKNOWN)
        return self.precision.interval(found.pawn_elo, found.pawn_elo_se)

    def _matches(self, found: Values | None) -> list[Json]:
        """The imbalances that were played, the most played first."""
        material = self.material
        counts = self.matches.pentanomial(material.matches)
        units = counts.sum(axis=1)
        played = [int(row) for row in np.argsort(-units, kind="stable") if units[row]]
        return [
            {
                "label": material.matches[row],
                "units": int(units[row]),
                "score": float(counts[row] @ OUTCOMES / units[row]),
                "expected": None if found is None else float(found.expected[row]),
            }
            for row in played
        ]

    def _reach(self) -> float | None:
        """How far the widest interval is expected to reach at the budget, to either side."""
        question = self.question
        return finite(
            imbalances.reach(self.material, self.matches, question.budget, question.alpha)
        )

    def _weighed(self, found: Values | None) -> value_words.Weighed | None:
        """What can be said of the men that are tied to a pawn that is worth something."""
        if found is None or not (found.pawn_elo or 0) > 0:
            return None
        material, halves = self.material, self._halves(found)
        told = [place for place in range(len(material.men)) if place not in found.undetermined]
        letters = [material.men[place] for place in told]
        return value_words.Weighed(
            names=tuple(self._name(letter) for letter in letters),
            ranking=Ranking.of(*imbalances.in_pawns(found, told), self.precision),
            halves=tuple(halves[place] for place in told),
            pawn=letters.index(material.pawn),
            expected=tuple(letters.index(each) for each in material.expected if each in letters),
            untold=tuple(self._name(material.men[place]) for place in found.undetermined),
        )

    def _name(self, letter: str) -> str:
        return self.question.men.get(letter, letter)
