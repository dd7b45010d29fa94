"""A coordinator with workers and dashboards on this machine, until it is told to stop."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console

from tabia.server import logs
from tabia.server.local.folder import DataFolder
from tabia.server.local.interrupts import Interrupts
from tabia.server.local.machine import GRACE_SECONDS, Machine, Plan

_LOOK_SECONDS = 0.1


def up(data: Path, plan: Plan, console: Console) -> None:
    """Run ``plan`` in the folder ``data`` until Ctrl-C.

    Raises DocumentError, FolderInUseError, BrokerError, ServiceError, OSError, SQLAlchemyError.
    """
    with (
        DataFolder(data) as folder,
        Interrupts() as interrupts,
        Machine(plan, folder) as machine,
        folder.log("up").open("a") as log,
    ):
        logs.configure(stream=log)
        machine.start_playing()
        folder.database().close()  # is there a way to it at all?
        machine.start_web()
        _say(console, f"Tabia is at {machine.address} (workers: {plan.workers}, data: {data})")
        while not interrupts.asked():
            machine.look()
            time.sleep(_LOOK_SECONDS)
        _say(console, f"Stopping: the batches in hand have {GRACE_SECONDS:.0f} s (Ctrl-C: none).")
        if not machine.stop(grace=GRACE_SECONDS, hurry=interrupts.insisted):
            _say(console, "What was not finished will be played again.")


def _say(console: Console, line: str) -> None:
    console.print(line, highlight=False, soft_wrap=True)
