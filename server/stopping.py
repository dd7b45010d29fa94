"""When an experiment between two sides stops: the declared rule, on counts alone.

The rule looks after every ``LOOK`` units in schedule order, and once more at the budget. What a
look computes depends on the rule:

* ``sobel-wald`` runs the two tests of :mod:`.statistics.sobel_wald`, which tell higher, lower and
  no difference that matters apart: on the differences of the pairs when both arms share their
  openings, on both arms' counts when they do not, on the pair scores of A where A and B meet;
* ``gsprt`` runs one test of two hypotheses on A's Elo (:mod:`.statistics.sequential`), on the pair
  scores;
* ``budget`` runs no test, and ends when the budget is spent.

Capped games count one half. Since nobody knows what they were worth, the same test runs on two
more **countings** beside it: every capped game worth what speaks most against A, and every one
worth what speaks most for A. An outcome stands once all three have reached it. When two have
reached different ones the capped games decide, and the answer is refused.

Everything is an array over independent experiments in its leading axes, so that the error rates
of this very code can be measured on thousands of simulated ones (``benchmarks/error_rates.py``).
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tabia.engine.match import questions
from tabia.engine.match.document import Rule
from tabia.server.metrics import CAPPED, CLASSES
from tabia.server.question import Question
from tabia.server.statistics import gsprt, normalized, sequential, sobel_wald, two_arm
from tabia.server.statistics.elo import score_of
from tabia.server.statistics.gsprt import Floats
from tabia.server.statistics.overshoot import Records
from tabia.server.statistics.sobel_wald import EQUIVALENT, HIGHER, LOWER, OPEN
from tabia.server.statistics.sprt import Bounds, wald_bounds

Outcome = Literal["a_higher", "b_higher", "equivalent", "h0", "measured", "inconclusive", "refused"]

LOOK: Final = questions.LOOK
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
# game of a unit, and to the other one. In ``compare`` the other one is B's, else it is A's too.
_FIRST = np.array([[0, 1, 2, 1], [0, 1, 2, 0], [0, 1, 2, 2]])
_OF_B = _FIRST[[0, 2, 1]]

_NAMES: Final[dict[Rule, dict[int, Outcome]]] = {
    "sobel-wald": {HIGHER: "a_higher", LOWER: "b_higher", EQUIVALENT: "equivalent"},
    "gsprt": {sequential.H1: "a_higher", sequential.H0: "h0"},
    "budget": {},
}

TESTS: Final[dict[Rule, int]] = {"sobel-wald": 2, "gsprt": 1, "budget": 0}
"""How many tests a rule runs."""


class Untested(NamedTuple):
    """The path of a rule that runs no test: it concludes nothing."""

    conclusion: NDArray[np.int64]


Path = sobel_wald.Path | sequential.Path | Untested
"""Where the tests of independent experiments stand: (..., 3 countings)."""


def is_look(question: Question, units: int) -> bool:
    """Whether the rule looks when so many units are finished."""
    return units <= question.budget and (units % LOOK == 0 or units == question.budget)


def arm_counts(question: Question, cells: ArrayLike) -> tuple[Floats, Floats]:
    """Counts (..., 3 countings, 3 values) of either arm's games, from joint cells (..., 4, 4)."""
    joint = np.asarray(cells, dtype=np.float64)
    return (
        _counted(joint.sum(axis=-1), _FIRST, ARM_VALUES.size),
        _counted(joint.sum(axis=-2), _second(question), ARM_VALUES.size),
    )


def unit_counts(question: Question, cells: ArrayLike) -> Floats:
    """Counts (..., 3 countings, 5 values) of whole units, from joint cells (..., 4, 4).

    The values are DIFFERENCES for ``compare`` and PAIR_SCORES for every other kind.
    """
    joint = np.asarray(cells, dtype=np.float64)
    first, second = _FIRST[:, :, None], _second(question)[:, None, :]
    worth = first - second + 2 if question.kind == "compare" else first + second
    return _counted(
        joint.reshape(*joint.shape[:-2], CLASSES * CLASSES),
        worth.reshape(len(COUNTINGS), CLASSES * CLASSES),
        DIFFERENCES.size,
    )


def _second(question: Question) -> NDArray[np.int64]:
    return _OF_B if question.kind == "compare" else _FIRST


def _counted(cells: Floats, worth: NDArray[np.int64], values: int) -> Floats:
    """Sum cells (..., c) into the values that each counting (3, c) says they are worth."""
    return np.asarray(np.einsum("...c,gcv->...gv", cells, np.eye(values)[worth]))


def llr(question: Question, cells: ArrayLike) -> Floats:
    """The log-likelihood ratios (..., 3 countings, tests) of the rule's tests.

    For ``sobel-wald``: of the margin in A's favour, and in B's, against no difference. For
    ``gsprt``: of the upper bound against the lower.
    """
    joint = np.asarray(cells, dtype=np.float64)
    any_capped = np.any(joint[..., CAPPED, :]) or np.any(joint[..., :, CAPPED])
    counted = slice(None) if any_capped else slice(1)  # else the countings are all the same
    if question.rule == "gsprt":
        ratios = _of_bounds(question, unit_counts(question, joint)[..., counted, :])[..., None]
    elif question.rule == "sobel-wald":
        ratios = _of_margin(question, joint, counted)
    else:
        ratios = np.zeros((1, 0))
    return np.broadcast_to(ratios, (*joint.shape[:-2], len(COUNTINGS), TESTS[question.rule]))


def _of_margin(question: Question, joint: Floats, counted: slice) -> Floats:
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
    return np.asarray(k[..., :1] - k[..., 1:])


def _of_bounds(question: Question, units: Floats) -> Floats:
    assert question.bounds is not None, "a gsprt has bounds"
    elo0, elo1 = question.bounds
    if question.scale == "normalized":
        # Nought where every unit is level: it has no normalized Elo, and nothing is concluded.
        return normalized.llr(units, elo0, elo1)
    return gsprt.llr(units, PAIR_SCORES, score_of(elo0), score_of(elo1))


def limits(question: Question) -> Bounds | None:
    """Wald's bounds of every test, before the correction for overshoot; None without a test."""
    if question.rule == "sobel-wald":
        return sobel_wald.bounds(question.alpha, question.beta)
    return wald_bounds(question.alpha, question.beta) if question.rule == "gsprt" else None


def start(question: Question, *shape: int) -> Path:
    """The path (..., 3 countings) of experiments of this shape before the first look."""
    if question.rule == "sobel-wald":
        return sobel_wald.Path.start(*shape, len(COUNTINGS))
    if question.rule == "gsprt":
        return sequential.Path.start(*shape, len(COUNTINGS))
    return Untested(np.full((*shape, len(COUNTINGS)), OPEN))


def bounds(question: Question, path: Path) -> tuple[Floats, Floats]:
    """Lower and upper bound (..., 3 countings, tests) that hold at the next look."""
    wald = limits(question)
    if isinstance(path, Untested) or wald is None:
        nothing = np.zeros((*path.conclusion.shape, 0))
        return nothing, nothing
    lower, upper = path.bounds(wald)
    if isinstance(path, sequential.Path):
        return lower[..., None], upper[..., None]
    return lower, upper


def after_look(question: Question, path: Path, ratios: Floats, units: int) -> Path:
    """The path after a look at the log-likelihood ratios of the first ``units`` units."""
    wald = limits(question)
    if isinstance(path, Untested) or wald is None:
        return path
    may_conclude = units >= MINIMUM_UNITS
    if isinstance(path, sequential.Path):
        return path.after(ratios[..., 0], wald, may_conclude=may_conclude)
    return path.after(ratios, wald, may_conclude=may_conclude)


def selected(path: Path, which: NDArray[np.bool_]) -> Path:
    """The path of some of the experiments (n,)."""
    if isinstance(path, Untested):
        return Untested(path.conclusion[which])
    records = Records(*(each[which] for each in path.records))
    if isinstance(path, sequential.Path):
        return sequential.Path(records, path.conclusion[which])
    return sobel_wald.Path(records, path.closed[which], path.conclusion[which])


def outcome(path: Path) -> NDArray[np.int64]:
    """What the countings say together (...), final but for OPEN.

    OPEN, REFUSED, or a conclusion of the rule's path: HIGHER, LOWER or EQUIVALENT of
    ``sobel-wald``, H1 or H0 of ``gsprt``.
    """
    said = path.conclusion
    lowest, highest = np.where(said == OPEN, REFUSED, said).min(axis=-1), said.max(axis=-1)
    all_said = (said != OPEN).all(axis=-1)
    split = (highest != OPEN) & (lowest != highest)
    return np.select([split, all_said], [REFUSED, highest], OPEN)


def outcome_at(question: Question, path: Path, units: int) -> Outcome | None:
    """The outcome of one experiment (path of shape 3) after a look; None while it goes on.

    At the budget, an experiment that would have a verdict if no game had been capped is refused;
    one that tests nothing is measured.
    """
    found = int(outcome(path))
    if found == REFUSED:
        return "refused"
    if found != OPEN:
        return _NAMES[question.rule][found]
    if units < question.budget:
        return None
    if question.rule == "budget":
        return "measured"
    return "inconclusive" if path.conclusion[0] == OPEN else "refused"
