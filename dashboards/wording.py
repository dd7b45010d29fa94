"""Numbers and states in words for people: ``53.4 %``, ``+2.1 pp``, ``+12 [−3, +27]``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Literal

from markupsafe import Markup

from tabia.server.metrics import ELO

Scale = Literal["share", "elo"]
"""How values are written: shares of games in per cent, or Elo."""

Estimate = Mapping[str, float | None]
"""``value``, ``low`` and ``high``; None where there is no bound, or nothing to say."""

NARROW = "\u202f"  # no-break space, as typographers put it before a per cent sign
MINUS = "\u2212"

STATES: Final[dict[str, str]] = {
    "queued": "waiting",
    "running": "running",
    "decided": "decided",
    "out_of_budget": "budget used up",
    "stopped": "stopped",
    "failed": "failed",
}
LIVE_STATES: Final = frozenset({"queued", "running"})


def scale_of(metric: str) -> Scale:
    """How a metric of ``tabia.server.metrics`` is written."""
    return "elo" if metric == ELO else "share"


def number(value: float, digits: int = 0) -> str:
    """``12345`` -> ``12,345``; a true minus sign; never ``−0``."""
    text = f"{value:,.{digits}f}"
    if text.strip("-0.,") == "":
        text = text.removeprefix("-")
    return text.replace("-", MINUS)


def signed(value: float, digits: int = 0) -> str:
    """Like ``number``, with a plus sign when it is above zero."""
    text = number(value, digits)
    return text if text.startswith(MINUS) or text.strip("0.,") == "" else f"+{text}"


def level(value: float | None, scale: Scale) -> str:
    """A value of one arm: ``53.4 %``, ``+12 Elo``; a dash for what cannot be said."""
    if value is None:
        return "–"
    if scale == "share":
        return f"{number(100 * value, 1)}{NARROW}%"
    return f"{signed(value)}{NARROW}Elo"


def difference(value: float | None, scale: Scale) -> str:
    """A difference between arms: ``+2.1 pp`` (percentage points), ``+12 Elo``."""
    if value is None:
        return "–"
    if scale == "share":
        return f"{signed(100 * value, 1)}{NARROW}pp"
    return f"{signed(value)}{NARROW}Elo"


def span(estimate: Estimate, scale: Scale, *, of_difference: bool = True) -> str:
    """The interval of an estimate, ``[+0.3, +3.9]``, in the unit of the value beside it.

    An end that is None has no bound: ``[−∞, +27]``.
    """
    factor, digits = (100, 1) if scale == "share" else (1, 0)
    write = signed if of_difference or scale == "elo" else number
    low, high = estimate["low"], estimate["high"]
    return (f"[{MINUS}∞, " if low is None else f"[{write(factor * low, digits)}, ") + (
        "+∞]" if high is None else f"{write(factor * high, digits)}]"
    )


def share(part: float, whole: float) -> str:
    """``part`` of ``whole`` in per cent, or a dash when there is no whole yet."""
    return f"{number(100 * part / whole, 1)}{NARROW}%" if whole else "–"


def tolerance(margin: float, scale: Scale) -> str:
    """The declared margin as people say it: ``3.0 percentage points``, ``20 Elo``."""
    if scale == "share":
        return f"{number(100 * margin, 1)} percentage points"
    return f"{number(margin)} Elo"


def moment(stamp: str | None) -> str:
    """An ISO 8601 time stamp as ``5 January 2026, 14:03 UTC``."""
    if not stamp:
        return "–"
    when = datetime.fromisoformat(stamp)
    return f"{when.day} {when:%B %Y, %H:%M} {when.tzname() or 'UTC'}"


def main_estimate(view: Mapping[str, Any]) -> Estimate | None:
    """The estimate that the experiment is about, or None before the first unit."""
    if not view["units_done"]:
        return None
    found: Estimate = view["estimate"]["elo" if view["kind"] == "rights" else "difference"]
    return found


def estimate_so_far(view: Mapping[str, Any]) -> str:
    """One sentence for an experiment without a verdict: where it stands, not what it proves."""
    main = main_estimate(view)
    if view["state"] == "failed":
        return "The experiment failed before it came to an answer."
    if not main:
        return "No games yet." if view["state"] in LIVE_STATES else "No games were counted."
    a, b = (arm["name"] for arm in view["arms"])
    scale = scale_of(view["primary"]["metric"])
    figure = f"{difference(main['value'], scale)} {span(main, scale)}"
    open_end = ", so either could be ahead" if _holds_zero(main) else ""
    if view["kind"] == "rights":
        return f"So far the rights of {a} against those of {b} look worth {figure}{open_end}."
    label = sentence_start(view["primary"]["label"])
    of_a, of_b = (level(view["estimate"][arm]["value"], scale) for arm in ("a", "b"))
    return (
        f"{label} so far: {of_a} under {a}, {of_b} under {b}. The difference is {figure}{open_end}."
    )


def _holds_zero(estimate: Estimate) -> bool:
    low, high = estimate["low"], estimate["high"]
    return (low is None or low < 0) and (high is None or high > 0)


def answer(view: Mapping[str, Any]) -> str:
    """The sentence that answers an experiment: its verdict, or where it stands."""
    verdict = view["verdict"]
    return str(verdict["sentence"]) if verdict else estimate_so_far(view)


def headline(text: str) -> tuple[str, str]:
    """The first sentence of an answer, to be set large, and the rest."""
    first, stop, rest = text.partition(". ")
    return (f"{first}.", rest) if stop else (text, "")


def result(game_result: str) -> str:
    """``1/2-1/2`` as printers set it: ``½–½``."""
    return {"1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½"}.get(game_result, game_result)


def players(game: Mapping[str, Any], view: Mapping[str, Any]) -> str:
    """Which rules a game was played under."""
    names = {arm["key"]: arm["name"] for arm in view["arms"]}
    mine, other = names[game["arm"]], names["b" if game["arm"] == "a" else "a"]
    if view["kind"] == "rights":
        return f"White has the rights of {mine}, Black those of {other}."
    return f"Played under the rules of {mine}."


def sentence_start(text: str) -> str:
    """The text with a capital first letter; the rest stays as it is."""
    return text[:1].upper() + text[1:]


def p_value(p: float) -> str:
    """Three decimals are enough, and nothing is ever quite 0."""
    return "< 0.001" if p < 0.001 else number(p, 3)


def confidence(alpha: float) -> str:
    """``0.05`` -> ``95 %``."""
    return f"{number(100 * (1 - alpha), 1).removesuffix('.0')}{NARROW}%"


def rule_value(value: object) -> str:
    """The value of a rule in a table for people."""
    if value is None or value in ("", []):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(rule_value(item) for item in value)
    return str(value)


def breakable(key: str) -> Markup:
    """A dotted key that a narrow column may break after its dots and underscores."""
    return Markup("<wbr>").join(re.split(r"(?<=[._])", key))
