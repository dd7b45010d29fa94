"""The stages of a ``material`` experiment in the database: opened once, never changed.

Batches of a stage are ``held`` until it opens. It opens in the transaction that finishes the stage
before it, so that whoever sees the one finished sees the other one open.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import structlog
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tabia.engine.match import Experiment
from tabia.server import allocation, decision, imbalances
from tabia.server.models import AllocationRow, BatchRow, BatchState
from tabia.server.schedule import UnitRange

_log = structlog.get_logger(__name__)


class NotOpenError(LookupError):
    """What these units play is not decided yet."""


def cuts(experiment: Experiment) -> tuple[int, ...]:
    """Unit numbers that no batch may straddle."""
    return () if experiment.material is None else experiment.material.stages


def open_stage(
    session: Session, experiment: Experiment, units: int, state: Mapping[str, Any] | None
) -> None:
    """Open the stage that begins with unit ``units``, if one does.

    ``state``: of the statistics over all units before it, see :mod:`tabia.server.decision`. A stage
    that is open already stays as it is. Call it with the experiment's row locked.
    """
    if experiment.material is None:
        return
    starts = {stage.first: number for number, stage in enumerate(_stages(experiment))}
    number = starts.get(units)
    if number is None or session.get(AllocationRow, (experiment.id, number)) is not None:
        return
    stage = _stages(experiment)[number]
    shares = imbalances.allotted(experiment.material, decision.counted_matches(state), stage.count)
    session.add(
        AllocationRow(
            experiment_id=experiment.id,
            stage=number,
            first_unit=stage.first,
            units=stage.count,
            shares=shares,
        )
    )
    session.execute(
        update(BatchRow)
        .where(
            BatchRow.experiment_id == experiment.id,
            BatchRow.state == BatchState.HELD,
            BatchRow.first_unit < stage.end,
        )
        .values(state=BatchState.WAITING)
    )
    session.flush()
    _log.info(
        "stage open",
        experiment=experiment.id,
        stage=number,
        units=stage.count,
        matches=len(shares),
    )


def matches_of(session: Session, experiment: Experiment, units: UnitRange) -> list[str] | None:
    """The label of each of these units' match; None where the engine knows by itself.

    Raises NotOpenError.
    """
    if experiment.material is None:
        return None
    row = session.scalars(
        select(AllocationRow).where(
            AllocationRow.experiment_id == experiment.id,
            AllocationRow.first_unit <= units.first,
            AllocationRow.first_unit + AllocationRow.units >= units.end,
        )
    ).one_or_none()
    if row is None:
        raise NotOpenError(
            f"what the units {units.first} to {units.end - 1} of {experiment.id} play is decided "
            "when the units before them are finished"
        )
    played = _order(experiment.material.matches, tuple(sorted(row.shares.items())))
    return list(played[units.first - row.first_unit : units.end - row.first_unit])


def _stages(experiment: Experiment) -> tuple[UnitRange, ...]:
    return allocation.stages(cuts(experiment), experiment.budget)


@lru_cache(maxsize=8)
def _order(matches: tuple[str, ...], shares: tuple[tuple[str, int], ...]) -> tuple[str, ...]:
    """The matches of a stage's units, in order: a batch asks for a few of them, again and again."""
    allotted = dict(shares)
    order = allocation.order([allotted.get(label, 0) for label in matches])
    return tuple(matches[index] for index in order)
