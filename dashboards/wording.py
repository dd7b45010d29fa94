"""Numbers and states in words for people: ``53.4 %``, ``+2.1 pp``, ``+12 [−3, +27]``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Literal

from markupsafe import Markup

Scale = Literal["share", "elo", "count"]

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

_SHARES: Final = frozenset({"white_score", "draws", "decisive", "score"})


def scale_of(metric: str) -> Scale:
    """How a metric is written: a share of games in per cent, Elo, or a plain number a game."""
    if metric in _SHARES:
        return "share"
    return "elo" if metric == "elo" else "count"


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


def level(value: float, scale: Scale) -> str:
    """A value of one arm: ``53.4 %``, ``+12 Elo``, ``2.31``."""
    if scale == "share":
        return f"{number(100 * value, 1)}{NARROW}%"
    return f"{signed(value)}{NARROW}Elo" if scale == "elo" else number(value, 2)


def difference(value: float, scale: Scale) -> str:
    """A difference between arms: ``+2.1 pp`` (percentage points), ``+12 Elo``, ``+0.31``."""
    if scale == "share":
        return f"{signed(100 * value, 1)}{NARROW}pp"
    return f"{signed(value)}{NARROW}Elo" if scale == "elo" else signed(value, 2)


def interval(low: float, high: float, scale: Scale, *, of_difference: bool) -> str:
    """``[51.2, 55.7]``: in the unit of the value beside it, which is not repeated."""
    factor = 100 if scale == "share" else 1
    digits = {"share": 1, "elo": 0, "count": 2}[scale]
    write = signed if of_difference or scale == "elo" else number
    return f"[{write(factor * low, digits)}, {write(factor * high, digits)}]"


def share(part: float, whole: float) -> str:
    """``part`` of ``whole`` in per cent, or a dash when there is no whole yet."""
    return f"{number(100 * part / whole, 1)}{NARROW}%" if whole else "–"


def tolerance(margin: float, scale: Scale) -> str:
    """The declared margin as people say it: ``3.0 percentage points``, ``20 Elo``."""
    if scale == "share":
        return f"{number(100 * margin, 1)} percentage points"
    return f"{number(margin)} Elo" if scale == "elo" else number(margin, 2)


def moment(stamp: str | None) -> str:
    """An ISO 8601 time stamp as ``5 January 2026, 14:03 UTC``."""
    if not stamp:
        return "–"
    when = datetime.fromisoformat(stamp)
    return f"{when.day} {when:%B %Y, %H:%M} {when.tzname() or 'UTC'}"


def estimate_so_far(view: Mapping[str, Any]) -> str:
    """One sentence for an experiment without a verdict: where it stands, not what it proves."""
    estimate = view["estimate"] or {}
    main = estimate.get("difference") or estimate.get("elo")
    if view["state"] == "failed":
        return "The experiment failed before it came to an answer."
    if not main or not view["units_done"]:
        return "No games yet." if view["state"] in LIVE_STATES else "No games were counted."
    a, b = (arm["name"] for arm in view["arms"])
    scale = scale_of(view["primary"]["metric"])
    figure = f"{difference(main['value'], scale)} {span(main, scale)}"
    open_end = ", so either could be ahead" if main["low"] < 0 < main["high"] else ""
    if view["kind"] == "rights":
        return f"So far the rights of {a} against those of {b} look worth {figure}{open_end}."
    way = "lower" if main["value"] < 0 else "higher"
    label = view["primary"]["label"]
    return f"So far {label} looks {way} under {a} than under {b}: {figure}{open_end}."


def span(estimate: Mapping[str, float], scale: Scale, *, of_difference: bool = True) -> str:
    """The interval of an estimate."""
    return interval(estimate["low"], estimate["high"], scale, of_difference=of_difference)


def answer(view: Mapping[str, Any]) -> str:
    """The sentence that answers an experiment: its verdict, or where it stands."""
    verdict = view["verdict"]
    return str(verdict["sentence"]) if verdict else estimate_so_far(view)


def result(game_result: str) -> str:
    """``1/2-1/2`` as printers set it: ``½–½``."""
    return {"1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½"}.get(game_result, game_result)


def ending(game_result: str, reason: str) -> str:
    """How a game ended, as a sentence: ``White wins: checkmate.``"""
    winner = {"1-0": "White wins", "0-1": "Black wins"}.get(game_result, "Drawn")
    return f"{winner}: {reason}."


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
