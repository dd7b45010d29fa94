"""Small charts: the picture says what the numbers say."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.dashboards.pictures import curve_picture, interval_strip, outcome_bar, row_strip
from tabia.dashboards.wording import Scale


def _strip(low: float | None, value: float | None, high: float | None) -> dict[str, Any]:
    svg = interval_strip(
        {"low": low, "value": value, "high": high}, 0.03, "share", label='a "label"'
    )
    root = ET.fromstring(svg)
    path = root.find("path[@class='interval']")
    dot = root.find("circle")
    margin = root.find("rect")
    assert path is not None
    assert dot is not None
    assert margin is not None
    ends = re.match(r"M(-?[\d.]+) 20H(-?[\d.]+)", path.attrib["d"])
    assert ends is not None
    left = float(margin.attrib["x"])
    return {
        "label": root.attrib["aria-label"],
        "width": float(root.attrib["viewBox"].split()[2]),
        "low": float(ends[1]),
        "high": float(ends[2]),
        "value": float(dot.attrib["cx"]),
        "margin": (left, left + float(margin.attrib["width"])),
        "ticks": [text.text for text in root.iter("text")],
    }


@given(
    st.floats(-1, 1).flatmap(
        lambda low: st.tuples(st.just(low), st.floats(low, 1)).flatmap(
            lambda ends: st.tuples(st.just(ends[0]), st.floats(*ends), st.just(ends[1]))
        )
    )
)
def test_interval_value_and_margin_are_in_order_and_in_the_picture(
    numbers: tuple[float, float, float],
) -> None:
    strip = _strip(*numbers)
    assert 0 <= strip["low"] <= strip["value"] <= strip["high"] <= strip["width"]
    left, right = strip["margin"]
    assert left < strip["width"] / 2 < right


def test_an_interval_beyond_the_margin_is_drawn_beyond_it() -> None:
    strip = _strip(0.04, 0.06, 0.08)
    assert strip["low"] > strip["margin"][1]
    assert strip["ticks"] == ["−3.0\u202fpp", "0", "+3.0\u202fpp"]


def test_an_end_without_a_bound_runs_off_the_picture() -> None:
    assert _strip(None, 0.0, 0.02)["low"] < 0
    unbounded = _strip(0.01, None, None)
    assert unbounded["high"] > unbounded["width"]
    assert unbounded["value"] > unbounded["width"]


def test_labels_do_not_stand_on_each_other_while_the_interval_is_wide() -> None:
    assert "+3.0\u202fpp" not in _strip(-1.0, 0.1, 1.0)["ticks"]


@pytest.mark.parametrize("capped", [0, 10])
def test_an_outcome_bar_fills_its_width_in_proportion(capped: int) -> None:
    svg = outcome_bar(
        {"games": 90 + capped, "white_wins": 40, "draws": 20, "black_wins": 30, "capped": capped}
    )
    rects = {rect.attrib["class"]: rect.attrib for rect in ET.fromstring(svg)}
    assert ("capped" in rects) == bool(capped)
    widths = {name: float(rect["width"]) for name, rect in rects.items()}
    assert sum(widths.values()) == pytest.approx(1000, abs=0.3)
    assert widths["white-wins"] == pytest.approx(2 * widths["draws"], abs=0.2)
    assert "White wins 40" in svg


def test_an_outcome_bar_without_games_is_empty() -> None:
    svg = outcome_bar({"games": 0, "white_wins": 0, "draws": 0, "black_wins": 0, "capped": 0})
    assert list(ET.fromstring(svg)) == []


def test_rows_of_a_table_share_their_axis() -> None:
    rows = [
        {"value": 1.0, "low": 0.0, "high": 2.0},
        {"value": 3.0, "low": 2.0, "high": 4.0},
    ]
    first, second = (ET.fromstring(row_strip(row, rows, "value")) for row in rows)
    ends = [
        re.search(r"M(-?[\d.]+) 8H(-?[\d.]+)", str(ET.tostring(each))) for each in (first, second)
    ]
    assert ends[0] is not None
    assert ends[1] is not None
    assert ends[0][2] == ends[1][1]
    assert float(ends[0][1]) < float(ends[0][2]) < float(ends[1][2])


def test_a_row_without_a_value_has_no_picture_and_one_without_bounds_runs_off_it() -> None:
    known = {"value": 1.0, "low": 0.5, "high": 1.5}
    unknown = {"value": None, "low": None, "high": None}
    unbounded = {"value": 1.2, "low": None, "high": None}
    rows = [known, unknown, unbounded]
    assert row_strip(unknown, rows, "value") == ""
    line = re.search(r"M(-?[\d.]+) 8H(-?[\d.]+)", row_strip(unbounded, rows, "value"))
    assert line is not None
    width = float(ET.fromstring(row_strip(known, rows, "value")).attrib["viewBox"].split()[2])
    assert float(line[1]) < 0
    assert float(line[2]) > width


@pytest.mark.parametrize("scale", ["share", "elo"])
def test_each_doubling_of_nodes_is_as_wide_as_any_other(scale: Scale) -> None:
    levels = [
        {"nodes": nodes, "value": 0.1, "low": 0.05, "high": 0.2} for nodes in (500, 1000, 4000)
    ]
    picture = ET.fromstring(curve_picture(levels, scale, label="Curve"))
    places = [float(dot.attrib["cx"]) for dot in picture if dot.attrib.get("class") == "estimate"]
    assert places[2] - places[1] == pytest.approx(2 * (places[1] - places[0]), abs=0.2)


def test_a_curve_without_a_value_yet_is_an_empty_picture() -> None:
    levels = [{"nodes": nodes, "value": None, "low": None, "high": None} for nodes in (1, 2)]
    assert "estimate" not in curve_picture(levels, "share", label="Curve")
