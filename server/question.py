"""What an experiment asks, as the statistics need to know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, cast

from tabia.engine import RuleSet
from tabia.engine.match.document import Rule, Scale
from tabia.engine.match.kinds import KINDS, Kind
from tabia.engine.match.own_weights import judge_differently
from tabia.engine.match.questions import ASKED
from tabia.engine.rules.effective import SIDES
from tabia.server.metrics import COMPARED, ELO
from tabia.server.occurrence import observable
from tabia.server.profile import array_of

DUELS: Final[tuple[Kind, ...]] = ("compare", "rights", "engines")
"""The kinds with two sides, A and B."""

MEETINGS: Final[tuple[Kind, ...]] = ("rights", "engines")
"""The kinds in which A and B meet, both ways round: A's score in two games is what counts."""


class Named(Protocol):
    """A rule set or a player, of which only the name matters here."""

    @property
    def name(self) -> str:
        """What people call it."""


class Material(Protocol):
    """What a ``material`` experiment plays."""

    @property
    def pawn(self) -> str:
        """The letter of the man that is worth 1."""

    @property
    def men(self) -> tuple[str, ...]:
        """The letters of the men whose values are asked for."""

    @property
    def matches(self) -> tuple[str, ...]:
        """The imbalances that may be played, as ``Q:NR``."""

    @property
    def target(self) -> float:
        """The half-width, in pawns, at which it stops."""

    @property
    def stages(self) -> tuple[int, ...]:
        """Unit numbers at which the imbalances are chosen anew."""

    @property
    def guess(self) -> Mapping[str, float]:
        """What the engine plays by: the worth of each man, in pawns."""

    @property
    def expected(self) -> tuple[str, ...]:
        """A published order of some of the men, the dearest first."""


class Asking(Protocol):
    """The part of an experiment that the statistics read."""

    @property
    def kind(self) -> str:
        """One of KINDS."""

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

    @property
    def rule(self) -> Rule:
        """What ends it."""

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The two hypotheses of ``gsprt``."""

    @property
    def scale(self) -> Scale | None:
        """What they are in."""

    @property
    def players(self) -> Mapping[str, Named]:
        """Who plays, by key; empty where all play alike."""

    @property
    def material(self) -> Material | None:
        """What is weighed, in kind ``material``."""

    @property
    def own_weights(self) -> Mapping[str, str]:
        """Who judges by weights of their own, and the hash of these."""


@dataclass(frozen=True)
class Question:
    """One declared question. ValueError when it is not one that can be decided.

    ``margin`` is on the metric's own scale for ``compare`` (0.03 of White's score), in logistic Elo
    for ``rights`` and ``engines``. ``alpha`` bounds both false directions of ``sobel-wald``
    together. ``budget`` is in units: an opening that is played under both rule sets, or both ways
    round. ``name_a`` and ``name_b`` are rule sets, in ``engines`` players.

    ``bounds`` are the two hypotheses of a ``gsprt``, the lower first, in Elo of ``scale``.
    ``players`` has every player's name by key; ``material`` is set in kind ``material``. ``men``
    has the names of the men by letter, of those that have one. ``observed`` names the metrics that
    can occur under the rules.
    ``arrays`` has the men of each arm's array, by side and letter, where every game starts with it.
    ``own_weights``: the arms of a ``compare`` or ``rights`` judge by different weights.
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
    rule: Rule = "sobel-wald"
    bounds: tuple[float, float] | None = None
    scale: Scale | None = None
    players: Mapping[str, str] = field(default_factory=dict)
    material: Material | None = None
    men: Mapping[str, str] = field(default_factory=dict)
    observed: tuple[str, ...] = ()
    arrays: Mapping[str, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    own_weights: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind is one of {', '.join(KINDS)}, not {self.kind!r}")
        rules = ASKED[self.kind].rules
        if self.rule not in rules:
            allowed = ", ".join(rules)
            raise ValueError(f"the rule of kind {self.kind} is one of {allowed}, not {self.rule!r}")
        if self.kind == "compare":
            if self.metric not in COMPARED:
                raise ValueError(f"metric is one of {', '.join(COMPARED)}, not {self.metric!r}")
            if self.rule == "sobel-wald" and not 0 < self.margin < 1:
                raise ValueError(f"margin lies in (0, 1), not at {self.margin}")
        elif self.kind in MEETINGS:
            if self.metric != ELO:
                raise ValueError(f"the metric of kind {self.kind} is {ELO!r}, not {self.metric!r}")
            if self.rule == "sobel-wald" and not 0 < self.margin <= 1000:
                raise ValueError(f"margin lies in (0, 1000] Elo, not at {self.margin}")
        if (self.rule == "gsprt") != (self.bounds is not None and self.scale is not None):
            raise ValueError("the rule gsprt, and no other, has bounds and their scale")
        if self.bounds is not None and not -1000 <= self.bounds[0] < self.bounds[1] <= 1000:
            raise ValueError(f"bounds rise within [-1000, 1000] Elo, unlike {list(self.bounds)}")
        if not (0 < self.alpha <= 0.5 and 0 < self.beta <= 0.5):
            raise ValueError("alpha and beta lie in (0, 0.5]")
        if self.budget < 1:
            raise ValueError(f"budget is 1 unit or more, not {self.budget}")

    @property
    def coupled(self) -> bool:
        """Whether the two games of a unit are the same until what is asked about comes to matter:
        they begin alike, and both arms judge alike."""
        return self.paired and not self.own_weights

    @property
    def secondary(self) -> tuple[str, ...]:
        """The metrics that are looked at beside the primary one; none but between two sides."""
        if self.kind not in DUELS:
            return ()
        return tuple(name for name in self.observed if name != self.metric)

    @classmethod
    def from_experiment(cls, experiment: Asking) -> Question:
        """The question of an experiment."""
        rule_sets = [rules for rules in experiment.arms.values() if isinstance(rules, RuleSet)]
        players = {key: each.name for key, each in experiment.players.items()}
        sides = (
            players
            if experiment.kind == "engines"
            else {key: rules.name for key, rules in experiment.arms.items()}
        )
        return cls(
            kind=cast(Kind, experiment.kind),
            paired=experiment.paired,
            metric=experiment.metric,
            margin=experiment.margin,
            alpha=experiment.alpha,
            beta=experiment.beta,
            budget=experiment.budget,
            name_a=sides["a"],
            name_b=sides["b"],
            rule=experiment.rule,
            bounds=experiment.bounds,
            scale=experiment.scale,
            players=players,
            material=experiment.material,
            men=getattr(experiment.arms["a"], "piece_names", {}),
            arrays=_arrays(experiment),
            observed=observable(rule_sets),
            own_weights=experiment.kind in ("compare", "rights")
            and judge_differently(experiment.own_weights, ("a", "b")),
        )


def _arrays(experiment: Asking) -> dict[str, dict[str, dict[str, int]]]:
    if experiment.kind == "material":
        return {}
    return {
        key: array_of(rules.start_fen, {side: rules.rules.royals(side) for side in SIDES})
        for key, rules in experiment.arms.items()
        if isinstance(rules, RuleSet)
    }
