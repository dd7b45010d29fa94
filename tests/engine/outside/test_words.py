"""The lines of the two protocols, whatever stands in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.engine.outside import uci, xboard
from tabia.engine.outside.said import Option, OptionError, Said, option_text


@pytest.mark.parametrize(
    ("line", "option"),
    [
        (
            "option name Hash type spin default 16 min 1 max 131072",
            Option("Hash", "spin", 1, 131072),
        ),
        ("option name Clear Hash type button", Option("Clear Hash", "button")),
        (
            "option name Analysis Contempt type combo default Both var Both var Off var So so",
            Option("Analysis Contempt", "combo", choices=("Both", "Off", "So so")),
        ),
        ("option name Ponder type check default false", Option("Ponder", "check")),
        ("option name Log type string default", Option("Log", "string")),
        ("option name Hash", None),
        ("id name option name type", None),
    ],
)
def test_options_of_uci(line: str, option: Option | None) -> None:
    assert uci.read_option(line) == option


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ("info depth 3 score cp -41 nodes 7 pv e2e4", -41),
        ("info depth 3 score cp 12 lowerbound", 12),
        ("info score mate 1", 31_999),
        ("info score mate 3", 31_995),
        ("info score mate -1", -31_998),
        ("info score mate 0", -32_000),
        ("info score cp 999999", 31_000),
        ("info score mate -99999", -31_001),
        ("info score cp", None),
        ("info score cp much", None),
        ("info string the score cp 7 is a lie", None),
        ("bestmove e2e4", None),
    ],
)
def test_scores_of_uci(line: str, score: int | None) -> None:
    assert uci.read_score(line) == score


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("bestmove i9i10m ponder a8a7", "i9i10m"),
        ("bestmove", ""),
        ("bestmove (none)", "(none)"),
        ("info string bestmove e2e4", None),
    ],
)
def test_moves_of_uci(line: str, move: str | None) -> None:
    assert uci.read_best(line) == move


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ("4 -123 17 8000 e2e4 e7e5", -123),
        ("  2.   31 0 64 e2-e4", 31),
        ("9 79999 17 8000", 31_000),
        ("# times @ 766313321", None),
        ("move e2e4", None),
    ],
)
def test_thinking_of_xboard(line: str, score: int | None) -> None:
    assert xboard.read_score(line) == score


def test_features_of_xboard() -> None:
    line = 'feature myname="Fairy-Max 5.0b" ping=1 option="Resign Threshold -spin 800 200 1200"'
    features = xboard.read_features(line)
    assert features == [
        ("myname", "Fairy-Max 5.0b"),
        ("ping", "1"),
        ("option", "Resign Threshold -spin 800 200 1200"),
    ]
    assert xboard.read_option(features[2][1]) == Option("Resign Threshold", "spin", 200, 1200)
    combo = xboard.read_option("Makruk rules -combo makruk /// *Cambodian /// Ai-wok")
    assert combo == Option("Makruk rules", "combo", choices=("makruk", "Cambodian", "Ai-wok"))
    assert xboard.read_option("Info -button") == Option("Info", "button")


@pytest.mark.parametrize("line", ["resign", "1-0 {White mates}", "1/2-1/2 {Draw claim}", "0-1"])
def test_giving_up_in_xboard(line: str) -> None:
    assert xboard.gives_up(line)
    assert not xboard.gives_up(f"telluser {line}")


@given(st.text())
def test_no_line_is_too_strange(line: str) -> None:
    for read in (
        uci.read_option, uci.read_score, uci.read_best, uci.read_leaf,
        xboard.read_features, xboard.read_option, xboard.read_move, xboard.read_score,
        xboard.gives_up, xboard.refuses,
    ):  # fmt: skip
        read(line)
        read(f"info score {line}")
        read(f"option name {line} type spin min {line}")
        read(f"feature {line}")


SAID = Said(
    "Somebody",
    {
        option.name.lower(): option
        for option in (
            Option("Hash", "spin", 1, 64),
            Option("Style", "combo", choices=("Calm", "Wild Card")),
            Option("Book", "check"),
            Option("Log File", "string"),
            Option("Clear Hash", "button"),
            Option("Threads", "spin", 1, 512),
            Option("UCI_Variant", "combo", choices=("chess", "grand")),
            Option("VariantPath", "string"),
        )
    },
)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("Hash", 64, "64"),
        ("hash", 1, "1"),
        ("Style", "Wild Card", "Wild Card"),
        ("Book", True, "true"),
    ],
)
def test_a_document_sets_numbers_choices_and_switches(
    name: str, value: bool | int | str, text: str
) -> None:
    assert option_text(SAID, name, value) == text


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("Hash", 65, "found 65; allowed: 1 to 64"),
        ("Hash", "64", "allowed: a whole number, 1 to 64"),
        ("Hash", True, "allowed: a whole number"),
        ("Style", "Wild", "allowed: one of Calm, Wild Card"),
        ("Book", 1, "allowed: true or false"),
        ("Log File", "/etc/passwd", "and this one is a string"),
        ("Clear Hash", True, "and this one is a button"),
        ("Threads", 1, "not for a document to set"),
        ("UCI_Variant", "grand", "not for a document to set"),
        ("VariantPath", "x", "not for a document to set"),
        ("Hsah", 1, 'no option of Somebody; did you mean "Hash"?'),
    ],
)
def test_a_document_sets_nothing_else(name: str, value: bool | int | str, problem: str) -> None:
    with pytest.raises(OptionError) as caught:
        option_text(SAID, name, value)
    assert problem in str(caught.value)


def test_the_operator_sets_what_he_likes() -> None:
    assert option_text(SAID, "Log File", "/var/log/x", by_operator=True) == "/var/log/x"
    assert option_text(SAID, "Threads", 2, by_operator=True) == "2"
    with pytest.raises(OptionError, match="no option of Somebody"):
        option_text(SAID, "Nonsense", 1, by_operator=True)
