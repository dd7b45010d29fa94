"""`[weights]`: who judges positions by weights of their own, and not by those that all share.

A document names an arm or a player and gives it a weights file: by its path on one's own computer,
written out as a table, or by the hash of weights that whoever reads the document has already. The
frozen form and the batches have the hashes alone; who plays fetches what they name.

Arms with weights of their own are not coupled any more: two games of one opening part where the
weights differ, not only where the rules do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tabia.engine.documents import DocumentError, show
from tabia.engine.match.document import ExperimentDocument
from tabia.engine.match.kinds import WITH_PLAYERS
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.weights import Weights
from tabia.engine.weights_file import checked, read_weights_file, unwrapped, weights_hash

ALL = "all"
"""Stands for everybody who has no weights of their own."""

Library = Mapping[str, Weights]
"""Weights by their hash."""
Known = Callable[[str], Weights | None]
"""Finds weights by their hash, None where there are none."""

_HASH = re.compile(r"[0-9a-f]{64}")


class UnknownWeightsError(LookupError):
    """A batch names weights that are not at hand, or that are not what their name says."""


def nothing_known(_: str) -> Weights | None:
    """Where no weights are known by their hash."""
    return None


def own_weights(
    model: ExperimentDocument,
    arms: Mapping[str, RuleSet],
    source: str,
    folder: Path | None,
    known: Known,
) -> tuple[dict[str, str], dict[str, Weights]]:
    """`[weights]`: the hash by arm, player or `all`, and the weights by hash.

    arms: the rule sets of the two arms, or of both; folder: where files are, None where there are
    none. Raises DocumentError.
    """
    allowed = _who(model)
    hashes: dict[str, str] = {}
    library: dict[str, Weights] = {}
    for who, given in sorted(model.weights.items()):
        key = f"weights.{who}"
        if who not in allowed:
            raise DocumentError(
                source,
                "weights",
                f"found {show(who)}; allowed for {model.kind}: {', '.join(allowed)}",
            )
        # In a `compare` an arm meets itself only; everywhere else one judges men of both.
        alone = model.kind == "compare" and who != ALL
        rules = [arms[who]] if alone else [*arms.values()]
        weights = checked(_given(given, source, key, folder, known), rules, source, key)
        hashes[who] = weights_hash(weights)
        library[hashes[who]] = weights
    return hashes, library


@dataclass(frozen=True)
class Judges:
    """Who judges by what. shared: the weights of all who have none of their own; hashes: those of
    the others by arm, player or `all`; library: these by their hash."""

    shared: Weights
    hashes: Mapping[str, str] = field(default_factory=dict)
    library: Library = field(default_factory=dict)

    def weights(self, who: str) -> Weights:
        """What that arm or player judges by. Raises UnknownWeightsError."""
        name = self.hashes.get(who) or self.hashes.get(ALL)
        if name is None:
            return self.shared
        return verified(name, self.library.get(name))


def verified(name: str, weights: Any) -> Weights:
    """These weights, if that is the hash of their content. Raises UnknownWeightsError."""
    if not isinstance(weights, dict):
        raise UnknownWeightsError(f"the weights {name} are not at hand")
    if weights_hash(weights) != name:
        raise UnknownWeightsError(f"what came as the weights {name} is something else")
    return weights


def _who(model: ExperimentDocument) -> list[str]:
    if model.kind in WITH_PLAYERS:
        # A program of others has a judgement of its own.
        players = (model.players or {}).items()
        return [*sorted(key for key, player in players if player.program is None), ALL]
    return ["a", "b", ALL] if model.arms is not None else [ALL]


def _given(given: Any, source: str, key: str, folder: Path | None, known: Known) -> Weights:
    if not isinstance(given, str):
        return unwrapped(given, source, key)
    if _HASH.fullmatch(given):
        found = known(given)
        if found is None:
            raise DocumentError(
                source, key, "weights of that hash are not known here; allowed: the whole file"
            )
        return found
    if folder is None:
        raise DocumentError(
            source,
            key,
            f"found {show(given)}; allowed: the weights themselves as a table, or the hash of "
            "weights that are known here",
        )
    return read_weights_file(folder / given, source, key)


def judge_differently(hashes: Mapping[str, str], players: Sequence[str]) -> bool:
    """Whether these arms or players judge by different weights."""
    return len({hashes.get(who) or hashes.get(ALL) for who in players}) > 1
