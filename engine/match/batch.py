"""Batches: a slice of an experiment's units, planned anywhere, played anywhere, always the same.

`plan_batch` and `play_batch` are pure: the games of a batch are a function of the batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from tabia.engine.match.experiment import SCHEMA, Experiment
from tabia.engine.match.own_weights import Judges, Library
from tabia.engine.match.players import players_of
from tabia.engine.match.signature import bench_signature
from tabia.engine.match.table import Table, UnplayableError
from tabia.engine.match.unit import MatchError, Units
from tabia.engine.outside.programs import Programs
from tabia.engine.rules.ruleset import RuleSet


class BatchError(ValueError):
    """A batch that this engine cannot or must not play."""


def plan_batch(
    experiment: Experiment,
    number: int,
    first_unit: int,
    units: int,
    matches: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Everything that playing those units needs, as plain data.

    number: the batch's own; units `first_unit` to `first_unit + units - 1` are in it. matches: for
    kind `material`, and for no other, the label of each unit's imbalance. ValueError otherwise.
    """
    return {
        "schema": SCHEMA,
        "experiment": experiment.id,
        "batch": number,
        "first_unit": first_unit,
        "units": units,
        "engine": experiment.engine,
        "kind": experiment.kind,
        "paired": experiment.paired,
        "nodes": experiment.nodes,
        "max_plies": experiment.max_plies,
        "opening_plies": experiment.opening_plies,
        "arms": {key: dict(experiment.arms[key].canonical) for key in experiment.frozen["arms"]},
        "players": {key: player.table() for key, player in experiment.players.items()},
        "matches": _matches(experiment, first_unit, units, matches),
        "weights": experiment.weights,
        "own_weights": dict(experiment.own_weights),
    }


def play_batch(
    batch: Mapping[str, Any],
    *,
    library: Library = MappingProxyType({}),
    programs: Programs | None = None,
) -> dict[str, Any]:
    """Plays a batch; the result has the games in unit order, arm "a" first.

    library: the weights that the batch names by their hash, if it does; see `needed_weights`.

    Returns {"experiment", "batch", "engine", "games": [game], "openings": {"drawn", "redrawn"}}
    with plain data only; `redrawn` counts the draws that had to be repeated. With programs of
    others as players there are also "voids": what `VoidPair.record` gives. programs: those of this
    machine, where its operator lets batches start them.

    Raises BatchError when the batch was planned for another engine or says of a unit what its kind
    cannot play, when a program plays no unit to its end or none may be started here; ProgramError
    when a program cannot be a player here; DocumentError when its rules are not in order;
    UnknownWeightsError when the library has not all that it needs.
    """
    if batch["schema"] != SCHEMA or batch["engine"] != bench_signature():
        raise BatchError(
            f"batch {batch['batch']} is for engine {batch['engine']}, schema {batch['schema']}; "
            f"this one has engine {bench_signature()}, schema {SCHEMA}"
        )
    units = _units(batch)
    first = batch["first_unit"]
    games: list[dict[str, Any]] = []
    voids: list[dict[str, Any]] = []
    drawn = attempts = 0
    judges = Judges(batch["weights"], batch.get("own_weights", {}), library)
    with Table(units, judges, batch["max_plies"], programs) as table:
        for unit, match in enumerate(batch["matches"], first):
            try:
                played = table.play(unit, match)
            except (MatchError, UnplayableError) as error:
                raise BatchError(f"batch {batch['batch']}, unit {unit}: {error}") from None
            drawn += played.drawn
            attempts += played.attempts
            voids += [void.record() for void in played.voids]
            games += [{"unit": unit, "match": match, **game} for game in played.games]
    return {
        "experiment": batch["experiment"],
        "batch": batch["batch"],
        "engine": batch["engine"],
        "games": games,
        "openings": {"drawn": drawn, "redrawn": attempts - drawn},
        **({"voids": voids} if any(each.is_outside for each in units.players.values()) else {}),
    }


def needed_weights(batch: Mapping[str, Any]) -> list[str]:
    """The hashes of the weights that playing the batch needs, sorted."""
    return sorted(set(batch.get("own_weights", {}).values()))


def _matches(
    experiment: Experiment, first_unit: int, units: int, matches: Sequence[str] | None
) -> list[str]:
    if experiment.material is None:
        if matches is not None:
            raise ValueError(f"what a unit of kind {experiment.kind} plays is not to be chosen")
        return experiment.units().matches(first_unit, units)
    if matches is None or len(matches) != units:
        raise ValueError(f"needed: what each of {units} units plays")
    unknown = sorted(set(matches).difference(experiment.material.matches))
    if unknown:
        raise ValueError(f"no match of this experiment: {', '.join(unknown)}")
    return list(matches)


def _units(batch: Mapping[str, Any]) -> Units:
    arms = {
        key: RuleSet.from_canonical(form, f"batch {batch['batch']}: arm {key}")
        for key, form in batch["arms"].items()
    }
    return Units(
        seed=batch["experiment"],
        kind=batch["kind"],
        arms={"a": arms["a"], "b": arms.get("b", arms["a"])},
        players=players_of(batch["players"]),
        nodes=batch["nodes"],
        plies=batch["opening_plies"],
        paired=batch["paired"],
    )
