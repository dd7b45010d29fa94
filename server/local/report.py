"""How an experiment ended, in words and numbers, for somebody at a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tabia.server.local.progress import View, estimate_line, interval, number

_STATES = {
    "queued": "has not begun",
    "running": "is not finished",
    "decided": "decided",
    "out_of_budget": "out of budget",
    "stopped": "stopped before it was decided",
    "failed": "failed",
}


def report(view: View) -> RenderableType:
    """The verdict in plain words, then the numbers behind it."""
    parts: list[RenderableType] = [
        Text(f"{view['name']}: {_STATES[view['state']]}", style="bold"),
        Text(sentence(view)),
        Padding(_arms(view), (1, 0, 0, 2)),
        Padding(_figures(view), (1, 0, 0, 2)),
    ]
    return Group(*parts)


def sentence(view: View) -> str:
    """The answer, or why there is none."""
    if view["verdict"] is not None:
        return str(view["verdict"]["sentence"])
    return str(view["failure"] or view["blocked"] or "There is no verdict.")


def print_report(console: Console, view: View) -> None:
    """Print :func:`report` the same way to terminals and to pipes."""
    console.print(report(view), highlight=False, soft_wrap=True)


def _arms(view: View) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    for title in ("games", "White won", "drawn", "Black won", "capped", "mean plies"):
        table.add_column(title, justify="right")
    for arm in view["arms"]:
        tally = view["tallies"].get(arm["key"])
        if tally and tally["games"]:
            table.add_row(_arm_name(view, arm), *_counts(tally))
    return table


def _arm_name(view: View, arm: Mapping[str, Any]) -> str:
    key = arm["key"].upper()
    if view["kind"] == "rights":
        return f"White with {key}'s rights"
    return f"{key}  {arm['name']}"


def _counts(tally: Mapping[str, Any]) -> tuple[str, ...]:
    games = tally["games"]
    return (
        str(games),
        *(_share(tally[key], games) for key in ("white_wins", "draws", "black_wins", "capped")),
        f"{tally['mean_plies']:.0f}",
    )


def _share(count: int, games: int) -> str:
    return f"{count} ({100 * count / games:.0f} %)"


def _figures(view: View) -> Table:
    table = Table.grid(padding=(0, 2))
    primary, test = view["primary"], view["test"]
    arms = view["estimate"]
    for key in ("a", "b"):
        if arms.get(key) and arms[key].get("value") is not None:
            table.add_row(f"{primary['label']}, {key.upper()}", interval(arms[key], signed=False))
    table.add_row("estimate", estimate_line(view))
    confidence = 100 * (1 - primary["alpha"])
    table.add_row("", f"intervals hold at any time with {confidence:g} % confidence")
    if test.get("p_value") is not None:
        table.add_row("p-value", f"{number(test['p_value'], digits=4)} (holds at any time)")
    table.add_row("openings", f"{view['units_done']} counted, {view['budget']} allowed")
    if view["touched"]:
        share = 100 * view["touched"]["share"]
        table.add_row("touched", f"the change mattered in {share:.1f} % of the openings")
    if view["right"]:
        right = view["right"]
        table.add_row(
            "the right",
            f"used {right['used']}, declined {right['declined']}, "
            f"never arose {right['never_arose']} times",
        )
    return table
