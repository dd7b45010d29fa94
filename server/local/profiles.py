"""What kind of game it is, in numbers, for somebody at a terminal: lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabia.server.local.columns import Row, columns
from tabia.server.local.progress import View, number

Figures = Mapping[str, Any]


def game_profile(view: View) -> list[str]:
    """The profile of each rule set's games, or of all games together."""
    rows = _profile(view)
    return ["", "  What kind of game it is", *columns(rows)] if len(rows) > 1 else []


def _profile(view: View) -> list[Row]:
    """One column for all games, or one an arm."""
    profile = view["profile"]
    if not profile or not view["units_done"]:
        return []
    arms = [arm for arm in ("a", "b") if profile[arm]]
    heads = ("", *(arm.upper() for arm in arms)) if len(arms) > 1 else ("", "all games")
    by_name = [{each["name"]: each for each in profile[arm]} for arm in arms]
    # An ending that one arm alone has seen is a row of its own.
    names = dict.fromkeys(name for column in by_name for name in column)
    rows: list[Row] = [heads]
    for name in names:
        line = [column.get(name) for column in by_name]
        label = next(each["label"] for each in line if each is not None)
        rows.append((label, *map(_profiled, line)))
    return rows


def _profiled(each: Figures | None) -> str:
    if each is None or each["value"] is None:
        return "–"
    return f"{number(each['value'], digits=1)} {each['unit']}"
