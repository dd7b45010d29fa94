"""Speed of the core beside Fairy-Stockfish, in one run on one machine.

Perft and search, one thread each, alternating, medians of the runs; every figure is CPU time of the
process that did the work, so that a busy machine disturbs both alike. Perft counts the moves of the
last ply without making them, in both programs.

    python benchmarks/engine.py [--peer PATH] [--runs 5] [--nodes 300000]
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

# This folder has a statistics.py, which must not pass for the standard library's.
sys.path.sort(key=lambda folder: folder == str(Path(__file__).parent))

from statistics import median

from tabia.engine import Position, RuleSet

DEPTHS = {"chess": 5, "grand": 4}
# The positions searched: the array and one from the middle of a game, in the peer's letters (C is
# its Marshall, A its Cardinal).
MIDDLE = {
    "chess": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "grand": "r8r/1nbqkc1bn1/ppp2ppppp/3p2a3/4pP4/3P6/2N4N2/PPP1P1PPPP/2BQKCAB2/R8R w - - 0 1",
}
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Work:
    """nodes, and the CPU seconds they took."""

    nodes: int
    seconds: float

    @property
    def speed(self) -> float:
        return self.nodes / self.seconds


class Peer:
    """A UCI program that knows UCI_Variant."""

    def __init__(self, path: str) -> None:
        self._process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.name = path
        self._say("uci")
        for line in self._until("uciok"):
            if line.startswith("id name"):
                self.name = line.removeprefix("id name ")

    def perft(self, variant: str, depth: int) -> Work:
        self._set_up(variant, None)
        before = self._cpu()
        self._say(f"go perft {depth}")
        for line in self._until("Nodes searched"):
            found = line
        return Work(int(found.split()[-1]), self._cpu() - before)

    def search(self, variant: str, fen: str | None, nodes: int) -> Work:
        self._set_up(variant, fen)
        before = self._cpu()
        self._say(f"go nodes {nodes}")
        made = 0
        for line in self._until("bestmove"):
            words = line.split()
            if "nodes" in words:
                made = int(words[words.index("nodes") + 1])
        return Work(made, self._cpu() - before)

    def memory(self) -> int:
        """Resident memory, bytes."""
        status = Path(f"/proc/{self._process.pid}/statm").read_text()
        return int(status.split()[1]) * resource.getpagesize()

    def close(self) -> None:
        self._say("quit")
        self._process.wait(10)

    def _set_up(self, variant: str, fen: str | None) -> None:
        self._say(f"setoption name UCI_Variant value {variant}")
        self._say("ucinewgame")
        self._say("position startpos" if fen is None else f"position fen {fen}")
        self._say("isready")
        self._until("readyok")

    def _say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _until(self, start: str) -> list[str]:
        assert self._process.stdout
        lines = []
        for line in self._process.stdout:
            lines.append(line.strip())
            if line.startswith(start):
                return lines
        sys.exit(f"{self.name} has ended")

    def _cpu(self) -> float:
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


def own_perft(variant: str, depth: int) -> Work:
    position = Position(RuleSet.load(variant))
    started = time.process_time()
    nodes = position.perft(depth)
    return Work(nodes, time.process_time() - started)


def own_search(variant: str, fen: str | None, nodes: int) -> Work:
    if fen is not None and variant == "grand":
        fen = fen.translate(str.maketrans("CAca", "MCmc"))
    position = Position(RuleSet.load(variant), fen)
    started = time.process_time()
    made = position.search(nodes=nodes).nodes
    return Work(made, time.process_time() - started)


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
    print(f"{'task':28}{'ours':>12}{'peer':>12}{'ratio':>8}")
    for variant, depth in DEPTHS.items():
        pairs = [
            (own_perft(variant, depth), peer.perft(variant, depth)) for _ in range(options.runs)
        ]
        if any(ours.nodes != theirs.nodes for ours, theirs in pairs):
            sys.exit(f"perft {variant} {depth}: {pairs[0][0].nodes} and {pairs[0][1].nodes} differ")
        row(f"perft {variant} {depth}", pairs, 1e6, "Mn/s")
    for variant, middle in MIDDLE.items():
        for name, fen in (("array", None), ("middlegame", middle)):
            pairs = [
                (own_search(variant, fen, options.nodes), peer.search(variant, fen, options.nodes))
                for _ in range(options.runs)
            ]
            row(f"search {variant} {name}", pairs, 1e3, "kn/s")
    own_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(f"{'resident memory':28}{own_memory / 1e6:9.0f} MB{peer.memory() / 1e6:9.0f} MB")
    peer.close()


def row(task: str, pairs: list[tuple[Work, Work]], scale: float, unit: str) -> None:
    ours = median(work.speed for work, _ in pairs)
    theirs = median(work.speed for _, work in pairs)
    ratio = median(a.speed / b.speed for a, b in pairs)
    print(f"{task:28}{ours / scale:8.1f}{unit}{theirs / scale:8.1f}{unit}{ratio:8.2f}")


if __name__ == "__main__":
    main()
