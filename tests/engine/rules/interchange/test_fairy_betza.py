"""Fairy-Stockfish's dialect of Betza notation, read as it plays it."""

import pytest

from tabia.engine.rules.betza import BetzaError, steps
from tabia.engine.rules.interchange.fairy_stockfish import betza
from tabia.engine.rules.interchange.spelling import Way, spell


def vectors(text: str, mode: str = "c") -> set[tuple[int, int]]:
    return {(step.dx, step.dy) for step in betza.parse(text) if step.mode == mode}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("fsW", {(0, 1), (1, 0), (-1, 0)}),
        ("fK", {(0, 1), (1, 1), (-1, 1)}),
        ("fsK", {(1, 0), (-1, 0), (1, 1), (-1, 1)}),  # not forward: K is not split as W is
        ("flF", {(-1, 1)}),
        ("fN", {(1, 2), (-1, 2)}),
        ("fsN", {(2, 1), (-2, 1)}),
        ("hlN", {(2, 1), (-2, -1), (1, -2), (-1, 2)}),
        ("LJ", vectors("CZ")),
    ],
)
def test_directions(text: str, where: set[tuple[int, int]]) -> None:
    assert vectors(text) == where


def test_kinds_and_ranges() -> None:
    kinds = {(step.kind, step.reach) for step in betza.parse("nNpR3gBWB4NN")}
    assert kinds == {("lame", 0), ("hop", 3), ("grasshopper", 1), ("slide", 4), ("slide", 0),
                     ("leap", 0)}  # fmt: skip


def test_first_moves_never_capture_and_later_ranges_count() -> None:
    assert {(s.mode, s.initial) for s in betza.parse("iD")} == {("m", True)}
    assert {s.reach for s in betza.parse("R4R")} == {0}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("jW", '"j" means nothing'),
        ("X", '"X" means nothing'),
        ("W12", "second digit"),
        ("fm", "without an atom"),
        ("nC", "skips n"),
        ("nR", "skips n"),
        ("AA", "repeats no steps of A"),
        ("pN", "hops along ranks"),
        ("pR1", "grasshopper"),
        ("icW", "captures from the start"),
        ("hhN", "chooses no direction"),
        ("W" * 401, "allowed: 400"),
    ],
)
def test_what_it_would_skip_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BetzaError, match=reason):
        betza.parse(text)


@pytest.mark.parametrize("text", ["K", "Q", "BN", "RN", "fmWfcF", "mRcpR", "gQ", "R4", "NN", "FfW"])
def test_spelling_is_the_designers(text: str) -> None:
    signs = {"leap": "", "slide": "", "lame": "n", "hop": "p", "grasshopper": "g"}
    ways = [
        Way(s.dx, s.dy, s.reach if s.kind in ("slide", "hop") else 1, s.mode, signs[s.kind])
        for s in sorted(betza.parse(text))
    ]
    assert len(spell(ways)) == len(text)
    assert set(steps(spell(ways))) == set(steps(text))
