"""`tabia rules explain`."""

from __future__ import annotations

from pathlib import Path

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
    loaded = RuleSet.load(rule_set)
    explained = explain(loaded, _parent(loaded, rule_set))
    click.echo(as_html(explained) if html else as_text(explained), nl=False)


def _parent(loaded: RuleSet, path: str) -> RuleSet | None:
    """The parent of a tweak in a file, where that is a file beside it."""
    if loaded.catalog_id is not None or not (loaded.extends or "").endswith(".toml"):
        return None
    return RuleSet.load(Path(path).parent / str(loaded.extends))
