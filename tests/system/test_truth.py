"""Truth tests: questions with known answers, asked through the whole road.

A document is submitted, the coordinator plans its batches, the engine plays them, intake records
them, and the decision ends the experiment. Where nothing differs, no more may be found than the
declared errors; what was planted must be found, with its sign and its size.

The game is Los Alamos Chess, which is played hundreds of times a second at so few nodes. Seeds are
fixed, and so is every run of one engine; an engine that plays differently draws other experiments.
A rate that is exactly as declared then breaks ``rate + 2 s.e.`` once in forty such changes: look at
``benchmarks/error_rates.py`` before blaming either. ``docs/results/truth-tests.md`` has figures.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from players import Players

from tabia.engine.match import Experiment, plan_batch, play_batch
from tabia.server.database import Database

RULES: Mapping[str, Any] = {
    "los-alamos": {
        "id": "los-alamos",
        "name": "Los Alamos Chess",
        "board": {"files": 6, "ranks": 6},
        "pieces": {
            "P": {"moves": "fmWfcF"},
            "N": {"moves": "N"},
            "R": {"moves": "R"},
            "Q": {"moves": "Q"},
            "K": {"moves": "K", "royal": True},
        },
        "array": {"6": "rnqknr", "5": "pppppp", "2": "PPPPPP", "1": "RNQKNR"},
        "promotion": {"to": "NRQ", "compulsory": [6]},
    },
    # No line on this board is longer than five squares.
    "short-lines": {
        "extends": "los-alamos",
        "name": "Lines of five squares",
        "pieces": {"R": {"moves": "R5"}, "Q": {"moves": "R5B5"}},
    },
    "pawn-up": {
        "extends": "los-alamos",
        "name": "White is a pawn up",
        "array": {"5": "pp1ppp"},
    },
    "white-marshalls": {
        "extends": "los-alamos",
        "name": "White's knights move as rooks too",
        "white": {"pieces": {"N": {"moves": "NR"}}},
    },
    "marshalls": {
        "extends": "los-alamos",
        "name": "Knights move as rooks too",
        "pieces": {"N": {"moves": "NR"}},
    },
}
ALPHA = 0.05
SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
UNITS_A_BATCH = 48

ELSEWHERE = 2**40
"""A seed that no experiment here has: what it draws is independent of them."""


def document(
    a: str, b: str, *, seed: int = 0, kind: str = "compare", margin: float, **openings: Any
) -> dict[str, Any]:
    """An experiment with White's score, or the worth of A's rights, in question."""
    return {
        "name": f"{b} against {a}",
        "question": "Is what is known found?",
        "kind": kind,
        "nodes": 40,
        "seed": seed,
        "max_plies": 400,
        "arms": {"a": a, "b": b},
        "openings": {"plies": 6, **openings},
        "test": {"margin": margin, "alpha": ALPHA, "beta": ALPHA, "budget": 400},
        "rulesets": RULES,
    }


@contextmanager
def on_a_new_database(file: Path) -> Iterator[Players]:
    """Workers on an embedded database that is new."""
    database = Database(f"sqlite:///{file}")
    try:
        database.migrate()
        yield Players(database)
    finally:
        database.close()


@pytest.fixture
def players(tmp_path: Path) -> Iterator[Players]:
    """Workers on a database of the test's own."""
    with on_a_new_database(tmp_path / "tabia.sqlite3") as players:
        yield players


def ask(players: Players, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The experiment as its page shows it at its end."""
    experiment = players.submit(asked, units_a_batch=UNITS_A_BATCH)
    players.finish(experiment)
    return players.view(experiment)


def allowed(rate: float, count: int) -> float:
    """How many of ``count`` experiments may err at this rate: the mean and two standard errors."""
    return count * rate + 2 * math.sqrt(count * rate * (1 - rate))


def always_covered(view: Mapping[str, Any], truth: float) -> bool:
    """Whether the interval held the truth at every point of the chart. None is unbounded."""
    assert view["history"]
    return all(
        (point["low"] is None or point["low"] <= truth)
        and (point["high"] is None or truth <= point["high"])
        for point in view["history"]
    )


def outcomes_of(views: list[dict[str, Any]]) -> Counter[str]:
    """How often each outcome came."""
    return Counter(view["verdict"]["outcome"] for view in views)


def report(title: str, views: list[dict[str, Any]], truth: float) -> None:
    """Print the figures of ``docs/results/truth-tests.md``: pytest shows them with -rP."""
    outcomes = ", ".join(f"{name} {n}" for name, n in sorted(outcomes_of(views).items()))
    units = sum(view["verdict"]["at_unit"] for view in views) / len(views)
    missed = sum(not always_covered(view, truth) for view in views)
    print(
        f"truth test: {title}: {len(views)} asked, {outcomes}; {units:.0f} units on average; "
        f"true effect {truth:+.3f}, left by {missed} intervals"
    )


@pytest.mark.nightly
def test_where_nothing_differs_no_more_is_found_than_was_declared(players: Players) -> None:
    count = 200
    views = [
        ask(players, document("los-alamos", "los-alamos", seed=seed, margin=0.15, paired=False))
        for seed in range(count)
    ]
    report("A/A, openings apart", views, 0.0)
    assert all(view["touched"] is None for view in views)
    outcomes = outcomes_of(views)
    assert outcomes["a_higher"] + outcomes["b_higher"] <= allowed(ALPHA, count)
    assert sum(not always_covered(view, 0.0) for view in views) <= allowed(ALPHA, count)
    # Nothing is found by whoever never decides: most of these end with the right answer.
    assert outcomes["equivalent"] >= 0.75 * count


@pytest.mark.parametrize("b", ["los-alamos", "short-lines"])
@pytest.mark.parametrize(("kind", "margin"), [("compare", 0.05), ("rights", 20)])
def test_rules_that_cannot_matter_touch_nothing_and_are_equivalent(
    players: Players, kind: str, margin: float, b: str
) -> None:
    view = ask(players, document("los-alamos", b, kind=kind, margin=margin))
    report(f"A/A coupled, {kind}, {b}", [view], 0.0)
    assert view["verdict"]["outcome"] == "equivalent"
    assert view["touched"] == {"units": 0, "share": 0.0}
    estimate = view["estimate"]
    assert (estimate["difference"] if kind == "compare" else estimate["elo"])["value"] == 0
    games = players.games_of(view["id"])
    of_a, of_b = ([game["moves"] for game in games if game["arm"] == arm] for arm in ("a", "b"))
    assert of_a == of_b
    assert len({tuple(moves) for moves in of_a}) > 0.9 * len(of_a)  # many openings, not one


@dataclass(frozen=True)
class Planted:
    """An advantage that was put there, and the answer that finds it."""

    a: str
    b: str
    kind: str
    margin: float
    outcome: str

    def document(self, seed: int) -> dict[str, Any]:
        """The experiment that asks for it."""
        return document(self.a, self.b, seed=seed, kind=self.kind, margin=self.margin)

    def measured(self, units: int) -> float:
        """The effect in units that no experiment has, counted here: White's score under A minus
        that under B, or what the score of whoever has A's rights means in Elo."""
        experiment = Experiment.from_document(self.document(ELSEWHERE), "document")
        games = play_batch(plan_batch(experiment, 0, 0, units))["games"]
        a, b = (
            sum(SCORES[game["result"]] for game in games if game["arm"] == arm) / units
            for arm in ("a", "b")
        )
        if self.kind == "compare":
            return a - b
        score = (a + 1 - b) / 2
        return 400 * math.log10(score / (1 - score))


PLANTED = [
    pytest.param(Planted("los-alamos", "pawn-up", "compare", 0.1, "b_higher"), id="pawn-up"),
    pytest.param(
        Planted("white-marshalls", "los-alamos", "compare", 0.1, "a_higher"),
        id="one-side's-knights",
    ),
    pytest.param(Planted("marshalls", "los-alamos", "rights", 40, "a_higher"), id="rights"),
]


@pytest.mark.parametrize(
    ("count", "units"), [(2, 800), pytest.param(100, 10_000, marks=pytest.mark.nightly)]
)
@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_advantage_is_found_with_its_sign_and_covered(
    players: Players, planted: Planted, count: int, units: int
) -> None:
    truth = planted.measured(units)
    views = [ask(players, planted.document(seed)) for seed in range(count)]
    report(f"planted, {planted.kind}, {planted.a} against {planted.b}", views, truth)
    # What was planted is larger than the margin, so it is missed less often than declared.
    assert (truth > 0) == (planted.outcome == "a_higher")
    assert abs(truth) > planted.margin
    assert count - outcomes_of(views)[planted.outcome] <= allowed(ALPHA, count)
    assert sum(not always_covered(view, truth) for view in views) <= allowed(ALPHA, count)


def test_batches_of_any_size_in_any_order_give_the_same_verdict(
    players: Players, tmp_path: Path
) -> None:
    asked = document("los-alamos", "pawn-up", margin=0.1)
    view = ask(players, asked)
    games = players.games_of(view["id"])
    for size in (7, 400):
        with on_a_new_database(tmp_path / str(size)) as others:
            experiment = others.submit(asked, units_a_batch=size)
            assert experiment == view["id"]
            out = others.lease_all(experiment)
            random.Random(size).shuffle(out)
            for lease in out:
                others.deliver(lease)
            other = others.view(experiment)
            for key in ("state", "verdict", "estimate", "test", "tallies", "touched", "history"):
                assert other[key] == view[key], (size, key)
            others_games = others.games_of(experiment)[: len(games)]
            for key in ("unit", "arm", "result", "reason", "moves", "after_decision"):
                assert [game[key] for game in others_games] == [game[key] for game in games]
