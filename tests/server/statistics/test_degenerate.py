"""Whatever goes in, every public function answers with numbers or with a ValueError that says why.

Never NaN, never another exception, never a warning (which the test run makes an error).
"""

import inspect
from importlib import import_module
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tabia.server.statistics import (
    after_stopping,
    asymptotic,
    brownian,
    confidence,
    e_values,
    elo,
    gsprt,
    multiplicity,
    normalized,
    overshoot,
    planning,
    sequential,
    sobel_wald,
    sprt,
    two_arm,
)

MODULES = [
    "after_stopping", "asymptotic", "brownian", "confidence", "e_values", "elo", "gsprt",
    "multiplicity", "normalized", "overshoot", "planning", "sequential", "sobel_wald", "sprt",
    "two_arm",
]  # fmt: skip

ODD = [0.0, 1.0, -1.0, 0.5, 1e-300, 1e308, np.inf, -np.inf, np.nan]
sizes = st.one_of(st.just(0), st.integers(0, 3), st.integers(0, 10**6), st.sampled_from([1e-3]))
cells = st.one_of(
    st.lists(sizes, min_size=5, max_size=5),
    st.tuples(st.integers(0, 4), st.integers(1, 10**6)).map(
        lambda drawn: [drawn[1] if place == drawn[0] else 0 for place in range(5)]
    ),
)
numbers = st.one_of(st.floats(-3000, 3000), st.sampled_from(ODD))
rates = st.one_of(st.floats(0.001, 0.999), st.sampled_from(ODD))

PAIRS = np.linspace(0, 1, 5)
BOUNDS = sprt.wald_bounds(0.05, 0.05)


def path_after(path, limits, *ratios):
    for ratio in ratios:
        path = path.after(np.asarray(ratio), limits)
    return [*path.records, path.conclusion, *path.bounds(limits)]


class Drawn(NamedTuple):
    """Two rows of counts, two numbers and two rates."""

    c: list[float]
    d: list[float]
    x: float
    y: float
    p: float
    q: float


CALLS = {
    "after_stopping.estimate": lambda of: [
        after_stopping.estimate(of.c, of.x, of.y, of.p, of.q),
        after_stopping.estimate(of.c, of.x, of.y, 0.05, 0.05, scale="normalized"),
        after_stopping.estimate(of.c, 0, 20, 0.05, 0.05, of.p),
    ],
    "after_stopping.estimates": lambda of: after_stopping.estimates(
        [of.c, of.d], of.x, of.y, of.p, of.q
    ),
    "asymptotic.boundary": lambda of: asymptotic.boundary(of.x, of.p, of.y),
    "asymptotic.watched_half_width": lambda of: asymptotic.watched_half_width(
        of.x, of.y, of.p, 1000
    ),
    "asymptotic.log_e_value": lambda of: asymptotic.log_e_value(of.x, of.y, of.q, of.p, 500),
    "asymptotic.interval": lambda of: asymptotic.interval(of.x, of.y, of.q, of.p, 500),
    "asymptotic.t_mixture_interval": lambda of: asymptotic.t_mixture_interval(
        of.x, of.y, of.q, of.p, 500
    ),
    "brownian.outcome_cdf": lambda of: brownian.outcome_cdf(of.x, of.y, of.p, BOUNDS, of.q),
    "brownian.drift_at": lambda of: brownian.drift_at(of.p, of.y, of.q, BOUNDS),
    "brownian.absorbed_below": lambda of: brownian.absorbed_below(of.x, BOUNDS, of.q),
    "confidence.log_uniform": lambda of: confidence.log_uniform(20, of.p, of.q),
    "confidence.tuned": lambda of: confidence.tuned(of.x, of.y, of.p),
    "confidence.log_e_value": lambda of: confidence.log_e_value(of.c, PAIRS, of.p),
    "confidence.anytime_p_value": lambda of: confidence.anytime_p_value(of.x),
    "confidence.interval": lambda of: confidence.interval([of.c, of.d], PAIRS, of.p),
    "e_values.log_e_beta_binomial": lambda of: e_values.log_e_beta_binomial(of.c[0], of.c[1], of.p),
    "e_values.log_e_universal_portfolio": lambda of: e_values.log_e_universal_portfolio(
        of.c, PAIRS, of.p
    ),
    "e_values.universal_portfolio_interval": lambda of: e_values.universal_portfolio_interval(
        [of.c, of.d], PAIRS, of.p
    ),
    "elo.score_of": lambda of: elo.score_of(of.x),
    "elo.elo_of": lambda of: elo.elo_of(of.p),
    "elo.normalized_elo": lambda of: elo.normalized_elo(of.c),
    "elo.summary": lambda of: [elo.summary(of.c), elo.summary(of.d, level=of.p)],
    "gsprt.deviance": lambda of: gsprt.deviance([of.c, of.d], PAIRS, of.p),
    "gsprt.llr": lambda of: gsprt.llr([of.c, of.d], PAIRS, of.p, of.q),
    "gsprt.informative": lambda of: gsprt.informative([of.c, of.d]),
    "multiplicity.holm": lambda of: multiplicity.holm([of.p, of.q, 0.5]),
    "multiplicity.e_bh": lambda of: multiplicity.e_bh([of.x, of.y, 3], of.p),
    "normalized.deviance": lambda of: normalized.deviance([of.c, of.d], of.x),
    "normalized.llr": lambda of: normalized.llr([of.c, of.d], of.x, of.y),
    "normalized.interval": lambda of: normalized.interval([of.c, of.d], of.p),
    "normalized.closed_form": lambda of: normalized.closed_form([of.c, of.d], of.x, of.y),
    "planning.plan": lambda of: planning.plan("gsprt", of.x, of.y, of.p, of.q),
    "planning.length": lambda of: planning.length("gsprt", of.x, of.p, of.q),
    "planning.effort": lambda of: planning.effort(of.x, 2, of.y),
    "planning.level_pair_variance": lambda of: planning.level_pair_variance(of.p),
    "planning.rate_pair_variance": lambda of: planning.rate_pair_variance(of.p),
    "planning.unpaired_variance": lambda of: planning.unpaired_variance(of.x, of.y),
    "planning.coupled_variance": lambda of: planning.coupled_variance(of.x, of.p),
    "sobel_wald.bounds": lambda of: sobel_wald.bounds(of.p, of.q),
    "sprt.wald_bounds": lambda of: sprt.wald_bounds(of.p, of.q),
    "sprt.characteristics": lambda of: sprt.characteristics(of.x, of.y, of.p, of.q, BOUNDS),
    "two_arm.deviance": lambda of: two_arm.deviance(of.c, of.d, PAIRS, of.p),
    "two_arm.llr": lambda of: two_arm.llr(of.c, of.d, PAIRS, of.p, of.q),
    # Classes that take numbers.
    "overshoot.Records": lambda of: (
        overshoot.Records.none().after(np.asarray(of.x)).after(np.asarray(of.y)).corrected(BOUNDS)
    ),
    "sequential.Path": lambda of: path_after(sequential.Path.start(), BOUNDS, of.x, of.y),
    "sobel_wald.Path": lambda of: path_after(
        sobel_wald.Path.start(), sobel_wald.bounds(0.05, 0.05), [of.x, of.y], [of.y, of.x]
    ),
}

INTERNAL = {"gsprt.checked", "gsprt.deviance_at", "gsprt.greatest_growth"}
"""Parts that modules of the package share, for arguments that were checked."""


def leaves(found):
    if found is None:
        return []
    if isinstance(found, (list, tuple)):
        return [leaf for each in found for leaf in leaves(each)]
    return np.asarray(found, dtype=float).ravel().tolist()


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=25)
@given(c=cells, d=cells, x=numbers, y=numbers, p=rates, q=rates)
@example(c=[0] * 5, d=[0] * 5, x=0.0, y=5.0, p=0.05, q=0.1)
@example(c=[0, 0, 1000, 0, 0], d=[0, 0, 1, 0, 0], x=0.0, y=5.0, p=0.05, q=0.1)
@example(c=[0, 0, 10**6, 0, 0], d=[0, 0, 0, 0, 5550], x=-10.0, y=100.0, p=0.05, q=0.1)
@example(c=[144, 3, 1, 0, 0], d=[1, 0, 0, 0, 10**6], x=-1500.0, y=-500.0, p=0.05, q=0.1)
def test_numbers_or_a_reason(name, c, d, x, y, p, q):
    found, reason = None, None
    try:
        found = CALLS[name](Drawn(c, d, x, y, p, q))
    except ValueError as error:
        reason = str(error)
    assert not np.isnan(leaves(found)).any(), found
    if reason is not None:
        assert len(reason) > 10
        assert "operand" not in reason, "NumPy's words, not ours"


def test_every_public_function_is_called():
    public = {
        f"{module}.{name}"
        for module in MODULES
        for name, value in vars(import_module(f"tabia.server.statistics.{module}")).items()
        if inspect.isfunction(inspect.unwrap(value) if callable(value) else value)
        and not name.startswith("_")
        and value.__module__ == f"tabia.server.statistics.{module}"
    }
    assert public - INTERNAL <= set(CALLS)
    assert set(CALLS) - public == {"overshoot.Records", "sequential.Path", "sobel_wald.Path"}
