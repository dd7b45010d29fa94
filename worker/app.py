"""The Celery app of the trusted cluster: it takes batches off the queue and plays them.

A worker knows the broker and nothing else. A message carries the whole batch and the lease it is
played under; all that a worker has to say, it says by tasks named after what happened, on the queue
``intake``, which the coordinator consumes:

=================== ====================== =====================================================
task                arguments              what happened
=================== ====================== =====================================================
``tabia.heartbeat`` ``lease``, ``holder``  the batch is being played; the first one begins it
``tabia.record``    ``lease``, ``result``  it was played
``tabia.failed``    ``lease``, ``reason``  it could not be played; one line says why
``tabia.returned``  ``lease``, ``reason``  this worker may not play it, or lacks a program for it
``tabia.abandoned`` ``lease``              the process that had it before died
=================== ====================== =====================================================

Messages are wake-ups and not the record: when one is lost, its lease runs out and the coordinator
sends the batch again. Run it with ``python -m tabia.worker.cluster``, or as any Celery app.
"""

from __future__ import annotations

import os
import time
from typing import Any

from celery import Celery, Task
from celery.signals import worker_process_init
from celery.utils.log import get_task_logger

from tabia.engine.outside.misconduct import ProgramError
from tabia.engine.outside.programs import Programs
from tabia.worker.heartbeat import beating
from tabia.worker.playing import OtherEngineError, play_pinned
from tabia.worker.process import die_with, limit_memory

PLAY_QUEUE = "play"
INTAKE_QUEUE = "intake"

LONGEST_BATCH_SECONDS = 30 * 60
"""A batch takes about a minute; one that takes this long is stuck, and its process is ended."""
MEMORY_MEBIBYTES = 4096
"""The address space that a process may take."""
OTHER_ENGINE_PAUSE_SECONDS = 5.0
"""How long a worker holds a batch that it may not play, so that others get at the queue."""

_log = get_task_logger(__name__)

app = Celery("tabia.worker", broker=os.environ.get("TABIA_BROKER_URL", "redis://127.0.0.1:6379/0"))
app.conf.update(
    accept_content=["json"],
    task_serializer="json",
    task_ignore_result=True,
    task_default_queue=PLAY_QUEUE,
    # A message stays on the broker until its batch was played: one whose process dies comes again,
    # and bears a mark then (see `play`).
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    task_time_limit=LONGEST_BATCH_SECONDS,
    # The broker must not give out a second time what is still being played.
    broker_transport_options={"visibility_timeout": 4 * LONGEST_BATCH_SECONDS},
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    # SIGTERM ends a worker after the batches in hand. SIGQUIT (and SIGTERM too, where the
    # environment has REMAP_SIGTERM=SIGQUIT) gives them this long, and then puts them back.
    worker_soft_shutdown_timeout=60.0,
    # A result is worth waiting for a broker that comes back within minutes.
    task_publish_retry_policy={
        "max_retries": 60,
        "interval_start": 0.2,
        "interval_step": 0.5,
        "interval_max": 10.0,
    },
)


@worker_process_init.connect
def _settle(**_: Any) -> None:
    die_with(os.getppid())
    limit_memory(MEMORY_MEBIBYTES)


@app.task(name="tabia.play", bind=True)
def play(
    self: Task[Any, Any],
    *,
    lease: str,
    batch: dict[str, Any],
    beat_seconds: float,
    weights: dict[str, dict[str, Any]] | None = None,
) -> None:
    """Play ``batch`` under ``lease``, with a sign of life every ``beat_seconds``; ``weights``, by
    their hash, are those that it names."""
    if (self.request.delivery_info or {}).get("redelivered"):
        # Whoever had this message before is dead. Whether that is the batch's fault is for the
        # coordinator to judge, who sends it again under a new lease.
        _tell("tabia.abandoned", lease=lease)
        return
    holder = self.request.hostname
    try:
        with beating(lambda: _beat(lease, holder), beat_seconds):
            result = play_pinned(batch, library=weights or {}, programs=Programs.here())
    except OtherEngineError as error:
        _log.error("%s", error)
        time.sleep(OTHER_ENGINE_PAUSE_SECONDS)
        _tell("tabia.returned", lease=lease)
    except ProgramError as error:
        _log.error("%s", error)
        time.sleep(OTHER_ENGINE_PAUSE_SECONDS)
        _tell("tabia.returned", lease=lease, reason=str(error))
    except Exception as error:
        _log.exception("batch %s of %s failed", batch.get("batch"), batch.get("experiment"))
        _tell("tabia.failed", lease=lease, reason=f"{type(error).__name__}: {error}")
    else:
        _tell("tabia.record", lease=lease, result=result)


def _tell(name: str, **what: Any) -> None:
    app.send_task(name, kwargs=what, queue=INTAKE_QUEUE)


def _beat(lease: str, holder: str | None) -> None:
    # One that cannot be sent now is not worth sending later.
    what = {"lease": lease, "holder": holder}
    app.send_task("tabia.heartbeat", kwargs=what, queue=INTAKE_QUEUE, retry=False)
