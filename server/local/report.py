"""How an experiment ended, in numbers and words, for somebody at a terminal."""

from __future__ import annotations

import textwrap

from tabia.server.local import standings
from tabia.server.local.duels import duel
from tabia.server.local.profiles import game_profile
from tabia.server.local.progress import View, estimate_line
from tabia.server.void_words import in_words

_WIDTH = 88
_STATES = {
    "queued": "not begun",
    "running": "not decided yet",
    "decided": "decided",
    "out_of_budget": "out of budget",
    "stopped": "stopped before it was decided",
    "failed": "failed",
}


def report(view: View) -> list[str]:
    """The numbers, and at the end, where it is read first, the verdict in plain words: lines of
    text."""
    return [
        "",
        *_BODIES.get(view["kind"], duel)(view),
        *_voids(view),
        *game_profile(view),
        "",
        f"{view['name']}{_strength(view)}: {_state(view)}",
        *_wrapped(answer(view)),
        "",
    ]


def curve_report(curve: View) -> list[str]:
    """The trend of a question that was asked at several strengths: lines of text."""
    label = "" if curve["label"] is None else f": {curve['label']}"
    return [*standings.curve(curve), "",
            f"{curve['name']}, by strength{label}", *_wrapped(curve["sentence"]), ""]  # fmt: skip


def _voids(view: View) -> list[str]:
    """Pairs that did not count, by reason; nothing where there are none."""
    voids = view["voids"]
    if not voids["pairs"]:
        return []
    lines = ["", f"  Void pairs, played again: {voids['pairs']} ({in_words(voids['reasons'])})"]
    return lines + [f"    {each['reason']}: {each['example']}" for each in voids["reasons"]]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _strength(view: View) -> str:
    return f", {view['nodes']} nodes" if view["curve"] else ""


_BODIES = {"ratings": standings.rating_list, "material": standings.piece_values}
"""What is shown of the kinds that are about more than two sides."""


def _state(view: View) -> str:
    measured = view["verdict"] is not None and view["verdict"]["outcome"] == "measured"
    return "measured" if measured else _STATES[view["state"]]


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
