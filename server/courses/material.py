"""The course of a ``material`` experiment: what the men of an array are worth, in pawns.

It stops when the widest interval of a value reaches no further than the declared target to either
side, or at the budget. To stop when an interval has become narrow is to look at it again and again,
so the rule reads the intervals that may be watched: they hold the truth at whatever moment it
stops, with the declared confidence, and take more units than those of a fixed sample. At the
declared end the intervals are those of a fixed sample.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tabia.server import imbalances, value_words
from tabia.server.allocation import stages
from tabia.server.courses.course import Json
from tabia.server.courses.matches import UNKNOWN, Matches
from tabia.server.imbalances import Weights
from tabia.server.match_tally import OUTCOMES
from tabia.server.question import Material
from tabia.server.ranking import Ranking, finite
from tabia.server.statistics.gsprt import Floats
from tabia.server.tally import shown

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
        return self._reached(self._weights())

    def estimate(self) -> Json:
        """Values in pawns, what a pawn is worth, and how well values explain the scores."""
        weights = self._weights()
        return {
            "values": {
                "men": self._men(weights),
                "pawn_elo": self._pawn_elo(weights),
                "chi2": None if weights is None else weights.chi2,
                "dof": None if weights is None else weights.dof,
                "matches": self._matches(weights),
                "reach": self._reach(),
                "target": self.material.target,
                "watched": self.precision.watched,
            },
            "tallies": shown(self.tally),
        }

    def point(self) -> Json:
        """The reach of the widest interval, which is what it waits for, and every value."""
        weights = self._weights()
        widest = None if weights is None else finite(self._halves(weights).max())
        men = self.material.men
        values = [None] * len(men) if weights is None else [finite(v) for v in weights.values]
        return {**UNKNOWN, "value": widest, "lines": dict(zip(men, values, strict=True))}

    def sentence(self) -> str:
        """The values in order, and whether they agree with a published order."""
        weights, material = self._weights(), self.material
        return value_words.sentence(
            None if weights is None else self._weighed(weights),
            self.tally,
            alpha=self.question.alpha,
            target=material.target,
            reached=self._reached(weights),
        )

    def _weights(self) -> Weights | None:
        return imbalances.weigh(self.material, self.matches)

    def _halves(self, weights: Weights) -> Floats:
        """How far each value's interval reaches to its wider side (k,), infinite without a bound."""
        low, high = weights.interval(self.precision.width())
        return np.maximum(high - weights.values, weights.values - low)

    def _reached(self, weights: Weights | None) -> bool:
        return weights is not None and self._halves(weights).max() <= self.material.target

    def _men(self, weights: Weights | None) -> list[Json]:
        rows: list[Json] = []
        for place, letter in enumerate(self.material.men):
            found: Json = dict(UNKNOWN)
            if letter == self.material.pawn:
                found = {"value": 1.0, "low": 1.0, "high": 1.0}
            elif weights is not None:
                low, high = weights.interval(self.precision.width())
                found = {
                    "value": finite(weights.values[place]),
                    "low": finite(low[place]),
                    "high": finite(high[place]),
                }
            rows.append({"letter": letter, "name": self._name(letter), **found})
        return rows

    def _pawn_elo(self, weights: Weights | None) -> Json:
        if weights is None:
            return dict(UNKNOWN)
        return self.precision.interval(weights.pawn_elo, weights.pawn_elo_error)

    def _matches(self, weights: Weights | None) -> list[Json]:
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
                "expected": None if weights is None else float(weights.expected[row]),
            }
            for row in played
        ]

    def _reach(self) -> float | None:
        """How far the widest interval is expected to reach at the budget, to either side."""
        question = self.question
        return imbalances.reach(self.material, self.matches, question.budget, question.alpha)

    def _weighed(self, weights: Weights) -> value_words.Weighed:
        material = self.material
        return value_words.Weighed(
            names=tuple(self._name(letter) for letter in material.men),
            ranking=Ranking.of(weights.values, weights.covariance, self.precision),
            halves=tuple(float(half) for half in self._halves(weights)),
            pawn=imbalances.pawn(material),
            expected=tuple(material.men.index(letter) for letter in material.expected),
        )

    def _name(self, letter: str) -> str:
        return self.question.men.get(letter, letter)
