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
from sqlalchemy.orm import Session

from tabia.engine.documents import DocumentError, parse_toml
from tabia.engine.match import Experiment, estimate_units_per_second
from tabia.engine.weights import Weights
from tabia.server import decision, library, schedule, staging
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
    """The experiments of a document, in its order, and whether any of them is new here.

    A document with ``[curve]`` stands for several, of which ``family`` is the common name.
    """

    ids: tuple[str, ...]
    family: str | None
    is_new: bool

    @property
    def id(self) -> str:
        """The first experiment's id."""
        return self.ids[0]


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
    for; None, as for a stranger's document, means that there are no paths. A document with
    ``[curve]`` stands for one experiment a level: all of them are stored, or none. Weights of its
    own are stored with it, and may be named by their hash from then on. Raises DocumentError.
    """

    def stored(name: str) -> Weights | None:
        with database.read() as session:
            return library.find(session, name)

    experiments = Experiment.family(document, source, folder=folder, known=stored)
    for experiment in experiments:
        _require_question(experiment, source)
    family = family_of(experiments[0])
    ids = tuple(experiment.id for experiment in experiments)
    with database.read() as session:
        if all(session.get(ExperimentRow, each) is not None for each in ids):
            return Submitted(ids, family, is_new=False)

    # What takes long is done before the database is locked.
    planned = [(experiment, _schedule(experiment, measure)) for experiment in experiments]
    known = {experiment.id: decision.estimate(experiment, None) for experiment in experiments}
    try:
        with database.write() as session:
            library.keep(session, experiments[0].library, now)
            for experiment, batches in planned:
                _store(session, experiment, batches, known[experiment.id], now)
    except IntegrityError:
        # Somebody else stored it since we looked; nothing else here can collide.
        return Submitted(ids, family, is_new=False)
    for experiment, batches in planned:
        _log.info(
            "experiment stored",
            experiment=experiment.id,
            name=experiment.name,
            batches=batches.batches,
        )
    return Submitted(ids, family, is_new=True)


def family_of(experiment: Experiment) -> str | None:
    """What the experiments of one ``[curve]`` have in common; None for one that stands alone."""
    return None if experiment.curve is None else str(experiment.curve["family"])


def _schedule(experiment: Experiment, measure: Measure) -> schedule.Schedule:
    return schedule.plan(
        experiment.budget,
        measure(experiment),
        plies_a_unit=2 * experiment.max_plies,
        cuts=staging.cuts(experiment),
    )


def _store(
    session: Session,
    experiment: Experiment,
    batches: schedule.Schedule,
    known: dict[str, Any],
    now: datetime,
) -> None:
    session.add(
        ExperimentRow(
            id=experiment.id,
            name=experiment.name,
            kind=experiment.kind,
            question=experiment.question,
            family=family_of(experiment),
            trusted_only=experiment.trusted_only,
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
    )
    session.flush()
    session.execute(insert(BatchRow), _batch_rows(experiment, batches))
    session.add(
        TallyRow(experiment_id=experiment.id, batches_done=0, units_done=0, state={}, known=known)
    )
    staging.open_stage(session, experiment, 0, None)


def _require_question(experiment: Experiment, source: str) -> None:
    try:
        Question.from_experiment(experiment)
    except ValueError as error:
        raise DocumentError(source, "test", str(error)) from None


def _batch_rows(experiment: Experiment, batches: schedule.Schedule) -> list[dict[str, Any]]:
    state = BatchState.WAITING if experiment.material is None else BatchState.HELD
    return [
        {
            "experiment_id": experiment.id,
            "number": number,
            "first_unit": units.first,
            "units": units.count,
            "state": state,
        }
        for number, units in enumerate(batches.ranges())
    ]
