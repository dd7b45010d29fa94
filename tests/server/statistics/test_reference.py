"""All rows of the 50-digit reference, each within its own tolerance; none left out in silence."""

import json
from collections import Counter

import numpy as np
import pytest

from tabia.server.statistics import (
    asymptotic,
    confidence,
    e_values,
    gsprt,
    multiplicity,
    normalized,
    two_arm,
)
from tabia.server.statistics.after_stopping import estimate
from tabia.server.statistics.elo import elo_of, score_of, summary
from tabia.server.statistics.overshoot import Records
from tabia.server.statistics.sprt import characteristics, wald_bounds

from .ledger import DATA

ROWS = json.loads((DATA / "reference.json").read_text())["rows"]
ELSEWHERE = {"ratings": "test_ratings.py"}


def kind_of(row):
    return row["id"].rsplit("-", 1)[0]


def games_per_unit(counts):
    return 2 if len(counts) == 5 else 1


def scores(counts):
    return np.linspace(0, 1, len(counts))


def without_empty_cells(counts):
    return np.where(np.array(counts) == 0, 1e-3, counts)


def mixture_of(row):
    grid = row["grid"]
    if grid["kind"] == "tuned":
        return confidence.tuned(
            grid["n_opt"], grid["var"], grid["alpha"], points=grid["K"], reach=grid["zmax"]
        )
    return confidence.log_uniform(grid["K"], grid["lo"], grid["hi"])


def logistic(row):
    hypotheses = score_of(row["elo0"]), score_of(row["elo1"])
    counts = row["counts"]
    return {
        "llr": gsprt.llr(counts, scores(counts), *hypotheses),
        "llr_regularized_1e3": gsprt.llr(without_empty_cells(counts), scores(counts), *hypotheses),
    }


def normalized_ratio(row):
    arguments = row["counts"], row["nelo0"], row["nelo1"]
    games = games_per_unit(row["counts"])
    return {
        "llr": normalized.llr(*arguments, games_per_unit=games),
        "llr_closed_form": normalized.closed_form(*arguments, games_per_unit=games),
    }


def unpaired(row):
    a, b, support = row["counts_a"], row["counts_b"], scores(row["counts_a"])
    deltas = row["delta0"], row["delta1"]
    means = [float(two_arm.deviance(a, b, support, delta)[1]) for delta in deltas]
    return {
        "llr": two_arm.llr(a, b, support, *deltas),
        "mean_a_under_h0": means[0],
        "mean_a_under_h1": means[1],
    }


def both_sides(row):
    counts, values, delta = row["diff_counts"], row["values"], row["delta"]
    return {
        "llr_up": gsprt.llr(counts, values, 0, delta),
        "llr_down": gsprt.llr(counts, values, 0, -delta),
    }


def fixed_number(row):
    found = summary(row["counts"], games_per_unit=games_per_unit(row["counts"]))
    names = {"elo_lo": "elo_low", "elo_hi": "elo_high", "nelo_err": "nelo_error"}
    return {name: getattr(found, names.get(name, name)) for name in row["expect"]}


def operating(row):
    bounds = wald_bounds(row["alpha"], row["beta"])
    found = characteristics(row["mean"], row["var"], row["s0"], row["s1"], bounds)
    return {
        "lower": bounds.lower,
        "upper": bounds.upper,
        "p_accept_h1": found.accepts_s1,
        "expected_units": found.expected_units,
    }


def stopped(row):
    counts = without_empty_cells(row["counts"])
    found = estimate(counts, row["elo0"], row["elo1"], row["alpha"], row["beta"], row["level"])
    hypotheses = np.array([score_of(row["elo0"]), score_of(row["elo1"])])
    units = counts.sum()
    mean = counts @ scores(counts) / units
    variance = counts @ (scores(counts) - mean) ** 2 / units
    quadratic = units * np.diff(hypotheses)[0] * (mean - hypotheses.mean()) / variance
    return {
        "median": score_of(found.median),
        "lo": score_of(found.low),
        "hi": score_of(found.high),
        "elo_median": found.median,
        "elo_lo": found.low,
        "elo_hi": found.high,
        "llr": np.clip(quadratic, *wald_bounds(row["alpha"], row["beta"])),
    }


def trace(row):
    bounds = wald_bounds(row["alpha"], row["beta"])
    hypotheses = score_of(row["elo0"]), score_of(row["elo1"])
    counts, records, at = np.zeros(row["categories"]), Records.none(), {}
    for units, outcome in enumerate(row["outcomes"], start=1):
        counts[int(outcome)] += 1
        llr = gsprt.llr(counts, scores(counts), *hypotheses)
        at[str(units)] = float(llr)
        records = records.after(llr)
        lower, upper = records.corrected(bounds)
        if units >= row["min_units"] and not lower < llr < upper:
            break
    return {
        "stopped_at": units,
        "state": "H1" if llr >= upper else "H0",
        "counts": counts,
        "llr": llr,
        "upper": upper,
        "lower": lower,
        "llr_at": {key: at[key] for key in row["expect"]["llr_at"]},
    }


def ends(low_high, low="lo", high="hi"):
    return dict(zip((low, high), low_high, strict=True))


def of_moments(row):
    arguments = row["n"], row["mean"], row["sd"], row["alpha"], row["n_opt"]
    return {
        **ends(asymptotic.interval(*arguments), "asym_lo", "asym_hi"),
        **ends(asymptotic.t_mixture_interval(*arguments), "t_lo", "t_hi"),
    }


def betting(row):
    counts = row["counts"]
    return ends(confidence.interval(counts, scores(counts), row["alpha"], mixture_of(row)))


def log_e(row):
    counts = row["counts"]
    found = confidence.log_e_value(counts, scores(counts), row["null_mean"], mixture_of(row))
    return {"log_e": found}


def universal(row):
    counts = row["counts"]
    return ends(e_values.universal_portfolio_interval(counts, scores(counts), row["alpha"]))


def beta_binomial(row):
    arguments = row["successes"], row["trials"], row["null_rate"], row["a"], row["b"]
    return {"log_e": e_values.log_e_beta_binomial(*arguments)}


def holm(row):
    adjusted = multiplicity.holm(row["p"])
    return {"adjusted": adjusted, "reject": adjusted <= row["alpha"]}


ANSWERS = {
    "elo_to_score": lambda row: {"score": score_of(row["elo"])},
    "score_to_elo": lambda row: {"elo": elo_of(row["score"])},
    "llr_logistic_trinomial": logistic,
    "llr_logistic_pentanomial": logistic,
    "llr_normalized": normalized_ratio,
    "llr_two_arm_unpaired": unpaired,
    "llr_paired_diff": lambda row: {
        "llr": gsprt.llr(row["diff_counts"], row["values"], row["delta0"], row["delta1"])
    },
    "sobel_wald": both_sides,
    "fixed_n_summary": fixed_number,
    "sprt_characteristics": operating,
    "sprt_estimate": stopped,
    "cs_betting_loguniform": betting,
    "cs_betting_tuned": betting,
    "log_e_betting_loguniform": log_e,
    "cs_universal_portfolio": universal,
    "cs_asymptotic_and_t": of_moments,
    "log_e_beta_binomial": beta_binomial,
    "gsprt_trace": trace,
    "holm": holm,
    "e_bh": lambda row: {"reject": multiplicity.e_bh(row["e"], row["alpha"])},
}


@pytest.mark.parametrize(
    "row", [row for row in ROWS if kind_of(row) not in ELSEWHERE], ids=lambda row: row["id"]
)
def test_within_the_tolerance_of_the_row(row, close):
    found, expected = ANSWERS[kind_of(row)](row), row["expect"]
    assert set(found) == set(expected)
    for name, value in expected.items():
        if isinstance(value, str):
            assert found[name] == value
        elif isinstance(value, dict):
            assert found[name] == {key: close(each, row["rtol"]) for key, each in value.items()}
        elif isinstance(value, list):
            assert [float(each) for each in found[name]] == [
                close(float(each), row["rtol"]) for each in value
            ]
        else:
            assert float(found[name]) == close(value, row["rtol"]), name


def test_every_row_is_accounted_for():
    kinds = Counter(kind_of(row) for row in ROWS)
    assert sum(kinds.values()) == len({row["id"] for row in ROWS}) == 95
    assert set(kinds) == set(ANSWERS) | set(ELSEWHERE)
    here = sum(number for kind, number in kinds.items() if kind in ANSWERS)
    print(f"{here} rows compared, {95 - here} in {', '.join(ELSEWHERE.values())}")
    assert here == 89
