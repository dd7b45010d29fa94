"""Replays: real games, played by the engine, gone through again ply by ply."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tabia.dashboards.board import placement
from tabia.dashboards.replay import Ply, move_rows, replay
from tabia.engine import MoveError, Position, RuleSet

PAWNS = frozenset("P")


def _replay(
    rules: str, moves: Sequence[str], fen: str | None = None, reason: str = "checkmate"
) -> list[Ply]:
    return replay(
        Position(RuleSet.load(rules), fen),
        moves,
        pawns=PAWNS,
        opening_plies=2,
        result="1-0" if reason == "checkmate" else "1/2-1/2",
        reason=reason,
    )


def test_a_game_is_every_position_from_the_array_to_the_mate() -> None:
    moves = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
    plies = _replay("chess", moves)
    assert [ply.number for ply in plies] == list(range(8))
    assert plies[0].fen == RuleSet.load("chess").start_fen
    assert placement(plies[-1].fen)[5 + 6 * 16] == "Q"
    assert [ply.label for ply in plies[1:]] == [
        "e2–e4",
        "e7–e5",
        "Qd1–h5",
        "Nb8–c6",
        "Bf1–c4",
        "Ng8–f6",
        "Qh5×f7#",
    ]
    assert plies[-1].caption == "Ply 7: White Qh5×f7#. White wins: checkmate."
    assert "Still in the opening" in plies[2].caption
    assert "Still in the opening" not in plies[3].caption


def test_checks_en_passant_and_castling_are_written_as_players_write_them() -> None:
    fen = "rnbqkbnr/ppp1pppp/8/8/3p4/5NP1/PPPPPPBP/RNBQK2R w KQkq - 0 1"
    plies = _replay("chess", ["e2e4", "d4e3", "e1g1", "e3f2"], fen, "repetition")
    assert [ply.label for ply in plies[1:]] == ["e2–e4", "d4×e3", "Ke1–g1", "e3×f2+"]


def test_promotions_name_the_piece_and_large_boards_their_two_digit_ranks() -> None:
    fen = "r7k1/10/10/6P3/10/10/10/10/1NB1KCM1N1/R8R w - - 0 1"
    plies = _replay("grand", ["g7g8q"], fen, "repetition")
    assert plies[1].label == "g7–g8=Q+"
    assert plies[1].squares == (6 + 6 * 16, 6 + 7 * 16)


def test_men_captured_on_the_way_are_named() -> None:
    lions = RuleSet.load(Path(__file__).parents[1] / "data" / "games" / "lions.toml")
    fen = "7k/8/8/8/3pp3/3L4/8/K7 w - - 0 1"
    moves = ["d3d4,d4e4", "h8g8", "e4e4", "g8h8"]
    plies = replay(
        Position(lions, fen),
        moves,
        pawns=PAWNS,
        opening_plies=0,
        result="1/2-1/2",
        reason="repetition",
    )
    assert [ply.label for ply in plies[1:]] == ["Ld3×d4×e4", "Kh8–g8", "Le4–e4", "Kg8–h8"]
    assert plies[1].squares == (3 + 2 * 16, 4 + 3 * 16)


def test_moves_that_the_rules_forbid_are_refused() -> None:
    with pytest.raises(MoveError):
        _replay("chess", ["e2e5"])


def test_the_move_list_has_two_plies_a_line_and_starts_with_whoever_moved_first() -> None:
    white_first = move_rows(_replay("chess", ["e2e4", "e7e5", "g1f3"], reason="repetition"))
    assert [
        (row.white and row.white.label, row.black and row.black.label) for row in white_first
    ] == [
        ("e2–e4", "e7–e5"),
        ("Ng1–f3", None),
    ]
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    black_first = move_rows(_replay("chess", ["e7e5", "g1f3"], fen, "repetition"))
    assert [
        (row.white and row.white.label, row.black and row.black.label) for row in black_first
    ] == [
        (None, "e7–e5"),
        ("Ng1–f3", None),
    ]
