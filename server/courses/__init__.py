"""How an experiment of each kind runs from its first unit to its verdict, and what it shows.

A course is made of a question and of what it stored the last time. :mod:`tabia.server.decision`
drives it: it hands over the units one by one, in schedule order, until there is a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tabia.server.courses.course import Course
from tabia.server.courses.duel import Duel
from tabia.server.courses.material import Weighing
from tabia.server.courses.ratings import RatingList
from tabia.server.question import Question

Resume = Callable[[Question, Mapping[str, Any] | None], Course]
"""The course of a question, from what its ``to_json`` gave; None before the first unit."""

COURSES: Final[Mapping[str, Resume]] = {
    "compare": Duel.resumed,
    "rights": Duel.resumed,
    "engines": Duel.resumed,
    "ratings": RatingList.resumed,
    "material": Weighing.resumed,
}
"""Every kind that can be decided."""
