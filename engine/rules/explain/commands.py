"""`tabia rules explain`."""

from __future__ import annotations

import click

from tabia.engine.rules.explain.as_html import as_html
from tabia.engine.rules.explain.as_text import as_text
from tabia.engine.rules.explain.explanation import explain
from tabia.engine.rules.ruleset import RuleSet


@click.command("explain")
@click.argument("rule_set")
@click.option("--html", is_flag=True, help="As an HTML page with pictures.")
def explain_(rule_set: str, html: bool) -> None:
    """RULE_SET, a catalog id or a file, in words: board, array, moves, rights, endings."""
    explained = explain(RuleSet.load(rule_set))
    click.echo(as_html(explained) if html else as_text(explained), nl=False)
