"""How long a designer waits: from `tabia run` to the first game that was played.

    .venv/bin/python benchmarks/first_game.py [EXPERIMENT.toml]

Runs the command five times, each time in a new data folder, and prints the seconds until the
database has a game, and their median. The first game was played a little earlier: games are
recorded a batch at a time, and the first batches take about a second.
"""

from __future__ import annotations

import argparse
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

# This folder has a statistics.py, which must not pass for the standard library's.
sys.path.sort(key=lambda folder: folder == str(Path(__file__).parent))

import statistics

RUNS = 5
PATIENCE_SECONDS = 120.0
DEFAULT = Path(__file__).parents[1] / "experiments" / "grand-vs-grander.toml"


def games_in(database: Path) -> int:
    """How many games are recorded."""
    if not database.exists():
        return 0
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
        except sqlite3.OperationalError:
            return 0  # no tables yet


def seconds_to_first_game(experiment: Path) -> float:
    """Run the command until there is a game."""
    with tempfile.TemporaryDirectory() as folder:
        command = [Path(sys.executable).with_name("tabia"), "run", experiment, "--data", folder]
        started = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as run:
            try:
                while not games_in(Path(folder) / "tabia.sqlite3"):
                    if run.poll() is not None:
                        raise SystemExit("`tabia run` ended before a game was played")
                    if time.perf_counter() - started > PATIENCE_SECONDS:
                        raise SystemExit(f"no game was played in {PATIENCE_SECONDS:.0f} s")
                    time.sleep(0.005)
                return time.perf_counter() - started
            finally:
                # Twice: do not wait for the batches in hand.
                for _ in range(2):
                    run.send_signal(signal.SIGINT)
                    time.sleep(0.05)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("experiment", type=Path, nargs="?", default=DEFAULT)
    experiment: Path = parser.parse_args().experiment
    load = os.getloadavg()[0]
    print(f"{experiment.name} on {os.cpu_count()} cores, load {load:.1f} before")
    measured = []
    for _ in range(RUNS):
        measured.append(seconds_to_first_game(experiment))
        print(f"  {measured[-1]:.2f} s")
    print(f"median {statistics.median(measured):.2f} s")


if __name__ == "__main__":
    main()
