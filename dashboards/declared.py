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


def origin(view: View) -> str:
    """From where the Elo of a rating list are counted: its anchor, or the mean of each pool."""
    anchor = anchor_of(view)
    if anchor is None:
        return "from the mean of the pool"
    others = ", in a pool without it from the mean" if len(view["ratings"]["pools"]) > 1 else ""
    return f"from {_name(anchor, view)}, which is fixed at {signed(anchor['elo'])}{others}"


def anchor_of(view: View) -> View | None:
    """The anchor of a rating list, if it has one; a list of before there were any does not say."""
    found: View | None = (view["ratings"] or {}).get("anchor")
    return found


def _name(anchor: View, view: View) -> str:
    names = {player["key"]: player["name"] for player in view["players"]}
    return str(names[anchor["key"]])


def _question(view: View) -> str:
    primary = view["primary"]
    rates = f"error rates {primary['alpha']} and {primary['beta']}"
    if view["kind"] == "ratings":
        anchor = anchor_of(view)
        fixed = f", {_name(anchor, view)} fixed at {signed(anchor['elo'])}" if anchor else ""
        return f"a rating list of the whole budget{fixed}"
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
