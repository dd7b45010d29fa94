"""`tabia endgames`: what a few men can do under a rule set."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tabia.engine.endgames import Ending

# Placements that a core is sure to solve in a second; endings without a mate take a tenth of the
# time.
_PER_SECOND = 1_000_000


@click.command()
@click.argument("rules")
@click.argument("material")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option(
    "--memory",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Most megabytes that the tables may take.",
)
def endgames(rules: str, material: str, as_json: bool, memory: int) -> None:
    """Solve all positions of MATERIAL (KBN:K) under RULES, a catalog id or a file.

    Who can force a win, how long it takes at most, and how many positions are won, drawn and lost.
    """
    # Imported here: `tabia --help` must not wait for the core.
    from tabia.engine.endgames import Ending, Material, report
    from tabia.engine.rules.ruleset import RuleSet

    rule_set = RuleSet.load(rules)
    ending = Ending(rule_set, Material.parse(material, rule_set))
    ending.require_memory(memory)
    click.echo(_announcement(ending), err=True)
    ending.solve()
    kinds = ending.kinds()
    if as_json:
        click.echo(json.dumps(report.as_json(ending, kinds), indent=2))
    else:
        click.echo(report.as_text(ending, kinds), nl=False)


def _announcement(ending: Ending) -> str:
    endings = len(ending.family)
    megabytes = ending.bytes / 1e6
    seconds = max(1, round(ending.placements / _PER_SECOND))
    return (
        f"{ending.placements:,} placements in {endings} ending{'s' if endings > 1 else ''}, "
        f"{megabytes:,.1f} MB, {seconds:,} s or less"
    )
