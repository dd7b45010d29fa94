"""`tabia calibrate`: weights for one rule set, from the engine's games against itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tabia.engine.cli import MissingExtraError

if TYPE_CHECKING:
    from tabia.engine.calibration.fit import Fit
    from tabia.engine.rules.ruleset import RuleSet
    from tabia.engine.weights import Weights

_TOLD_EVERY = 100


@click.command()
@click.argument("rules", metavar="RULES")
@click.option(
    "--games",
    type=click.IntRange(min=100, max=1_000_000),
    default=4000,
    show_default=True,
    help="Games to play.",
)
@click.option(
    "--nodes",
    type=click.IntRange(min=1, max=1_000_000),
    default=400,
    show_default=True,
    help="Positions looked at before each move.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0, max=2**63 - 1),
    default=0,
    show_default=True,
    help="Another seed, other games.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write the weights. [default: NAME.weights.json here]",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1, max=1024),
    default=1,
    show_default=True,
    help="Games played at the same time; the weights are the same for any number.",
)
def calibrate(
    rules: str, games: int, nodes: int, seed: int, out: Path | None, workers: int
) -> None:
    """Fit the weights of the evaluation to RULES, a catalog id or a file.

    The engine plays fast games against itself; piece values and all other terms are fitted to how
    they ended. Experiments ask for the file with `[weights]`.
    """
    try:
        from tabia.engine.calibration import fit as fitting
        from tabia.engine.calibration.slopes import samples_of
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise MissingExtraError("calibrate", "numpy") from error
    from tabia.engine.calibration.games import play_games
    from tabia.engine.calibration.parameters import opened
    from tabia.engine.match.signature import bench_signature
    from tabia.engine.rules.ruleset import RuleSet
    from tabia.engine.weights import neutral_weights
    from tabia.engine.weights_file import weights_hash, weights_text

    rule_set = RuleSet.load(rules)
    path = out or Path(f"{Path(rules).stem}.weights.json")
    if not path.parent.is_dir():
        raise click.UsageError(f"--out: there is no folder {path.parent}")
    neutral = neutral_weights(rule_set)
    played = play_games(
        rule_set, neutral, games=games, nodes=nodes, seed=seed, workers=workers, played=_tell
    )
    try:
        found = fitting.fit(
            start := opened(neutral, rule_set.rules.board.ranks),
            samples_of(rule_set, start, played),
        )
    except fitting.TooFewGamesError as error:
        raise click.ClickException(str(error)) from None
    about: dict[str, Any] = {
        "games": games,
        "nodes": nodes,
        "seed": seed,
        "engine": bench_signature(),
        "neutral": weights_hash(neutral),
        "positions": found.positions,
        "strength": found.strength,
        "log_loss": {
            "neutral": round(found.loss_before, 5),
            "calibrated": round(found.loss_after, 5),
        },
    }
    path.write_text(weights_text(found.weights, rule_set, about), encoding="utf-8")
    for line in _report(rule_set, neutral, found, path, weights_hash(found.weights)):
        click.echo(line)


def _tell(games: int) -> None:
    if games % _TOLD_EVERY == 0:
        click.echo(f"{games} games", err=True)


def _report(rules: RuleSet, old: Weights, found: Fit, path: Path, name: str) -> list[str]:
    lines = [f"{rules.name}: centipawns, neutral and calibrated", ""]
    lines.append(f"{'':24}{'middlegame':>20}{'endgame':>20}")
    for letter, now in found.weights["letters"].items():
        cells = []
        for key in ("mid", "end"):
            before, after = old["letters"][letter][key], now[key]
            cells.append(f"{before:>7} {after:>5} {after - before:>+6}")
        title = f"{letter}  {rules.piece_names.get(letter, '')}"
        lines.append(f"{title:24}{''.join(cells)}")
    gain = found.loss_before - found.loss_after
    losses = f"neutral {found.loss_before:.4f}, calibrated {found.loss_after:.4f}"
    size = f"{found.games} games, {found.positions} quiet positions, {len(found.paths)} terms"
    return [
        *lines,
        "",
        f"{size}, prior of strength {found.strength:g}",
        f"log loss on games held out: {losses} (chance {found.loss_chance:.4f})",
        f"gained {gain:.4f} ± {1.96 * found.gain_error:.4f} nats a position",
        f"{path}: weights {name}",
    ]
