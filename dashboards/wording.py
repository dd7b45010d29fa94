"""Numbers and states in words for people: ``53.4 %``, ``+2.1 pp``, ``+12 [−3, +27]``."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal, NamedTuple

from markupsafe import Markup

from tabia.server.metrics import ELO, PIECE_VALUES

Scale = Literal["share", "elo", "pawns", "percent"]
"""How values are written: shares of games in per cent; Elo; pawns; or "percent": lengths in plies,
whose difference is in per cent of that of arm B."""

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
    if metric == PIECE_VALUES:
        return "pawns"
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


class Unit(NamedTuple):
    """A scale in figures: a factor, decimals, and the units of levels and of differences."""

    factor: float
    digits: int
    level: str
    difference: str


_UNITS: Final[dict[Scale, Unit]] = {
    "share": Unit(100, 1, "%", "pp"),
    "elo": Unit(1, 0, "Elo", "Elo"),
    "pawns": Unit(1, 2, "pawns", "pawns"),
    "percent": Unit(1, 1, "plies", "%"),
}


def unit_of(scale: Scale) -> Unit:
    """How a scale is written in figures."""
    return _UNITS[scale]


def level(value: float | None, scale: Scale) -> str:
    """A value of one arm: ``53.4 %``, ``+12 Elo``; a dash for what cannot be said."""
    if value is None:
        return "–"
    unit = _UNITS[scale]
    write = signed if scale == "elo" else number
    return f"{write(unit.factor * value, unit.digits)}{NARROW}{unit.level}"


def likelihood(value: float) -> str:
    """A probability in per cent, never quite 0 or 100: ``over 99.9 %``."""
    if value > 0.9995:
        return f"over 99.9{NARROW}%"
    return f"below 0.1{NARROW}%" if value < 0.0005 else level(value, "share")


def difference(value: float | None, scale: Scale) -> str:
    """A difference between arms: ``+2.1 pp`` (percentage points), ``+12 Elo``."""
    if value is None:
        return "–"
    unit = _UNITS[scale]
    return f"{signed(unit.factor * value, unit.digits)}{NARROW}{unit.difference}"


def span(estimate: Estimate, scale: Scale, *, of_difference: bool = True) -> str:
    """The interval of an estimate, ``[+0.3, +3.9]``, in the unit of the value beside it.

    An end that is None has no bound: ``[−∞, +27]``.
    """
    unit = _UNITS[scale]
    write = signed if of_difference or scale == "elo" else number
    low, high = estimate["low"], estimate["high"]
    return (f"[{MINUS}∞, " if low is None else f"[{write(unit.factor * low, unit.digits)}, ") + (
        "+∞]" if high is None else f"{write(unit.factor * high, unit.digits)}]"
    )


def pawns(value: float | None) -> str:
    """A value on the pawn scale, without its unit: ``4.93``."""
    return "–" if value is None else number(value, 2)


def typeset(text: str) -> str:
    """Text for a terminal as printers set it: true minus signs, narrow spaces before per cent, and
    no break within a p-value."""
    minus = re.sub(r"(?<!\w)-(?=[\d∞])", MINUS, text)
    return minus.replace(" %", f"{NARROW}%").replace("p-value", "p\u2011value")


def share(part: float, whole: float) -> str:
    """``part`` of ``whole`` in per cent, or a dash when there is no whole yet."""
    return f"{number(100 * part / whole, 1)}{NARROW}%" if whole else "–"


def tolerance(margin: float, scale: Scale) -> str:
    """The declared margin as people say it: ``3.0 percentage points``, ``20 Elo``."""
    if scale == "share":
        return f"{number(100 * margin, 1)} percentage points"
    unit = _UNITS[scale]
    return f"{number(unit.factor * margin, unit.digits)} {unit.difference}"


def moment(stamp: str | None) -> str:
    """An ISO 8601 time stamp as ``5 January 2026, 14:03 UTC``."""
    if not stamp:
        return "–"
    when = datetime.fromisoformat(stamp)
    return f"{when.day} {when:%B %Y, %H:%M} {when.tzname() or 'UTC'}"


def result(game_result: str) -> str:
    """``1/2-1/2`` as printers set it: ``½–½``."""
    return {"1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½"}.get(game_result, game_result)


def sentence_start(text: str) -> str:
    """The text with a capital first letter; the rest stays as it is."""
    return text[:1].upper() + text[1:]


def p_value(p: float | None) -> str:
    """Three decimals are enough, and nothing is ever quite 0; a dash for what was not tested."""
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else number(p, 3)


_LARGEST_E = 9.2  # log of 10,000


def e_value(log_e: float | None) -> str:
    """An e-value from its logarithm: ``43``, ``over 10,000``."""
    if log_e is None:
        return "–"
    if log_e > _LARGEST_E:
        return "over 10,000"
    found = math.exp(log_e)
    return number(found, 0 if found >= 10 else 1)


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
