"""How many games piece values cost: three ways to choose the matches, and how far a budget reaches.

The case: 20 types of men worth 1 to 12 pawns in equal steps, 30 games in a hundred drawn between
equal armies, every imbalance within a pawn of balance of the forms

    a man against 1 to 3 pawns;    a man (and up to 2 pawns) against a man
    a man (and up to 1 pawn) against two men, and the other way round

Printed are games until every value is known to +-0.1 pawns (95 %), for

    uniform    every match gets as many games as any other
    D-optimal  the determinant of the information is as great as can be
    A-optimal  the sum of the variances of the *values in pawns* is as small as can be:
               `tabia.server.statistics.design.allocate`, the design that experiments use

and then a check by simulation: whole projects are drawn at random and fitted, and what comes out is
set against what `reach` foretold.

    python benchmarks/piece_values.py [--runs 150]
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from pathlib import Path

# This folder has a statistics.py, which must not pass for the standard library's.
sys.path.sort(key=lambda folder: folder == str(Path(__file__).parent))

import numpy as np
from numpy.typing import NDArray

from tabia.server.statistics import design, piece_values
from tabia.server.statistics.draw_models import logistic_score

Floats = NDArray[np.float64]

TYPES, PAWN = 20, 0
VALUES = np.linspace(1, 12, TYPES)
LIMIT = 1.0
TARGET = 0.1


def candidates() -> Floats:
    """All imbalances of the case as count differences (m, types), each once."""
    rows: set[tuple[int, ...]] = set()

    def add(ours: tuple[int, ...], theirs: tuple[int, ...], pawns: int) -> None:
        for extra in range(-pawns, pawns + 1):
            row = np.bincount(ours, minlength=TYPES) - np.bincount(theirs, minlength=TYPES)
            row[PAWN] += extra
            if row.any() and abs(row @ VALUES) <= LIMIT:
                rows.add(tuple(int(c) for c in row))

    men = range(1, TYPES)
    for man in men:
        add((man,), (PAWN,), 2)
        for two in itertools.combinations_with_replacement(men, 2):
            if man not in two:
                add((man,), two, 1)
    for one, other in itertools.combinations(men, 2):
        add((one,), (other,), 2)
    return np.array(sorted(rows), dtype=np.float64)


def d_optimal(differences: Floats, information: Floats, rounds: int = 3000) -> Floats:
    """The shares that make the determinant greatest (Silvey, Titterington and Torsney 1978)."""
    shares = np.full(len(differences), 1 / len(differences))
    for _ in range(rounds):
        matrix = (differences * (shares * information)[:, None]).T @ differences
        gain = information * np.einsum(
            "mk,km->m", differences, np.linalg.solve(matrix, differences.T)
        )
        shares = shares * gain / gain.mean()
        shares = shares / shares.sum()
    return shares


def games_until(differences: Floats, strengths: Floats, shares: Floats, of: str) -> float:
    """Games until the half-width of the worst value, or of the median one, is the target."""
    widths = np.delete(design.reach(differences, strengths, PAWN, shares, 1.0), PAWN)
    width = widths.max() if of == "worst" else np.median(widths)
    return float(2 * (width / TARGET) ** 2)


def designs(differences: Floats) -> None:
    print(f"{len(differences)} near-balanced imbalances of {TYPES} types; thousands of games\n")
    print(f"{'':11}{'30 Elo a pawn':>22}{'60 Elo a pawn':>22}{'100 Elo a pawn':>22}")
    print(f"{'':11}" + f"{'worst':>11}{'median':>11}" * 3 + f"{'matches':>9}")
    shares: dict[str, list[Floats]] = {"uniform": [], "D-optimal": [], "A-optimal": []}
    scales = (30, 60, 100)
    for pawn_elo in scales:
        strengths = pawn_elo * VALUES
        score = logistic_score(differences @ strengths / piece_values.ELO_PER_NAT)
        variances = design.pair_variances(differences, strengths)
        information = (score * (1 - score)) ** 2 / variances
        shares["uniform"].append(np.full(len(differences), 1 / len(differences)))
        shares["D-optimal"].append(d_optimal(differences, information))
        shares["A-optimal"].append(design.allocate(differences, strengths, PAWN))
    for name, found in shares.items():
        figures = [
            games_until(differences, pawn_elo * VALUES, share, of) / 1000
            for pawn_elo, share in zip(scales, found, strict=True)
            for of in ("worst", "median")
        ]
        worth_playing = int((found[1] > 1e-3).sum())
        print(f"{name:11}" + "".join(f"{n:11.0f}" for n in figures) + f"{worth_playing:9d}")
    seconds = time.process_time()
    design.allocate(differences, 60 * VALUES, PAWN)
    print(f"\nan allocation takes {time.process_time() - seconds:.2f} s of CPU time")


def projects(differences: Floats, games: int, runs: int, rng: np.random.Generator) -> None:
    """Whole projects at 60 Elo a pawn: errors and coverage beside what was foretold."""
    strengths = 60 * VALUES
    shares = design.allocate(differences, strengths, PAWN)
    units = design.apportion(shares, games // 2)
    score = logistic_score(differences @ strengths / piece_values.ELO_PER_NAT)
    draw = 0.3 * 4 * score * (1 - score)
    game = np.stack([1 - score - draw / 2, draw, score - draw / 2], axis=1)
    law = np.zeros((len(differences), 5))
    for i, j in itertools.product(range(3), repeat=2):
        law[:, i + j] += game[:, i] * game[:, j]
    errors, held, widths = [], [], []
    for _ in range(runs):
        found = piece_values.fit(differences, rng.multinomial(units, law), PAWN)
        ends = np.array(found.intervals())[1:]
        held.append((ends[:, 0] <= VALUES[1:]) & (VALUES[1:] <= ends[:, 1]))
        errors.append(np.array(found.values)[1:] - VALUES[1:])
        widths.append(found.half_widths()[1:])
    foretold = design.reach(differences, strengths, PAWN, shares, units.sum())[1:]
    rmse = np.sqrt(np.mean(np.square(errors), axis=1))
    print(
        f"{games:>8} games: median rmse {np.median(rmse):.3f}, intervals hold {np.mean(held):.3f}, "
        f"half-width {np.median(widths):.3f} (worst {np.median(np.max(widths, axis=1)):.3f}), "
        f"foretold {np.median(foretold):.3f} ({foretold.max():.3f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=150, help="simulated projects a line")
    arguments = parser.parse_args()
    differences = candidates()
    designs(differences)
    print(f"\n{arguments.runs} simulated projects a line, A-optimal, 60 Elo a pawn:")
    rng = np.random.default_rng(20240)
    for games in (20_000, 60_000, 400_000):
        projects(differences, games, arguments.runs, rng)


if __name__ == "__main__":
    main()
