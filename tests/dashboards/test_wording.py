"""Numbers as people read them."""

from __future__ import annotations

import pytest

from tabia.dashboards import standing, wording


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0, 0, "0"),
        (12345.4, 0, "12,345"),
        (-3.25, 1, "−3.2"),
        (-0.04, 1, "0.0"),
        (0.04, 1, "0.0"),
    ],
)
def test_numbers_have_true_minus_signs_and_no_negative_zero(
    value: float, digits: int, text: str
) -> None:
    assert wording.number(value, digits) == text


@pytest.mark.parametrize(
    ("value", "text"), [(12.4, "+12"), (-3, "−3"), (0.2, "0"), (-0.2, "0"), (1234, "+1,234")]
)
def test_signed_numbers_show_their_sign_unless_they_read_zero(value: float, text: str) -> None:
    assert wording.signed(value) == text


def test_values_carry_their_unit_and_intervals_do_not_repeat_it() -> None:
    assert wording.level(0.5342, "share") == "53.4\u202f%"
    assert wording.difference(0.021, "share") == "+2.1\u202fpp"
    assert wording.difference(-12.3, "elo") == "−12\u202fElo"
    assert wording.span({"low": -0.003, "high": 0.045}, "share") == "[−0.3, +4.5]"
    assert wording.span({"low": 0.512, "high": 0.557}, "share", of_difference=False) == (
        "[51.2, 55.7]"
    )
    assert wording.span({"low": -3.2, "high": 27.1}, "elo") == "[−3, +27]"


def test_a_share_of_nothing_is_a_dash() -> None:
    assert wording.share(0, 0) == "–"
    assert wording.share(1, 3) == "33.3\u202f%"


def test_times_are_written_out_with_their_zone() -> None:
    assert wording.moment("2026-01-05T14:03:59+00:00") == "5 January 2026, 14:03 UTC"
    assert wording.moment(None) == "–"


def test_small_p_values_are_never_zero() -> None:
    assert wording.p_value(0.0341) == "0.034"
    assert wording.p_value(0.0) == "< 0.001"


def test_confidence_is_what_alpha_leaves() -> None:
    assert wording.confidence(0.05) == "95\u202f%"
    assert wording.confidence(0.001) == "99.9\u202f%"


def test_keys_break_after_dots_and_stay_escaped() -> None:
    assert wording.breakable("endings.n_move.<b>") == "endings.<wbr>n_<wbr>move.<wbr>&lt;b&gt;"


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), ([], "–"), (True, "yes"), ([8, 9], "8, 9"), (0, "0")]
)
def test_rule_values_read_as_words(value: object, text: str) -> None:
    assert wording.rule_value(value) == text


def test_ends_without_a_bound_are_infinite_and_values_that_cannot_be_said_are_dashes() -> None:
    assert wording.span({"low": None, "high": 27.0}, "elo") == "[−∞, +27]"
    assert wording.span({"low": -0.01, "high": None}, "share") == "[−1.0, +∞]"
    assert wording.difference(None, "elo") == "–"
    assert wording.level(None, "share") == "–"


def test_the_headline_is_the_first_sentence_and_not_a_part_of_a_number() -> None:
    assert standing.headline("3.1 % are drawn. Decided after 64.") == (
        "3.1 % are drawn.",
        "Decided after 64.",
    )
    assert standing.headline("No games yet.") == ("No games yet.", "")


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "over 99.9\u202f%"), (0.0, "below 0.1\u202f%"), (0.5, "50.0\u202f%")]
)
def test_nothing_is_said_to_be_certain(value: float, text: str) -> None:
    assert wording.likelihood(value) == text


@pytest.mark.parametrize(
    ("log_e", "text"), [(None, "–"), (0.0, "1.0"), (3.0, "20"), (6.2, "493"), (50.0, "over 10,000")]
)
def test_e_values_are_read_from_their_logarithms(log_e: float | None, text: str) -> None:
    assert wording.e_value(log_e) == text


def test_a_terminals_text_is_typeset_but_for_the_hyphens_of_words() -> None:
    assert wording.typeset("-3.2 to -∞, fixed-sample, 95 %, up to 10-20") == (
        "−3.2 to −∞, fixed-sample, 95\u202f%, up to 10-20"
    )


def test_lengths_are_levels_in_plies_and_differences_in_per_cent() -> None:
    assert wording.level(96.42, "percent") == "96.4\u202fplies"
    assert wording.difference(-5.2, "percent") == "−5.2\u202f%"
    assert wording.span({"low": 91.0, "high": 99.0}, "percent", of_difference=False) == (
        "[91.0, 99.0]"
    )
