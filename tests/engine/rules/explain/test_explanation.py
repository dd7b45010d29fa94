"""Whole rule sets in words: every rule has its sentence, and a tweak says what differs."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tabia.engine.cli import main
from tabia.engine.rules import RuleSet
from tabia.engine.rules.explain.as_html import as_html
from tabia.engine.rules.explain.as_text import WIDTH, as_text
from tabia.engine.rules.explain.explanation import Explanation, explain
from tabia.engine.rules.resolve import catalog_ids

GRAND = RuleSet.load("grand")


def said(explained: Explanation, heading: str) -> str:
    return " ".join(next(s.sentences for s in explained.rules if s.heading == heading))


def tweak(text: str) -> Explanation:
    return explain(RuleSet.from_toml(text))


@pytest.mark.parametrize("name", catalog_ids())
def test_every_rule_set_of_the_catalog_is_explained(name: str) -> None:
    explained = explain(RuleSet.load(name))
    text = as_text(explained)
    assert RuleSet.load(name).id in text
    assert max(map(len, text.splitlines())) <= WIDTH
    # Nothing of the machinery shows.
    assert not re.search(r"\bNone\b|\{|\}|<|>|frozenset", text.split("Notes")[0])
    for piece in explained.pieces:
        assert piece.name in text
        assert piece.sentences
    page = ET.fromstring(as_html(explained).split("\n", 1)[1].replace('<meta charset="utf-8">', "")
                         .replace('<meta name="viewport" content="width=device-width, '
                                  'initial-scale=1">', "").replace("<br>", "<br/>"))  # fmt: skip
    assert len(page.findall(".//svg")) == 1 + len(explained.pieces)


@pytest.mark.parametrize(
    ("rules", "heading", "sentence"),
    [
        ("", "Promotion", ("A Pawn may promote on reaching its own ranks 8 and 9 and must promote "
                          "on reaching its own rank 10, to Bishop, Cardinal, Marshall, Knight, "
                          "Queen or Rook.")),
        ("", "Promotion", "one that was captured"),
        ("", "Promotion", "cannot be made; the man attacks there all the same"),
        ("[promotion]\nwhen_none = 'stays'", "Promotion", "the man stays what it is"),
        ("[promotion]\nreserve = 'QQRR'", "Promotion",
         "a reserve of two Queens and two Rooks beyond"),
        ("[promotion]\nsupply = 'limited'\nlimits = 'QMM'", "Promotion",
         "never has more on the board by promotion than two Marshalls and one Queen"),
        ("[promotion]\ntiers = [{ ranks = [7], to = 'B' }]", "Promotion",
         "On reaching its own rank 7 a Pawn may promote to Bishop."),
        ("[promotion]\noptional = []\ncompulsory = []", "Promotion", "Nothing promotes."),
        ("[black.promotion]\nto = 'N'", "Promotion", "Black: A Pawn may promote"),
        ("", "Castling", "There is no castling."),
        ("[castling]\nkingside = { king = 'g', partner = 'h', also = ['f'] }\npartner = 'B'",
         "Castling", "The King may castle from e2 to f2 or g2, the Bishop then going from h2"),
        ("", "How games end", ("Stalemate, having no legal move without being in check: the game "
                              "is drawn.")),
        ("", "How games end", "A side whose King is attacked and cannot be saved is checkmated"),
        ("[pieces.Q]\nroyal = true", "How games end",
         ("White has two royal men, King and Queen, and may get others by promotion. It is in "
          "check when any of its royal men")),
        ("[white.pieces.Q]\nroyal = true\n[check]\nroyals = 'last'", "How games end",
         "It may lose all but one of them, and is in check only when the last one is attacked."),
        ("[white.pieces.Q]\nroyal = true", "How games end",
         "Black has one royal man, the King, and is in check when it is attacked."),
        ("[pieces.Q]\nroyal = true\n[check]\nroyals = 'duple'", "How games end",
         "is in check only when all that it has are attacked at once."),
        ("[promotion]\nto = 'KQ'\n[check]\nroyals = 'last'", "How games end",
         "White has one royal man, King, and may get others by promotion. It may lose all but one"),
        ("[pieces.Q]\nroyal = true\n[endings.bare_king]\nresult = 'loss'", "How games end",
         "A side that has no man left but royal ones loses at once."),
        ("[endings]\nstalemate = 'win'", "How games end", "that side wins"),
        ("[black.endings]\nstalemate = 'loss'", "How games end", "When Black is stalemated, that"),
        ("[endings]\nrepetition = { count = 4, result = 'loss' }", "How games end",
         "occurs four times, the side whose move made it loses"),
        ("[endings]\nrepetition = { count = 0 }", "How games end", "Repetition ends no game."),
        ("[endings]\nn_move = { moves = 70, resets = ['capture'] }", "How games end",
         "After 70 moves of each side in a row without a capture, the game is drawn."),
        ("[endings]\nbare_king = { result = 'loss', answer = true }", "How games end",
         "A side that has no man left but its King loses at once. If it can bare"),
        ("[endings]\ndead_position = 'play on'", "How games end", "is played on"),
        ("[en_passant]\ngivers = 'P'", "En passant", "only these can be captured: Pawn"),
    ],
)  # fmt: skip
def test_rules_have_their_sentences(rules: str, heading: str, sentence: str) -> None:
    if heading == "Castling" and "partner" in rules:
        rules += "\n[array]\n2 = '1NBQKMCBN1'\n"
    assert sentence in said(tweak(f'extends = "grand"\n{rules}\n'), heading)


def test_a_royal_piece_says_what_that_means() -> None:
    def king(rules: str) -> tuple[str, ...]:
        explained = explain(RuleSet.load(rules))
        return next(piece for piece in explained.pieces if piece.letter == "K").sentences

    assert king("chess")[-1] == "It is royal: it must not be left attacked."
    assert king("spartan")[-2:] == (
        "White: It is royal: it must not be left attacked.",
        "Black: It is royal: not all royal men may be left attacked at once.",
    )


def test_a_piece_of_one_side_is_told_for_that_side() -> None:
    pieces = {piece.letter: piece.sentences for piece in explain(RuleSet.load("spartan")).pieces}
    assert pieces["H"][-1].startswith("From its own rank 2 it moves without capturing two squares")
    assert not any(sentence.startswith(("White:", "Black:")) for sentence in pieces["H"])


def test_holes_and_citadels_are_told() -> None:
    omega = " ".join(explain(RuleSet.load("omega")).board.sentences)
    assert "Not there: " in omega
    assert "104 squares in all" in omega
    great = " ".join(explain(RuleSet.load("great")).board.sentences)
    assert "is a citadel: a man who starts there moves as if he stood on" in great


def test_a_tweak_says_what_differs_and_nothing_else() -> None:
    changes = {change.heading: change for change in explain(RuleSet.load("grand-no-ep")).changes}
    assert set(changes) == {"Pawn"}
    assert "It captures en passant." in changes["Pawn"].before
    assert explain(GRAND).parent is None
    assert tweak('extends = "grand"\n').changes == ()
    gone = tweak('extends = "chess"\n[pieces]\nQ = false\n[array]\n8 = "rnb1kbnr"\n1 = "RNB1KBNR"\n'
                 '[promotion]\nto = "NBR"\n')  # fmt: skip
    assert ("Gone.",) in [change.now for change in gone.changes]


def test_words_come_from_the_rules_and_not_from_names() -> None:
    renamed = explain(RuleSet.from_toml('extends = "grand"\nname = "Nothing you know"\n'))
    assert renamed.pieces == explain(GRAND).pieces
    assert renamed.rules == explain(GRAND).rules


def test_what_a_stranger_wrote_is_no_markup() -> None:
    bad = tweak('extends = "chess"\nname = "<script>x</script>"\n[pieces.N]\nname = "<b>"\n')
    page = as_html(bad)
    assert "<script" not in page
    assert "&lt;b&gt;" in page


def test_a_parent_in_a_file_is_compared_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text('extends = "chess"\nname = "Mine"\n')
    tweak = tmp_path / "tweak.toml"
    tweak.write_text('extends = "mine.toml"\n[endings]\nstalemate = "win"\n')
    assert main(["rules", "explain", str(tweak)]) == 0
    out = capsys.readouterr().out
    assert "What differs from Mine\n" in out
    assert "that side wins" in out


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "gross"]) == 0
    assert "Gross Chess\n===========\n" in capsys.readouterr().out
    assert main(["rules", "explain", "grander", "--html"]) == 0
    assert capsys.readouterr().out.startswith("<!DOCTYPE html>")
    assert main(["rules", "explain", "gros"]) == 2
