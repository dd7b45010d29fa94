"""What was declared before the first game, and where the declared test stands, in one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabia.dashboards.wording import number, p_value, scale_of, sentence_start, signed, tolerance

View = Mapping[str, Any]


def declared(view: View) -> str:
    """The question, the rule that ends it, and the most it may cost."""
    return (
        f"{sentence_start(_question(view))}, at most {number(view['budget'])} units, {_nodes(view)}"
    )


def _question(view: View) -> str:
    primary = view["primary"]
    rates = f"error rates {primary['alpha']} and {primary['beta']}"
    if view["kind"] == "ratings":
        return "a rating list of the whole budget"
    if view["kind"] == "material":
        return f"piece values to ±{number(primary['target'], 2)} pawns"
    label = "Elo" if primary["metric"] == "elo" else primary["label"]
    if primary["rule"] == "gsprt":
        low, high = primary["bounds"]
        return f"GSPRT of {signed(high)} against {signed(low)} {primary['scale']} Elo, {rates}"
    if primary["rule"] == "budget":
        return f"{label}, measured over the whole budget"
    margin = tolerance(primary["margin"], scale_of(primary["metric"]))
    return f"{label}, margin {margin}, {rates}"


def a_move(player: View) -> str:
    """What ends a player's search."""
    return f"{number(player['nodes'])} nodes" if player["nodes"] else str(player["limit"])


def _nodes(view: View) -> str:
    if any(not player["nodes"] for player in view["players"]):
        return ", ".join(dict.fromkeys(map(a_move, view["players"]))) + " a move"
    found = sorted({player["nodes"] for player in view["players"]} or {view["nodes"]})
    if len(found) == 1:
        return f"{number(found[0])} nodes a move"
    return f"{number(found[0])} to {number(found[-1])} nodes a move, by player"


def test_words(view: View) -> str:
    """Where the declared test stands: its log-likelihood ratios and bounds; "" without a test."""
    test = view["test"]
    bounds = (test["lower"], test["upper"])
    if test["rule"] == "budget" or None in bounds:
        return ""
    if test["llr"] is not None:
        ratios = f"log-likelihood ratio {signed(test['llr'], 2)}"
    else:
        ratios = (
            f"log-likelihood ratios {signed(test['llr_plus'], 2)} and "
            f"{signed(test['llr_minus'], 2)}"
        )
    p = "" if test["p_value"] is None else f"; anytime-valid p-value {p_value(test['p_value'])}"
    return f"{ratios}, bounds {signed(bounds[0], 2)} and {signed(bounds[1], 2)}{p}"
