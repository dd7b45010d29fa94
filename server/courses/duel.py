"""The course of an experiment between two sides, A and B: ``compare``, ``rights``, ``engines``.

Units are looked at at fixed numbers of them (:mod:`tabia.server.stopping`); a look moves the path
of the declared rule, and may end it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabia.server import stopping, wording
from tabia.server.courses.course import Json, is_charted
from tabia.server.question import Question
from tabia.server.statistics import confidence
from tabia.server.statistics.elo import elo_of, normalized_elo
from tabia.server.statistics.gsprt import Floats
from tabia.server.statistics.overshoot import Records
from tabia.server.statistics.sobel_wald import Path
from tabia.server.tally import Tally, Unit

_HALF = stopping.COUNTINGS.index("half")
_OUTCOMES = np.linspace(0, 1, 5)


@dataclass
class Duel:
    """The state in working form."""

    question: Question
    tally: Tally
    path: Path
    ratios: Floats
    """The log-likelihood ratios (3 countings, 2) at the last look."""
    evidence: float
    """The greatest log e-value against "no difference" at any look."""
    verdict: Json | None = None

    @classmethod
    def resumed(cls, question: Question, data: Mapping[str, Any] | None) -> Duel:
        """The course that ``to_json`` made ``data`` of; None before the first unit."""
        if data is None:
            return cls(question, Tally(), stopping.start(), np.zeros((3, 2)), 0.0)
        path = data["path"]
        return cls(
            question,
            tally=Tally.from_json(data["tally"]),
            path=Path(
                Records(*(np.array(path[name], dtype=np.float64) for name in Records._fields)),
                np.array(path["closed"], dtype=np.bool_),
                np.array(path["conclusion"], dtype=np.int64),
            ),
            ratios=np.array(data["llr"], dtype=np.float64),
            evidence=data["evidence"],
        )

    def to_json(self) -> Json:
        """Plain data for :meth:`resumed`."""
        records = self.path.records
        return {
            "tally": self.tally.to_json(),
            "path": {
                **{name: getattr(records, name).tolist() for name in Records._fields},
                "closed": self.path.closed.tolist(),
                "conclusion": self.path.conclusion.tolist(),
            },
            "llr": self.ratios.tolist(),
            "evidence": self.evidence,
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
        return [{"units": units, **_primary(self.question, self.tally)}]

    def _look(self) -> Json | None:
        """Move the path to the present counts; the verdict, if that ends it."""
        question, units = self.question, self.tally.units
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

    def estimate(self) -> Json:
        """Every interval is that of a 1 - alpha confidence sequence, which may be watched."""
        question, tally = self.question, self.tally
        limits = stopping.limits(question)
        lower, upper = self.path.bounds(limits)
        return {
            "estimate": _estimates(question, tally),
            "test": {
                "rule": "sobel-wald",
                "scale": None,
                "bounds_elo": None,
                "llr": None,
                "llr_plus": float(self.ratios[_HALF, 0]),
                "llr_minus": float(self.ratios[_HALF, 1]),
                "lower": limits.lower,
                "upper": limits.upper,
                "bounds": None,
                "bounds_plus": [float(lower[_HALF, 0]), float(upper[_HALF, 0])],
                "bounds_minus": [float(lower[_HALF, 1]), float(upper[_HALF, 1])],
                "p_value": confidence.anytime_p_value(self.evidence),
                "log_e": None,
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
        }


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
