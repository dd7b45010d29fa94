"""How far a path jumps over its bounds."""

import numpy as np
import pytest

from tabia.server.statistics.elo import score_of
from tabia.server.statistics.gsprt import llr
from tabia.server.statistics.overshoot import Records
from tabia.server.statistics.sprt import wald_bounds


@pytest.mark.reference("sprt", "paths")
def test_a_whole_test_stops_where_the_reference_stops(row, close):
    """One GSPRT with a look at every unit, bounds corrected by the records up to and with it."""
    bounds = wald_bounds(row["alpha"], row["beta"])
    support = np.linspace(0, 1, row["categories"])
    hypotheses = [score_of(elo) for elo in row["elo"]]
    cells = np.zeros(row["categories"])
    records = Records.none()
    for units, outcome in enumerate(row["outcomes"], start=1):
        cells[int(outcome)] += 1
        value = llr(cells, support, *hypotheses)
        if str(units) in row["llr_at"]:
            assert value == close(row["llr_at"][str(units)], row["rtol"])
        records = records.after(value)
        lower, upper = records.corrected(bounds)
        if units >= row["min_units"] and not lower < value < upper:
            break
    assert units == row["stopped_at"]
    assert row["accepts"] == ("H1" if value >= upper else "H0")
    assert value == close(row["llr"], row["rtol"])
    assert (lower, upper) == (close(row["lower"], row["rtol"]), close(row["upper"], row["rtol"]))


def test_only_records_move_the_bounds():
    bounds = wald_bounds(0.05, 0.05)
    records = Records.none()
    assert records.corrected(bounds) == bounds
    for value in (0.5, 0.2, 0.5, 0.4):
        records = records.after(np.float64(value))
    # One record of height 0.5: an excess of 0.5^2 / (2 * 0.5).
    assert records.corrected(bounds) == (bounds.lower, bounds.upper - 0.25)
    records = records.after(np.float64(0.6)).after(np.float64(-0.2))
    lower, upper = records.corrected(bounds)
    assert upper == pytest.approx(bounds.upper - (0.25 + 0.01) / 1.2)
    assert lower == pytest.approx(bounds.lower + 0.1)
