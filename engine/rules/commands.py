"""`tabia rules`: look at rule sets, check them, compare them, count their moves."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import click

from tabia.engine.documents import DocumentError
from tabia.engine.rules.explain.commands import explain_
from tabia.engine.rules.interchange.commands import export, import_
from tabia.engine.rules.resolve import catalog_ids
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.rules.toml_text import toml_text

if TYPE_CHECKING:
    from tabia.engine import Position

_LAYOUT = ("board", "pieces", "array", "castling", "promotion", "endings", "black")


@click.group()
def rules() -> None:
    """Look at rule sets, check and compare them."""


rules.add_command(explain_)
rules.add_command(import_)
rules.add_command(export)


@rules.command("list")
def list_() -> None:
    """The catalog: id, board, what it extends, name."""
    rows = [("id", "board", "extends", "name")]
    for catalog_id in catalog_ids():
        rule_set = RuleSet.load(catalog_id)
        board = rule_set.rules.board
        size = f"{board.files}x{board.ranks}"
        rows.append((catalog_id, size, rule_set.extends or "", rule_set.name))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        click.echo("  ".join([*cells, row[3]]))


@rules.command()
@click.argument("rule_set")
@click.option("--json", "as_json", is_flag=True, help="The canonical form and its id, as JSON.")
def show(rule_set: str, as_json: bool) -> None:
    """RULE_SET, a catalog id or a file, with everything it inherits and without defaults."""
    loaded = RuleSet.load(rule_set)
    if as_json:
        click.echo(json.dumps({"rules_id": loaded.id, **loaded.document}, indent=2))
        return
    click.echo(f"# rules_id {loaded.id}")
    if loaded.extends:
        click.echo(f"# what it inherits from {loaded.extends} is written out")
    click.echo(toml_text(_laid_out(loaded)), nl=False)


@rules.command()
@click.argument("rule_sets", nargs=-1, required=True)
@click.pass_context
def check(ctx: click.Context, rule_sets: tuple[str, ...]) -> None:
    """Each of RULE_SETS, catalog ids or files: can it be played? All that cannot are named."""
    refused = False
    for reference in rule_sets:
        try:
            loaded = RuleSet.load(reference)
            _position(loaded, reference)
        except DocumentError as error:
            refused = True
            click.echo(f"tabia: {error}", err=True)
        else:
            click.echo(f"{reference}: {loaded.name}, rules_id {loaded.id}")
    if refused:
        ctx.exit(2)


@rules.command()
@click.argument("a")
@click.argument("b")
def diff(a: str, b: str) -> None:
    """What differs between the rule sets A and B, catalog ids or files."""
    found = RuleSet.load(a).diff(RuleSet.load(b))
    for difference in found:
        click.echo(str(difference))
    if not found:
        click.echo("the same rules")


@rules.command()
@click.argument("rule_set")
@click.argument("depth", type=click.IntRange(1, 20))
@click.option("--fen", help="Start there and not from the array.")
@click.option("--divide", is_flag=True, help="Show the count behind each first move.")
def perft(rule_set: str, depth: int, fen: str | None, divide: bool) -> None:
    """Count the sequences of DEPTH legal moves under RULE_SET."""
    position = _position(RuleSet.load(rule_set), rule_set, fen)
    started = time.perf_counter()
    if divide:
        nodes = 0
        for move in position.legal_moves():
            position.push(move)
            behind = position.perft(depth - 1)
            position.pop()
            nodes += behind
            click.echo(f"{move}: {behind}")
    else:
        nodes = position.perft(depth)
    seconds = time.perf_counter() - started
    click.echo(f"perft({depth}) = {nodes} in {seconds:.2f} s")


def _position(rule_set: RuleSet, source: str, fen: str | None = None) -> Position:
    # Imported here: the other commands need no core.
    from tabia.engine import Position

    try:
        return Position(rule_set, fen)
    except DocumentError as error:  # about the rules, by their name: here they are a file or an id
        raise DocumentError(source, "array", error.problem) from None
    except ValueError as error:
        raise DocumentError(source, "array" if fen is None else "fen", str(error)) from None


def _laid_out(loaded: RuleSet) -> dict[str, Any]:
    """Labels first, then the rules in the order of the handbook, the array as one sees it."""
    document = loaded.document
    array = dict(sorted(document["array"].items(), key=lambda row: -int(row[0])))
    rest = {key: {**document, "array": array}[key] for key in _LAYOUT if key in document}
    return {**loaded.labels, **rest}
