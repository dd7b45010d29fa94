"""Experiments, their batches, and the games in them."""

from tabia.engine.match.batch import BatchError, plan_batch, play_batch
from tabia.engine.match.experiment import Experiment
from tabia.engine.match.openings import NoOpeningError
from tabia.engine.match.pace import estimate_units_per_second

__all__ = [
    "BatchError",
    "Experiment",
    "NoOpeningError",
    "estimate_units_per_second",
    "plan_batch",
    "play_batch",
]
