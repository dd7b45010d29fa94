"""Experiments: a document in, everything that play depends on out, frozen and hashed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tabia.engine.compiled import compiled
from tabia.engine.documents import DocumentError, parse_toml
from tabia.engine.match.curve import content_hash, levels_of, require_levels
from tabia.engine.match.document import ExperimentDocument, Rule, Scale, read_document
from tabia.engine.match.kinds import ONE_RULE_SET, Kind
from tabia.engine.match.material import Material, frozen_material, material_of
from tabia.engine.match.openings import NoOpeningError
from tabia.engine.match.own_weights import Known, Library, nothing_known, own_weights
from tabia.engine.match.players import Player, frozen_players, players_of
from tabia.engine.match.questions import frozen_test
from tabia.engine.match.signature import bench_signature
from tabia.engine.match.unit import Units
from tabia.engine.outside.programs import Programs
from tabia.engine.rules.array import format_row
from tabia.engine.rules.resolve import from_catalog, from_files, inline
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.weights import Weights, neutral_weights

SCHEMA = 2
"""Version of the frozen form and of batches; one that means something else gets a new number."""

_SINCE_2: Mapping[str, Any] = {
    "players": {},
    "material": None,
    "curve": None,
    "own_weights": {},
}
_SINCE_2_IN_TEST: Mapping[str, Any] = {"rule": "sobel-wald", "bounds": None, "scale": None}


@dataclass(frozen=True)
class Experiment:
    """An experiment that can be played: nothing in it is looked up again.

    id: SHA-256 of `frozen`, 64 hexadecimal digits; frozen: plain data; arms: "a" and "b", one and
    the same rule set where the kind has but one; margin: on the metric's own scale, for `rights` in
    logistic Elo, 0 where the rule has none, with `gsprt` the width of the bounds; rule: what ends
    it; bounds, scale: the two hypotheses of `gsprt`, in Elo of that scale; budget: units; nodes: a
    move, with players those of the strongest; players: by key, none where all play alike; paired:
    the games of a unit share their opening; material: what is weighed, for that kind; curve: None,
    or {"family", "level", "levels"} of one level of a node-budget curve; weights: what the engines
    of both arms know, but for `own_weights`: the hash by arm, player or "all"; library: those
    weights by hash, where they came with a document; engine: bench signature.
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
    rule: Rule
    bounds: tuple[float, float] | None
    scale: Scale | None
    nodes: int
    players: Mapping[str, Player]
    max_plies: int
    opening_plies: int
    paired: bool
    material: Material | None
    curve: Mapping[str, Any] | None
    weights: Weights
    own_weights: Mapping[str, str]
    engine: str
    library: Library = field(default_factory=dict, repr=False)

    @classmethod
    def from_toml(cls, text: str, source: str, folder: Path | None = None) -> Experiment:
        """The experiment that a TOML text describes. Raises DocumentError."""
        return cls.from_document(parse_toml(text, source), source, folder=folder)

    @classmethod
    def from_document(
        cls,
        document: Mapping[str, Any],
        source: str,
        *,
        folder: Path | None = None,
        known: Known = nothing_known,
    ) -> Experiment:
        """The experiment of a document that is read already and stands for one.

        folder: where rule sets named by file are; None, as for a stranger's document, means that
        only the catalog and the document's own `[rulesets]` are known; known: finds weights that
        the document names by their hash. Raises DocumentError.
        """
        if "curve" in document:
            raise DocumentError(
                source, "curve", "found in a document that must be one experiment; allowed: none"
            )
        return cls.family(document, source, folder=folder, known=known)[0]

    @classmethod
    def family(
        cls,
        document: Mapping[str, Any],
        source: str,
        *,
        folder: Path | None = None,
        known: Known = nothing_known,
    ) -> list[Experiment]:
        """The experiments of a document that is read already: one for each level of its `[curve]`,
        else one. Raises DocumentError."""
        model = read_document(document, source)
        require_levels(model, source)
        base, library = _freeze(model, source, folder, known)
        forms = [base] if model.curve is None else levels_of(base, model.curve.levels)
        experiments = [replace(cls.from_frozen(form), library=library) for form in forms]
        experiments[0].require_playable(source)
        return experiments

    @classmethod
    def from_frozen(cls, frozen: Mapping[str, Any]) -> Experiment:
        """The experiment of a frozen form, which this version or one before made.

        What a form of schema 1 does not say is what its kinds have always meant; the id stays the
        hash of the form as it is.
        """
        whole = {**_SINCE_2, **frozen}
        test = {**_SINCE_2_IN_TEST, **frozen["test"]}
        arms = {key: RuleSet.from_canonical(form) for key, form in frozen["arms"].items()}
        bounds = test["bounds"]
        return cls(
            id=content_hash(frozen),
            frozen=frozen,
            arms={"a": arms["a"], "b": arms.get("b", arms["a"])},
            name=frozen["name"],
            question=frozen["question"],
            kind=frozen["kind"],
            metric=test["metric"],
            margin=test["margin"],
            alpha=test["alpha"],
            beta=test["beta"],
            budget=test["budget"],
            rule=test["rule"],
            bounds=None if bounds is None else (bounds[0], bounds[1]),
            scale=test["scale"],
            nodes=frozen["nodes"],
            players=players_of(whole["players"]),
            max_plies=frozen["max_plies"],
            opening_plies=frozen["openings"]["plies"],
            paired=frozen["openings"]["paired"],
            material=material_of(whole["material"]),
            curve=whole["curve"],
            weights=frozen["weights"],
            own_weights=whole["own_weights"],
            engine=frozen["engine"],
        )

    @property
    def trusted_only(self) -> bool:
        """Only workers of the cluster play it: somebody in it is a program, or plays by the clock,
        and nobody could tell from its games whether they are honest."""
        return any(player.is_outside or player.movetime_ms for player in self.players.values())

    @property
    def reproducible(self) -> bool:
        """Its games can be played again: nobody plays by the clock. That programs play alike at
        equal nodes is for their authors to promise."""
        return not any(player.movetime_ms for player in self.players.values())

    def units(self) -> Units:
        """What its units are made of; each caller gets one of its own, as it keeps positions."""
        return Units(
            seed=self.id,
            kind=self.kind,
            arms=self.arms,
            players=self.players,
            nodes=self.nodes,
            plies=self.opening_plies,
            paired=self.paired,
        )

    def require_playable(self, source: str) -> None:
        """Raises DocumentError where its first unit has no opening, or, of a kind with imbalances,
        one of them no position to begin with."""
        if self.opening_plies >= self.max_plies:
            raise DocumentError(
                source,
                "openings.plies",
                f"found {self.opening_plies}; allowed: fewer than max_plies, which is "
                f"{self.max_plies}",
            )
        units = self.units()
        matches = self.material.matches if self.material else units.matches(0, 1)
        try:
            list(units.games(0, matches[0]))
            for match in matches[1:]:
                units.require_placement(match)
        except NoOpeningError as error:
            raise DocumentError(source, "openings.plies", str(error)) from None


def _freeze(
    model: ExperimentDocument, source: str, folder: Path | None, known: Known
) -> tuple[dict[str, Any], Library]:
    """The frozen form, and the weights that it names by their hash."""
    arms = _arms(model, source, folder)
    weights = neutral_weights(*arms.values())
    players = frozen_players(model, arms, Programs.here(folder), source)
    nodes = max((player["nodes"] for player in players.values()), default=model.nodes)
    own, library = own_weights(model, arms, source, folder, known)
    frozen = {
        "schema": SCHEMA,
        "name": model.name,
        "question": model.question,
        "kind": model.kind,
        "arms": {key: rules.document for key, rules in arms.items()},
        "players": players,
        "material": frozen_material(model, arms["a"], weights, source),
        "curve": None,
        "nodes": nodes,
        "seed": model.seed,
        "max_plies": model.max_plies,
        "openings": {"plies": model.openings.plies, "paired": _pairing(model, arms, source)},
        "test": frozen_test(model, source),
        "weights": weights,
        "engine": bench_signature(),
    }
    # Only where they are asked for: all other experiments keep the ids they always had.
    return ({**frozen, "own_weights": own} if own else frozen), library


def _arms(model: ExperimentDocument, source: str, folder: Path | None) -> dict[str, RuleSet]:
    """The rule sets of the two arms, or the one of both."""
    outside = from_catalog if folder is None else from_files(folder)
    resolver = inline(model.rulesets, source, outside)
    if model.arms is None:
        named = {"a": ("rules", str(model.rules))}
    else:
        named = {"a": ("arms.a", model.arms.a), "b": ("arms.b", model.arms.b)}
    return {
        arm: RuleSet.from_reference(reference, source, key, resolver)
        for arm, (key, reference) in named.items()
    }


def _pairing(model: ExperimentDocument, arms: Mapping[str, RuleSet], source: str) -> bool:
    asked = model.openings.paired
    if model.kind in ONE_RULE_SET:
        compiled(arms["a"])
        same_array = True
    else:
        a, b = (arms[key].rules for key in ("a", "b"))
        same_array = a.board == b.board and all(
            format_row(a.rows[rank]) == format_row(b.rows[rank]) for rank in a.rows
        )
    if asked and not same_array:
        raise DocumentError(
            source,
            "openings.paired",
            "found true; allowed: true only where both arms have the same board and array",
        )
    if model.kind == "compare":
        return same_array if asked is None else asked
    if model.kind == "rights":
        compiled(arms["a"], arms["b"])  # raises where the two cannot meet in one game
    if asked is False:
        raise DocumentError(
            source, "openings.paired", f"found false; allowed for {model.kind}: true, or left out"
        )
    return True
