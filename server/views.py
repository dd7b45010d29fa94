"""What can be read of the coordinator, as plain JSON: the API and the pages show the same.

Functions of a session and ids, without side effects. The shapes are declared in
:mod:`tabia.server.wire`. What is not there raises NotFoundError.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from tabia.engine import RuleSet
from tabia.engine.match import Experiment
from tabia.engine.match.players import limit_in_words
from tabia.server import curve, decision, leases, metrics
from tabia.server.forecast import forecast
from tabia.server.models import (
    OPEN_STATES,
    BatchRow,
    BatchState,
    ExperimentRow,
    GameRow,
    SnapshotRow,
    TallyRow,
)
from tabia.server.planning import experiment_of, own_engine
from tabia.server.question import Question
from tabia.server.statistics.multiplicity import e_bh
from tabia.server.voids import voids_view

GAMES_A_UNIT = 2
FINDINGS_LEVEL = 0.05
"""The share of false ones that is expected, at most, in the list of findings."""
RATE_WINDOW = timedelta(minutes=5)
"""How far back the speed of an experiment is measured."""

_GREATEST_LOG_E = 700.0
_ID = re.compile(r"[0-9a-f]{64}")
_MAX_KEY = 2**31 - 1


class NotFoundError(LookupError):
    """There is no such thing; the text says what was looked for."""


def experiment_view(session: Session, experiment_id: str, *, now: datetime) -> dict[str, Any]:
    """Everything that is known of one experiment."""
    row = require_experiment(session, experiment_id)
    experiment = experiment_of(row)
    differences = experiment.arms["a"].diff(experiment.arms["b"])
    history = session.scalars(
        select(SnapshotRow)
        .where(SnapshotRow.experiment_id == experiment_id)
        .order_by(SnapshotRow.units)
    )
    return {
        **_summary(session, row, now),
        "expected": _expected(session, row, experiment),
        "rules_diff": [{"key": each.key, "a": each.a, "b": each.b} for each in differences],
        "openings": _openings(session, experiment_id),
        "history": [{"units": snapshot.units, **snapshot.body} for snapshot in history],
    }


def list_view(
    session: Session, *, now: datetime, limit: int = 50, offset: int = 0
) -> dict[str, Any]:
    """A page of experiments, the newest first, without what only one experiment's page shows."""
    total = session.scalar(select(func.count()).select_from(ExperimentRow))
    rows = session.scalars(
        select(ExperimentRow)
        .order_by(ExperimentRow.created.desc(), ExperimentRow.id)
        .limit(limit)
        .offset(offset)
    ).all()
    return {"total": total, "experiments": list(map(_brief, _summaries(session, rows, now)))}


def findings_view(session: Session, *, now: datetime) -> dict[str, Any]:
    """The experiments whose primary difference is a finding, the strongest evidence first.

    The e-BH procedure on the present e-values of all experiments that test anything: of the
    experiments in the list, no more than the share ``level`` are expected to be false, however many
    are run, watched and stopped, and however they depend on each other.
    """
    tested = session.execute(
        select(TallyRow.experiment_id, TallyRow.log_e)
        .where(TallyRow.log_e.is_not(None))
        .order_by(TallyRow.log_e.desc(), TallyRow.experiment_id)
    ).all()
    # No list is so long that greater evidence than this would count for more.
    e_values = [math.exp(min(log_e or 0.0, _GREATEST_LOG_E)) for _, log_e in tested]
    found = e_bh(e_values, FINDINGS_LEVEL)
    chosen = [row.experiment_id for row, is_found in zip(tested, found, strict=True) if is_found]
    return {
        "level": FINDINGS_LEVEL,
        "tested": len(tested),
        "findings": _summaries(
            session, [session.get_one(ExperimentRow, each) for each in chosen], now
        ),
    }


def curve_view(session: Session, family: str) -> dict[str, Any]:
    """One question at several strengths: the experiments of a ``[curve]``, and their trend."""
    rows = session.scalars(select(ExperimentRow).where(ExperimentRow.family == family)).all()
    if not rows:
        raise NotFoundError(f"no curve {family!r}")
    first = experiment_of(rows[0])
    return {
        "family": family,
        "name": first.name,
        "kind": first.kind,
        **curve.curve(
            sorted((_level(session, row) for row in rows), key=lambda level: level.level)
        ),
    }


def games_view(
    session: Session, experiment_id: str, *, limit: int = 50, offset: int = 0
) -> dict[str, Any]:
    """A page of an experiment's games in schedule order, without their moves."""
    experiment = require_experiment(session, experiment_id)
    total = session.scalar(
        select(func.count()).select_from(GameRow).where(GameRow.experiment_id == experiment_id)
    )
    rows = session.execute(
        _games()
        .where(GameRow.experiment_id == experiment_id)
        .order_by(GameRow.unit, GameRow.arm)
        .limit(limit)
        .offset(offset)
    )
    return {
        "total": total,
        "games": [_game(game, batch, experiment) for game, batch in rows],
    }


def game_view(session: Session, game_id: int) -> dict[str, Any]:
    """One game with its moves."""
    # SQLite refuses numbers of more than 63 bits, and no game has one.
    found = session.execute(_games().where(GameRow.id == min(game_id, 2**63 - 1))).one_or_none()
    if found is None:
        raise NotFoundError(f"no game {game_id}")
    game, batch = found
    experiment = session.get_one(ExperimentRow, game.experiment_id)
    return {
        **_game(game, batch, experiment),
        "experiment": game.experiment_id,
        "batch": game.batch,
        "moves": game.moves.split(),
    }


def rule_sets(session: Session, experiment_id: str) -> Mapping[str, RuleSet]:
    """The rule sets of the arms ``a`` and ``b``."""
    return experiment_of(require_experiment(session, experiment_id)).arms


def require_experiment(session: Session, experiment_id: str) -> ExperimentRow:
    """An experiment's row."""
    row = session.get(ExperimentRow, experiment_id) if _ID.fullmatch(experiment_id) else None
    if row is None:
        raise NotFoundError(f"no experiment {experiment_id!r}")
    return row


def require_batch(session: Session, experiment_id: str, number: int) -> BatchRow:
    """A batch of an experiment's schedule."""
    require_experiment(session, experiment_id)
    batch = session.get(BatchRow, (experiment_id, number)) if number <= _MAX_KEY else None
    if batch is None:
        raise NotFoundError(f"experiment {experiment_id} has no batch {number}")
    return batch


def _summaries(
    session: Session, rows: Sequence[ExperimentRow], now: datetime
) -> list[dict[str, Any]]:
    ids = [row.id for row in rows]
    # Kept until the end: so the session finds every one of them without asking the database again.
    tallies = session.scalars(select(TallyRow).where(TallyRow.experiment_id.in_(ids))).all()
    assert len(tallies) == len(ids), "every experiment has a tally"
    return [_summary(session, row, now) for row in rows]


def _brief(summary: dict[str, Any]) -> dict[str, Any]:
    """Without what makes a list long: there may be thousands of imbalances in one experiment."""
    values = summary["values"]
    if values is None:
        return summary
    few = {key: value for key, value in values.items() if key != "matches"}
    return {**summary, "values": few}


def _summary(session: Session, row: ExperimentRow, now: datetime) -> dict[str, Any]:
    experiment = experiment_of(row)
    question = Question.from_experiment(experiment)
    tally = session.get_one(TallyRow, row.id)
    played = _units_played(session, row.id)
    return {
        "id": row.id,
        "name": row.name,
        "kind": row.kind,
        "question": row.question,
        "state": row.state.value,
        "failure": row.failure,
        "blocked": _blocked(session, row),
        "created": _iso(row.created),
        "started": _iso(row.started),
        "finished": _iso(row.finished),
        "nodes": row.nodes,
        "engine": row.engine,
        "arms": [
            {"key": key, "name": rules.name, "rules_id": rules.id}
            for key, rules in sorted(experiment.arms.items())
        ],
        "paired": experiment.paired,
        "players": [
            {
                "key": key,
                "name": player.name,
                "nodes": player.nodes,
                "limit": limit_in_words(player.limit),
                "program": player.program,
                "says": player.says,
            }
            for key, player in experiment.players.items()
        ],
        "own_weights": dict(experiment.own_weights),
        "coupled": question.coupled,
        "trusted_only": experiment.trusted_only,
        "reproducible": experiment.reproducible,
        "voids": voids_view(session, experiment),
        "curve": experiment.curve,
        "primary": {
            "metric": experiment.metric,
            "label": metrics.label(experiment.metric, experiment.kind),
            "rule": experiment.rule,
            "margin": experiment.margin,
            "bounds": experiment.bounds,
            "scale": experiment.scale,
            "target": experiment.material and experiment.material.target,
            "alpha": experiment.alpha,
            "beta": experiment.beta,
        },
        "budget": row.budget,
        "units_done": tally.units_done,
        "units_played": played,
        "batches_done": tally.batches_done,
        "batches_planned": row.batches_planned,
        "games_per_minute": _games_per_minute(session, row, now),
        **(tally.known or decision.estimate(experiment, None)),
        "after_decision": 0 if row.verdict is None else played - tally.units_done,
        "verdict": row.verdict,
    }


def _level(session: Session, row: ExperimentRow) -> curve.Level:
    experiment = experiment_of(row)
    assert experiment.curve is not None
    tally = session.get_one(TallyRow, row.id)
    known = tally.known or decision.estimate(experiment, None)
    return curve.Level(
        level=experiment.curve["level"],
        nodes=row.nodes,
        experiment=row.id,
        question=Question.from_experiment(experiment),
        tally=decision.counted(tally.state),
        figures=known["estimate"]["elo" if experiment.kind == "rights" else "difference"],
    )


def _expected(
    session: Session, row: ExperimentRow, experiment: Experiment
) -> dict[str, Any] | None:
    if row.state not in OPEN_STATES or experiment.rule == "budget":
        return None
    state = session.get_one(TallyRow, row.id).state
    return forecast(Question.from_experiment(experiment), decision.counted(state))


def _openings(session: Session, experiment_id: str) -> dict[str, int]:
    """For how many games an opening was drawn, and how many draws had to be repeated."""
    drawn, redrawn = (
        func.coalesce(func.sum(BatchRow.openings[name].as_integer()), 0)
        for name in ("drawn", "redrawn")
    )
    row = session.execute(
        select(drawn.label("drawn"), redrawn.label("redrawn")).where(
            BatchRow.experiment_id == experiment_id, BatchRow.state == BatchState.DONE
        )
    ).one()
    return {"drawn": int(row.drawn), "redrawn": int(row.redrawn)}


def _blocked(session: Session, row: ExperimentRow) -> str | None:
    if row.state not in OPEN_STATES:
        return None
    if row.engine == own_engine():
        unable = leases.unable(session, row.id) if row.trusted_only else None
        return unable and f"no worker can play it: {unable}"
    return (
        f"it was begun with engine {row.engine} and this server plays {own_engine()}: "
        "its games would not be comparable, so no more are played"
    )


def _units_played(session: Session, experiment_id: str, since: datetime | None = None) -> int:
    query = select(func.coalesce(func.sum(BatchRow.units), 0)).where(
        BatchRow.experiment_id == experiment_id, BatchRow.state == BatchState.DONE
    )
    if since is not None:
        query = query.where(BatchRow.recorded > since)
    return session.scalars(query).one()


def _games_per_minute(session: Session, row: ExperimentRow, now: datetime) -> float:
    """The speed up to the last result: of the last minutes while it runs, else of the whole.

    It changes only when a result comes, or when none has come for so long that it is 0.
    """
    last = session.scalar(
        select(func.max(BatchRow.recorded)).where(BatchRow.experiment_id == row.id)
    )
    if last is None or row.started is None:
        return 0.0
    begin = row.started
    if row.state in OPEN_STATES:
        if now - last > RATE_WINDOW:
            return 0.0
        begin = max(begin, last - RATE_WINDOW)
    minutes = (last - begin) / timedelta(minutes=1)
    games = GAMES_A_UNIT * _units_played(session, row.id, since=begin)
    return round(games / minutes, 1) if minutes > 0 else 0.0


def _games() -> Select[GameRow, BatchRow]:
    return select(GameRow, BatchRow).join(
        BatchRow,
        (BatchRow.experiment_id == GameRow.experiment_id) & (BatchRow.number == GameRow.batch),
    )


def _game(game: GameRow, batch: BatchRow, experiment: ExperimentRow) -> dict[str, Any]:
    assert batch.provenance is not None
    assert batch.verified is not None
    verdict = experiment.verdict
    return {
        "id": game.id,
        "unit": game.unit,
        "arm": game.arm,
        "result": game.result,
        "reason": game.reason,
        "plies": game.plies,
        "opening_plies": game.opening_plies,
        "promotions": game.promotions,
        "declined": game.declined,
        "match": game.match,
        "profile": game.profile,
        "provenance": batch.provenance.value,
        "verified": batch.verified.value,
        "after_decision": verdict is not None and game.unit >= verdict["at_unit"],
        "reproducible": experiment_of(experiment).reproducible,
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
