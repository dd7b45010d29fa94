"""Pieces are drawn by how they move, whatever their letter."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from tabia.dashboards.look import look_of
from tabia.dashboards.pieces import move_diagram, piece_symbol
from tabia.engine.rules.pictures.drawings import DRAWINGS
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.rules.tables import core_tables

SMALL = """
name = "one piece"
array = {{ 1 = "X2K", 2 = "4", 3 = "4", 4 = "x2k" }}
board = {{ files = 4, ranks = 4 }}
[pieces.K]
moves = "K"
royal = true
[pieces.X]
moves = "{betza}"
"""


def _moves(betza: str) -> list[dict[str, Any]]:
    tables = core_tables(RuleSet.from_toml(SMALL.format(betza=betza)))
    moves: list[dict[str, Any]] = tables["sides"][0]["moves"][tables["letters"].index("X")]
    return moves


def _kind(betza: str) -> str | None:
    tables = core_tables(RuleSet.from_toml(SMALL.format(betza=betza)))
    return next(piece.kind for piece in look_of(tables).pieces if piece.letter == "X")


@pytest.mark.parametrize(
    ("betza", "kind"),
    [
        ("N", "knight"),
        ("B", "bishop"),
        ("R", "rook"),
        ("Q", "queen"),
        ("RB", "queen"),
        ("RN", "marshall"),
        ("BN", "cardinal"),
        ("QN", "amazon"),
        ("fmWfcF", "pawn"),
        ("ifmnDfmWfceF", "pawn"),
        ("mcdN", "knight"),
        ("mcdQ", "queen"),
        ("fmWfcdF", "pawn"),
    ],
)
def test_known_movers_get_their_drawing_under_any_letter(betza: str, kind: str) -> None:
    assert _kind(betza) == kind
    assert kind in DRAWINGS


@pytest.mark.parametrize(
    "betza",
    [
        "WC", "R4", "mR", "fR", "NW", "K", "mQcN", "fmWfF", "nN", "pR", "mRcpR", "gQ", "jB", "oR",
        "FyafsF", "tN",
    ],
)  # fmt: skip
def test_others_get_a_letter_because_a_drawing_would_lie(betza: str) -> None:
    assert _kind(betza) is None
    symbol = ET.fromstring(piece_symbol("X", _moves(betza), royal=False))
    assert [text.text for text in symbol.iter("text")] == ["X"]


@pytest.mark.parametrize("variant", ["chess", "grand", "grander"])
def test_every_piece_of_the_catalog_games_has_its_own_drawing(variant: str) -> None:
    pieces = look_of(core_tables(RuleSet.load(variant))).pieces
    kinds = [piece.kind for piece in pieces]
    assert None not in kinds
    assert len(set(kinds)) == len(kinds)
    assert {piece.symbol for piece in pieces if "<text" in piece.symbol} == set()


def test_in_grand_chess_c_is_the_cardinal_and_m_the_marshall() -> None:
    kinds = {p.letter: p.kind for p in look_of(core_tables(RuleSet.load("grand"))).pieces}
    assert kinds["C"] == "cardinal"
    assert kinds["M"] == "marshall"
    assert kinds["K"] == "king"


def test_a_diagram_tells_moves_from_captures_and_slides_from_leaps() -> None:
    pawn = ET.fromstring(move_diagram("X", _moves("fmWfcF"), name="pawn"))
    assert len(pawn.findall("circle[@class='walks']")) == 1
    assert len(pawn.findall("path[@class='takes']")) == 2
    marshall = ET.fromstring(move_diagram("X", _moves("RN"), name="marshall"))
    assert len(marshall.findall("circle[@class='both']")) == 8
    assert len(marshall.findall("path[@class='slide']")) == 4


def test_a_ranged_slide_shows_each_of_its_squares() -> None:
    short = ET.fromstring(move_diagram("X", _moves("R3"), name="short rook"))
    assert len(short.findall("circle[@class='both']")) == 12


def test_names_of_strangers_are_escaped_in_diagrams() -> None:
    svg = move_diagram("X", _moves("N"), name='"><img src=x onerror=alert(1)>')
    assert ET.fromstring(svg).attrib["aria-label"].startswith('"><img')
