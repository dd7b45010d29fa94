"""The shape of an answer: plain lines that a terminal prints and a page sets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

NONE = "–"
"""What stands for a number that the counts do not tell."""


class Line(NamedTuple):
    """One number with its name, and with the interval or the bounds that go with it."""

    label: str
    value: str
    detail: str = ""


class Table(NamedTuple):
    """Columns of texts; the first names a group of rows, the second the row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def groups(self) -> list[tuple[str, list[tuple[str, ...]]]]:
        """Names of groups, and the rows of each without that name."""
        found = groupby(self.rows, key=itemgetter(0))
        return [(name, [row[1:] for row in rows]) for name, rows in found]


@dataclass(frozen=True)
class Answer:
    """A sentence, the numbers behind it, and how they are to be read."""

    headline: str
    lines: tuple[Line, ...] = ()
    table: Table | None = None
    notes: tuple[str, ...] = ()


def percent(value: float, digits: int = 1) -> str:
    """``0.534`` -> ``53.4 %``."""
    return f"{_plain(100 * value, digits)} %"


def near_certain(value: float) -> str:
    """A probability in per cent that is never written as quite 0 or 100."""
    if value < 0.00005:
        return "below 0.01 %"
    return "over 99.99 %" if value > 0.99995 else percent(value, 2)


def small(p: float) -> str:
    """A p-value: four decimals, and never quite 0."""
    return "below 0.0001" if p < 0.0001 else f"{p:.4f}"


def signed(value: float, digits: int = 1) -> str:
    """``+12.3``, ``-4.0``, ``0.0``; infinite numbers in words' stead."""
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
    text = _plain(value, digits)
    return f"+{text}" if float(text.replace(",", "")) > 0 else text


def whole(value: float) -> str:
    """``12345.2`` -> ``12,345``."""
    return _plain(value, 0)


def quantity(value: float) -> str:
    """Three digits of a number that may be of any size: ``0.0123``, ``4.56``, ``1,230``."""
    if value == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return _plain(value, min(digits, 6))


def elo_span(low: float, high: float) -> str:
    """``[-3.1, +27.4]``."""
    return f"[{signed(low)}, {signed(high)}]"


def share_span(low: float, high: float) -> str:
    """``[51.2 %, 55.7 %]``."""
    return f"[{percent(low)}, {percent(high)}]"


def points_span(low: float, high: float) -> str:
    """Shares as percentage points: ``[-0.3, +4.5]``."""
    return f"[{signed(100 * low)}, {signed(100 * high)}]"


def _plain(value: float, digits: int) -> str:
    text = f"{value:,.{digits}f}"
    return text.removeprefix("-") if text.strip("-0.,") == "" else text
