"""What the big charts draw: plain data for ``chart.js``, which knows nothing of experiments.

A chart is ``units`` (its horizontal axis), ``curves`` over them, a ``band`` between two of the
curves, and ``levels`` straight across. Values are in the units that a reader sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tabia.dashboards.declared import anchor_of
from tabia.dashboards.wording import Scale, unit_of

View = Mapping[str, Any]
Values = Sequence[float | None]


def estimate_chart(view: View, scale: Scale) -> dict[str, Any]:
    """The estimate against the units counted, its interval as a band, and the declared margin."""
    unit = unit_of(scale)
    history = [point for point in view["history"] if point["value"] is not None]
    margin = unit.factor * (view["primary"]["margin"] or 0)
    with_margin = margin and view["test"]["rule"] == "sobel-wald"
    value, low, high = (
        _scaled([point[key] for point in history], unit.factor) for key in ("value", "low", "high")
    )
    return {
        "units": [point["units"] for point in history],
        "curves": [
            _curve("Elo" if scale == "elo" else "Difference", value, "--a"),
            {**_curve("Interval from", low, None), "early": True},
            {**_curve("to", high, None), "early": True},
        ],
        "band": [3, 2],
        "levels": [
            {"value": 0, "colour": "--soft", "dash": []},
            *(
                {"value": each, "colour": "--b", "dash": [5, 4]}
                for each in ((margin, -margin) if with_margin else ())
            ),
        ],
        "unit": unit.difference,
        "digits": unit.digits,
        "signed": True,
    }


_LINE_COLOURS = ("--a", "--b", "--good", "--soft", "--bad", "--ink")


def lines_chart(view: View, called: Mapping[str, str], scale: Scale) -> dict[str, Any]:
    """Many numbers over the units counted, one curve for each of ``called`` (names by key)."""
    unit = unit_of(scale)
    anchor = anchor_of(view)
    points = [point for point in view["history"] if point.get("lines")]
    curves = []
    for place, (key, name) in enumerate(called.items()):
        values = _scaled([point["lines"].get(key) for point in points], unit.factor)
        colour = _LINE_COLOURS[place % len(_LINE_COLOURS)]
        dash = [] if place < len(_LINE_COLOURS) else [6, 3]
        curves.append({**_curve(name, values, colour), "dash": dash, "early": True})
    return {
        "units": [point["units"] for point in points],
        "curves": curves if points else [],
        "band": None,
        "levels": [{"value": anchor["elo"] if anchor else 0, "colour": "--soft", "dash": []}],
        "unit": unit.difference,
        "digits": unit.digits,
        "signed": scale != "pawns",
    }


class PathWords(NamedTuple):
    """What the tests of a path are called: in the key (``second`` may be None), and in the table's
    columns."""

    first: str
    second: str | None
    columns: tuple[str, ...]


def path_words(view: View) -> PathWords:
    """The words for the test that the experiment was declared with."""
    rule = view["test"]["rule"]
    if rule == "gsprt":
        low, high = view["test"]["bounds_elo"]
        return PathWords(
            f"log-likelihood ratio of {high:g} against {low:g} {view['test']['scale']} Elo",
            None,
            ("LLR",),
        )
    if rule == "sobel-wald":
        return PathWords(
            "log-likelihood ratio of the margin in A’s favour",
            "of the margin in B’s favour",
            ("LLR, A’s favour", "LLR, B’s favour"),
        )
    return PathWords("", None, ())


def path_chart(view: View) -> dict[str, Any]:
    """The log-likelihood ratios against the units counted, with the bounds that held at each look.

    Without a test that stops there is no curve.
    """
    columns = path_words(view).columns
    looks = [point for point in view["history"] if point.get("llr") and point.get("bounds")]
    curves: list[dict[str, Any]] = []
    for index, colour in zip(range(len(columns) if looks else 0), ("--a", "--b"), strict=False):
        curves.append(_curve(columns[index], _scaled([p["llr"][index] for p in looks], 1), colour))
        for end in (0, 1):
            bound = _scaled([point["bounds"][index][end] for point in looks], 1)
            curves.append({**_curve("Bound", bound, colour), "dash": [5, 4], "quiet": True})
    return {
        "units": [point["units"] for point in looks],
        "curves": curves,
        "band": None,
        "levels": [{"value": 0, "colour": "--soft", "dash": []}],
        "unit": "",
        "digits": 2,
        "signed": True,
    }


def _curve(label: str, values: Values, colour: str | None) -> dict[str, Any]:
    return {"label": label, "values": values, "colour": colour}


def _scaled(values: Values, factor: float) -> list[float | None]:
    return [None if value is None else round(factor * value, 3) for value in values]
