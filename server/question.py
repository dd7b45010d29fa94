"""What an experiment asks, as the statistics need to know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from tabia.server.metrics import COMPARED, ELO

Kind = Literal["compare", "rights"]


class Named(Protocol):
    """A rule set, of which only the name matters here."""

    @property
    def name(self) -> str:
        """What people call the rules."""


class Asking(Protocol):
    """The part of an experiment that the statistics read."""

    @property
    def kind(self) -> str:
        """``compare`` or ``rights``."""

    @property
    def paired(self) -> bool:
        """Whether both arms of a unit start from the same opening."""

    @property
    def metric(self) -> str:
        """The primary metric's name."""

    @property
    def margin(self) -> float:
        """The smallest difference that matters."""

    @property
    def alpha(self) -> float:
        """How often a difference may be found where there is none."""

    @property
    def beta(self) -> float:
        """How often a difference of the margin may be missed."""

    @property
    def budget(self) -> int:
        """The most units that may be decided on."""

    @property
    def arms(self) -> Mapping[str, Named]:
        """Rule sets ``a`` and ``b``."""


@dataclass(frozen=True)
class Question:
    """One declared question. ValueError when it is not one that can be decided.

    ``margin`` is on the metric's own scale for ``compare`` (0.03 of White's score), in Elo for
    ``rights``. ``alpha`` bounds both false directions together. ``budget`` is in units: an opening
    that is played under both rule sets, or with the rights both ways round.
    """

    kind: Kind
    paired: bool
    metric: str
    margin: float
    alpha: float
    beta: float
    budget: int
    name_a: str
    name_b: str

    def __post_init__(self) -> None:
        if self.kind == "compare":
            if self.metric not in COMPARED:
                raise ValueError(f"metric is one of {', '.join(COMPARED)}, not {self.metric!r}")
            if not 0 < self.margin < 1:
                raise ValueError(f"margin lies in (0, 1), not at {self.margin}")
        elif self.kind == "rights":
            if self.metric != ELO:
                raise ValueError(f"the metric of kind rights is {ELO!r}, not {self.metric!r}")
            if not 0 < self.margin <= 1000:
                raise ValueError(f"margin lies in (0, 1000] Elo, not at {self.margin}")
        else:
            raise ValueError(f"kind is compare or rights, not {self.kind!r}")
        if not (0 < self.alpha <= 0.5 and 0 < self.beta <= 0.5):
            raise ValueError("alpha and beta lie in (0, 0.5]")
        if self.budget < 1:
            raise ValueError(f"budget is 1 unit or more, not {self.budget}")

    @classmethod
    def from_experiment(cls, experiment: Asking) -> Question:
        """The question of an experiment."""
        if experiment.kind not in ("compare", "rights"):
            raise ValueError(f"kind is compare or rights, not {experiment.kind!r}")
        return cls(
            kind="compare" if experiment.kind == "compare" else "rights",
            paired=experiment.paired,
            metric=experiment.metric,
            margin=experiment.margin,
            alpha=experiment.alpha,
            beta=experiment.beta,
            budget=experiment.budget,
            name_a=experiment.arms["a"].name,
            name_b=experiment.arms["b"].name,
        )
