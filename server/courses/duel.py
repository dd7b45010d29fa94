"""The course of an experiment between two sides, A and B: ``compare``, ``rights``, ``engines``.

Units are looked at at fixed numbers of them (:mod:`tabia.server.stopping`); a look moves the path
of the declared rule, and may end it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tabia.server import secondary, stopping, stored_path, wording
from tabia.server.courses.course import Json, is_charted
from tabia.server.estimates import HALF, OUTCOMES, estimates, primary, whole_units
from tabia.server.question import Question
from tabia.server.statistics import after_stopping, confidence
from tabia.server.statistics.gsprt import Floats, NoInformationError
from tabia.server.tally import Tally, Unit, profiled, shown

_PRIMARY = "primary"


@dataclass
class Duel:
    """The state in working form."""

    question: Question
    tally: Tally
    path: stopping.Path
    ratios: Floats
    """The log-likelihood ratios (3 countings, tests) at the last look."""
    bounds: list[list[float]]
    """The lower and the upper bound that each test had to reach at the last look."""
    evidence: dict[str, float] = field(default_factory=dict)
    """The greatest log e-value against "no difference" at any look, of every metric by name."""
    verdict: Json | None = None

    @classmethod
    def resumed(cls, question: Question, data: Mapping[str, Any] | None) -> Duel:
        """The course that ``to_json`` made ``data`` of; None before the first unit."""
        tests = stopping.TESTS[question.rule]
        if data is None:
            path, nothing = stopping.start(question), np.zeros((len(stopping.COUNTINGS), tests))
            return cls(question, Tally(), path, nothing, _bounds(question, path))
        return cls(
            question,
            tally=Tally.from_json(data["tally"]),
            path=stored_path.restored(question, data["path"]),
            ratios=np.array(data["llr"], dtype=np.float64).reshape(len(stopping.COUNTINGS), tests),
            bounds=[list(each) for each in data["bounds"]],
            evidence=dict(data["evidence"]),
        )

    def to_json(self) -> Json:
        """Plain data for :meth:`resumed`."""
        return {
            "tally": self.tally.to_json(),
            "path": stored_path.plain(self.path),
            "llr": self.ratios.tolist(),
            "bounds": [list(each) for each in self.bounds],
            "evidence": dict(self.evidence),
        }

    @property
    def units(self) -> int:
        """How many units were taken in."""
        return self.tally.units

    def take(self, unit: Unit) -> list[Json]:
        """Count the next unit, and look if it is time to; the snapshot, if one is due."""
        self.tally.add(self.question, unit)
        units = self.tally.units
        if not stopping.is_look(self.question, units):
            return []
        self.verdict = self._look()
        if self.verdict is None and not is_charted(units):
            return []
        test = {"llr": self._llr(), "bounds": [list(each) for each in self.bounds]}
        return [{"units": units, **primary(self.question, self.tally), **test}]

    def _look(self) -> Json | None:
        """Move the path to the present counts; the verdict, if that ends it."""
        question, units = self.question, self.tally.units
        self.ratios = stopping.llr(question, self.tally.cells)
        self.bounds = _bounds(question, self.path)
        self.path = stopping.after_look(question, self.path, self.ratios, units)
        seen = {_PRIMARY: self._log_e(), **secondary.log_e_values(question, self.tally)}
        self.evidence = {
            name: max(log_e, self.evidence.get(name, 0.0)) for name, log_e in seen.items()
        }
        outcome = stopping.outcome_at(question, self.path, units)
        if outcome is None:
            return None
        known = estimates(question, self.tally)
        return {
            "outcome": outcome,
            "sentence": wording.sentence(question, self.tally, outcome, known),
            "at_unit": units,
        }

    def estimate(self) -> Json:
        """Every interval is that of a 1 - alpha confidence sequence, which may be watched."""
        question, tally = self.question, self.tally
        return {
            "estimate": estimates(question, tally),
            "test": self._test(),
            "adjusted": self._adjusted(),
            "secondary": secondary.secondary(question, tally, self.evidence),
            "profile": profiled(question, tally),
            "tallies": shown(tally),
            "touched": _touched(question, tally),
            "right": _right(question, tally),
        }

    def _test(self) -> Json:
        question = self.question
        wald = stopping.limits(question)
        llr, bounds = self._llr(), self.bounds
        two, one = question.rule == "sobel-wald", question.rule == "gsprt"
        return {
            "rule": question.rule,
            "scale": question.scale,
            "bounds_elo": None if question.bounds is None else list(question.bounds),
            "llr": llr[0] if one else None,
            "llr_plus": llr[0] if two else None,
            "llr_minus": llr[1] if two else None,
            "lower": None if wald is None else wald.lower,
            "upper": None if wald is None else wald.upper,
            "bounds": bounds[0] if one else None,
            "bounds_plus": bounds[0] if two else None,
            "bounds_minus": bounds[1] if two else None,
            "p_value": confidence.anytime_p_value(self.evidence.get(_PRIMARY, 0.0)),
            "log_e": self._log_e(),
        }

    def _adjusted(self) -> Json | None:
        """After a test of two hypotheses: the estimate that allows for its stopping, in Elo."""
        question, verdict = self.question, self.verdict
        answered = verdict is not None and verdict["outcome"] in ("a_higher", "h0")
        if not answered or question.bounds is None or question.scale is None:
            return None
        try:
            found = after_stopping.estimate(
                whole_units(question, self.tally),
                *question.bounds,
                question.alpha,
                question.beta,
                1 - question.alpha,
                scale=question.scale,
            )
        except NoInformationError:
            return None
        ends = {"value": found.median, "low": found.low, "high": found.high}
        finite = {name: each if math.isfinite(each) else None for name, each in ends.items()}
        return {**finite, "los": found.los}

    def _llr(self) -> list[float]:
        """The ratio of each test, capped games worth one half."""
        return [float(each) for each in self.ratios[HALF]]

    def _log_e(self) -> float:
        """Evidence against "no difference" on the present units."""
        units = whole_units(self.question, self.tally)
        return float(confidence.log_e_value(units, OUTCOMES, 0.5))


def _bounds(question: Question, path: stopping.Path) -> list[list[float]]:
    """Lower and upper bound of each test at the next look, capped games worth one half."""
    ends = stopping.bounds(question, path)
    return [
        [float(low), float(high)] for low, high in zip(*(end[HALF] for end in ends), strict=True)
    ]


def _touched(question: Question, tally: Tally) -> dict[str, float] | None:
    """Units whose two games differ, where they do only because of what is asked about."""
    if not question.coupled:
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
