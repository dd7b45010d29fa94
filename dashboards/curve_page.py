"""What the page of a node-budget curve shows."""

from __future__ import annotations

from typing import Any

from tabia.dashboards import wording
from tabia.dashboards.pictures import curve_picture
from tabia.dashboards.seats import names
from tabia.dashboards.source import Source, View


def curve_context(source: Source, curve: View) -> dict[str, Any]:
    """The names that ``curve.html`` uses; the first level says what was asked."""
    levels = curve["levels"]
    asked = source.experiment(levels[0]["experiment"])
    scale = wording.scale_of(asked["primary"]["metric"])
    told = "; ".join(
        f"{wording.number(level['nodes'])} nodes: {wording.difference(level['value'], scale)}"
        for level in levels
    )
    return {
        "curve": curve,
        "asked": asked,
        "scale": scale,
        "names": names(asked),
        "confidence": wording.confidence(asked["primary"]["alpha"]),
        "measured": [level for level in levels if level["value"] is not None],
        "picture": curve_picture(levels, scale, label=f"Value against nodes a move. {told}"),
    }
