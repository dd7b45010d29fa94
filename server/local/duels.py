"""What is known of A against B, for somebody at a terminal: lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabia.server.local.columns import Row, columns, listed
from tabia.server.local.progress import View, estimate_line, interval, number, tests

Figures = Mapping[str, Any]

_COUNTED = (
    ("White won", "white_wins"),
    ("drawn", "draws"),
    ("Black won", "black_wins"),
    ("capped", "capped"),
)
_CLEAR = 0.05
_EXPLORATORY = "Exploratory: looked at beside the question, decides nothing"
_KEY = f"  * adjusted p at most {_CLEAR}; pp: percentage points"


def duel(view: View) -> list[str]:
    """The games, the numbers behind the verdict, and what else was looked at."""
    lines = [*columns(_arms(view)), "", *listed(_figures(view))]
    others = _others(view)
    if len(others) > 1:
        lines += ["", f"  {_EXPLORATORY}", *columns(others)]
        lines += [_KEY] if any(each["difference"] for each in view["secondary"]) else []
        lines += [
            f"  {each['label']}: {each['note']}" for each in view["secondary"] if each["note"]
        ]
    return lines


def _arms(view: View) -> list[Row]:
    rows: list[Row] = [("", "games", *(title for title, _ in _COUNTED), "mean plies")]
    for arm in view["arms"]:
        tally = view["tallies"].get(arm["key"])
        if tally and tally["games"]:
            rows.append((_arm_name(view, arm), *_counts(tally)))
    return rows if len(rows) > 1 else []


def _arm_name(view: View, arm: Figures) -> str:
    key = arm["key"].upper()
    if view["kind"] == "rights":
        return f"White with {key}'s rights"
    if view["kind"] == "engines":
        names = {player["key"]: player["name"] for player in view["players"]}
        return f"{key} as White  {names[arm['key']]}"
    return f"{key}  {arm['name']}"


def _counts(tally: Figures) -> Row:
    games = tally["games"]
    shares = (f"{tally[key]} ({100 * tally[key] / games:.0f} %)" for _, key in _COUNTED)
    return (str(games), *shares, f"{tally['mean_plies']:.0f}")


def _figures(view: View) -> list[Row]:
    primary, estimate = view["primary"], view["estimate"]
    rows: list[Row] = [
        (f"{primary['label']}, {key.upper()}", interval(estimate[key], signed=False))
        for key in ("a", "b")
        if (estimate.get(key) or {}).get("value") is not None
    ]
    rows.append(("estimate", estimate_line(view)))
    normalized = estimate.get("normalized_elo") or {}
    if normalized.get("value") is not None:
        rows.append(("", f"normalized Elo: {interval(normalized, digits=1)}"))
    confidence = 100 * (1 - primary["alpha"])
    rows.append(("", f"The intervals hold at any time, with {confidence:g} % confidence."))
    if view["adjusted"] is not None:
        adjusted, los = view["adjusted"], 100 * view["adjusted"]["los"]
        rows.append(("adjusted", f"{interval(adjusted, digits=1)} Elo, LOS {los:.1f} %"))
        rows.append(("", "That is the median-unbiased estimate after a test that stopped itself."))
    rows += _test(view)
    rows.append(("openings", f"{view['units_done']} counted, {view['budget']} allowed"))
    if view["touched"]:
        share = 100 * view["touched"]["share"]
        rows.append(("touched", f"{_what_differs(view)} came to matter in {share:.1f} % of them"))
    rows += [("weights", line) for line in own_weights(view)]
    if view["right"]:
        used, declined, never = (view["right"][key] for key in ("used", "declined", "never_arose"))
        rows.append(("the right", f"used {used}, declined {declined}, never arose {never} times"))
    return rows


def own_weights(view: View) -> list[str]:
    """Who judges by weights of their own, and what that does to the coupling of the arms."""
    lines = [
        f"{'all others' if who == 'all' else who.upper()} by weights of their own, {name[:12]}"
        for who, name in view["own_weights"].items()
    ]
    if view["paired"] and not view["coupled"]:
        lines.append("They break the coupling: games part where the weights differ, too.")
    return lines


def _test(view: View) -> list[Row]:
    """Where the test stands, and the p-value."""
    test = view["test"]
    rows: list[Row] = [*tests(view)]
    if test["p_value"] is not None:
        rows.append(("p-value", f"{_p(test['p_value'])}, at any time"))
    return rows


def _p(value: float) -> str:
    return "below 0.0001" if value < 0.0001 else number(value, digits=4)


def _what_differs(view: View) -> str:
    return "the difference between the players" if view["kind"] == "engines" else "the change"


def _others(view: View) -> list[Row]:
    """The secondary metrics: both arms and what is known of their difference, or one value."""
    if any(each["difference"] is not None for each in view["secondary"]):
        rows: list[Row] = [("", "A", "B", "A − B", "p, adjusted")]
        return rows + [_compared(each) for each in view["secondary"]]
    rows = [("", "all games", "")]
    return rows + [
        (each["label"], _level(each, each["a"]), _span(each, each["a"]))
        for each in view["secondary"]
    ]


def _compared(each: Figures) -> Row:
    difference = each["difference"]
    if difference["value"] is None:
        return (each["label"], "", "", "", "")
    unit = "%" if each["scale"] == "percent" else "pp"
    shown = f"{number(_percent(each, difference['value']), digits=1, signed=True)} {unit}"
    clear = " *" if each["p_holm"] <= _CLEAR else ""
    return (
        each["label"],
        _level(each, each["a"]),
        _level(each, each["b"]),
        f"{shown} {_span(each, difference, signed=True)}",
        f"{_p(each['p_holm'])}{clear}",
    )


def _level(each: Figures, figures: Figures) -> str:
    """A value of one arm: a share in per cent, or a length in plies."""
    if figures["value"] is None:
        return ""
    if each["scale"] == "percent":
        return f"{figures['value']:.0f} plies"
    return f"{100 * figures['value']:.1f} %"


def _span(each: Figures, figures: Figures, *, signed: bool = False) -> str:
    if figures["low"] is None or figures["high"] is None:
        return ""
    low, high = (
        number(_percent(each, figures[end]), digits=1, signed=signed) for end in ("low", "high")
    )
    return f"[{low}, {high}]"


def _percent(each: Figures, value: float) -> float:
    return value if each["scale"] == "percent" else 100 * value
