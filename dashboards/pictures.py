"""Small pictures drawn on the server, for readers with and without scripts.

They hold no colours and no styles: classes, and the style sheet does the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from tabia.dashboards.wording import Estimate, Scale, difference, number, signed, unit_of

_WIDTH, _HEIGHT, _PAD, _AXIS = 340, 64, 14, 36
_TICK_ROOM = 46


def interval_strip(estimate: Estimate, margin: float, scale: Scale, *, label: str) -> Markup:
    """An estimate and its interval on an axis with zero in the middle and the margin shaded.

    An end without a bound runs off the picture.
    """
    ends = [abs(each) for each in estimate.values() if each is not None]
    reach = 1.12 * (max([*ends, 1.5 * margin]) or 1.0)
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


_ROW_WIDTH, _ROW_HEIGHT = 160, 16


def row_strip(row: Estimate, rows: Iterable[Estimate], key: str) -> Markup:
    """One row's interval on the axis that it shares with the other rows of its table.

    ``key`` is under which name a row has its value. Zero, where it is in sight, is a tick. Who is
    not known at all has an empty axis; an end without a bound runs off the picture.
    """
    ends = [
        each
        for other in rows
        for each in (other["low"], other[key], other["high"])
        if each is not None
    ]
    value = row[key]
    if value is None or not ends:
        return Markup("")
    left, right = min(ends), max(ends)
    reach = (right - left) or 1.0

    def x(at: float | None, beyond: float) -> str:
        inside = 4 + (0 if at is None else at - left) / reach * (_ROW_WIDTH - 8)
        return f"{beyond if at is None else inside:.1f}"

    zero = (
        Markup('<path class="zero" d="M{0} 1V{1}"/>').format(x(0, 0), _ROW_HEIGHT - 1)
        if left <= 0 <= right
        else ""
    )
    return Markup(
        '<svg class="row-strip" viewBox="0 0 {w} {h}" aria-hidden="true">{zero}'
        '<path class="interval" d="M{low} 8H{high}"/>'
        '<circle class="estimate" cx="{value}" cy="8" r="3.5"/></svg>'
    ).format(
        w=_ROW_WIDTH,
        h=_ROW_HEIGHT,
        zero=zero,
        low=x(row["low"], -10),
        high=x(row["high"], _ROW_WIDTH + 10),
        value=x(value, 0),
    )


_CURVE_WIDTH, _CURVE_HEIGHT = 360, 220
_CURVE_LEFT, _CURVE_RIGHT, _CURVE_TOP, _CURVE_FLOOR = 52, 350, 12, 180


def curve_picture(levels: Sequence[Mapping[str, Any]], scale: Scale, *, label: str) -> Markup:
    """Value against nodes a move, each step of the axis a doubling; intervals as upright bars.

    Levels without a value yet have their place on the axis and nothing in it. Ends without a bound
    run off the picture.
    """
    known = [each for each in levels if each["value"] is not None]
    ends = [0.0, *(each[key] for each in known for key in ("value", "low", "high") if each[key])]
    least, most = min(ends), max(ends)
    air = 0.06 * (most - least) or 1.0
    low, high = float(least - air), float(most + air)
    steps = [math.log2(each["nodes"]) for each in levels]
    first, width = steps[0], (steps[-1] - steps[0]) or 1.0

    left, across = _CURVE_LEFT + 30, _CURVE_RIGHT - _CURVE_LEFT - 60

    def x(step: float) -> float:
        return left + (step - first) / width * across

    def y(value: float) -> float:
        return _CURVE_FLOOR - (value - low) / (high - low) * (_CURVE_FLOOR - _CURVE_TOP)

    parts = [
        Markup('<path class="{}" d="M{} {:.1f}H{}"/>').format(
            "zero" if tick == 0 else "grid", _CURVE_LEFT, y(tick), _CURVE_RIGHT
        )
        + Markup('<text class="tick" x="{}" y="{:.1f}" text-anchor="end">{}</text>').format(
            _CURVE_LEFT - 6, y(tick) + 4, _tick(tick, scale)
        )
        for tick in _ticks(low, high)
    ]
    for each, step in zip(levels, steps, strict=True):
        parts.append(
            Markup('<text class="tick" x="{:.1f}" y="{}" text-anchor="middle">{}</text>').format(
                x(step), _CURVE_FLOOR + 18, number(each["nodes"])
            )
        )
        if each["value"] is not None:
            bottom = _CURVE_FLOOR + 3 if each["low"] is None else y(each["low"])
            top = _CURVE_TOP - 3 if each["high"] is None else y(each["high"])
            parts.append(
                Markup(
                    '<path class="interval" d="M{0:.1f} {1:.1f}V{2:.1f}"/>'
                    '<circle class="estimate" cx="{0:.1f}" cy="{3:.1f}" r="4.5"/>'
                ).format(x(step), bottom, top, y(each["value"]))
            )
    joined = [
        f"{x(step):.1f} {y(each['value']):.1f}"
        for each, step in zip(levels, steps, strict=True)
        if each["value"] is not None
    ]
    return Markup(
        '<svg class="curve" viewBox="0 0 {w} {h}" role="img" aria-label="{label}">'
        '<path class="joined" d="M{joined}"/>{parts}'
        '<path class="axis" d="M{left} {floor}H{right}"/>'
        '<text class="tick" x="{middle}" y="{foot}" text-anchor="middle">nodes a move</text></svg>'
    ).format(
        w=_CURVE_WIDTH,
        h=_CURVE_HEIGHT,
        label=label,
        joined="L".join(joined) or "0 0",
        parts=Markup("").join(parts),
        left=_CURVE_LEFT,
        right=_CURVE_RIGHT,
        floor=_CURVE_FLOOR,
        middle=(_CURVE_LEFT + _CURVE_RIGHT) // 2,
        foot=_CURVE_FLOOR + 35,
    )


def _ticks(low: float, high: float) -> list[float]:
    """Some four round numbers within reach, zero among them."""
    rough = (high - low) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough)
    return [n * step for n in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _tick(value: float, scale: Scale) -> str:
    unit = unit_of(scale)
    shown = unit.factor * value
    whole = abs(shown - round(shown)) < 1e-9
    return signed(shown, 0 if whole else max(unit.digits, 1))
