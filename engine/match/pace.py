"""How fast this machine plays an experiment, for cutting it into batches."""

from __future__ import annotations

import time
from statistics import fmean

from tabia.engine.match.experiment import Experiment
from tabia.engine.position import Position

MOST_NODES = 20_000
USUAL_PLIES = 120
GAMES_A_UNIT = 2
NODES_OF_A_DEPTH = 50_000


def estimate_units_per_second(experiment: Experiment) -> float:
    """Units that one core plays a second, from one short search: right within a factor of two."""
    nodes = min(experiment.nodes, MOST_NODES) or MOST_NODES
    position = Position(experiment.arms["a"])
    position.search(nodes=nodes)  # the first search of a process also pays for its memory
    started = time.perf_counter()
    made = position.search(nodes=nodes).nodes
    seconds_a_node = (time.perf_counter() - started) / max(1, made)
    plies = min(experiment.max_plies, USUAL_PLIES) - experiment.opening_plies
    return 1 / (seconds_a_move(experiment, seconds_a_node) * max(1, plies) * GAMES_A_UNIT)


def seconds_a_move(experiment: Experiment, seconds_a_node: float) -> float:
    """In the mean over the players, who move equally often in a round robin. Programs of others are
    taken to be as fast as our engine; how long a depth takes nobody knows."""
    if not experiment.players:
        return experiment.nodes * seconds_a_node
    return fmean(
        player.movetime_ms / 1000 or (player.nodes or NODES_OF_A_DEPTH) * seconds_a_node
        for player in experiment.players.values()
    )
