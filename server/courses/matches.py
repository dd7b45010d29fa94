"""What the courses of ``ratings`` and ``material`` share: units of many matches, and no test.

Both measure until their budget is spent or their numbers are good enough. They are looked at where
the chart has a point, and at the budget.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final, Self

from tabia.server.courses.course import Json, is_charted
from tabia.server.match_tally import MatchTally
from tabia.server.question import Question
from tabia.server.ranking import Precision
from tabia.server.stopping import LOOK
from tabia.server.tally import Tally, Unit

UNKNOWN: Final[Mapping[str, float | None]] = {"value": None, "low": None, "high": None}
"""A number that nothing is known of."""


class Matches(ABC):
    """The state in working form."""

    def __init__(self, question: Question, tally: Tally, matches: MatchTally) -> None:
        self.question = question
        self.tally = tally
        self.matches = matches
        self.verdict: Json | None = None

    @classmethod
    def resumed(cls, question: Question, data: Mapping[str, Any] | None) -> Self:
        """The course that ``to_json`` made ``data`` of; None before the first unit."""
        if data is None:
            return cls(question, Tally(), MatchTally())
        return cls(question, Tally.from_json(data["tally"]), MatchTally.from_json(data["matches"]))

    def to_json(self) -> Json:
        """Plain data for :meth:`resumed`."""
        return {"tally": self.tally.to_json(), "matches": self.matches.to_json()}

    @property
    def units(self) -> int:
        """How many units were taken in."""
        return self.tally.units

    @property
    def precision(self) -> Precision:
        """Of the intervals: they may be watched, but for those of the declared end."""
        question = self.question
        return Precision(
            question.alpha, self.units, question.budget, watched=self.units < question.budget
        )

    def take(self, unit: Unit) -> list[Json]:
        """Count the next unit; the point of the chart, if one is due."""
        self.tally.add(self.question, unit)
        self.matches.add(unit)
        spent = self.units >= self.question.budget
        if not spent and (self.units % LOOK or not is_charted(self.units)):
            return []
        if spent or self.is_good_enough():
            self.verdict = {
                "outcome": "measured",
                "sentence": self.sentence(),
                "at_unit": self.units,
            }
        return [{"units": self.units, "llr": None, "bounds": None, **self.point()}]

    @abstractmethod
    def is_good_enough(self) -> bool:
        """Whether it stops here, before its budget."""

    @abstractmethod
    def sentence(self) -> str:
        """The verdict in plain words."""

    @abstractmethod
    def point(self) -> Json:
        """``value``, ``low``, ``high`` and ``lines`` for the chart: the number that it is about,
        and one number for everything that is measured, by key."""

    @abstractmethod
    def estimate(self) -> Json:
        """What is known; see :class:`.course.Course`."""
