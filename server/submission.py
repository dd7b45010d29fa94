"""A document becomes an experiment: checked, frozen, laid out in batches, stored. Or nothing is.

The same document twice is the same experiment: its id is the hash of what it says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from tabia.engine.documents import DocumentError, parse_toml
from tabia.engine.match import Experiment, estimate_units_per_second
from tabia.server import schedule
from tabia.server.database import Database
from tabia.server.models import (
    BatchRow,
    BatchState,
    ExperimentRow,
    ExperimentState,
    TallyRow,
)
from tabia.server.question import Question
from tabia.server.results import digest

_log = structlog.get_logger(__name__)

Measure = Callable[[Experiment], float]
"""How many units of an experiment one core of this machine plays a second."""


@dataclass(frozen=True)
class Submitted:
    """The experiment's id, and whether it is new here."""

    id: str
    is_new: bool


def read_document(body: object, source: str) -> Mapping[str, Any]:
    """The document in a request: the JSON itself, or the TOML text in ``{"toml": text}``.

    Raises DocumentError.
    """
    if not isinstance(body, Mapping):
        raise DocumentError(source, "", 'found no table; allowed: a document, or {"toml": text}')
    if "toml" not in body:
        return body
    text = body["toml"]
    if not isinstance(text, str) or len(body) > 1:
        raise DocumentError(source, "toml", "allowed: the text of one document, and no other key")
    return parse_toml(text, source)


def submit(
    database: Database,
    document: Mapping[str, Any],
    source: str,
    *,
    now: datetime,
    folder: Path | None = None,
    measure: Measure = estimate_units_per_second,
) -> Submitted:
    """Store the experiment that ``document`` describes, unless it is stored already.

    source: what error messages call the document. folder: where rule sets named by path are looked
    for; None, as for a stranger's document, means that there are no paths. Raises DocumentError.
    """
    experiment = Experiment.from_document(document, source, folder=folder)
    _require_question(experiment, source)
    with database.read() as session:
        if session.get(ExperimentRow, experiment.id) is not None:
            return Submitted(experiment.id, is_new=False)

    batches = schedule.plan(
        experiment.budget, measure(experiment), plies_a_unit=2 * experiment.max_plies
    )
    row = ExperimentRow(
        id=experiment.id,
        name=experiment.name,
        kind=experiment.kind,
        question=experiment.question,
        state=ExperimentState.QUEUED,
        frozen=dict(experiment.frozen),
        engine=experiment.engine,
        weights=digest(experiment.weights),
        schema_version=experiment.frozen["schema"],
        budget=experiment.budget,
        nodes=experiment.nodes,
        sizes=batches.runs(),
        batches_planned=batches.batches,
        created=now,
    )
    try:
        with database.write() as session:
            session.add(row)
            session.flush()
            session.execute(insert(BatchRow), _batch_rows(experiment.id, batches))
            session.add(
                TallyRow(experiment_id=experiment.id, batches_done=0, units_done=0, state={})
            )
    except IntegrityError:
        # Somebody else stored it since we looked; nothing else here can collide.
        return Submitted(experiment.id, is_new=False)
    _log.info(
        "experiment stored", experiment=experiment.id, name=experiment.name, batches=batches.batches
    )
    return Submitted(experiment.id, is_new=True)


def _require_question(experiment: Experiment, source: str) -> None:
    for key in ("name", "question"):
        if "\x00" in getattr(experiment, key):
            raise DocumentError(source, key, "holds a NUL character; allowed: text without")
    try:
        Question.from_experiment(experiment)
    except ValueError as error:
        raise DocumentError(source, "test", str(error)) from None


def _batch_rows(experiment_id: str, batches: schedule.Schedule) -> list[dict[str, Any]]:
    return [
        {
            "experiment_id": experiment_id,
            "number": number,
            "first_unit": units.first,
            "units": units.count,
            "state": BatchState.WAITING,
        }
        for number, units in enumerate(batches.ranges())
    ]
