"""The calculator: its numbers are those of the statistics, its complaints are one line."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tabia.engine.cli import main
from tabia.engine.documents import DocumentError
from tabia.server.calculator.answers import Answer
from tabia.server.calculator.forms import FORMS
from tabia.server.statistics import after_stopping, confidence, gsprt, normalized, planning, two_arm
from tabia.server.statistics.elo import elo_of, score_of, summary

PAIRS = [16, 219, 530, 240, 25]
PENTA = np.linspace(0, 1, 5)


def _answer(form: str, **given: str) -> Answer:
    return FORMS[form].answer(given)


def _line(answer: Answer, label: str) -> str:
    """Value and detail of the line with that label."""
    return next(f"{each.value} {each.detail}" for each in answer.lines if each.label == label)


def _numbers(text: str) -> list[float]:
    return [float(word.replace(",", "")) for word in re.findall(r"[-+]?\d[\d,]*\.?\d*", text)]


def test_pairs_have_a_fixed_sample_interval_and_a_wider_one_that_may_be_watched() -> None:
    answer = _answer("pairs", counts="16 219 530 240 25")
    told = summary(PAIRS)
    low, high = confidence.interval(PAIRS, PENTA, 0.05)
    assert _numbers(_line(answer, "Elo, 95 %, fixed sample")) == pytest.approx(
        [told.elo_low, told.elo_high], abs=0.06
    )
    assert _numbers(_line(answer, "Elo, 95 %, always valid")) == pytest.approx(
        [elo_of(float(low)), elo_of(float(high))], abs=0.06
    )
    assert _numbers(_line(answer, "Normalized Elo")) == pytest.approx(
        [told.nelo, told.nelo_error], abs=0.06
    )
    assert told.los is not None
    assert _numbers(_line(answer, "Likelihood of superiority"))[0] == pytest.approx(
        100 * told.los, abs=0.006
    )


def test_separators_of_counts_do_not_matter() -> None:
    assert _answer("pairs", counts="16,219, 530/240;25") == _answer(
        "pairs", counts="16 219 530 240 25"
    )


@pytest.mark.parametrize("scale", ["normalized", "logistic"])
def test_the_ratio_of_two_hypotheses_stands_with_its_bounds(scale: str) -> None:
    answer = _answer("pairs", counts="16 219 530 240 25", bounds="0 10", scale=scale)
    exact = (
        normalized.llr(PAIRS, 0, 10)
        if scale == "normalized"
        else gsprt.llr(PAIRS, PENTA, score_of(0), score_of(10))
    )
    found = _line(answer, f"LLR of 10 against 0 {scale} Elo")
    assert _numbers(found)[:3] == pytest.approx([float(exact), -2.944, 2.944], abs=1e-3)
    assert found.endswith("goes on")
    assert not any("SPRT-adjusted" in line.label for line in answer.lines)


def test_a_test_that_is_over_has_its_adjusted_estimate() -> None:
    counts = "16 219 530 240 90"
    answer = _answer("pairs", counts=counts, bounds="0 10", scale="logistic")
    honest = after_stopping.estimate([16, 219, 530, 240, 90], 0, 10, 0.05, 0.05, scale="logistic")
    assert _line(answer, "LLR of 10 against 0 logistic Elo").endswith("10 is accepted")
    assert _numbers(_line(answer, "Elo, SPRT-adjusted"))[:3] == pytest.approx(
        [honest.median, honest.low, honest.high], abs=0.06
    )
    assert any("lucky day" in note for note in answer.notes)


def test_single_games_are_given_as_won_drawn_lost() -> None:
    answer = _answer("games", counts="620 900 480")
    assert _numbers(_line(answer, "Elo")) == pytest.approx([elo_of(1070 / 2000)], abs=0.06)
    assert "2,000 games" in _line(answer, "Units")


def test_differences_are_tested_against_the_margin_on_either_side() -> None:
    counts = [31, 12, 880, 18, 59]
    answer = _answer("differences", counts="31 12 880 18 59", margin="0.03")
    ratio = gsprt.llr(counts, np.linspace(-1, 1, 5), 0, 0.03)
    assert _numbers(_line(answer, "A minus B, percentage points")) == pytest.approx([3.1])
    assert _numbers(_line(answer, "LLR of +3 points against 0"))[0] == pytest.approx(
        float(ratio), abs=1e-3
    )
    assert _line(answer, "Three-way test at these counts").strip() == "higher"
    assert _line(answer, "Openings with a difference").strip() == "12.0 %"
    low, high = _numbers(_line(answer, "A minus B, 95 %, always valid"))
    inner = _numbers(_line(answer, "A minus B, 95 %, fixed sample"))
    assert low < inner[0] < 3.1 < inner[1] < high


@pytest.mark.parametrize(
    ("metric", "difference"), [("white_score", 2.0), ("draws", -2.0), ("decisive", 2.0)]
)
def test_two_arms_are_compared_by_any_metric(metric: str, difference: float) -> None:
    answer = _answer("arms", a="410 330 260", b="380 350 270", metric=metric, margin="0.03")
    assert _numbers(_line(answer, "A minus B, percentage points")) == pytest.approx([difference])
    if metric == "white_score":
        exact = two_arm.llr([260, 330, 410], [270, 350, 380], [0, 0.5, 1], 0, 0.03)
        assert _numbers(_line(answer, "LLR of +3 points against 0"))[0] == pytest.approx(
            float(exact), abs=1e-3
        )


@pytest.mark.parametrize(
    ("form", "counts"),
    [
        ("pairs", "0 0 10 0 0"),
        ("pairs", "0 0 0 0 1"),
        ("games", "0 0 7"),
        ("games", "0 1 0"),
        ("differences", "0 0 500 0 0"),
        ("differences", "3 0 0 0 0"),
    ],
)
def test_units_that_are_all_alike_have_an_answer_that_says_so(form: str, counts: str) -> None:
    margin = "0.03" if form == "differences" else "20"
    bounds = {} if form == "differences" else {"bounds": "0 10"}
    answer = _answer(form, counts=counts, margin=margin, **bounds)
    assert "every unit is alike" in answer.headline
    assert "nan" not in repr(answer)


def test_costs_are_those_of_the_plan_beside_a_fixed_sample() -> None:
    answer = _answer("plan", margin="20", variance="0.0625", nodes="1000", nps="100000", plies="90")
    told = planning.plan("sobel-wald", score_of(20) - 0.5, 0.0625)
    assert answer.table is not None
    rows = {row[:2]: _numbers(" ".join(row[2:])) for row in answer.table.rows}
    units, _, games, hours = rows[("Three-way (Sobel–Wald)", "half the margin")]
    assert units == pytest.approx(told.halfway.mean, abs=1)
    assert games == 2 * units
    assert hours == pytest.approx(games * 90 * 1000 / 100_000 / 3600, rel=0.02)
    # One-sided, 10.8 sigma^2 / margin^2 (Wald's own comparison).
    fixed = rows[("Fixed sample, one-sided", "any")][0]
    assert fixed == pytest.approx(10.82 * 0.0625 / (score_of(20) - 0.5) ** 2, rel=0.01)
    assert rows[("Two hypotheses (GSPRT)", "none")][0] < 0.55 * fixed


def test_normalized_elo_costs_the_same_games_whatever_the_draw_rate() -> None:
    tables = [
        _answer("plan", question="normalized", margin="10", draws=draws).table
        for draws in ("0.1", "0.8")
    ]
    assert tables[0] == tables[1]


def test_a_tenth_of_the_units_touched_costs_a_tenth_and_a_rarer_rule_costs_more() -> None:
    everywhere = _answer("plan", question="white_score", margin="0.03")
    tenth = _answer("plan", question="white_score", margin="0.03", touched="0.1")
    assert everywhere.table is not None
    assert tenth.table is not None
    of_all = _numbers(everywhere.table.rows[1][2])[0]
    assert _numbers(tenth.table.rows[1][2])[0] == pytest.approx(of_all / 10, abs=1)
    per_touch = _line(tenth, "If the margin is meant in touched units only")
    assert _numbers(per_touch)[0] == pytest.approx(10 * of_all, rel=0.001)
    assert any("Coupling saves games for the same overall effect" in note for note in tenth.notes)


@pytest.mark.parametrize(
    ("form", "given", "key"),
    [
        ("pairs", {}, "counts"),
        ("pairs", {"counts": "1 2 3"}, "counts"),
        ("pairs", {"counts": "1 2 3 4 x"}, "counts"),
        ("pairs", {"counts": "0 0 0 0 0"}, "counts"),
        ("pairs", {"counts": "-1 2 3 4 5"}, "counts"),
        ("pairs", {"counts": f"1 2 3 4 {10**30}"}, "counts"),
        ("pairs", {"counts": "1 2 3 4 ²"}, "counts"),
        ("pairs", {"counts": "1 2 3 4 5", "bounds": "10 0"}, "bounds"),
        ("pairs", {"counts": "1 2 3 4 5", "bounds": "0 inf"}, "bounds"),
        ("pairs", {"counts": "1 2 3 4 5", "bounds": "0"}, "bounds"),
        ("pairs", {"counts": "1 2 3 4 5", "scale": "elo"}, "scale"),
        ("pairs", {"counts": "1 2 3 4 5", "alpha": "0"}, "alpha"),
        ("pairs", {"counts": "1 2 3 4 5", "beta": "nan"}, "beta"),
        ("pairs", {"counts": "1 2 3 4 5", "margin": "0"}, "margin"),
        ("arms", {"a": "1 2 3"}, "b"),
        ("arms", {"a": "1 2 3", "b": "1 2 3", "metric": "length"}, "metric"),
        ("differences", {"counts": "1 2 3 4 5", "margin": "1"}, "margin"),
        ("plan", {}, "margin"),
        ("plan", {"margin": "20", "question": "white_score"}, "margin"),
        ("plan", {"margin": "0.3", "question": "draws", "touched": "0.1"}, "margin"),
        ("plan", {"margin": "20", "variance": "0.3"}, "variance"),
        ("plan", {"margin": "20", "draws": "1"}, "draws"),
        ("plan", {"margin": "20", "nps": "1e99"}, "nps"),
    ],
)
def test_what_cannot_be_is_refused_with_its_field_and_what_is_allowed(
    form: str, given: dict[str, str], key: str
) -> None:
    with pytest.raises(DocumentError) as refused:
        _answer(form, **given)
    assert refused.value.key == key
    assert re.search("allowed: |needed: ", refused.value.problem)


def test_the_command_line_prints_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "pairs", *map(str, PAIRS), "--bounds", "-5", "5"]) == 0
    printed = capsys.readouterr().out
    answer = _answer("pairs", counts="16 219 530 240 25", bounds="-5 5")
    assert answer.headline.split(",")[0] in printed
    for line in answer.lines:
        assert re.search(rf"^  {re.escape(line.label)} +{re.escape(line.value)}", printed, re.M)
    assert main(["stats", "plan", "--margin", "20"]) == 0
    assert "Three-way (Sobel–Wald)" in capsys.readouterr().out


def test_the_command_line_says_in_one_line_what_is_wrong(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["stats", "pairs", "1", "2"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(r"tabia: stats pairs:counts: found \"1 2\"; allowed: .*\n", told.err)
    assert main(["stats", "arms", "--a", "1", "2", "3"]) == 2
    assert capsys.readouterr().err.startswith("tabia: stats arms:b: missing; needed: ")


@pytest.mark.parametrize("form", FORMS)
def test_every_form_explains_itself(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", form, "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    for field in FORMS[form].fields:
        assert field.hint in told
