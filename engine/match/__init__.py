"""Experiments, their batches, and the games in them."""

from tabia.engine.match.batch import BatchError, needed_weights, plan_batch, play_batch
from tabia.engine.match.experiment import Experiment
from tabia.engine.match.imbalance import Imbalance
from tabia.engine.match.kinds import Kind
from tabia.engine.match.material import Material
from tabia.engine.match.openings import NoOpeningError
from tabia.engine.match.own_weights import UnknownWeightsError
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
    "UnknownWeightsError",
    "estimate_units_per_second",
    "needed_weights",
    "plan_batch",
    "play_batch",
]
