"""`tabia endgames`: what it prints, and what it refuses in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tabia.engine.cli import main
from tabia.engine.endgames.report import how_often, share


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["endgames", *arguments])
    written = capsys.readouterr()
    return status, written.out, written.err


def test_it_says_who_wins_and_how_long_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "chess", "K+R:K")
    assert status == 0
    assert "41,600 placements in 2 endings" in err
    assert "White wins                        100 %" in out
    assert "takes 16 moves (32 plies): 8/8/8/8/8/8/1Rk5/K7 b - - 0 1" in out


def test_no_mate_and_no_win(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "chess", "KB:K")
    assert "There is no mate position." in out
    assert "Neither side can force a win anywhere." in out


def test_a_bare_king_has_lost_before_it_moves(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "shatranj", "KR:K")
    assert status == 0
    assert "ended by a bare king" in out
    assert "Every game that White wins is over already." in out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "chess", "K:KQ", "--json")
    assert status == 0
    found = json.loads(out)
    [kind] = found["kinds"]
    assert found["material"] == "K:KQ"
    assert kind["longest_black_win"]["plies"] == 20
    assert kind["longest_white_win"] is None
    assert kind["black_to_move"]["black_wins"] == kind["black_to_move"]["positions"] == 144_508


def test_a_rule_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With stalemate won, a knight and its king win a little; and nothing in chess itself."""
    path = tmp_path / "won.toml"
    path.write_text('extends = "chess"\n[endings]\nstalemate = "loss"\n')
    status, out, _ = run(capsys, str(path), "KN:K")
    assert status == 0
    assert "White can seldom force a win" in out
    assert "There is no mate position." in out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["chess", "KQK"], "\"KQK\": not a material; allowed: White's men, a colon, Black's"),
        (["chess", "KX:K"], 'no piece "X" in Western Chess; allowed: B, K, N, P, Q, R'),
        (["chess", "KQ:Q"], "0 royal men (K) on one side; allowed: 1"),
        (["chess", "KKQ:K"], "2 royal men (K) on one side; allowed: 1"),
        (
            ["gross", "KBNN:K"],
            "KBNN:K: 5 men on 12x12 take 36,624 MB in 6 tables; allowed: 1,000 MB",
        ),
        (["chess", "KBN:K", "--memory", "5"], "KBN:K: 4 men on 8x8 take 11 MB in 4 tables"),
        (["no-such-game", "KQ:K"], "no-such-game: no such rule set and no such file"),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert problem in err
    assert err.count("\n") == 1


def test_a_share_says_none_and_all_only_of_none_and_all() -> None:
    assert [share(n, 1_000_000) for n in (0, 1, 500_000, 999_999, 1_000_000)] == [
        "0 %", "< 0.01 %", "50.00 %", "> 99.99 %", "100 %",
    ]  # fmt: skip
    assert [how_often(n, 100) for n in (0, 1, 50, 95)] == [
        "never", "seldom", "sometimes", "as a rule",
    ]  # fmt: skip
