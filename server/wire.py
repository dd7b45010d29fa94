"""The shapes of requests and answers of the API, as OpenAPI shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tabia.engine.documents import Allowed, Strict

Name = Annotated[
    str,
    StringConstraints(pattern=r"^[^\x00-\x1f\x7f]{1,100}$"),
    Allowed("a name of 1 to 100 characters on one line"),
]
LeaseId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$"), Allowed("the id of a lease")]


class TomlDocument(Strict):
    """An experiment as the text of a TOML document."""

    toml: str


class LeaseRequest(Strict):
    """A volunteer asks for a batch."""

    worker: Name
    engine: Annotated[
        str, StringConstraints(max_length=128), Allowed("the engine's bench signature")
    ]


class FailureReport(Strict):
    """A volunteer could not play a batch."""

    message: Annotated[str, StringConstraints(max_length=2000), Allowed("what went wrong")]


class ResultDelivery(Strict):
    """A volunteer has played a batch."""

    lease: LeaseId
    result: dict[str, Any]


class Answer(BaseModel):
    """What the coordinator says; nothing beyond the declared keys."""

    model_config = ConfigDict(extra="forbid")


class ErrorAnswer(Answer):
    """One line: where, what, and what is allowed."""

    message: str


class CreatedAnswer(Answer):
    """The experiment's id. A document with a curve stands for several experiments, one a level, of
    which ``id`` is the first; else ``ids`` holds the one, and there is no ``family``."""

    id: str
    ids: list[str]
    family: str | None = Field(description="The curve's name, for `GET /curves/{family}`.")


class LoanAnswer(Answer):
    """A batch to play, its lease, and within how many seconds the lease must be renewed."""

    lease: str
    renew_within: float
    batch: dict[str, Any]


class HeartbeatAnswer(Answer):
    """Whether the batch is still wanted; if not, drop it."""

    wanted: bool


class ReceiptAnswer(Answer):
    """What became of the result."""

    receipt: Literal["recorded", "duplicate"]


class HealthAnswer(Answer):
    """The coordinator and its database answer."""

    status: Literal["ok"]


class Arm(Answer):
    """One side of the comparison."""

    key: Literal["a", "b"]
    name: str
    rules_id: str


class Player(Answer):
    """Who plays: a name, and what ends its search."""

    key: str
    name: str
    nodes: int = Field(description="0 where time or depth ends its search.")
    limit: str = Field(description="What ends its search, in words.")
    program: str = Field(description="Its name on the workers; empty for the built-in engine.")
    says: str = Field(
        description="What the program says of itself; a worker with another has none."
    )


class VoidReason(Answer):
    """How often a player broke off a game in one way."""

    player: str
    name: str
    reason: str
    pairs: int
    example: str


class Voids(Answer):
    """Pairs of games that a program broke off; each was played again with another opening."""

    pairs: int
    reasons: list[VoidReason]


class Primary(Answer):
    """The question that was declared before the first game."""

    metric: str
    label: str
    rule: Literal["sobel-wald", "gsprt", "budget"]
    margin: float
    bounds: tuple[float, float] | None = Field(description="The hypotheses of a gsprt, in Elo.")
    scale: Literal["normalized", "logistic"] | None = Field(description="What the bounds are in.")
    target: float | None = Field(description="Of kind material: the half-width, in pawns.")
    alpha: float
    beta: float


class Verdict(Answer):
    """The answer, once there is one; final."""

    outcome: Literal[
        "a_higher", "b_higher", "equivalent", "h0", "measured", "inconclusive", "refused"
    ]
    sentence: str
    at_unit: int


class ExperimentSummary(Answer):
    """Where an experiment stands; what is statistical is about the first ``units_done`` units."""

    id: str
    name: str
    kind: str
    question: str
    state: Literal["queued", "running", "decided", "out_of_budget", "stopped", "failed"]
    failure: str | None = Field(description="Why it failed, with a command that shows it.")
    blocked: str | None = Field(description="Why an open experiment gets no batches played.")
    created: datetime
    started: datetime | None
    finished: datetime | None
    nodes: int
    engine: str = Field(description="The bench signature of the engine that plays it.")
    arms: list[Arm]
    players: list[Player]
    trusted_only: bool = Field(description="No volunteer plays it: programs or clocks do.")
    reproducible: bool = Field(description="Nobody plays by the clock.")
    voids: Voids
    curve: dict[str, Any] | None = Field(description="Which level of a node-budget curve it is.")
    paired: bool
    own_weights: dict[str, str] = Field(
        description="Weights of their own, by arm, player or `all`: the name of each at /weights."
    )
    coupled: bool = Field(
        description="Both games of a unit are the same until what is asked about comes to matter."
    )
    primary: Primary
    budget: int
    units_done: int
    units_played: int
    batches_done: int
    batches_planned: int
    games_per_minute: float
    estimate: dict[str, Any]
    test: dict[str, Any]
    adjusted: dict[str, Any] | None = Field(
        description="After a gsprt's verdict: the median-unbiased estimate, in logistic Elo."
    )
    secondary: list[dict[str, Any]] = Field(description="Other metrics: exploratory.")
    profile: dict[str, Any] | None = Field(description="What the games were like.")
    ratings: dict[str, Any] | None
    values: dict[str, Any] | None = Field(
        description="Of kind material; `matches` in the answer of one experiment only."
    )
    tallies: dict[str, Any]
    touched: dict[str, Any] | None
    right: dict[str, Any] | None
    after_decision: int = Field(description="Units that were played beyond the verdict's.")
    verdict: Verdict | None


class RuleDifference(Answer):
    """One rule in which the arms differ."""

    key: str
    a: Any
    b: Any


class Forecast(Answer):
    """The mean number of units until a verdict, by the true effect: `none`, `halfway` to the
    margin, the `margin`."""

    measured: bool = Field(
        description="From the variance of the units so far, and not from a supposed one."
    )
    units: dict[str, int]
    sentence: str


class ExperimentAnswer(ExperimentSummary):
    """An experiment with what differs between its arms, and how the estimate went."""

    expected: Forecast | None = Field(
        description="How long the test will take; null when it is over, or where there is none."
    )
    rules_diff: list[RuleDifference]
    openings: dict[str, int] = Field(
        description="For how many games one was drawn, and how many draws were repeated."
    )
    history: list[dict[str, Any]]


class ExperimentList(Answer):
    """A page of experiments, the newest first."""

    total: int
    experiments: list[ExperimentSummary]


class FindingsAnswer(Answer):
    """The experiments whose evidence stands among all that were run, the strongest first."""

    level: float = Field(description="At most this share of the list is expected to be false.")
    tested: int = Field(description="How many experiments there are that test anything.")
    findings: list[ExperimentSummary]


class CurveLevel(Answer):
    """The experiment at one strength: what it says of the primary number so far."""

    level: int = Field(description="What the document's nodes are multiplied by.")
    nodes: int
    experiment: str
    units: int
    value: float | None
    low: float | None
    high: float | None


class Interval(Answer):
    """A number and its interval, as far as they are known."""

    value: float | None
    low: float | None
    high: float | None


class CurveAnswer(Answer):
    """One question at several strengths, and what becomes of the answer."""

    family: str
    name: str
    kind: str
    levels: list[CurveLevel]
    slope: Interval = Field(description="Change of the primary number with a doubling of nodes.")
    label: Literal["robust", "strength-dependent", "tested only"] | None
    sentence: str
    complete: bool = Field(description="Every level has played its whole budget.")


class GameSummary(Answer):
    """One game without its moves."""

    id: int
    unit: int
    arm: Literal["a", "b"]
    result: Literal["1-0", "0-1", "1/2-1/2"]
    reason: str
    plies: int
    opening_plies: int
    promotions: dict[str, dict[str, int]]
    declined: dict[str, int]
    match: str = Field(description="Who met: two players of a pool, two armies; else empty.")
    profile: dict[str, Any] = Field(description="What else was counted, see docs/metrics.md.")
    provenance: Literal["worker", "volunteer"]
    verified: Literal["trusted", "unverified"]
    after_decision: bool = Field(description="Played, but no part of what was decided on.")
    reproducible: bool = Field(description="It can be played again: nobody played by the clock.")


class GameList(Answer):
    """A page of an experiment's games, in schedule order."""

    total: int
    games: list[GameSummary]


class GameAnswer(GameSummary):
    """One game with its moves, in UCI."""

    experiment: str
    batch: int
    moves: list[str]
