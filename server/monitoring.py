"""For whoever runs the coordinator: does it answer, and what is there to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apiflask import APIBlueprint, abort
from flask import Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import func, select
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.orm import Session

from tabia.server.coordinator import coordinator
from tabia.server.demand import read_demands
from tabia.server.models import BatchRow, BatchState, ExperimentRow, ExperimentState
from tabia.server.scheduler import queue_depth
from tabia.server.wire import HealthAnswer

monitoring = APIBlueprint("monitoring", __name__, tag="Operation")


@monitoring.get("/healthz")
@monitoring.output(HealthAnswer)
@monitoring.doc(responses={503: "The database does not answer"})
def health() -> dict[str, Any]:
    """Does the coordinator answer, and its database with it"""
    try:
        coordinator().database.check()
    except ProgrammingError:  # PostgreSQL's word for a table that is not there
        abort(503, "the database has no tables yet")
    return {"status": "ok"}


@monitoring.get("/metrics")
@monitoring.doc(hide=True)
def metrics() -> Response:
    """What there is to do, for Prometheus

    `tabia_batches_runnable` says how many workers have something to play.
    """
    registry = CollectorRegistry(auto_describe=False)
    with coordinator().database.read() as session:
        registry.register(_Figures(session))
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class _Figures(Collector):
    """Read from the database at every scrape: all processes of a coordinator say the same."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def collect(self) -> Iterator[Metric]:
        yield self._by_state(
            "tabia_experiments", "Experiments by state.", ExperimentRow.state, ExperimentState
        )
        yield self._by_state("tabia_batches", "Batches by state.", BatchRow.state, BatchState)
        demands = read_demands(self._session)
        queued, busy = queue_depth(self._session)
        for name, text, value in (
            ("tabia_queue_messages", "Batches on the cluster's queue.", queued),
            ("tabia_workers_busy", "Cluster workers that play a batch.", busy),
            (
                "tabia_batches_runnable",
                "Batches of open experiments that wait or are out: a worker for each is useful.",
                sum(demand.waiting + demand.out for demand in demands),
            ),
        ):
            yield GaugeMetricFamily(name, text, value)

    def _by_state(self, name: str, text: str, column: Any, states: Any) -> GaugeMetricFamily:
        counted: dict[Any, int] = {
            state: count
            for state, count in self._session.execute(select(column, func.count()).group_by(column))
        }
        family = GaugeMetricFamily(name, text, labels=["state"])
        for state in states:
            family.add_metric([state.value], counted.get(state, 0))
        return family
