"""Small charts drawn on the server, for readers with and without scripts.

They hold no colours and no styles: classes, and the style sheet does the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from tabia.dashboards.wording import Estimate, Scale, difference

_WIDTH, _HEIGHT, _PAD, _AXIS = 340, 64, 14, 36
_TICK_ROOM = 46


def interval_strip(estimate: Estimate, margin: float, scale: Scale, *, label: str) -> Markup:
    """An estimate and its interval on an axis with zero in the middle and the margin shaded.

    An end without a bound runs off the picture.
    """
    ends = [abs(each) for each in estimate.values() if each is not None]
    reach = 1.12 * max([*ends, 1.5 * margin])
    half = _WIDTH / 2

    def x(value: float | None, *, beyond: float = 0) -> str:
        return f"{half + (beyond if value is None else value) / reach * (half - _PAD):.1f}"

    # A value without a bound lies on the side where the interval has none.
    outside = 2 * reach if estimate["high"] is None else -2 * reach
    low, high = x(estimate["low"], beyond=-2 * reach), x(estimate["high"], beyond=2 * reach)
    value = x(estimate["value"], beyond=outside)
    left, right, zero = x(-margin), x(margin), x(0)
    # Early intervals dwarf the margin: then its two labels would stand on each other.
    at_margin = margin / reach * half > _TICK_ROOM
    outer = margin if at_margin else 0.8 * reach
    ticks = Markup("").join(
        Markup('<text class="tick" x="{}" y="{}" text-anchor="middle">{}</text>').format(
            x(at), _AXIS + 22, difference(at, scale) if at else "0"
        )
        for at in (-outer, 0.0, outer)
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
            key: [
                None if point[key] is None else round(factor * point[key], 3) for point in history
            ]
            for key in ("value", "low", "high")
        },
        "margin": factor * view["primary"]["margin"],
        "unit": "pp" if scale == "share" else "Elo",
        "digits": 1 if scale == "share" else 0,
        "label": "Worth" if scale == "elo" else "Difference",
    }
