"""`extends`: what a tweak takes over, and what a reference may reach."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tabia.engine.documents import DocumentError
from tabia.engine.rules import RuleSet
from tabia.engine.rules.resolve import MAX_CHAIN, from_catalog, inline, overlay

Refusal = Callable[[str], str]


def changes(parent: str, tweak: RuleSet) -> list[str]:
    return [str(difference) for difference in RuleSet.load(parent).diff(tweak)]


def test_a_tweak_states_only_what_differs() -> None:
    tweak = RuleSet.from_toml('extends = "grand"\n[promotion]\noptional = [7, 8, 9]')
    assert changes("grand", tweak) == ["promotion.optional: ranks 8, 9 -> ranks 7, 8, 9"]
    assert tweak.name == "a tweak of grand"
    assert tweak.extends == "grand"
    assert tweak.catalog_id is None


def test_labels_are_not_inherited_but_names_of_pieces_are() -> None:
    tweak = RuleSet.from_toml('extends = "grand"\nauthor = "Somebody"')
    assert dict(tweak.labels) == {"author": "Somebody"}
    assert tweak.piece_names["M"] == "Marshall"
    assert tweak.id == RuleSet.load("grand").id


def test_a_row_of_the_array_is_replaced_alone() -> None:
    tweak = RuleSet.from_toml('extends = "chess"\n[array]\n1 = "RNBKQBNR"\n[castling]\n'
                              'kingside = false\nqueenside = false')  # fmt: skip
    assert tweak.start_fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1"


def test_false_takes_a_table_away() -> None:
    tweak = RuleSet.from_toml('extends = "chess"\ncastling = false')
    assert changes("chess", tweak) == [
        "castling.kingside: king to the g-file, partner from h beside the king -> none",
        "castling.queenside: king to the c-file, partner from a beside the king -> none",
        "castling.partner: R -> none",
    ]
    assert tweak.start_fen.endswith(" w - - 0 1")


def test_a_piece_can_be_taken_away(refusal: Refusal) -> None:
    tweak = 'extends = "chess"\n[pieces]\nQ = false\n[promotion]\nto = "NBR"\n[array]\n'
    assert RuleSet.from_toml(tweak + '8 = "rnb1kbnr"\n1 = "RNB1KBNR"').rules.letters == "BKNPR"
    assert refusal(tweak) == (
        'my.toml:array.8: found "rnbqkbnr", where q is no piece of this game; '
        "allowed: B, K, N, P, R, small letters for Black"
    )


def test_overlay_leaves_both_as_they_were() -> None:
    parent = {"a": {"b": 1, "c": {"d": 2}}, "e": [1]}
    child = {"a": {"c": False, "f": False}, "e": [2]}
    assert overlay(parent, child) == {"a": {"b": 1, "f": False}, "e": [2]}
    assert parent == {"a": {"b": 1, "c": {"d": 2}}, "e": [1]}


def test_files_extend_files_beside_them(tmp_path: Path, small: str) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "small.toml").write_text(small)
    child = tmp_path / "sub" / "tweak.toml"
    child.write_text('extends = "../small.toml"\n[endings]\nstalemate = "win"')
    assert RuleSet.load(child).rules.endings.stalemate == "win"
    assert RuleSet.load(str(child)).extends == "../small.toml"


def test_a_fault_of_the_parent_is_told_of_the_parent(tmp_path: Path, small: str) -> None:
    (tmp_path / "small.toml").write_text(small.replace("files = 4", "files = 40"))
    child = tmp_path / "tweak.toml"
    child.write_text('extends = "small.toml"\n[board]\nfiles = 4')
    with pytest.raises(DocumentError) as error:
        RuleSet.load(child)
    assert error.value.source == str(tmp_path / "small.toml")
    assert error.value.key == "board.files"


def test_cycles_are_named(tmp_path: Path) -> None:
    a, b, c = (tmp_path / f"{name}.toml" for name in "abc")
    a.write_text('extends = "b.toml"')
    b.write_text('extends = "./c.toml"')
    c.write_text('extends = "../' + tmp_path.name + '/b.toml"')
    with pytest.raises(DocumentError) as error:
        RuleSet.load(a)
    assert str(error.value).startswith(f"{a}:extends: a cycle: {a} -> {b} -> ")
    assert str(error.value).endswith("b.toml")


def test_a_file_that_extends_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text('extends = "a.toml"')
    with pytest.raises(DocumentError, match=r"extends: a cycle: .*a\.toml -> .*a\.toml"):
        RuleSet.load(path)


def test_chains_are_bounded(tmp_path: Path, small: str) -> None:
    (tmp_path / "0.toml").write_text(small)
    for number in range(1, MAX_CHAIN + 1):
        (tmp_path / f"{number}.toml").write_text(f'extends = "{number - 1}.toml"')
    assert RuleSet.load(tmp_path / f"{MAX_CHAIN - 1}.toml").rules.letters == "KPR"
    with pytest.raises(DocumentError, match=f"more than {MAX_CHAIN} rule sets in a chain"):
        RuleSet.load(tmp_path / f"{MAX_CHAIN}.toml")


@pytest.mark.parametrize(
    "reference",
    [
        "my.toml",
        "./my.toml",
        "/etc/passwd",
        "../../catalog/chess.toml",
        "catalog/chess",
        "chess.toml",
        "http://example.org/chess.toml",
        "",
        "chess\\u0000",
    ],
)
def test_a_submitted_text_reaches_the_catalog_alone(
    refusal: Refusal, reference: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: str
) -> None:
    (tmp_path / "my.toml").write_text(small)
    monkeypatch.chdir(tmp_path)
    line = refusal(f'extends = "{reference}"')
    assert line.startswith("my.toml:extends: found ")
    assert "which is no rule set known here; " in line
    assert line.endswith("allowed: the ids that `tabia rules list` shows")


def test_a_reference_is_a_text(refusal: Refusal) -> None:
    assert refusal("extends = 5") == "my.toml:extends: found 5; allowed: the id of a rule set"


def test_only_toml_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x = 1")
    child = tmp_path / "tweak.toml"
    child.write_text('extends = "secret"')
    with pytest.raises(DocumentError, match='found "secret", which is no rule set known here'):
        RuleSet.load(child)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(DocumentError, match=r"latin\.toml: not UTF-8 at byte 8"):
        RuleSet.load(tmp_path / "latin.toml")
    (tmp_path / "long.toml").write_bytes(b"#" * 70_000)
    with pytest.raises(DocumentError, match=r"long\.toml: the text is too long; allowed: 64 KiB"):
        RuleSet.load(tmp_path / "long.toml")


def test_rule_sets_written_into_another_document() -> None:
    tables = {
        "tiny": {"extends": "chess", "castling": False},
        "tinier": {"extends": "tiny", "endings": {"stalemate": "loss"}},
        "round": {"extends": "round"},
        "none": 5,
    }
    resolver = inline(tables, "e.toml", from_catalog)
    loaded = RuleSet.from_reference("tinier", "e.toml", "arms.a", resolver)
    assert loaded.extends == "tiny"
    assert loaded.catalog_id is None
    assert [d.key for d in RuleSet.load("chess").diff(loaded)][-1] == "endings.stalemate"
    assert RuleSet.from_reference("grand", "e.toml", "arms.b", resolver).catalog_id == "grand"
    with pytest.raises(DocumentError, match=r"e\.toml:rulesets\.round:extends: a cycle"):
        RuleSet.from_reference("round", "e.toml", "arms.a", resolver)
    with pytest.raises(DocumentError, match=r"e\.toml:rulesets\.none: found 5; allowed: a table"):
        RuleSet.from_reference("none", "e.toml", "arms.a", resolver)
    with pytest.raises(DocumentError, match=r'e\.toml:arms\.a: found "tint", which is no rule set'):
        RuleSet.from_reference("tint", "e.toml", "arms.a", resolver)


def test_a_catalog_id_cannot_be_written_anew() -> None:
    with pytest.raises(DocumentError, match=r"e\.toml:rulesets\.grand: grand is a catalog id"):
        inline({"grand": {}}, "e.toml", from_catalog)
