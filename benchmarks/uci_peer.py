"""Another engine at the end of two pipes, asked in UCI, and the CPU time that its answers take."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

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
    """A UCI program with UCI_Variant. name: what it calls itself; variants: those it has."""

    def __init__(self, path: str) -> None:
        self._process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.name = path
        self.variants: frozenset[str] = frozenset()
        self._say("uci")
        for line in self._until("uciok"):
            if line.startswith("id name"):
                self.name = line.removeprefix("id name ")
            if line.startswith("option name UCI_Variant "):
                self.variants = frozenset(line.split(" var ")[1:])
            if line.startswith("option name Use NNUE "):
                # What is compared is the evaluation that it brings along, with no file.
                self._say("setoption name Use NNUE value false")

    def perft(self, variant: str, depth: int) -> Work:
        self._set_up(variant, ())
        before = self._cpu()
        self._say(f"go perft {depth}")
        found = self._until("Nodes searched")[-1]
        return Work(int(found.split()[-1]), self._cpu() - before)

    def search(self, variant: str, moves: Sequence[str], nodes: int) -> Work:
        self._set_up(variant, moves)
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

    def _set_up(self, variant: str, moves: Sequence[str]) -> None:
        self._say(f"setoption name UCI_Variant value {variant}")
        self._say("ucinewgame")
        self._say(" ".join(["position startpos", *(["moves", *moves] if moves else [])]))
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
