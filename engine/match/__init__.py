"""Experiments, their batches, and the games in them."""

from tabia.engine.match.batch import BatchError, plan_batch, play_batch
from tabia.engine.match.experiment import Experiment
from tabia.engine.match.imbalance import Imbalance
from tabia.engine.match.kinds import Kind
from tabia.engine.match.material import Material
from tabia.engine.match.openings import NoOpeningError
from tabia.engine.match.pace import estimate_units_per_second
from tabia.engine.match.players import Player

__all__ = [
    "BatchError",
    "Experiment",
    "Imbalance",
    "Kind",
    "Material",
    "NoOpeningError",
    "Player",
    "estimate_units_per_second",
    "plan_batch",
    "play_batch",
]
