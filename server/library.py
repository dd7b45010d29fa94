"""Weights that experiments name by their hash: stored with them, read by whoever plays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from tabia.engine.match import needed_weights
from tabia.engine.weights import Weights
from tabia.server.models import WeightsRow

_HASH = re.compile(r"[0-9a-f]{64}")


class UnknownWeightsError(LookupError):
    """No weights have this hash here."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no weights {name!r}")


def keep(session: Session, library: Mapping[str, Weights], now: datetime) -> None:
    """Store the weights that are not stored yet; the keys are the hashes of the contents."""
    for name, weights in library.items():
        if session.get(WeightsRow, name) is None:
            session.add(WeightsRow(sha256=name, content=weights, added=now))
    session.flush()


def find(session: Session, name: str) -> Weights | None:
    """The weights of that hash, or None."""
    row = session.get(WeightsRow, name) if _HASH.fullmatch(name) else None
    return None if row is None else row.content


def require(session: Session, name: str) -> Weights:
    """The weights of that hash. Raises UnknownWeightsError."""
    found = find(session, name)
    if found is None:
        raise UnknownWeightsError(name)
    return found


def library_of(session: Session, batch: Mapping[str, Any]) -> dict[str, Weights]:
    """The weights that playing this batch needs, by hash. Raises UnknownWeightsError."""
    return {name: require(session, name) for name in needed_weights(batch)}
