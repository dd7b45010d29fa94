"""From games to a verdict: the sequential path of one experiment.

::

    advance(experiment, state, units)  ->  new state, snapshots to draw, verdict or None
    estimate(experiment, state)        ->  the numbers that a page shows

``state`` is plain JSON that is stored and handed back; ``None`` stands for an experiment without a
finished unit. Units come in schedule order, so that the state, the snapshots and the verdict are
the same in whatever portions the units arrive. The first verdict is final: later units are counted
as after the decision, and change nothing else.

What is done with a unit is a matter of the experiment's kind: see :mod:`tabia.server.courses`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabia.server.courses import COURSES
from tabia.server.courses.course import NOTHING_KNOWN, Course
from tabia.server.match_tally import MatchTally
from tabia.server.question import Asking, Question
from tabia.server.tally import Tally, Unit

State = dict[str, Any]

VERSION = 2
"""Of the state and of the rules that wrote it; stored with it."""


@dataclass(frozen=True)
class Advance:
    """What became of an experiment.

    ``units`` is the number of units taken in so far, those after the decision included.
    ``snapshots`` are the new points of the chart, see :meth:`.courses.course.Course.take`.
    ``verdict`` is ``{"outcome", "sentence", "at_unit"}`` as soon as there is one, also when it was
    reached earlier: it was decided on the units 0 to ``at_unit`` - 1.
    """

    state: State
    units: int
    snapshots: list[dict[str, Any]]
    verdict: dict[str, Any] | None


def advance(
    experiment: Asking | Question, state: Mapping[str, Any] | None, units: Sequence[Unit]
) -> Advance:
    """Move ``state`` forward over the next units of the schedule; the argument is not changed.

    ``units`` are those of a batch, ``tally.units_of(result["games"])``, or of several. ValueError
    when they are not the units that come next.
    """
    course = _course(experiment, state)
    later = _later(state)
    snapshots: list[dict[str, Any]] = []
    for unit in units:
        if unit.number != course.units + later:
            raise ValueError(f"unit {course.units + later} comes next, not {unit.number}")
        if course.verdict is None:
            snapshots += course.take(unit)
        else:
            later += 1
    moved = {
        "version": VERSION,
        "verdict": course.verdict,
        "after_decision": later,
        "course": course.to_json(),
    }
    return Advance(moved, course.units + later, snapshots, course.verdict)


def estimate(experiment: Asking | Question, state: Mapping[str, Any] | None) -> dict[str, Any]:
    """What is known: the keys of :data:`.courses.course.NOTHING_KNOWN`, and after_decision.

    Every interval may be watched, unless it says otherwise; the p-value is valid at any time.
    ``None`` stands for what is unbounded, cannot be said yet, or is not there in this kind.
    """
    known = _course(experiment, state).estimate()
    return {**NOTHING_KNOWN, **known, "after_decision": _later(state)}


def counted(state: Mapping[str, Any] | None) -> Tally:
    """All that was counted."""
    return Tally.from_json(state["course"]["tally"]) if state else Tally()


def counted_matches(state: Mapping[str, Any] | None) -> MatchTally:
    """The units of each match so far, of a kind that has matches: what to play next hangs on it."""
    return MatchTally.from_json(state["course"]["matches"] if state else {})


def _course(experiment: Asking | Question, state: Mapping[str, Any] | None) -> Course:
    question = (
        experiment if isinstance(experiment, Question) else Question.from_experiment(experiment)
    )
    resume = COURSES[question.kind]
    if not state:
        return resume(question, None)
    if state["version"] != VERSION:
        raise ValueError(f"the state is of version {state['version']}, not {VERSION}")
    course = resume(question, state["course"])
    course.verdict = state["verdict"]
    return course


def _later(state: Mapping[str, Any] | None) -> int:
    """Units after the decision."""
    return state["after_decision"] if state else 0
