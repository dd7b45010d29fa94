"""How an experiment ended, in words and numbers, for somebody at a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from tabia.server.local import standings
from tabia.server.local.columns import Row, columns, listed
from tabia.server.local.progress import View, estimate_line, interval, number

_WIDTH = 88
_STATES = {
    "queued": "not begun",
    "running": "not decided yet",
    "decided": "decided",
    "out_of_budget": "out of budget",
    "stopped": "stopped before it was decided",
    "failed": "failed",
}
_COUNTED = (
    ("White won", "white_wins"),
    ("drawn", "draws"),
    ("Black won", "black_wins"),
    ("capped", "capped"),
)


def report(view: View) -> list[str]:
    """The verdict in plain words, then the numbers behind it: lines of text."""
    return [
        "",
        f"{view['name']}{_strength(view)}: {_STATES[view['state']]}",
        *_wrapped(answer(view)),
        "",
        *_BODIES.get(view["kind"], _sides)(view),
        "",
    ]


def curve_report(curve: View) -> list[str]:
    """The trend of a question that was asked at several strengths: lines of text."""
    label = "" if curve["label"] is None else f": {curve['label']}"
    return ["", f"{curve['name']}, by strength{label}", *_wrapped(curve["sentence"]), "",
            *standings.curve(curve), ""]  # fmt: skip


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _strength(view: View) -> str:
    return f", {view['nodes']} nodes" if view["curve"] else ""


def _sides(view: View) -> list[str]:
    return [*columns(_arms(view)), "", *listed(_figures(view))]


_BODIES = {"ratings": standings.rating_list, "material": standings.piece_values}
"""What is shown of the kinds that are about more than two sides."""


def answer(view: View) -> str:
    """The verdict, or why there is none yet."""
    if view["verdict"] is not None:
        return str(view["verdict"]["sentence"])
    if view["state"] == "running":
        return (
            f"No verdict after {view['units_done']} of at most {view['budget']} openings. "
            f"So far: {estimate_line(view)}."
        )
    return str(view["failure"] or view["blocked"] or "There is no verdict.")


def _arms(view: View) -> list[Row]:
    rows: list[Row] = [("", "games", *(title for title, _ in _COUNTED), "mean plies")]
    for arm in view["arms"]:
        tally = view["tallies"].get(arm["key"])
        if tally and tally["games"]:
            rows.append((_arm_name(view, arm), *_counts(tally)))
    return rows if len(rows) > 1 else []


def _arm_name(view: View, arm: Mapping[str, Any]) -> str:
    key = arm["key"].upper()
    return f"White with {key}'s rights" if view["kind"] == "rights" else f"{key}  {arm['name']}"


def _counts(tally: Mapping[str, Any]) -> Row:
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
    confidence = 100 * (1 - primary["alpha"])
    rows.append(("", f"The intervals hold at any time, with {confidence:g} % confidence."))
    if view["test"].get("p_value") is not None:
        p_value = view["test"]["p_value"]
        text = "below 0.0001" if p_value < 0.0001 else number(p_value, digits=4)
        rows.append(("p-value", f"{text}, at any time"))
    rows.append(("openings", f"{view['units_done']} counted, {view['budget']} allowed"))
    if view["touched"]:
        share = 100 * view["touched"]["share"]
        rows.append(("touched", f"the change came to matter in {share:.1f} % of the openings"))
    if view["right"]:
        used, declined, never = (view["right"][key] for key in ("used", "declined", "never_arose"))
        rows.append(("the right", f"used {used}, declined {declined}, never arose {never} times"))
    return rows
