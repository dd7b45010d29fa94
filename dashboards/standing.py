"""Where an experiment stands, in a sentence: its verdict, or what its numbers look like so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tabia.dashboards.seats import names
from tabia.dashboards.wording import (
    LIVE_STATES,
    Estimate,
    difference,
    level,
    number,
    scale_of,
    sentence_start,
    span,
)

View = Mapping[str, Any]

_MAIN: Final = {"compare": "difference", "rights": "elo", "engines": "elo"}
"""Under which name the number stands that a kind of experiment is about; other kinds have many."""


def main_estimate(view: View) -> Estimate | None:
    """The one estimate that the experiment is about; None before the first unit, and where it is
    about many."""
    key = _MAIN.get(view["kind"])
    if key is None or not view["units_done"]:
        return None
    found: Estimate = view["estimate"][key]
    return found


def answer(view: View) -> str:
    """The sentence that answers an experiment: its verdict, or where it stands."""
    verdict = view["verdict"]
    return str(verdict["sentence"]) if verdict else so_far(view)


def so_far(view: View) -> str:
    """One sentence for an experiment without a verdict: where it stands, not what it proves."""
    if view["state"] == "failed":
        return "The experiment failed before it came to an answer."
    if not view["units_done"]:
        return "No games yet." if view["state"] in LIVE_STATES else "No games were counted."
    return _SO_FAR[view["kind"]](view)


def headline(text: str) -> tuple[str, str]:
    """The first sentence of an answer, to be set large, and the rest."""
    first, stop, rest = text.partition(". ")
    return (f"{first}.", rest) if stop else (text, "")


def _compare(view: View) -> str:
    a, b = (arm["name"] for arm in view["arms"])
    scale = scale_of(view["primary"]["metric"])
    label = sentence_start(view["primary"]["label"])
    of_a, of_b = (level(view["estimate"][arm]["value"], scale) for arm in ("a", "b"))
    return f"{label} so far: {of_a} under {a}, {of_b} under {b}. The difference is {_figure(view)}."


def _rights(view: View) -> str:
    a, b = (arm["name"] for arm in view["arms"])
    return f"So far the rights of {a} against those of {b} look worth {_figure(view)}."


def _engines(view: View) -> str:
    players = names(view)
    value = view["estimate"]["elo"]["value"]
    if value is None:
        return f"So far {players['a']} and {players['b']} are too far apart to be measured."
    return f"So far {players['a']} against {players['b']}: {_figure(view)}."


def _ratings(view: View) -> str:
    ratings = view["ratings"]
    rated = [player for player in ratings["players"] if player["elo"] is not None]
    if not rated:
        return "No player can be rated yet."
    best = max(rated, key=lambda player: float(player["elo"]))
    # The anchor's own rating has no error; a list of before there were anchors does not say.
    error = ", where it is fixed" if best.get("fixed") else f" {span(best, 'elo')}"
    return (
        f"So far {best['name']} leads {len(ratings['players'])} players at "
        f"{difference(best['elo'], 'elo')}{error}."
    )


def _material(view: View) -> str:
    values = view["values"]
    widths = [
        (man["high"] - man["low"]) / 2
        for man in values["men"]
        if man["low"] is not None and man["high"] is not None
    ]
    if len(widths) < len(values["men"]) or not widths:
        return "The games so far do not bound every value yet."
    return (
        f"So far the values of {len(widths)} men are known to ±{number(max(widths), 2)} pawns or "
        f"better. The aim is ±{number(values['target'], 2)}."
    )


_SO_FAR: Final[dict[str, Callable[[View], str]]] = {
    "compare": _compare,
    "rights": _rights,
    "engines": _engines,
    "ratings": _ratings,
    "material": _material,
}


def _figure(view: View) -> str:
    main = main_estimate(view)
    assert main is not None, "an experiment with units has its estimate"
    scale = scale_of(view["primary"]["metric"])
    open_end = ", so either could be ahead" if _holds_zero(main) else ""
    return f"{difference(main['value'], scale)} {span(main, scale)}{open_end}"


def _holds_zero(estimate: Estimate) -> bool:
    low, high = estimate["low"], estimate["high"]
    return (low is None or low < 0) and (high is None or high > 0)
