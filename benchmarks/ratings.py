"""How long a rating fit takes: players, advantage, and errors by game pairs.

Pools are drawn at random: players of normally distributed strength, pairs of games between players
who were drawn to meet, with draws and openings that favour a side. In the last pool players meet
only those not further than 100 places from them, as engines do that are matched by strength: its
ratings hang together by many steps, and single precision is not enough for their errors.

Timed is `ratings.fit` with its defaults and two virtual draws a player (a pool this size has
perfect scores), by one thread: from the counts to every rating with its error. The counts
themselves are made before; a coordinator has them. Given are the median and the least of five, in
seconds of CPU time; on a machine that does nothing else, that is what a clock shows.

With `--peer`, the first pool is also given to Ordo as a PGN file, and the two lists are compared.
Ordo gets its errors from simulations (here 100), and its time includes reading the file.

    python benchmarks/ratings.py [--peer PATH_OF_ORDO]
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# This folder has a statistics.py, which must not pass for the standard library's.
sys.path.sort(key=lambda folder: folder == str(Path(__file__).parent))

import statistics

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is imported
import numpy as np

from tabia.server.statistics.ratings import Pairs, fit

POOLS = (
    (8, 28, 10_000, None),
    (64, 2016, 100_000, None),
    (300, 6000, 500_000, None),
    (1000, 20_000, 2_000_000, None),
    (2000, 40_000, 2_000_000, None),
    (3000, 60_000, 2_000_000, None),
    (5000, 100_000, 2_000_000, None),
    (3000, 60_000, 2_000_000, 100),
)
"""Players, pairs of players that met, games, and by how many places at most those were apart."""

RUNS = 5
ORDOS_SCALE = 400 * np.log10(0.76 / 0.24)


def pool(
    players: int, meetings: int, games: int, reach: int | None, rng: np.random.Generator
) -> Pairs:
    """Game pairs of a random pool: every player is met, whoever he is."""
    theta = rng.normal(0, 1, players)
    if meetings == players * (players - 1) // 2:
        first, second = np.triu_indices(players, 1)
    else:
        first = np.concatenate([np.arange(players), rng.integers(0, players, meetings - players)])
        apart = rng.integers(1, players if reach is None else reach + 1, meetings)
        apart[:players] = 1
        second = (first + apart) % players
    if reach is not None:
        theta = np.sort(theta)
    lead = theta[first] - theta[second]

    def law(x: np.ndarray) -> np.ndarray:
        win, loss = (1 / (1 + np.exp(0.7 - side * x)) for side in (1, -1))
        return np.stack([loss, 1 - win - loss, win], axis=1)

    # Half of the openings favour White by this much, half of them Black.
    cells = np.zeros((meetings, 9))
    for bias in (-0.7, 0.9):
        joint = law(lead + bias)[:, :, None] * law(lead - bias)[:, :, None].transpose(0, 2, 1)
        cells += rng.multinomial(games // 4 // meetings, joint.reshape(-1, 9))
    return Pairs(first, second, cells.reshape(-1, 3, 3))


def timed(pairs: Pairs, players: int) -> tuple[list[float], str]:
    """Seconds of CPU time of every run, and the precision that the errors are made in."""
    seconds = []
    for _ in range(RUNS):
        started = time.process_time()
        found = fit(pairs, players, virtual_draws=2)
        seconds.append(time.process_time() - started)
    return seconds, {4: "single", 8: "double"}[found.spread.bread.itemsize]


def against_ordo(peer: str, pairs: Pairs, players: int) -> None:
    ours = fit(pairs, players)
    cells = np.asarray(pairs.cells, dtype=int)
    with tempfile.TemporaryDirectory() as folder:
        games, table = Path(folder, "games.pgn"), Path(folder, "ratings.csv")
        with games.open("w") as file:
            for first, second, met in zip(pairs.first, pairs.second, cells, strict=True):
                by_result = met.sum(axis=1), met.sum(axis=0)[::-1]
                for white, black, counts in ((first, second, by_result[0]),
                                             (second, first, by_result[1])):  # fmt: skip
                    for result, number in zip(("0-1", "1/2-1/2", "1-0"), counts, strict=True):
                        game = f'[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n'
                        file.write(f"{game}{result}\n\n" * int(number))
        command = [peer, "-q", "-a", "0", "-z", f"{ORDOS_SCALE:.6f}", "-W", "-N", "5",
                   "-s", "100", "-p", str(games), "-c", str(table)]  # fmt: skip
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        seconds = time.perf_counter() - started
        rows = list(csv.DictReader(table.open()))
    apart = max(abs(float(row["RATING"]) - ours.elo[int(row["PLAYER"])]) for row in rows)
    print(
        f"\nOrdo rates the first pool in {seconds:.2f} s; ratings differ by {apart:.4f} Elo at most"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--peer", help="the program ordo")
    arguments = parser.parse_args()
    rng = np.random.default_rng(1)
    print(f"{'players':>8}{'met':>8}{'games':>10}{'median':>9}{'least':>8}  precision")
    for players, meetings, games, reach in POOLS:
        pairs = pool(players, meetings, games, reach, rng)
        seconds, precision = timed(pairs, players)
        played = int(2 * np.sum(pairs.cells))
        print(
            f"{players:8}{meetings:8}{played:10}{statistics.median(seconds):9.3f}"
            f"{min(seconds):8.3f}  {precision}",
            flush=True,
        )
    if arguments.peer:
        against_ordo(arguments.peer, pool(*POOLS[0], rng), POOLS[0][0])


if __name__ == "__main__":
    main()
