"""Small charts drawn on the server, for readers with and without scripts.

They hold no colours and no styles: classes, and the style sheet does the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from tabia.dashboards.wording import Scale, difference

_WIDTH, _HEIGHT, _PAD, _AXIS = 340, 64, 14, 36


def interval_strip(
    estimate: Mapping[str, float], margin: float, scale: Scale, *, label: str
) -> Markup:
    """An estimate and its interval on an axis with zero in the middle and the margin shaded."""
    reach = 1.12 * max(abs(estimate["low"]), abs(estimate["high"]), 1.5 * margin)

    def x(value: float) -> str:
        return f"{_WIDTH / 2 + value / reach * (_WIDTH / 2 - _PAD):.1f}"

    low, high, value = x(estimate["low"]), x(estimate["high"]), x(estimate["value"])
    left, right, zero = x(-margin), x(margin), x(0)
    ticks = Markup("").join(
        Markup('<text class="tick" x="{}" y="{}" text-anchor="middle">{}</text>').format(
            x(at), _AXIS + 22, difference(at, scale) if at else "0"
        )
        for at in (-margin, 0.0, margin)
    )
    return Markup(
        '<svg class="strip" viewBox="0 0 {w} {h}" role="img" aria-label="{label}">'
        '<rect class="margin" x="{left}" y="2" width="{band}" height="{axis}"/>'
        '<path class="axis" d="M0 {floor}H{w}"/><path class="zero" d="M{zero} 2V{foot}"/>'
        '<path class="interval" d="M{low} 20H{high}M{low} 13V27M{high} 13V27"/>'
        '<circle class="estimate" cx="{value}" cy="20" r="5"/>{ticks}</svg>'
    ).format(
        w=_WIDTH,
        h=_HEIGHT,
        label=label,
        left=left,
        band=f"{float(right) - float(left):.1f}",
        axis=_AXIS,
        floor=_AXIS + 2,
        foot=_AXIS + 7,
        zero=zero,
        low=low,
        high=high,
        value=value,
        ticks=ticks,
    )


def outcome_bar(tally: Mapping[str, Any]) -> Markup:
    """White's wins, draws, games capped and Black's wins as parts of one bar."""
    games = tally["games"]
    parts: Sequence[tuple[str, int]] = [
        ("white-wins", tally["white_wins"]),
        ("draws", tally["draws"]),
        ("capped", tally["capped"]),
        ("black-wins", tally["black_wins"]),
    ]
    rects, x = [], 0.0
    for name, count in parts:
        width = 1000 * count / games if games else 0.0
        if width:
            rects.append(
                f'<rect class="{name}" x="{x:.1f}" y="0" width="{width:.1f}" height="16"/>'
            )
        x += width
    label = (
        f"White wins {tally['white_wins']}, draws {tally['draws']}, "
        f"capped {tally['capped']}, Black wins {tally['black_wins']}"
    )
    return Markup(
        '<svg class="outcome-bar" viewBox="0 0 1000 16" preserveAspectRatio="none" role="img" '
        'aria-label="{}">{}</svg>'
    ).format(label, Markup("".join(rects)))  # numbers and our own words only


def chart_data(view: Mapping[str, Any], scale: Scale) -> dict[str, Any]:
    """What the big chart's script draws, in percentage points or Elo."""
    factor = 100 if scale == "share" else 1
    history = view["history"]
    return {
        "units": [point["units"] for point in history],
        **{
            key: [round(factor * point[key], 3) for point in history]
            for key in ("value", "low", "high")
        },
        "margin": factor * view["primary"]["margin"],
        "unit": "pp" if scale == "share" else "Elo",
        "digits": 1 if scale == "share" else 0,
        "label": "Worth" if scale == "elo" else "Difference",
    }
