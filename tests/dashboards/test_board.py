"""Boards as SVG: what stands where, whatever the size."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.dashboards.board import (
    MARGIN,
    SQUARE,
    Geometry,
    board_svg,
    move_squares,
    placement,
    square_name,
)


def _drawn(svg: str, of: str) -> list[ET.Element]:
    return ET.fromstring(svg).findall(f".//g[@class='{of}']/*")


def _box(element: ET.Element) -> tuple[int, int]:
    return int(element.attrib["x"]), int(element.attrib["y"])


def test_a_fen_is_read_with_blanks_of_two_digits() -> None:
    fen = "r8r/1nbqkmcbn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKMCBN1/R8R w - - 0 1"
    men = placement(fen)
    assert len(men) == 40
    assert men[0] == "R"
    assert men[9 * 16] == "r"
    assert {square_name(square) for square, letter in men.items() if letter in "Kk"} == {
        "e2",
        "e9",
    }


@pytest.mark.parametrize(
    ("move", "names"),
    [
        ("e3e5", ["e3", "e5"]),
        ("p16a1", ["p16", "a1"]),
        ("g9g10q", ["g9", "g10"]),
        ("i9i10m", ["i9", "i10"]),
        ("e1e11", ["e1", "e11"]),
        ("c7c8*", ["c7", "c8"]),
        ("e9e10,e10e11,e11d12q", ["e9", "d12"]),
        ("e4e5,e5e4", ["e4", "e4"]),
    ],
)
def test_squares_of_moves(move: str, names: list[str]) -> None:
    squares = move_squares(move)
    assert squares is not None
    assert [square_name(square) for square in squares] == names


def test_a_move_without_squares_marks_nothing() -> None:
    assert move_squares("0000") is None


@given(files=st.integers(1, 16), ranks=st.integers(1, 16))
def test_every_square_of_every_size_is_drawn_inside_the_picture(files: int, ranks: int) -> None:
    svg = board_svg(Geometry(files, ranks), {}, [], label="empty")
    squares = _drawn(svg, "squares")
    assert len({_box(square) for square in squares}) == files * ranks
    width, height = (int(n) for n in ET.fromstring(svg).attrib["viewBox"].split()[2:])
    for square in squares:
        x, y = _box(square)
        assert MARGIN <= x <= width - SQUARE
        assert 0 <= y <= height - MARGIN - SQUARE


def test_holes_are_not_drawn_and_a1_is_dark() -> None:
    geometry = Geometry(4, 4, frozenset({0, 3 * 16 + 3}))
    assert len(_drawn(board_svg(geometry, {}, [], label=""), "squares")) == 14
    whole = _drawn(board_svg(Geometry(4, 4), {}, [], label=""), "squares")
    a1 = next(square for square in whole if _box(square) == (MARGIN, 3 * SQUARE))
    assert a1.attrib["class"] == "square dark"


def test_men_stand_on_their_squares_in_their_colours() -> None:
    svg = board_svg(Geometry(10, 10), {0: "R", 9 * 16 + 9: "m"}, [], label="", marked=(0, 16))
    men = {_box(man): (man.attrib["href"], man.attrib["class"]) for man in _drawn(svg, "men")}
    assert men == {
        (MARGIN, 900): ("#piece-R", "white"),
        (MARGIN + 900, 0): ("#piece-M", "black"),
    }
    assert [_box(mark) for mark in _drawn(svg, "marks")] == [(MARGIN, 900), (MARGIN, 800)]


def test_coordinates_name_every_file_and_rank() -> None:
    svg = board_svg(Geometry(16, 16), {}, [], label="")
    texts = [text.text for text in _drawn(svg, "coordinates")]
    assert texts == [*"abcdefghijklmnop", *map(str, range(1, 17))]


def test_the_text_alternative_is_escaped() -> None:
    svg = board_svg(Geometry(2, 2), {}, [], label='"><script>alert(1)</script>')
    assert ET.fromstring(svg).attrib["aria-label"] == '"><script>alert(1)</script>'
    assert "<script>" not in svg
