"""From games to a verdict: the sequential path of one experiment.

::

    advance(experiment, state, units)  ->  new state, snapshots to draw, verdict or None
    estimate(experiment, state)        ->  the numbers that a page shows

``state`` is plain JSON that is stored and handed back; ``None`` stands for an experiment without a
finished unit. Units come in schedule order and are looked at at fixed numbers of them
(:mod:`tabia.server.stopping`), so that the state, the snapshots and the verdict are the same in
whatever portions the units arrive. The first verdict is final: later units are counted as after the
decision, and change nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabia.server import stopping, wording
from tabia.server.question import Asking, Question
from tabia.server.statistics import confidence
from tabia.server.statistics.elo import elo_of, normalized_elo
from tabia.server.statistics.gsprt import Floats
from tabia.server.statistics.overshoot import Records
from tabia.server.statistics.sobel_wald import Path
from tabia.server.tally import Tally, Unit

State = dict[str, Any]

VERSION = 1
"""Of the state and of the rule that wrote it; stored with it."""

_HALF = stopping.COUNTINGS.index("half")
_OUTCOMES = np.linspace(0, 1, 5)
_DENSE_LOOKS = 32
_LOOKS_PER_OCTAVE = 16


@dataclass(frozen=True)
class Advance:
    """What became of an experiment.

    ``units`` is the number of units taken in so far, those after the decision included.
    ``snapshots`` are the new points of the chart, each ``{"units", "value", "low", "high"}``.
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
    question = _question(experiment)
    course = _Course.resumed(state)
    snapshots: list[dict[str, Any]] = []
    for unit in units:
        snapshots += course.take(question, unit)
    return Advance(course.to_json(), course.units, snapshots, course.verdict)


def estimate(experiment: Asking | Question, state: Mapping[str, Any] | None) -> dict[str, Any]:
    """What is known: keys estimate, test, tallies, touched, right, after_decision.

    Every interval is that of a 1 - alpha confidence sequence, which may be watched; the p-value is
    valid at any time. ``None`` stands for what is unbounded or cannot be said yet.
    """
    question = _question(experiment)
    course = _Course.resumed(state)
    tally = course.tally
    lower, upper = course.path.bounds(stopping.limits(question))
    limits = stopping.limits(question)
    return {
        "estimate": _estimates(question, tally),
        "test": {
            "llr_plus": float(course.ratios[_HALF, 0]),
            "llr_minus": float(course.ratios[_HALF, 1]),
            "lower": limits.lower,
            "upper": limits.upper,
            "bounds_plus": [float(lower[_HALF, 0]), float(upper[_HALF, 0])],
            "bounds_minus": [float(lower[_HALF, 1]), float(upper[_HALF, 1])],
            "p_value": confidence.anytime_p_value(course.evidence),
        },
        "tallies": {
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
        },
        "touched": _touched(question, tally),
        "right": _right(question, tally),
        "after_decision": course.later,
    }


def is_charted(units: int) -> bool:
    """Whether the look at so many units gives a point of the chart.

    The first 32 looks do, and 16 looks in every doubling after them: 200 points or so for any
    experiment, and the same ones however the units came.
    """
    look = units // stopping.LOOK
    if look <= _DENSE_LOOKS:
        return True
    step = 1 << (look.bit_length() - _LOOKS_PER_OCTAVE.bit_length())
    return look % step == 0


@dataclass
class _Course:
    """The state in working form."""

    tally: Tally
    path: Path
    ratios: Floats
    """The log-likelihood ratios (3 countings, 2) at the last look."""
    evidence: float
    """The greatest log e-value against "no difference" at any look."""
    later: int
    """Units after the decision."""
    verdict: dict[str, Any] | None

    @classmethod
    def resumed(cls, state: Mapping[str, Any] | None) -> _Course:
        if not state:
            return cls(Tally(), stopping.start(), np.zeros((3, 2)), 0.0, 0, None)
        if state["version"] != VERSION:
            raise ValueError(f"the state is of version {state['version']}, not {VERSION}")
        path = state["path"]
        return cls(
            tally=Tally.from_json(state["tally"]),
            path=Path(
                Records(*(np.array(path[name], dtype=np.float64) for name in Records._fields)),
                np.array(path["closed"], dtype=np.bool_),
                np.array(path["conclusion"], dtype=np.int64),
            ),
            ratios=np.array(state["llr"], dtype=np.float64),
            evidence=state["evidence"],
            later=state["after_decision"],
            verdict=state["verdict"],
        )

    def to_json(self) -> State:
        records = self.path.records
        return {
            "version": VERSION,
            "tally": self.tally.to_json(),
            "path": {
                **{name: getattr(records, name).tolist() for name in Records._fields},
                "closed": self.path.closed.tolist(),
                "conclusion": self.path.conclusion.tolist(),
            },
            "llr": self.ratios.tolist(),
            "evidence": self.evidence,
            "after_decision": self.later,
            "verdict": self.verdict,
        }

    @property
    def units(self) -> int:
        return self.tally.units + self.later

    def take(self, question: Question, unit: Unit) -> list[dict[str, Any]]:
        """Count the next unit, and look if it is time to; the snapshot, if one is due."""
        if self.verdict is not None:
            if unit.number != self.units:
                raise ValueError(f"unit {self.units} comes next, not {unit.number}")
            self.later += 1
            return []
        self.tally.add(question, unit)
        units = self.tally.units
        if not stopping.is_look(question, units):
            return []
        self.verdict = self._look(question)
        if self.verdict is None and not is_charted(units):
            return []
        return [{"units": units, **_primary(question, self.tally)}]

    def _look(self, question: Question) -> dict[str, Any] | None:
        """Move the path to the present counts; the verdict, if that ends it."""
        units = self.tally.units
        self.ratios = stopping.llr(question, self.tally.cells)
        self.path = stopping.after_look(question, self.path, self.ratios, units)
        log_e = confidence.log_e_value(_whole_units(question, self.tally), _OUTCOMES, 0.5)
        self.evidence = max(self.evidence, float(log_e))
        outcome = stopping.outcome_at(question, self.path, units)
        if outcome is None:
            return None
        estimates = _estimates(question, self.tally)
        return {
            "outcome": outcome,
            "sentence": wording.sentence(question, self.tally, outcome, estimates),
            "at_unit": units,
        }


def _question(experiment: Asking | Question) -> Question:
    return experiment if isinstance(experiment, Question) else Question.from_experiment(experiment)


def _whole_units(question: Question, tally: Tally) -> Floats:
    """Counts (5,) of the units, capped games worth one half."""
    return np.asarray(stopping.unit_counts(question, tally.cells)[_HALF])


def _primary(question: Question, tally: Tally) -> dict[str, float | None]:
    """The primary number, on the scale of the margin, with its interval."""
    key = "elo" if question.kind == "rights" else "difference"
    return _estimates(question, tally)[key]


def _estimates(question: Question, tally: Tally) -> dict[str, dict[str, float | None]]:
    """Values with always-valid intervals, by name."""
    if question.kind == "rights":
        pairs = _whole_units(question, tally)
        low, high = confidence.interval(pairs, _OUTCOMES, question.alpha)
        score = _with_interval(pairs, float(low), float(high))
        elo = {key: None if each is None else _finite(elo_of(each)) for key, each in score.items()}
        nelo = normalized_elo(pairs)
        return {"score": score, "elo": elo, "normalized_elo": {"value": nelo}}
    # One call for the three of them: an arm's three values are the outer and the middle of five.
    rows = np.zeros((3, 5))
    a, b = stopping.arm_counts(question, tally.cells)
    rows[0, ::2], rows[1, ::2] = a[_HALF], b[_HALF]
    rows[2] = _whole_units(question, tally)
    lows, highs = confidence.interval(rows, _OUTCOMES, question.alpha)
    arm_a, arm_b, half = (
        _with_interval(row, float(low), float(high))
        for row, low, high in zip(rows, lows, highs, strict=True)
    )
    # A difference d in [-1, 1] was bet on as (d + 1) / 2.
    difference = {key: None if each is None else 2 * each - 1 for key, each in half.items()}
    return {"a": arm_a, "b": arm_b, "difference": difference}


def _with_interval(counts: Floats, low: float, high: float) -> dict[str, float | None]:
    size = counts.sum()
    return {
        "value": float(counts @ _OUTCOMES / size) if size else None,
        "low": low,
        "high": high,
    }


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _touched(question: Question, tally: Tally) -> dict[str, float] | None:
    """Units whose two games differ, where the two games began alike."""
    if not question.paired:
        return None
    return {
        "units": tally.touched,
        "share": tally.touched / tally.units if tally.units else 0.0,
    }


def _right(question: Question, tally: Tally) -> dict[str, Any] | None:
    """In how many units the right to promote was used, declined, or never arose."""
    if question.kind != "rights":
        return None
    right = tally.right
    return {
        "used": right.used,
        "declined": right.declined,
        "never_arose": tally.units - right.arose,
        "used_by": dict(right.used_by),
        "declined_by": dict(right.declined_by),
    }
