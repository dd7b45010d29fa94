"""What our peers' programs answer, row by row: the same, or known to be wrong, or not our question.

Every number of theirs in ``tests/data/statistics/peers*`` is compared or left out for a reason; the
totals are asserted (and printed, ``pytest -s``), so that nothing is skipped in silence. Where a
peer is at fault, the fault is named and what we answer instead is checked.

Not in the files at all: fishtest's chi-squared tests of its workers (8 examples; a volunteer's
batches are replayed instead) and its scheduling (5 tables), which are no statistics of games.
"""

import json
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import t as student

from tabia.server.statistics import after_stopping, gsprt, normalized
from tabia.server.statistics.after_stopping import estimate
from tabia.server.statistics.brownian import outcome_cdf
from tabia.server.statistics.elo import elo_of, score_of, summary
from tabia.server.statistics.gsprt import NoInformationError
from tabia.server.statistics.overshoot import Records
from tabia.server.statistics.sprt import Bounds, wald_bounds

from .ledger import DATA, Ledger, number, table

PEERS = json.loads((DATA / "peers.json").read_text())

# Why a number of theirs is not compared.
ABSENT = "not asked of this program"
BAYES = "BayesElo: three programs, three definitions; not offered"
APPROXIMATE = "an approximation of the ratio that we do not offer"
JEFFREYS = "cutechess: BayesElo scaled, with half a game invented in every cell; not offered"

# Where theirs is at fault, and ours is checked to be what it should be instead.
#
#   clamped      fishtest's estimate ends at +-1000 Elo, ours goes on (to infinity at a score of 1)
#   early        fishtest takes three terms of a series for paths that stopped early: its
#                probabilities are off by up to 1e-6, its Elo by up to 0.0025 (ours is exact, see
#                test_brownian.py)
#   iteration    fastchess stops its iteration early when all pairs are alike
#   closed       fastchess has an approximation of the logistic ratio, off by up to 0.002
#   rounded      the same near 0, where its rounding is all there is
#   clipped      fishtest and OpenBench clip scores at 0.001 before they take their Elo
#   no spread    fastchess and OpenBench give an interval of width 0, or nan, when all are alike
#   quantile     variantfishtest's normal distribution and its inverse are approximate
#   student      OpenBench takes Student's t, we take the normal distribution: the same at the level
#                at which both have the same quantile

EARLY = {
    ("fishtest __main__ example 2", "normalized", -1.75, 0.25),
    ("OpenBench __main__ example", "normalized", -1.75, 0.25),
    ("fastchess normalized penta 1", "normalized", -1.75, 0.25),
    ("fastchess normalized penta 2", "normalized", -1.75, 0.25),
    ("fastchess all WW", "logistic", 0, 10),
    ("fastchess all WW", "logistic", -10, 10),
    ("one pair WW", "logistic", 0, 10),
    ("one pair WW", "logistic", -10, 10),
    ("ten pairs WW", "logistic", 0, 10),
    ("ten pairs WW", "logistic", -10, 10),
    ("high elo gap", "logistic", 0, 10),
    ("high elo gap", "logistic", -10, 10),
    ("negative elo gap", "logistic", 0, 10),
    ("negative elo gap", "logistic", -10, 10),
    ("skewed", "logistic", 0, 10),
    ("skewed", "logistic", -10, 10),
    ("h1 like", "logistic", -3, 1),
    ("h1 like", "normalized", 0, 5),
    ("h1 like", "normalized", -5, 5),
    ("small mixed", "logistic", -10, 10),
    ("fastchess normalized tri 3 all wins", "logistic", 0, 10),
    ("cutechess test3", "logistic", 0, 10),
    ("fishtest main 5", "logistic", 0, 5),
    ("fishtest main 5", "normalized", 0, 10),
    ("drawless", "logistic", 0, 10),
    ("OpenBench main", "normalized", -1.75, 0.25),
    ("single win", "logistic", 0, 10),
}
CLIPPED = {"fishtest_error cutechess test3"}


def cells(row):
    return np.array([int(cell) for cell in row["counts"].split(",")], dtype=float)


def without_empty_cells(counts):
    """What the peers count in an empty cell."""
    return np.where(np.asarray(counts) == 0, 1e-3, counts).astype(float)


def games_per_unit(counts):
    return 2 if len(counts) == 5 else 1


def ratio(counts, model, elo0, elo1):
    if model == "logistic":
        hypotheses = (score_of(elo0), score_of(elo1))
        return float(gsprt.llr(counts, np.linspace(0, 1, len(counts)), *hypotheses))
    return float(normalized.llr(counts, elo0, elo1, games_per_unit=games_per_unit(counts)))


def bounded(row):
    return row["model"], float(row["elo0"]), float(row["elo1"])


def test_log_likelihood_ratios():
    ledger = Ledger()
    for row in table("peers_llr.tsv"):
        counts, (model, elo0, elo1) = cells(row), bounded(row)
        columns = ("fishtest", "openbench", "fastchess", "closed", "quadratic")
        for column in ("legacy", "openbench_games", "cutechess", "variantfishtest"):
            ledger.leave(
                ABSENT if row[column] == "-" else JEFFREYS if column == "cutechess" else BAYES
            )
        if model == "BayesElo":
            for column in columns:
                ledger.leave(ABSENT if row[column] == "-" else BAYES)
            continue
        full = without_empty_cells(counts)
        ours = ratio(full, model, elo0, elo1)
        alike = np.count_nonzero(counts) == 1
        for column in columns:
            theirs, what = number(row[column]), f"{column} {row['name']} {model} {elo0} {elo1}"
            if theirs is None:
                ledger.leave(ABSENT)
            elif column in ("fishtest", "openbench"):
                ledger.compare(what, ours, theirs, 1e-6 * max(1, abs(theirs)))
            elif column == "quadratic" or (column == "closed" and model == "logistic"):
                ledger.leave(APPROXIMATE)
            elif column == "closed":
                games = games_per_unit(counts)
                found = normalized.closed_form(full, elo0, elo1, games_per_unit=games)
                ledger.compare(what, float(found), theirs, 1e-9 * max(1, abs(theirs)))
            elif abs(ours) < 1e-9:
                ledger.compare(f"rounded: {what}", ours, theirs, 1e-8)
            elif alike and model == "normalized":
                ledger.compare(f"iteration: {what}", ours, theirs, max(1e-3, 0.02 * abs(ours)))
            else:
                near_zero = 2e-3 if model == "logistic" else 0  # "closed"
                ledger.compare(what, ours, theirs, max(near_zero, 1e-3 * abs(theirs)))
    ledger.close(1146, {ABSENT: 3139, APPROXIMATE: 240, JEFFREYS: 88, BAYES: 364})


def test_estimates_after_stopping():
    ledger = Ledger()
    for row in table("peers_llr.tsv"):
        counts, (model, elo0, elo1) = cells(row), bounded(row)
        names = ("median", "low", "high", "los")
        if model == "BayesElo":
            for _ in names:
                ledger.leave(BAYES)
            continue
        if np.count_nonzero(counts) < 2:
            # Not even an error is like ours: they read an estimate off the cells they invented.
            with pytest.raises(NoInformationError):
                estimate(counts, elo0, elo1, 0.05, 0.05)
        ours = estimate(
            without_empty_cells(counts),
            elo0,
            elo1,
            0.05,
            0.05,
            scale=model,
            games_per_unit=games_per_unit(counts),
        )
        for name in names:
            theirs, found = float(row[name]), getattr(ours, name)
            what = f"{name} {row['name']} {model} {elo0} {elo1}"
            if name == "los":
                ledger.compare(what, found, theirs, 1e-6)
            elif abs(theirs) == 1000:
                ledger.check(f"clamped: {what} {found}", found / theirs >= 1)
            elif (row["name"], model, elo0, elo1) in EARLY:
                ledger.compare(f"early: {what}", found, theirs, max(2.5e-3, 2e-4 * abs(theirs)))
            else:
                ledger.compare(what, found, theirs, 1e-4)
    ledger.close(1724, {BAYES: 488})


def half_width(found):
    if found.elo_low is None:
        return None
    return (found.elo_high - found.elo_low) / 2


def test_fixed_numbers_of_games():
    ledger = Ledger()
    theirs_95 = 2 * NormalDist().cdf(1.9571619) - 1
    for row in table("peers_fixed.tsv"):
        counts = cells(row)
        games, units = games_per_unit(counts), counts.sum()
        exact = summary(counts, games_per_unit=games)
        full = summary(without_empty_cells(counts), games_per_unit=games)
        approximate = summary(counts, games_per_unit=games, level=theirs_95)
        quantile = student.ppf(0.975, units - 1) if units > 1 else 1.96
        spread = summary(counts, games_per_unit=games, level=2 * NormalDist().cdf(quantile) - 1)
        answers = {
            "fastchess_elo": exact.elo,
            "fastchess_error": half_width(exact),
            "fastchess_nelo": exact.nelo,
            "fastchess_nelo_error": exact.nelo_error,
            "fastchess_score": exact.score,
            "fastchess_los_pct": None if exact.los is None else 100 * exact.los,
            "fishtest_elo": full.elo,
            "fishtest_error": half_width(full),
            "fishtest_los": full.los,
            "openbench_low": spread.elo_low,
            "openbench_elo": exact.elo,
            "openbench_high": spread.elo_high,
            "variantfishtest_elo": exact.elo,
            "variantfishtest_error": half_width(approximate),
            "variantfishtest_los": exact.los,
        }
        for column, ours in answers.items():
            theirs, what = number(row[column]), f"{column} {row['name']}"
            tolerance = 1e-6 * max(abs(theirs or 0), 1e-3)
            if row[column] == "-":
                ledger.leave(ABSENT)
            elif theirs is None:
                undefined = ours is None or not np.isfinite(ours)
                ledger.check(f"no spread: {what} {ours}", undefined or column.endswith("_elo"))
            elif ours is None:
                ledger.check(f"no spread: {what} {theirs}", np.count_nonzero(counts) < 2)
            elif not np.isfinite(ours) or abs(theirs) > 1199 or what in CLIPPED:
                ledger.check(f"clipped: {what} {ours} {theirs}", abs(ours) > abs(theirs))
            elif column == "fastchess_los_pct":
                ledger.compare(what, ours, theirs, 0.0051)
            elif column == "variantfishtest_los":
                ledger.compare(f"quantile: {what}", ours, theirs, 5e-4)
            else:
                ledger.compare(what, ours, theirs, tolerance)
    ledger.close(624, {ABSENT: 171})


def test_outcomes_of_a_brownian_motion():
    ledger = Ledger()
    for row in table("peers_brownian.tsv"):
        a, b, mu, sigma, steps, y, theirs = (float(each) for each in row.values())
        ours = outcome_cdf(mu / sigma**2, sigma**2 * steps, y, Bounds(a, b))
        ledger.compare(f"early: {row}", float(ours), theirs, 1e-6)
    ledger.close(225, {})


@pytest.mark.parametrize("row", PEERS["sequences"], ids=lambda row: row["final_state"])
def test_whole_tests_with_fishtest_s_correction_for_overshoot(row):
    """Batch by batch: the ratio, its records, and where the test ends."""
    counts, records, bounds = np.zeros(5), Records.none(), wald_bounds(0.05, 0.05)
    trace = {units: rest for units, *rest in row["trace"]}
    outcomes = row["pair_outcomes_0to4"]
    seen = 0
    for first in range(0, len(outcomes), row["batch_pairs"]):
        for outcome in outcomes[first : first + row["batch_pairs"]]:
            counts[int(outcome)] += 1
        value = ratio(without_empty_cells(counts), row["model"], row["elo0"], row["elo1"])
        records = records.after(np.float64(value))
        lower, upper = records.corrected(bounds)
        if counts.sum() in trace:
            llr, low, low_squares, high, high_squares = trace[counts.sum()]
            assert value == pytest.approx(llr, abs=1e-6)
            assert records.low == pytest.approx(low, abs=1e-6)
            assert records.low_squares == pytest.approx(low_squares, abs=1e-6)
            assert records.high == pytest.approx(high, abs=1e-6)
            assert records.high_squares == pytest.approx(high_squares, abs=1e-6)
            seen += 1
        if not lower < value < upper:
            break
    assert seen == len(trace)
    assert counts.tolist() == row["final_counts"]
    assert counts.sum() == len(outcomes)
    assert value == pytest.approx(row["final_llr"], abs=1e-6)
    assert (value >= upper) == (row["final_state"] == "accepted")


def test_suites_of_theirs():
    """What their own test suites assert, at their tolerance, and what they print today at ours."""
    ledger = Ledger()
    for row in PEERS["suite"]:
        counts, what = np.array(row["counts"], dtype=float), f"{row['source']} {row['counts']}"
        if row["kind"] == "elo":
            found = summary(counts, games_per_unit=games_per_unit(counts))
            ours = {
                "elo": found.elo,
                "elo_err95": half_width(found),
                "nelo": found.nelo,
                "nelo_err95": found.nelo_error,
                "los_pct": 100 * found.los,
            }
            for name, theirs in row["expected"].items():
                if name == "draw_ratio_pct":
                    ledger.compare(f"{name} {what}", 100 * counts[2] / counts.sum(), theirs, 0.0051)
                else:
                    ledger.compare(f"{name} {what}", ours[name], theirs, 0.0051)
            continue
        if row.get("model") not in ("logistic", "normalized"):
            ledger.leave(JEFFREYS if row["kind"] == "llr_cutechess_model" else BAYES)
            continue
        found = ratio(without_empty_cells(counts), row["model"], row["elo0"], row["elo1"])
        theirs = row["expected_llr"]
        ledger.compare(what, found, theirs, row["rel_tolerance"] * abs(theirs))
        for name, value in row["recomputed"].items():
            tolerance = 1e-3 if name == "fastchess" else 1e-6
            ledger.compare(f"{name} {what}", found, value, tolerance * max(1, abs(value)))
    ledger.close(72, {BAYES: 7, JEFFREYS: 3})


def test_degenerate_counts():
    """Where they raise, or answer from cells they invented, ours is finite, or a named error."""
    ledger = Ledger()
    for row in PEERS["degenerate"]:
        counts = np.array(row["counts"], dtype=float)
        model, elo0, elo1 = row["model"], row["elo0"], row["elo1"]
        for each in (m for m in ("logistic", "normalized") if model in (m, "BayesElo")):
            assert np.isfinite(ratio(counts, each, elo0, elo1)), row
        if np.count_nonzero(counts) < 2:
            assert not gsprt.informative(counts)
            with pytest.raises(NoInformationError):
                after_stopping.estimate(counts, elo0, elo1, 0.05, 0.05)
        for name in set(row) - {"counts", "source", "model", "elo0", "elo1"}:
            theirs, what = row[name], f"{name} {row}"
            invented = without_empty_cells(counts)
            if theirs is None:
                ledger.leave(ABSENT)
            elif name == "fishtest_alt":
                found = normalized.closed_form(invented, elo0, elo1)
                ledger.compare(what, float(found), theirs, 1e-9 * abs(theirs))
            elif name in ("openbench_trinomial", "variantfishtest", "fishtest_convert_bounds"):
                ledger.leave(BAYES)
            elif name == "fishtest_logistic":
                found = ratio(invented, "logistic", elo0, elo1)
                ledger.compare(what, found, theirs, 1e-6 * max(1, abs(theirs)))
            elif isinstance(theirs, dict) or theirs == "nan":
                ledger.check(f"raises: {what}", np.isfinite(ratio(invented, model, elo0, elo1)))
            else:
                found = ratio(invented, model, elo0, elo1)
                ledger.compare(what, found, theirs, 1e-6 * max(1, abs(theirs)))
    ledger.close(48, {ABSENT: 20, BAYES: 12})


def test_conversions():
    ledger = Ledger()
    for row in PEERS["conversions"]:
        if row["fn"] == "bayeselo_to_proba":
            ledger.leave(BAYES)
        elif row["fn"] == "L(elo)->score":
            ledger.compare(str(row), score_of(row["elo"]), row["score"], 1e-11)
            ledger.compare(str(row), elo_of(row["score"]), row["elo"], 1e-7)
        else:
            found = summary(row["counts"])
            units = sum(row["counts"])
            ledger.compare(str(row), found.score, row["mean"], 1e-11)
            ledger.compare(str(row), found.se**2 * units, row["var_pair"], 1e-11)
            ledger.compare(str(row), (2 * units) ** 0.5 * found.se, row["sigma_per_game"], 1e-11)
            ledger.compare(str(row), found.nelo, row["nelo"], 1e-9)
            ledger.leave("skewness and excess kurtosis are not offered")
    ledger.close(28, {BAYES: 12, "skewness and excess kurtosis are not offered": 3})


def test_a_page_of_fishtest():
    (page,) = PEERS["page"]
    counts = page["counts_LL_LD_DDWL_WD_WW"]
    ours, now = summary(counts), page["recomputed"]
    assert ratio(counts, "normalized", 0, 4) == pytest.approx(now["llr_normalized"], abs=1e-6)
    assert normalized.closed_form(counts, 0, 4) == pytest.approx(now["llr_normalized_alt"])
    assert (ours.score, ours.nelo) == pytest.approx((now["mean"], now["nelo"]))
    assert ours.se**2 * sum(counts) == pytest.approx(now["var"])
    upper = 0.5 + 4 / ours.nelo * (ours.score - 0.5)
    assert elo_of(upper) == pytest.approx(now["h1_logistic"], rel=1e-9)
    assert ratio(counts, "logistic", 0, elo_of(upper)) == pytest.approx(
        now["llr_logistic_at_converted_bounds"], abs=1e-6
    )
    found = estimate(counts, 0, 4, 0.05, 0.05, scale="normalized")
    median, interval, los = now["sprt_elo"]
    assert found[:3] == pytest.approx([median, *interval], abs=1e-4)
    assert found.los == pytest.approx(los, abs=1e-6)
    # The page itself was made before fishtest's issue 2571, when its interval was not monotone.
    assert page["page"]["elo"] == pytest.approx(found.median, abs=1e-4)
    assert abs(page["page"]["ci"][0] - found.low) > 2


def test_bounds():
    for row in PEERS["bounds"]:
        found = wald_bounds(row["alpha"], row["beta"])
        assert found == pytest.approx((row["lower"], row["upper"]), rel=1e-11)
    assert len(PEERS["bounds"]) == 6
