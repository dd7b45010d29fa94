"""Rating lists, piece values and curves for somebody at a terminal: lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabia.server.local.columns import Row, columns
from tabia.server.local.progress import View, interval, number

Figures = Mapping[str, Any]


def rating_list(view: View) -> list[str]:
    """The players of a pool, the strongest first, with the error of each number."""
    ratings = view["ratings"]
    names = {player["key"]: player for player in ratings["players"]}
    lines: list[str] = []
    for pool in ratings["pools"]:
        rows: list[Row] = [("", "Elo", "±", "games", "score")]
        rows += [_player(names[key]) for key in pool]
        lines += [*columns(rows), ""]
    if len(ratings["pools"]) > 1:
        lines += ["  Ratings of different lists cannot be compared: no results connect them.", ""]
    advantage, draws = ratings["advantage"], ratings["draw_rate"]
    if advantage["value"] is not None:
        lines.append(f"  the first move  {interval(advantage, digits=1)} Elo")
    if draws is not None:
        lines.append(f"  drawn games     {100 * draws:.1f} %")
    return [*lines, f"  {_kind_of_error(view, ratings['watched'])}"]


def _player(player: Figures) -> Row:
    score = "" if player["score"] is None else f"{100 * player['score']:.1f} %"
    rating = _value(player["elo"], digits=1, signed=True)
    # Of a list that was decided before there were anchors, no row says.
    error = "fixed" if player.get("fixed") else _error(player, "elo", 1)
    return (player["name"], rating, error, str(player["games"]), score)


def piece_values(view: View) -> list[str]:
    """The men in pawns, the dearest first, with the error of each number."""
    values = view["values"]
    rows: list[Row] = [("", "pawns", "±")]
    men = sorted(values["men"], key=lambda man: -(man["value"] or 0.0))
    rows += [
        (f"{man['letter']}  {man['name']}", _value(man["value"], digits=2), _error(man, "value", 2))
        for man in men
    ]
    lines = [*columns(rows), ""]
    if values["pawn_elo"]["value"] is not None:
        lines.append(
            f"  a pawn is worth {interval(values['pawn_elo'], digits=1, signed=False)} Elo"
        )
    if values["chi2"] is not None and values["dof"]:
        fit = values["chi2"] / values["dof"]
        lines.append(
            f"  fit: chi² {values['chi2']:.1f} on {values['dof']} degrees of freedom"
            + (
                "; men are worth more or less in company, the errors allow for it"
                if fit > 1.5
                else ""
            )
        )
    if values["reach"] is not None:
        lines.append(
            f"  the whole budget is expected to reach ± {values['reach']:.2f} pawns at worst"
            f" (asked for: ± {values['target']:g})"
        )
    return [*lines, f"  {_kind_of_error(view, values['watched'])}"]


def curve(view: View) -> list[str]:
    """The same question at several strengths, and the trend."""
    digits = 1 if view["kind"] == "rights" else 3
    rows: list[Row] = [("", "nodes", "openings", "difference")]
    for level in view["levels"]:
        told = "" if level["value"] is None else interval(level, digits=digits)
        rows.append((f"{level['level']:g}×", str(level["nodes"]), str(level["units"]), told))
    lines = columns(rows)
    if view["slope"]["value"] is not None:
        lines += ["", f"  per doubling of the nodes  {interval(view['slope'], digits=digits)}"]
    return lines


def _kind_of_error(view: View, watched: bool) -> str:
    confidence = 100 * (1 - view["primary"]["alpha"])
    if watched:
        return f"The errors hold at any time, with {confidence:g} % confidence."
    return f"The errors are of {confidence:g} % confidence, at the declared end."


def _value(value: float | None, *, digits: int, signed: bool = False) -> str:
    return "?" if value is None else number(value, digits=digits, signed=signed)


def _error(figures: Figures, key: str, digits: int) -> str:
    """Half of the interval's width, where it is the same to either side or nearly so."""
    if figures["low"] is None or figures["high"] is None or figures[key] is None:
        return "?"
    half = (figures["high"] - figures["low"]) / 2
    return "" if half == 0 else number(half, digits=digits)
