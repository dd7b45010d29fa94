"""`[ratings]`: the player at whose rating the scale of a list begins.

Games tell differences of ratings only. Without an anchor the mean of a pool is 0; with one, a
player is held at a rating that is declared before the first game, and everybody else is measured
from it. Nothing that is played depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabia.engine.documents import DocumentError, show
from tabia.engine.match.document import ExperimentDocument


@dataclass(frozen=True)
class Anchor:
    """player: the key of who is held; elo: at which rating."""

    player: str
    elo: float


def frozen_anchor(model: ExperimentDocument, source: str) -> dict[str, Any]:
    """The entry of the frozen form that says it, {"anchor": fields of `Anchor`}.

    Empty where nobody is held: such a form is what it was before there were anchors, and so is its
    id. Raises DocumentError.
    """
    if model.ratings is None:
        return {}
    keys = sorted(model.players or ())
    if model.ratings.anchor not in keys:
        raise DocumentError(
            source,
            "ratings.anchor",
            f"found {show(model.ratings.anchor)}; allowed: the key of one of the players: "
            f"{', '.join(keys)}",
        )
    return {"anchor": {"player": model.ratings.anchor, "elo": float(model.ratings.anchor_elo)}}


def anchor_of(frozen: Mapping[str, Any] | None) -> Anchor | None:
    """What `frozen_anchor` froze."""
    return None if frozen is None else Anchor(frozen["player"], float(frozen["elo"]))
