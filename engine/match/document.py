"""An experiment as a designer writes it: which tables and keys there are, for each kind.

What stands here is the shape alone. What a table means together with others is decided where it is
frozen: `questions` for `[test]`, `players`, `material`, `curve`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, Field

from tabia.engine.documents import Allowed, DocumentError, Strict, validate
from tabia.engine.match.kinds import KINDS, ONE_RULE_SET, WITH_PLAYERS, Kind
from tabia.engine.rules.model import Letter, Paragraph, Title

MOST_NODES = 10_000_000

Reference = Annotated[str, Field(min_length=1, max_length=200)]
"""A rule set: a catalog id, an id of `[rulesets]`, or a file of this machine."""

Nodes = Annotated[int, Field(ge=1, le=MOST_NODES)]
PlayerKey = Annotated[
    str,
    Field(pattern=r"^[a-z0-9-]{1,32}$"),
    Allowed("small letters, digits and hyphens, 1 to 32 of them"),
]
OptionName = Annotated[
    str,
    Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*( [A-Za-z0-9_.-]+)*$", max_length=64),
    Allowed("the name of an option: letters, digits, _ . - and single blanks between them"),
]


def _option_value(value: Any) -> bool | int | str:
    """Plain values alone: what is told to a program must be one line."""
    text = isinstance(value, str) and re.fullmatch(r"[!-~]+( [!-~]+)*", value) and len(value) <= 100
    if text or isinstance(value, bool) or (isinstance(value, int) and abs(value) < 2**63):
        return cast("bool | int | str", value)
    raise ValueError("no value of an option")


OptionValue = Annotated[
    Any,
    AfterValidator(_option_value),
    Allowed("true, false, a whole number, or up to 100 characters that are printed in ASCII"),
]
Rule = Literal["sobel-wald", "gsprt", "budget"]
Scale = Literal["normalized", "logistic"]


class Arms(Strict):
    """The two rule sets."""

    a: Reference
    b: Reference


class PlayerTable(Strict):
    """Who plays, and what ends its search: nodes (positions looked at; left out, those of the
    document), or movetime_ms, or for a program depth.

    Without `program` a player is the built-in engine, whatever its key; weights of its own are in
    `[weights]`. A program is named as the operator of the worker calls it; says: what it says of
    itself, `id name` in UCI.
    """

    name: Title | None = None
    nodes: Nodes | None = None
    movetime_ms: Annotated[int, Field(ge=1, le=600_000)] | None = None
    depth: Annotated[int, Field(ge=1, le=100)] | None = None
    program: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    says: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    protocol: Literal["uci", "xboard"] | None = None
    options: Annotated[dict[OptionName, OptionValue], Field(max_length=32)] = Field(
        default_factory=dict
    )


class MaterialTable(Strict):
    """men: whose values are asked for; pawn: whose value is 1; target: the half-width of the widest
    interval, in pawns, at which it stops; most_men: how many men each side of an imbalance has at
    most, two pawns counting as one; expected: an order that somebody published, the dearest man
    first, to be held against what is found."""

    men: Annotated[list[Letter], Field(min_length=1, max_length=25)] | None = None
    pawn: Letter | None = None
    target: Annotated[float, Field(ge=0.01, le=10)] = 0.25
    most_men: Annotated[int, Field(ge=1, le=4)] = 2
    expected: Annotated[list[Letter], Field(max_length=25)] = Field(default_factory=list)


class CurveTable(Strict):
    """levels: by what the nodes are multiplied; one experiment for each."""

    levels: Annotated[list[Annotated[int, Field(ge=1, le=1024)]], Field(min_length=2, max_length=8)]


class Openings(Strict):
    """plies: random moves before the engines play. paired: one opening for both arms; left out, it
    is so wherever the arrays agree."""

    plies: Annotated[int, Field(ge=0, le=60)] = 8
    paired: bool | None = None


class TestTable(Strict):
    """What is asked: the metric that decides, the rule that ends the experiment, the difference
    worth knowing, the error rates, and how many units (openings) may be spent on it."""

    __test__ = False  # for pytest: this is no test

    metric: str | None = None
    rule: Rule | None = None
    margin: Annotated[float, Field(gt=0)] | None = None
    bounds: (
        Annotated[list[Annotated[float, Field(ge=-400, le=400)]], Field(min_length=2, max_length=2)]
        | None
    ) = None
    scale: Scale | None = None
    alpha: Annotated[float, Field(ge=0.001, le=0.25)] = 0.05
    beta: Annotated[float, Field(ge=0.001, le=0.25)] = 0.05
    budget: Annotated[int, Field(ge=1, le=1_000_000)] = 4000


class ExperimentDocument(Strict):
    """The whole document; `ALLOWED` says which of these keys each kind has."""

    name: Title
    question: Paragraph = ""
    kind: Kind
    nodes: Nodes = 1000
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 0
    max_plies: Annotated[int, Field(ge=2, le=4000)] = 400
    arms: Arms | None = None
    rules: Reference | None = None
    players: Annotated[dict[PlayerKey, PlayerTable], Field(min_length=2, max_length=64)] | None = (
        None
    )
    player: PlayerTable | None = None
    weights: Annotated[dict[PlayerKey, Any], Field(max_length=64)] = Field(default_factory=dict)
    material: MaterialTable | None = None
    curve: CurveTable | None = None
    openings: Openings = Openings()
    test: TestTable = TestTable()
    rulesets: Annotated[dict[str, dict[str, Any]], Field(max_length=16)] = Field(
        default_factory=dict
    )


OWN_KEYS: Mapping[str, frozenset[Kind]] = {
    "arms": frozenset({"compare", "rights"}),
    "rules": ONE_RULE_SET,
    "players": WITH_PLAYERS,
    "player": frozenset({"rights"}),
    "material": frozenset({"material"}),
    "curve": frozenset({"compare", "rights"}),
}
"""The keys that only some kinds have. Those kinds need them, but for `OPTIONAL`."""
OPTIONAL = frozenset({"player", "material", "curve"})


def read_document(document: Mapping[str, Any], source: str) -> ExperimentDocument:
    """The document, with the keys of its kind and no others. Raises DocumentError."""
    kind = document.get("kind")
    if kind in KINDS:  # what else it may be, the model says
        for key, kinds in OWN_KEYS.items():
            if key in document and kind not in kinds:
                raise DocumentError(source, key, f"not for {kind}; allowed for {_either(kinds)}")
    model = validate(ExperimentDocument, dict(document), source)
    for key, kinds in OWN_KEYS.items():
        if model.kind in kinds and key not in OPTIONAL and getattr(model, key) is None:
            raise DocumentError(source, key, f"missing; needed for {model.kind}: {_NEEDED[key]}")
    return model


_NEEDED = {
    "arms": "a table with the keys a, b, each a rule set",
    "rules": "a rule set",
    "players": "a table for each player",
}


def _either(kinds: frozenset[Kind]) -> str:
    return " and ".join(kind for kind in KINDS if kind in kinds)
