"""`tabia rules import` and `export`, as one types them."""

from pathlib import Path

import pytest

from tabia.engine.cli import main
from tabia.engine.rules import RuleSet

INI = """[one:chess]
stalemateValue = loss
pieceToCharTable = -
[two:chess]
mustCapture = true
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main(["rules", *map(str, arguments)])
    written = capsys.readouterr()
    return status, written.out, written.err


def test_import_writes_a_rule_set_and_says_what_it_left_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ini = tmp_path / "mine.ini"
    ini.write_text(INI)
    status, out, err = run(capsys, "import", ini, "--variant", "one")
    assert status == 0
    assert RuleSet.from_toml(out).id == RuleSet.load("chess-stalemate-win").id
    said = "left out: it is no rule but for what XBoard draws"
    assert err == f"tabia: {ini}: one.pieceToCharTable: {said}\n"
    written = tmp_path / "mine.toml"
    status, out, _ = run(capsys, "import", ini, "--variant", "one", "--output", written)
    assert (status, out) == (0, "")
    assert run(capsys, "check", written)[0] == 0


def test_import_refuses_in_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ini = tmp_path / "mine.ini"
    ini.write_text(INI)
    status, out, err = run(capsys, "import", ini, "--variant", "two")
    assert (status, out) == (2, "")
    assert err.startswith(f"tabia: {ini}:two.mustCapture: asks for compulsory captures")
    assert run(capsys, "import", ini)[0] == 2
    assert run(capsys, "import", tmp_path / "none.ini")[0] == 2


def test_the_share_that_can_be_imported_is_counted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ini = tmp_path / "mine.ini"
    ini.write_text(INI)
    status, out, _ = run(capsys, "import", ini, "--list")
    assert status == 0
    assert out.splitlines()[0] == "one: can be imported"
    assert "two: refused" in out
    assert "two.mustCapture" in out
    assert out.splitlines()[-1] == "1 of 2 can be imported"


def test_a_file_that_is_too_long_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    big = tmp_path / "big.ini"
    big.write_bytes(b"# nothing\n" * 60_000)
    status, _, err = run(capsys, "import", big)
    assert status == 2
    assert "too long; allowed: 512 KiB" in err


def test_export_and_import_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ini = tmp_path / "grand.ini"
    assert run(capsys, "export", "grand", "--format", "fairy-stockfish", "--output", ini)[0] == 0
    status, out, _ = run(capsys, "import", ini)
    assert status == 0
    assert 'extends = "grand"' in out
    status, out, err = run(capsys, "export", "gigachess", "--format", "fairy-stockfish")
    assert (status, out) == (2, "")
    assert "board.files: found 14 files, which Fairy-Stockfish cannot express" in err
