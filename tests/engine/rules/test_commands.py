"""`tabia rules`: what it prints, and that what it prints can be used."""

import json
from pathlib import Path

import pytest

from tabia.engine.cli import main
from tabia.engine.rules import RuleSet
from tabia.engine.rules.resolve import catalog_ids
from tabia.engine.rules.toml_text import toml_text


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["rules", *arguments])
    written = capsys.readouterr()
    return status, written.out, written.err


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "list")
    assert status == 0
    rows = [line.split() for line in out.splitlines()]
    assert [row[0] for row in rows[1:]] == catalog_ids()
    assert ["grander", "10x10", "grand", "Grander", "Chess"] in rows


@pytest.mark.parametrize("name", catalog_ids())
def test_show_prints_a_document_of_the_same_rules(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    status, out, _ = run(capsys, "show", name)
    original, shown = RuleSet.load(name), RuleSet.from_toml(out)
    assert status == 0
    assert out.startswith(f"# rules_id {original.id}\n")
    assert shown.id == original.id
    assert shown.labels == original.labels
    assert shown.piece_names == original.piece_names


def test_show_json(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(run(capsys, "show", "grander", "--json")[1])
    assert data.pop("rules_id") == RuleSet.load("grander").id
    assert RuleSet.from_canonical(data) == RuleSet.load("grander")


def test_diff(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "diff", "grand", "grander")
    assert status == 0
    assert out == (
        "array.9: 1nbqkmcbn1 -> 1nbcqkmbn1\n"
        "array.2: 1NBQKMCBN1 -> 1NBCQKMBN1\n"
        "endings.n_move.moves: draw after 50 moves of each side -> no rule\n"
        "pieces.P.moves: fceFfmWifmnD, captures en passant -> fcFfmWifmnD\n"
        "endings.stalemate: draw -> the stalemated side loses\n"
    )
    assert run(capsys, "diff", "chess", "chess")[1] == "the same rules\n"


def test_diff_of_two_games(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "diff", "chess", "grand")[1].splitlines()
    assert "board.files: 8 -> 10" in lines
    assert "array.10: none -> r8r" in lines
    assert "array.7: pppppppp -> empty" in lines
    assert "pieces.M.moves: none -> NR" in lines
    assert "promotion.optional: none -> ranks 8, 9" in lines
    assert "promotion.compulsory: rank 8 -> rank 10" in lines
    assert (
        "promotion.supply: any of them, any number -> only types of which one was captured" in lines
    )
    assert "castling.kingside: king to the g-file, partner from h beside the king -> none" in lines


def test_check(capsys: pytest.CaptureFixture[str], tmp_path: Path, small: str) -> None:
    good, bad, unplayable = (tmp_path / f"{name}.toml" for name in ("good", "bad", "unplayable"))
    good.write_text(small)
    bad.write_text(small.replace("files = 4", "files = 0"))
    text = small.replace('4 = "pppp"', "").replace('2 = "PPPP"', "").replace("KR1R", "RK1R")
    unplayable.write_text(text)
    status, out, err = run(capsys, "check", "grand", str(bad), str(good), str(unplayable))
    assert status == 2
    assert out.splitlines() == [
        f"grand: Grand Chess, rules_id {RuleSet.load('grand').id}",
        f"{good}: Small, rules_id {RuleSet.load(good).id}",
    ]
    assert err.splitlines() == [
        f"tabia: {bad}:board.files: found 0; allowed: a whole number from 1 to 16",
        f"tabia: {unplayable}:array: White, who moves first, could capture Black's king",
    ]
    assert run(capsys, "check", "grander")[0] == 0


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "perft", "grander", "3")
    assert status == 0
    assert out.startswith("perft(3) = 259189 in ")
    out = run(capsys, "perft", "chess", "2", "--divide")[1]
    assert out.splitlines()[:2] == ["a2a3: 20", "a2a4: 20"]
    assert "perft(2) = 400 in " in out
    fen = "r4n2k1/6P3/10/10/10/10/10/10/1NB1KMCBN1/R8R w - - 0 1"
    lines = run(capsys, "perft", "grand", "1", "--divide", "--fen", fen)[1].splitlines()
    assert [line for line in lines if line.startswith("g9")] == ["g9f10q: 1", "g9g10q: 1"]


def test_perft_of_nonsense(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "perft", "chess", "1", "--fen", "8/8 w - - 0 1")
    assert (status, out) == (2, "")
    assert err == "tabia: chess:fen: board: found 2 ranks, 8 are needed\n"
    assert run(capsys, "perft", "chess", "0")[0] == 2


def test_texts_that_toml_must_quote() -> None:
    data = {"name": 'a "b" \\ \n\t\x7f é 🨀', "notes": ["", "x"], "x y": {"é": 1}, "z": {}}
    import tomllib

    assert tomllib.loads(toml_text(data)) == data
