"""Calibrated weights against neutral ones: fitted, played, and written down.

    .venv/bin/python benchmarks/calibration.py [RULES ...]
        [--games N] [--nodes N] [--match-nodes N] [--bounds LOW HIGH] [--workers N] [--out FOLDER]

For each rule set `tabia calibrate` makes weights, and `tabia run` plays an experiment of kind
`engines` in which player a has them and player b has not; both look at as many positions. The
folder (docs/results/calibration) gets, for each, the weights, the experiment's file and what was
known at its end, and a README.md of all that are there. The same command makes the same files.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TABIA = Path(sys.executable).with_name("tabia")
GAMES = {"grand": (3000, 400), "gross": (2000, 250), "gigachess": (3000, 120)}
"""How many, and of how many nodes a move, so that each takes minutes of one core."""
SEED = 1
MAX_PLIES = {"gigachess": 1200}
"""Where 400 plies end so many games that a verdict would hang on how those are counted."""
KEPT = (
    "name", "kind", "engine", "arms", "players", "own_weights", "primary", "budget", "units_done",
    "state", "verdict", "estimate", "test", "adjusted", "tallies",
)  # fmt: skip

EXPERIMENT = """\
# Written by benchmarks/calibration.py.
name = "Calibrated weights in {rules}"
question = "Does the engine play {rules} better with weights fitted to its own games?"
kind = "engines"
rules = "{rules}"
nodes = {nodes}
max_plies = {max_plies}

[players.a]
name = "calibrated"

[players.b]
name = "neutral"

[weights]
a = "{rules}.weights.json"

[test]
rule = "gsprt"
bounds = [{low:g}, {high:g}]
scale = "normalized"
budget = {budget}
"""

PAGE = """\
# Weights from self-play against neutral ones

`python benchmarks/calibration.py` calibrates each game by `tabia calibrate` and plays the weights
against the neutral ones, at equal nodes, until the test decides (kind `engines`, normalized Elo).
For each game the folder holds the weights, the experiment's file and what was known at the end.

"""
NOTES = """
* LAMBDA of `returns` was chosen on Grand Chess, on the games its weights are fitted to and by a
  match of other openings. Gross Chess and Gigachess took no part in that choice.
* Gigachess is played to 1200 plies. With an earlier engine (794873) a run to 400 was given up
  undecided after 1700 openings, at +44 Elo (+26 to +62); presumably too many games were capped, for
  a verdict is withheld while it hangs on how those are counted.
* That engine's own weights beat its neutral ones by +41 (grand), +152 (gross) and +39 (gigachess).
"""
COLUMNS = (
    "game",
    "calibrated on",
    "log loss on games held out",
    "nodes of the match",
    "hypotheses",
    "verdict",
    "openings",
    "score",
    "Elo, median-unbiased",
)


def main() -> None:
    asked = _arguments()
    asked.out.mkdir(parents=True, exist_ok=True)
    for rules in asked.rules:
        weights = asked.out / f"{rules}.weights.json"
        if not asked.keep or not weights.exists():
            games, nodes = GAMES.get(rules, (2000, 250))
            _tabia(
                "calibrate", rules, "--games", asked.games or games,
                "--nodes", asked.nodes or nodes, "--seed", SEED, "--out", weights,
                "--workers", asked.workers,
            )  # fmt: skip
        low, high = asked.bounds
        experiment = asked.out / f"{rules}.toml"
        experiment.write_text(
            EXPERIMENT.format(
                rules=rules,
                nodes=asked.match_nodes,
                max_plies=MAX_PLIES.get(rules, 400),
                low=low,
                high=high,
                budget=asked.budget,
            )
        )
        with tempfile.TemporaryDirectory() as folder:
            whole = Path(folder) / "run.json"
            _tabia(
                "run", experiment, "--workers", asked.workers, "--data", Path(folder) / "data",
                "--json", whole,
            )  # fmt: skip
            known = json.loads(whole.read_text())
        _write(asked.out / f"{rules}.json", {key: known[key] for key in KEPT})
    (asked.out / "README.md").write_text(_page(asked.out))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rules", nargs="*", default=[*GAMES], help="catalog ids")
    parser.add_argument("--games", type=int, help="to calibrate on")
    parser.add_argument("--nodes", type=int, help="a move, of those games")
    parser.add_argument("--match-nodes", type=int, default=250, help="a move, of the match")
    parser.add_argument("--bounds", type=float, nargs=2, default=(0.0, 10.0))
    parser.add_argument("--budget", type=int, default=10000, help="openings of the match at most")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="weights that are there: only play")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "results" / "calibration")
    return parser.parse_args()


def _tabia(*arguments: object) -> None:
    print("tabia", *arguments, flush=True)
    subprocess.run([TABIA, *map(str, arguments)], check=True)


def _write(path: Path, data: dict[str, Any]) -> None:
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def _page(folder: Path) -> str:
    rows = []
    for path in sorted(folder.glob("*.weights.json")):
        rules = path.name.partition(".")[0]
        found = folder / f"{rules}.json"
        if found.exists():
            rows.append(_row(json.loads(path.read_text()), json.loads(found.read_text()), rules))
    head = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    return PAGE + "\n".join([*head, *rows]) + "\n" + NOTES


def _row(weights: dict[str, Any], known: dict[str, Any], rules: str) -> str:
    made, primary = weights["calibration"], known["primary"]
    losses = made["log_loss"]
    low, high = primary["bounds"]
    outcome = (known["verdict"] or {}).get("outcome", known["state"])
    verdict = {"a_higher": "calibrated is better", "h0": "not shown better"}.get(outcome, outcome)
    adjusted = known["adjusted"]
    elo = (
        "–"
        if adjusted is None
        else f"{adjusted['value']:+.0f} ({adjusted['low']:+.0f} to {adjusted['high']:+.0f})"
    )
    cells = (
        f"[{rules}]({rules}.json)",
        f"{made['games']} games of {made['nodes']} nodes, engine {made['engine']}",
        f"{losses['neutral']:.4f} → {losses['calibrated']:.4f}",
        f"{known['players'][0]['nodes']}",
        f"{low:g}, {high:g}",
        verdict,
        f"{known['units_done']}",
        f"{100 * known['estimate']['score']['value']:.1f} %",
        elo,
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
