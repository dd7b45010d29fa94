"""Speed of the engine beside Fairy-Stockfish, in one run on one machine.

Perft and search, one thread each, alternating, medians of the runs; every figure is CPU time of
the process that did the work, so that a busy machine disturbs both alike. Perft counts the moves of
the last ply without making them, in both programs. Games that the peer lacks are measured alone.
Then whole games at 2,000 nodes a move: games a minute of CPU time, and the memory of the process
that plays them, tables of the search included.

    python benchmarks/engine.py [--peer PATH] [--runs 5] [--nodes 300000]
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path

# This folder has a statistics.py, which must not pass for the standard library's.
sys.path.sort(key=lambda folder: folder == str(Path(__file__).parent))

from statistics import median

from uci_peer import Peer, Work

from tabia.engine import Position, RuleSet
from tabia.engine.match import Experiment, plan_batch, play_batch

PEERED = {"chess": "chess", "grand": "grand", "capablanca": "capablanca", "shako": "shako",
          "opulent-2005": "opulent"}  # fmt: skip
"""Ours -> what the peer calls it; the other games are measured alone."""
DEPTHS = {"chess": 5, "grand": 4, "capablanca": 4, "shako": 4, "opulent-2005": 4,
          "gross": 4, "gigachess": 4, "great": 4}  # fmt: skip
PLAYED = {"grand": 12, "gigachess": 6}
"""Units of two games that are played to measure whole games."""
NODES_A_MOVE = 2000

MIDDLE = {
    "chess": "h2h3 b8a6 e2e3 e7e6 g1f3 g8f6 b1c3 a6c5 b2b4 c5e4 f1d3 d7d5 a2a3 f8d6 e1g1 e8g8 f3d4"
    " a7a5 b4a5 e4c5 c3b5 a8a5 b5d6 d8d6",
    "grand": "a1g1 i8i7 b3b5 b8b7 e2d1 a10e10 f2e4 h9i8 e4d4 c9a7 d4b4 f8f6 b4a4 g9c5 a4c4 c5e6"
    " c4d6 e6f5 d6c4 b9c7 b5b6 a7b8 i2h4 f5e6",
    "capablanca": "e2e4 a7a5 b2b4 e7e6 d2d4 i8h6 b4a5 b8c6 c1f4 g7g5 f4e3 a8a5 d4d5 e6d5 e4d5 e8e5"
    " d5c6 h6f5 e3g4 e5e1 f1e1 d7c6 h1i3 a5a4",
    "shako": "j1c1 g9h10 a2c4 e9e10 j2h4 a9c7 f2g1 j9h7 h4f6 h10g9 c4e6 d8d7 e6d5 e8e7 f6g5 e7e6"
    " d5e4 c7e5 g5f4 e5f4 e3f4 e10e7 d2e3 e7g7",
    "opulent-2005": "a3a5 d9c7 e3e5 i8i6 d3d5 g8g6 d5d6 c7e6 i1h4 d8d7 h4i5 c9g5 f3f4 h8h6 i5j4"
    " g5d8 j2i4 h6h5 i4h6 i9h8 h6i5 i10h7 f4f5 e6g7",
    "gross": "b2a2 f11f12 j3j4 h10h7 i1h4 f12f11 k1j3 i12h9 j3k4 h9g6 f3f5 g6d5 e2g4 j11h9 k4j6"
    " f10f9 j6h5 e11g9 h4g7 f9f8 g7f6 e10e7 f6g5 k12j11",
    "gigachess": "l3l4 e11e10 b2d4 d13c11 d4f6 b13d11 l1k4 a14b13 e1c4 c11d9 c4d6 l12l11 d6g8"
    " d11f9 g8i7 c14d11 k4h5 f9e8 m2k4 d11g10 k4i6 c12c10 h5g8 g10f7",
    "great": "c3c5 c8c6 b2b3 g9f8 j1g4 d9c8 f3f5 c9d7 g4e6 b9c9 e2i6 h8h7 i6g4 d7f6 g4f4 f8h6 f4h4"
    " j10g7 c2d4 g7g5 h4i4 d8d7 h3h4 g5e7",
}
"""A game of ours of 24 plies each, to the positions that are searched beside the array."""


def own_perft(variant: str, depth: int) -> Work:
    position = Position(RuleSet.load(variant))
    started = time.process_time()
    nodes = position.perft(depth)
    return Work(nodes, time.process_time() - started)


def own_search(variant: str, moves: Sequence[str], nodes: int) -> Work:
    position = Position(RuleSet.load(variant))
    for move in moves:
        position.push(move)
    started = time.process_time()
    made = position.search(nodes=nodes).nodes
    return Work(made, time.process_time() - started)


def whole_games(rules: str, units: int) -> tuple[float, int]:
    """Games a minute of CPU time, and the most memory of this process so far, bytes."""
    document = {
        "name": "whole games",
        "kind": "compare",
        "nodes": NODES_A_MOVE,
        "arms": {"a": rules, "b": rules},
        "openings": {"plies": 8},
        "test": {"metric": "white_score", "margin": 0.03, "budget": 4000},
    }
    batch = plan_batch(Experiment.from_document(document, "benchmark"), 0, 0, units)
    started = time.process_time()
    games = len(play_batch(batch)["games"])
    minutes = (time.process_time() - started) / 60
    # Not getrusage: its peak counts the process that this one was forked from.
    lines = Path("/proc/self/status").read_text().splitlines()
    status = dict(line.split(":", 1) for line in lines)
    return games / minutes, int(status["VmHWM"].split()[0]) * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = shutil.which("fairy-stockfish", path=f"{os.environ['PATH']}:/usr/games")
    parser.add_argument("--peer", default=default, help="a UCI program with UCI_Variant")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--nodes", type=int, default=300_000, help="of each search")
    options = parser.parse_args()
    if options.peer is None:
        sys.exit("no peer: install fairy-stockfish, or name a program with --peer")

    peer = Peer(options.peer)
    print(f"peer: {peer.name}; medians of {options.runs} alternating runs, CPU time, one thread\n")
    print(f"{'task':32}{'ours':>12}{'peer':>12}{'ratio':>8}")
    for variant, depth in DEPTHS.items():
        theirs = PEERED.get(variant, "")
        known = theirs in peer.variants
        rows = alternating(
            options.runs,
            partial(own_perft, variant, depth),
            partial(peer.perft, theirs, depth) if known else None,
        )
        for one, other in rows:
            if other and one.nodes != other.nodes:
                sys.exit(f"perft {variant} {depth}: {one.nodes} and {other.nodes} differ")
        print_row(f"perft {variant} {depth}", rows, 1e6, "Mn/s")
    for variant, game in MIDDLE.items():
        theirs = PEERED.get(variant, "")
        known = theirs in peer.variants
        for place, moves in (("array", []), ("middlegame", game.split())):
            rows = alternating(
                options.runs,
                partial(own_search, variant, moves, options.nodes),
                partial(peer.search, theirs, moves, options.nodes) if known else None,
            )
            print_row(f"search {variant} {place}", rows, 1e3, "kn/s")
    print(f"\nmemory of the peer: {peer.memory() / 1e6:.0f} MB")
    peer.close()
    print(
        f"\nwhole games at {NODES_A_MOVE} nodes a move, one process each, medians of {options.runs}"
    )
    for rules, units in PLAYED.items():
        played = []
        for _ in range(options.runs):
            with get_context("spawn").Pool(1) as alone:
                played.append(alone.apply(whole_games, (rules, units)))
        rate, memory = (median(each[i] for each in played) for i in (0, 1))
        print(f"{rules:28}{rate:8.0f} games a minute{memory / 1e6:9.0f} MB")


Pairs = list[tuple[Work, Work | None]]


def alternating(runs: int, ours: Callable[[], Work], theirs: Callable[[], Work] | None) -> Pairs:
    return [(ours(), theirs() if theirs else None) for _ in range(runs)]


def print_row(task: str, pairs: Pairs, scale: float, unit: str) -> None:
    speed = median(ours.speed for ours, _ in pairs)
    beside = [(ours.speed, theirs.speed) for ours, theirs in pairs if theirs]
    line = f"{task:32}{speed / scale:8.1f}{unit}"
    if beside:
        ratio = median(ours / theirs for ours, theirs in beside)
        line += f"{median(theirs for _, theirs in beside) / scale:8.1f}{unit}{ratio:8.2f}"
    print(line)


if __name__ == "__main__":
    main()
