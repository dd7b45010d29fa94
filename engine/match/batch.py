"""Batches: a slice of an experiment's units, planned anywhere, played anywhere, always the same.

`plan_batch` and `play_batch` are pure: the games of a batch are a function of the batch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabia.engine import _core
from tabia.engine.compiled import compiled
from tabia.engine.match.experiment import SCHEMA, Experiment
from tabia.engine.match.signature import bench_signature
from tabia.engine.match.unit import OpeningBook, Pairing, pairings
from tabia.engine.rules.ruleset import RuleSet


class BatchError(ValueError):
    """A batch that this engine cannot or must not play."""


def plan_batch(experiment: Experiment, number: int, first_unit: int, units: int) -> dict[str, Any]:
    """Everything that playing those units needs, as plain data.

    number: the batch's own; units `first_unit` to `first_unit + units - 1` are in it.
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
        "arms": {key: dict(rules.canonical) for key, rules in experiment.arms.items()},
        "weights": experiment.weights,
    }


def play_batch(batch: Mapping[str, Any]) -> dict[str, Any]:
    """Plays a batch; the result has the games in unit order, arm "a" first.

    Returns {"experiment", "batch", "engine", "games": [game], "openings": {"drawn", "redrawn"}}
    with plain data only; `redrawn` counts the draws that had to be repeated. Raises BatchError when
    the batch was planned for another engine, DocumentError when its rules are not in order.
    """
    if batch["schema"] != SCHEMA or batch["engine"] != bench_signature():
        raise BatchError(
            f"batch {batch['batch']} is for engine {batch['engine']}, schema {batch['schema']}; "
            f"this one has engine {bench_signature()}, schema {SCHEMA}"
        )
    arms = {
        key: RuleSet.from_canonical(form, f"batch {batch['batch']}: arm {key}")
        for key, form in batch["arms"].items()
    }
    groups = pairings(batch["kind"], arms, paired=batch["paired"])
    book = OpeningBook(batch["experiment"], batch["opening_plies"], groups)
    first = batch["first_unit"]
    games: list[dict[str, Any]] = []
    drawn = attempts = 0
    for unit in range(first, first + batch["units"]):
        for game, opening in book.unit(unit):
            drawn += 1
            attempts += opening.attempts
            games.append({"unit": unit, "arm": game.arm, **_play(batch, game, opening.moves)})
    return {
        "experiment": batch["experiment"],
        "batch": batch["batch"],
        "engine": batch["engine"],
        "games": games,
        "openings": {"drawn": drawn, "redrawn": attempts - drawn},
    }


def _play(batch: Mapping[str, Any], game: Pairing, opening: tuple[str, ...]) -> dict[str, Any]:
    rules = compiled(game.white, game.black)
    evaluator = _core.Evaluator.build(rules, batch["weights"])
    nodes = batch["nodes"]
    played = _core.play_game(
        rules, evaluator, evaluator, list(opening), nodes, nodes, batch["max_plies"]
    )
    return {
        "moves": " ".join(played["moves"]),
        "opening_plies": len(opening),
        "result": played["result"],
        "reason": played["reason"],
        "plies": len(played["moves"]),
        "promotions": played["promotions"],
        "declined": played["declined"],
    }
