"""Experiments: a document in, everything that play depends on out, frozen and hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from tabia.engine.compiled import compiled
from tabia.engine.documents import DocumentError, Strict, parse_toml, validate
from tabia.engine.match.openings import NoOpeningError
from tabia.engine.match.signature import bench_signature
from tabia.engine.match.unit import OpeningBook, pairings
from tabia.engine.rules.array import format_row
from tabia.engine.rules.resolve import Resolver, from_catalog, from_files, inline
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.weights import Weights, neutral_weights

SCHEMA = 1
"""Version of the frozen form and of batches; one that means something else gets a new number."""

Kind = Literal["compare", "rights"]
METRICS: Mapping[str, tuple[str, ...]] = {
    "compare": ("white_score", "draws", "decisive", "promotions"),
    "rights": ("elo",),
}
DEFAULT_MARGIN = {"compare": 0.03, "rights": 20.0}
LARGEST_MARGIN = {"compare": 0.5, "rights": 400.0}


class Arms(Strict):
    """The two rule sets: catalog ids, ids of `[rulesets]`, or files of this machine."""

    a: Annotated[str, Field(min_length=1, max_length=200)]
    b: Annotated[str, Field(min_length=1, max_length=200)]


class Openings(Strict):
    """plies: random moves before the engines play. paired: one opening for both arms; left out, it
    is so wherever the arrays agree."""

    plies: Annotated[int, Field(ge=0, le=60)] = 8
    paired: bool | None = None


class Test(Strict):
    """What is asked: the metric that decides, the difference worth knowing, the error rates, and
    how many units (openings) may be spent on it."""

    metric: str | None = None
    margin: Annotated[float, Field(gt=0)] | None = None
    alpha: Annotated[float, Field(ge=0.001, le=0.25)] = 0.05
    beta: Annotated[float, Field(ge=0.001, le=0.25)] = 0.05
    budget: Annotated[int, Field(ge=1, le=1_000_000)] = 4000


class ExperimentDocument(Strict):
    """An experiment as a designer writes it."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    question: Annotated[str, Field(max_length=2000)] = ""
    kind: Kind
    nodes: Annotated[int, Field(ge=1, le=10_000_000)] = 1000
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 0
    max_plies: Annotated[int, Field(ge=2, le=4000)] = 400
    arms: Arms
    openings: Openings = Openings()
    test: Test = Test()
    rulesets: Annotated[dict[str, dict[str, Any]], Field(max_length=16)] = Field(
        default_factory=dict
    )


@dataclass(frozen=True)
class Experiment:
    """An experiment that can be played: nothing in it is looked up again.

    id: SHA-256 of `frozen`, 64 hexadecimal digits; frozen: plain data; arms: "a" and "b"; margin:
    on the metric's own scale, for `rights` in logistic Elo; budget: units; nodes: a move; paired:
    both arms play the same openings; weights: what the engines of both arms know; engine: bench
    signature.
    """

    id: str
    frozen: Mapping[str, Any]
    arms: Mapping[str, RuleSet]
    name: str
    question: str
    kind: Kind
    metric: str
    margin: float
    alpha: float
    beta: float
    budget: int
    nodes: int
    max_plies: int
    opening_plies: int
    paired: bool
    weights: Weights
    engine: str

    @classmethod
    def from_toml(cls, text: str, source: str, folder: Path | None = None) -> Experiment:
        """The experiment that a TOML text describes. Raises DocumentError."""
        return cls.from_document(parse_toml(text, source), source, folder=folder)

    @classmethod
    def from_document(
        cls, document: Mapping[str, Any], source: str, *, folder: Path | None = None
    ) -> Experiment:
        """The experiment of a document that is read already.

        folder: where rule sets named by file are; None, as for a stranger's document, means that
        only the catalog and the document's own `[rulesets]` are known. Raises DocumentError.
        """
        model = validate(ExperimentDocument, dict(document), source)
        outside = from_catalog if folder is None else from_files(folder)
        resolver = inline(model.rulesets, source, outside)
        arms = {key: _arm(model, key, source, resolver) for key in ("a", "b")}
        test = _test(model, source)
        paired = _pairing(model, arms, source)
        frozen = {
            "schema": SCHEMA,
            "name": model.name,
            "question": model.question,
            "kind": model.kind,
            "arms": {key: rules.document for key, rules in arms.items()},
            "nodes": model.nodes,
            "seed": model.seed,
            "max_plies": model.max_plies,
            "openings": {"plies": model.openings.plies, "paired": paired},
            "test": test,
            "weights": neutral_weights(*arms.values()),
            "engine": bench_signature(),
        }
        experiment = cls.from_frozen(frozen)
        _require_playable(experiment, source)
        return experiment

    @classmethod
    def from_frozen(cls, frozen: Mapping[str, Any]) -> Experiment:
        """The experiment of a frozen form, which one of our own made."""
        test = frozen["test"]
        text = json.dumps(frozen, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return cls(
            id=hashlib.sha256(text.encode("ascii")).hexdigest(),
            frozen=frozen,
            arms={key: RuleSet.from_canonical(form) for key, form in frozen["arms"].items()},
            name=frozen["name"],
            question=frozen["question"],
            kind=frozen["kind"],
            metric=test["metric"],
            margin=test["margin"],
            alpha=test["alpha"],
            beta=test["beta"],
            budget=test["budget"],
            nodes=frozen["nodes"],
            max_plies=frozen["max_plies"],
            opening_plies=frozen["openings"]["plies"],
            paired=frozen["openings"]["paired"],
            weights=frozen["weights"],
            engine=frozen["engine"],
        )


def _arm(model: ExperimentDocument, key: str, source: str, resolver: Resolver) -> RuleSet:
    return RuleSet.from_reference(getattr(model.arms, key), source, f"arms.{key}", resolver)


def _test(model: ExperimentDocument, source: str) -> dict[str, Any]:
    test = model.test
    metrics = METRICS[model.kind]
    metric = test.metric or metrics[0]
    if metric not in metrics:
        raise DocumentError(
            source,
            "test.metric",
            f'found "{metric}"; allowed for {model.kind}: {", ".join(metrics)}',
        )
    margin = DEFAULT_MARGIN[model.kind] if test.margin is None else float(test.margin)
    most = LARGEST_MARGIN[model.kind]
    if margin > most:
        unit = " Elo" if model.kind == "rights" else ""
        raise DocumentError(
            source,
            "test.margin",
            f"found {margin:g}; allowed for {model.kind}: above 0, up to {most:g}{unit}",
        )
    return {
        "metric": metric,
        "margin": margin,
        "alpha": float(test.alpha),
        "beta": float(test.beta),
        "budget": test.budget,
    }


def _pairing(model: ExperimentDocument, arms: Mapping[str, RuleSet], source: str) -> bool:
    a, b = (arms[key].rules for key in ("a", "b"))
    same_array = a.board == b.board and all(
        format_row(a.rows[rank]) == format_row(b.rows[rank]) for rank in a.rows
    )
    asked = model.openings.paired
    if asked and not same_array:
        raise DocumentError(
            source,
            "openings.paired",
            "found true; allowed: true only where both arms have the same board and array",
        )
    if model.kind == "rights":
        compiled(arms["a"], arms["b"])  # raises where the two cannot meet in one game
        if asked is False:
            raise DocumentError(
                source, "openings.paired", "found false; allowed for rights: true, or left out"
            )
        return True
    return same_array if asked is None else asked


def _require_playable(experiment: Experiment, source: str) -> None:
    if experiment.opening_plies >= experiment.max_plies:
        raise DocumentError(
            source,
            "openings.plies",
            f"found {experiment.opening_plies}; allowed: fewer than max_plies, which is "
            f"{experiment.max_plies}",
        )
    groups = pairings(experiment.kind, experiment.arms, paired=experiment.paired)
    try:
        list(OpeningBook(experiment.id, experiment.opening_plies, groups).unit(0))
    except NoOpeningError as error:
        raise DocumentError(source, "openings.plies", str(error)) from None
