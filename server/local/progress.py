"""Where an experiment stands, for somebody who watches a terminal.

A terminal gets one block of lines that is drawn again and again; a pipe or a log gets a plain line
now and then. Both show the same figures, of the view that the API and the pages show.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Protocol

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

_PLAIN_EVERY_SECONDS = 10.0
_GAMES_A_UNIT = 2
_SCORE = "score of A, whose Elo is beyond measure"

View = Mapping[str, Any]


class Progress(Protocol):
    """Shows views of one experiment, one after the other."""

    def show(self, view: View) -> None:
        """Show how things stand now."""

    def close(self) -> None:
        """Leave the terminal as a following line needs it."""


def progress_on(console: Console) -> Progress:
    """The display that fits where ``console`` writes."""
    return _Block(console) if console.is_terminal else _Lines(console)


def number(value: float, *, digits: int = 3, signed: bool = False) -> str:
    """``value`` as text, with a real minus sign."""
    return f"{value:{'+' if signed else ''}.{digits}f}".replace("-", "−")


def main_estimate(view: View) -> tuple[str, Mapping[str, float]] | None:
    """What the experiment is about and its estimate with the always-valid interval, if any yet."""
    estimate = view["estimate"]
    for key, label in (
        ("elo", "Elo"),
        ("difference", f"{view['primary']['label']}, A − B"),
        ("score", _SCORE),
    ):
        found = estimate.get(key)
        if found is not None and found.get("value") is not None:
            return label, found
    return None


def interval(figures: Mapping[str, Any], *, digits: int = 3, signed: bool = True) -> str:
    """``+0.012 [−0.041, +0.065]``, with a question mark for what is not known."""
    value, low, high = (
        "?" if figures[key] is None else number(figures[key], digits=digits, signed=signed)
        for key in ("value", "low", "high")
    )
    return f"{value} [{low}, {high}]"


def estimate_line(view: View) -> str:
    """The main estimate in one line."""
    if view["kind"] in ("ratings", "material"):
        return _widest(view)
    main = main_estimate(view)
    if main is None:
        return "no estimate yet"
    label, figures = main
    digits = 1 if label == "Elo" else 3
    return f"{label}: {interval(figures, digits=digits, signed=label != _SCORE)}"


def _widest(view: View) -> str:
    """How well the worst known of many numbers is known."""
    if view["kind"] == "ratings":
        what, unit, digits = [(p, p["elo"]) for p in view["ratings"]["players"]], "Elo", 1
    else:
        what, unit, digits = [(m, m["value"]) for m in view["values"]["men"]], "pawns", 2
    halves = [
        (figures["high"] - figures["low"]) / 2
        for figures, value in what
        if None not in (value, figures["low"], figures["high"])
    ]
    if len(halves) < len(what):
        return "not everything can be told yet"
    return f"everything known to ± {number(max(halves), digits=digits)} {unit}"


def tests(view: View) -> list[tuple[str, str]]:
    """Where the tests stand: the name of each ratio, and its value between its bounds."""
    test = view["test"]
    lines: list[tuple[str, str]] = []
    for key, bounds, name in (
        ("llr", "bounds", "LLR"),
        ("llr_plus", "bounds_plus", "LLR, A higher"),
        ("llr_minus", "bounds_minus", "LLR, B higher"),
    ):
        if test[key] is not None:
            low, high = (number(each, digits=2) for each in test[bounds])
            lines.append((name, f"{number(test[key], digits=2)} between {low} and {high}"))
    return lines


def seconds_to_budget(view: View) -> float | None:
    """How long the rest of the budget takes at the present speed; None if nobody can tell."""
    speed = view["games_per_minute"]
    if not speed:
        return None
    games_left = (view["budget"] - view["units_played"]) * _GAMES_A_UNIT
    return float(60.0 * games_left / speed)


def duration(seconds: float) -> str:
    """``45 s``, ``12 min``, ``3 h 05 min``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02} min"


def _left(view: View) -> str:
    seconds = seconds_to_budget(view)
    return "" if seconds is None else f"at most {duration(seconds)} left"


class _Lines:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._next = 0.0
        self._shown = 0

    def show(self, view: View) -> None:
        played = view["units_played"]
        if not played or played == self._shown or time.monotonic() < self._next:
            return
        self._shown = played
        self._next = time.monotonic() + _PLAIN_EVERY_SECONDS
        parts = (
            f"{played} of {view['budget']} openings",
            f"{view['games_per_minute']:.0f} games/min",
            estimate_line(view),
            _left(view),
        )
        line = " · ".join(part for part in parts if part)
        self._console.print(line, highlight=False, soft_wrap=True)

    def close(self) -> None:
        pass


class _Block:
    def __init__(self, console: Console) -> None:
        # Drawn when there is news, and not by a thread: whoever starts processes has no others.
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._live.start()

    def show(self, view: View) -> None:
        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim")
        table.add_column()
        bar = ProgressBar(total=view["budget"], completed=view["units_played"], width=40)
        table.add_row("", bar)
        table.add_row("openings", f"{view['units_played']} of at most {view['budget']}")
        speed = f"{view['games_per_minute']:.0f} games/min" if view["units_played"] else "starting"
        table.add_row("speed", "  ".join(part for part in (speed, _left(view)) if part))
        table.add_row("so far", estimate_line(view))
        for name, where in tests(view) if view["units_done"] else ():
            table.add_row(name, where)
        self._live.update(table, refresh=True)

    def close(self) -> None:
        self._live.stop()
