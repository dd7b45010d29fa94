"""When an experiment stops: the declared rule, on counts alone.

The rule looks after every ``LOOK`` units in schedule order, and once more at the budget. A look
computes the two log-likelihood ratios of Sobel and Wald's test (:mod:`.statistics.sobel_wald`):
on the differences of the pairs when both arms share their openings, on both arms' counts when they
do not, on the pair scores of whoever has A's rights in kind ``rights``.

Capped games count one half. Since nobody knows what they were worth, the same test runs on two
more **countings** beside it: every capped game worth what speaks most against A, and every one
worth what speaks most for A. An outcome stands once all three have reached it. When two have
reached different ones the capped games decide, and the answer is refused.

Everything is an array over independent experiments in its leading axes, so that the error rates
of this very code can be measured on thousands of simulated ones (``benchmarks/error_rates.py``).
"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tabia.server.metrics import CAPPED, CLASSES
from tabia.server.question import Question
from tabia.server.statistics import gsprt, sobel_wald, two_arm
from tabia.server.statistics.elo import score_of
from tabia.server.statistics.gsprt import Floats
from tabia.server.statistics.sobel_wald import EQUIVALENT, HIGHER, LOWER, OPEN, Path
from tabia.server.statistics.sprt import Bounds

Outcome = Literal["a_higher", "b_higher", "equivalent", "inconclusive", "refused"]

LOOK: Final = 16
"""Units between two looks."""

MINIMUM_UNITS: Final = 48
"""No verdict below this. At 32, wide margins were measured to give false alarms of .057 for .05."""

REFUSED: Final = 4
"""Beside the conclusions of a path: the capped games decide, so nothing does."""

COUNTINGS: Final = ("half", "against_a", "for_a")
"""How capped games are counted: the last axis of a path's conclusions."""

ARM_VALUES: Final = np.array([0.0, 0.5, 1.0])
"""What the classes of a game are worth."""

DIFFERENCES: Final = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
"""What A's game of a pair can be worth more than B's."""

PAIR_SCORES: Final = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""What whoever has A's rights can score in two games, a game."""

# For every counting, what the classes zero, half, one and capped are worth in half points: to A's
# game of a unit, and to the other one. In ``compare`` the other one is B's.
_FIRST = np.array([[0, 1, 2, 1], [0, 1, 2, 0], [0, 1, 2, 2]])
_SECOND = {"compare": _FIRST[[0, 2, 1]], "rights": _FIRST}

_NAMES: Final[dict[int, Outcome]] = {
    HIGHER: "a_higher",
    LOWER: "b_higher",
    EQUIVALENT: "equivalent",
}


def is_look(question: Question, units: int) -> bool:
    """Whether the rule looks when so many units are finished."""
    return units <= question.budget and (units % LOOK == 0 or units == question.budget)


def arm_counts(question: Question, cells: ArrayLike) -> tuple[Floats, Floats]:
    """Counts (..., 3 countings, 3 values) of either arm's games, from joint cells (..., 4, 4)."""
    joint = np.asarray(cells, dtype=np.float64)
    return (
        _counted(joint.sum(axis=-1), _FIRST, ARM_VALUES.size),
        _counted(joint.sum(axis=-2), _SECOND[question.kind], ARM_VALUES.size),
    )


def unit_counts(question: Question, cells: ArrayLike) -> Floats:
    """Counts (..., 3 countings, 5 values) of whole units, from joint cells (..., 4, 4).

    The values are DIFFERENCES for ``compare`` and PAIR_SCORES for ``rights``.
    """
    joint = np.asarray(cells, dtype=np.float64)
    first, second = _FIRST[:, :, None], _SECOND[question.kind][:, None, :]
    worth = first - second + 2 if question.kind == "compare" else first + second
    return _counted(
        joint.reshape(*joint.shape[:-2], CLASSES * CLASSES),
        worth.reshape(len(COUNTINGS), CLASSES * CLASSES),
        DIFFERENCES.size,
    )


def _counted(cells: Floats, worth: NDArray[np.int64], values: int) -> Floats:
    """Sum cells (..., c) into the values that each counting (3, c) says they are worth."""
    return np.asarray(np.einsum("...c,gcv->...gv", cells, np.eye(values)[worth]))


def llr(question: Question, cells: ArrayLike) -> Floats:
    """The log-likelihood ratios (..., 3 countings, 2) of the margin in A's favour, and in B's."""
    joint = np.asarray(cells, dtype=np.float64)
    any_capped = np.any(joint[..., CAPPED, :]) or np.any(joint[..., :, CAPPED])
    counted = slice(None) if any_capped else slice(1)  # else the countings are all the same
    effects = np.array([0, question.margin, -question.margin])
    if question.kind == "compare" and not question.paired:
        a, b = (n[..., counted, None, :] for n in arm_counts(question, joint))
        k, _ = two_arm.deviance(a, b, ARM_VALUES, effects)
    else:
        units = unit_counts(question, joint)[..., counted, None, :]
        if question.kind == "compare":
            k = gsprt.deviance(units, DIFFERENCES, effects)
        else:
            k = gsprt.deviance(units, PAIR_SCORES, np.array([score_of(elo) for elo in effects]))
    ratios = k[..., :1] - k[..., 1:]
    return np.broadcast_to(ratios, (*joint.shape[:-2], len(COUNTINGS), 2))


def limits(question: Question) -> Bounds:
    """Wald's bounds of either test, before the correction for overshoot."""
    return sobel_wald.bounds(question.alpha, question.beta)


def start(*shape: int) -> Path:
    """The path (..., 3 countings) of experiments of this shape before the first look."""
    return Path.start(*shape, len(COUNTINGS))


def after_look(question: Question, path: Path, ratios: Floats, units: int) -> Path:
    """The path after a look at the log-likelihood ratios of the first ``units`` units."""
    return path.after(ratios, limits(question), may_conclude=units >= MINIMUM_UNITS)


def outcome(path: Path) -> NDArray[np.int64]:
    """What the countings say together (...): OPEN, a conclusion, or REFUSED; final but for OPEN."""
    said = path.conclusion
    lowest, highest = np.where(said == OPEN, REFUSED, said).min(axis=-1), said.max(axis=-1)
    all_said = (said != OPEN).all(axis=-1)
    split = (highest != OPEN) & (lowest != highest)
    return np.select([split, all_said], [REFUSED, highest], OPEN)


def outcome_at(question: Question, path: Path, units: int) -> Outcome | None:
    """The outcome of one experiment (path of shape 3) after a look; None while it goes on.

    At the budget, an experiment that would have a verdict if no game had been capped is refused.
    """
    found = int(outcome(path))
    if found == REFUSED:
        return "refused"
    if found != OPEN:
        return _NAMES[found]
    if units < question.budget:
        return None
    return "inconclusive" if path.conclusion[0] == OPEN else "refused"
