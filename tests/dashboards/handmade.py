"""Views of every kind of experiment, written by hand in the shapes that the coordinator gives.

What would take a real coordinator hours of games to come to: lists with several pools, a finished
GSPRT, curves. The numbers are made up, but of sizes that occur.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tabia.engine import RuleSet
from tabia.server.courses.course import NOTHING_KNOWN
from tabia.server.views import NotFoundError

View = dict[str, Any]

NO_TEST: View = NOTHING_KNOWN["test"]


def estimate(value: float | None, half: float | None) -> View:
    """A value with an interval of this half-width."""
    if value is None:
        return {"value": None, "low": None, "high": None}
    if half is None:
        return {"value": value, "low": None, "high": None}
    return {"value": value, "low": value - half, "high": value + half}


def _tally(games: int) -> View:
    return {
        "games": games,
        "white_wins": 45 * games // 100,
        "draws": 20 * games // 100,
        "black_wins": games - 45 * games // 100 - 20 * games // 100,
        "capped": 0,
        "mean_plies": 96.4,
        "reasons": {"checkmate": 80 * games // 100, "repetition": games - 80 * games // 100},
        "promotions": games // 2,
        "declined": games // 40,
    }


def _row(name: str, label: str, value: float | None, unit: str, detail: str = "") -> View:
    return {"name": name, "label": label, "value": value, "unit": unit, "detail": detail}


_PROFILE = [
    _row("first_move_advantage", "First-move advantage", 3.1, "percentage points",
         "White scores 53.1 %"),
    _row("draws", "Drawn games", 20.4, "%", "131 of 640"),
    _row("drawn_by:repetition", "Drawn by repetition", 20.4, "%", "131 of 640"),
    _row("length", "Length, median", 94.0, "plies"),
    _row("branching", "Branching factor", 48.23, "legal moves a ply", "over 56000 plies"),
    _row("forced", "Forced plies", 2.1, "%", "1176 of 56000 plies"),
    _row("promotions", "Promotions", 0.5, "a game", "in 300 of 640 games; White 200, Black 120"),
    _row("first_promotion", "First promotion at ply", None, "plies", "over 0 games"),
]  # fmt: skip


def _history(units: int, value: float, width: float, tests: int) -> list[View]:
    """A path that settles at ``value``, with log-likelihood ratios of so many tests."""
    points = []
    for at in range(16, units + 1, 16):
        part = at / units
        now = value * (0.6 + 0.4 * part) + 0.3 * width * math.sin(at / 40) / math.sqrt(part * 20)
        half = width / math.sqrt(part)
        llr = [3.2 * part - 0.6 * math.sin(at / 60), -3.0 * part + 0.5 * math.sin(at / 50)]
        points.append(
            {
                "units": at,
                "value": now,
                "low": now - half,
                "high": now + half,
                "llr": llr[:tests] or None,
                "bounds": [[-2.84, 3.41], [-2.79, 3.52]][:tests] or None,
            }
        )
    return points


def _lines(ends: Mapping[str, float | None], spread: float) -> list[View]:
    """Paths of several numbers that end where they are, with this spread at first."""
    return [
        {
            "units": at, "value": 80.5, "low": 50.0, "high": 111.0, "llr": None, "bounds": None,
            "lines": {
                key: None if end is None else end + spread * math.sin(at / 30 + place) * 30 / at
                for place, (key, end) in enumerate(ends.items())
            },
        }
        for at in range(16, 641, 16)
    ]  # fmt: skip


def player(key: str, nodes: int, **changes: Any) -> View:
    """The built-in engine at so many nodes, or what the changes make of it."""
    limit = f"{nodes} nodes"
    plain = {"key": key, "name": limit, "nodes": nodes, "limit": limit, "program": "", "says": ""}
    return {**plain, **changes}


def experiment(kind: str, **changes: Any) -> View:
    """A running experiment of a kind, with some of its keys changed."""
    view: View = {
        "id": f"{sum(kind.encode()):064x}",
        "name": {"compare": "Does stalemate matter?", "rights": "What is the right worth?",
                 "engines": "Twice the nodes at Grand Chess", "ratings": "A list of node budgets",
                 "material": "What Gross Chess's pieces are worth"}[kind],
        "kind": kind,
        "question": "Asked by hand.",
        "state": "running",
        "failure": None,
        "blocked": None,
        "created": "2026-11-30T10:00:00+00:00",
        "started": "2026-11-30T10:00:05+00:00",
        "finished": None,
        "nodes": 4000,
        "engine": "4823cd9f",
        "arms": [{"key": "a", "name": "Grand Chess", "rules_id": "aa" * 32},
                 {"key": "b", "name": "Grander Chess", "rules_id": "bb" * 32}],
        "paired": True,
        "players": [],
        "trusted_only": False,
        "reproducible": True,
        "voids": {"pairs": 0, "reasons": []},
        "primary": {"metric": "white_score", "label": "White's score", "rule": "sobel-wald",
                    "margin": 0.03, "bounds": None, "scale": None, "target": None, "alpha": 0.05,
                    "beta": 0.05},
        "budget": 4000,
        "units_done": 640,
        "units_played": 656,
        "batches_done": 40,
        "batches_planned": 250,
        "games_per_minute": 412.0,
        "estimate": {"a": estimate(0.534, 0.03), "b": estimate(0.521, 0.03),
                     "difference": estimate(0.013, 0.021)},
        "test": {**NO_TEST, "rule": "sobel-wald", "llr_plus": 1.31, "llr_minus": -2.2,
                 "lower": -2.97, "upper": 3.66, "p_value": 0.41, "log_e": 0.7},
        "adjusted": None,
        "secondary": [],
        "profile": {"a": _PROFILE, "b": _PROFILE[:-1]},
        "ratings": None,
        "values": None,
        "tallies": {"a": _tally(640), "b": _tally(640)},
        "touched": {"units": 64, "share": 0.1},
        "right": None,
        "after_decision": 0,
        "verdict": None,
        "curve": None,
        "expected": None,
        "rules_diff": [{"key": "endings.stalemate", "a": "draw", "b": "loss"}],
        "history": _history(640, 0.013, 0.02, 2),
    }  # fmt: skip
    return {**view, **_OF_KIND[kind], **changes}


_GRAND = {"key": "a", "name": "Grand Chess", "rules_id": "aa" * 32}
_ONE_RULE: View = {"arms": [_GRAND, {**_GRAND, "key": "b"}], "rules_diff": [], "touched": None}
_ELO = {"metric": "elo", "label": "Elo", "rule": "budget", "margin": 0.0, "bounds": None,
        "scale": None, "target": None, "alpha": 0.05, "beta": 0.05}  # fmt: skip

_OF_KIND: Mapping[str, View] = {
    "compare": {
        "secondary": [
            {"name": "draws", "label": "drawn games", "a": estimate(0.204, 0.03),
             "b": estimate(0.251, 0.03), "difference": estimate(-0.047, 0.03), "p_value": 0.0004,
             "p_holm": 0.0016, "scale": "share", "asymptotic": False, "note": None},
            {"name": "decisive", "label": "decisive games", "a": estimate(0.79, 0.03),
             "b": estimate(0.75, 0.03), "difference": estimate(0.04, 0.03), "p_value": 0.004,
             "p_holm": 0.012, "scale": "share", "asymptotic": False, "note": None},
            {"name": "length", "label": "length of a game", "a": estimate(96.4, 3),
             "b": estimate(91.6, 3), "difference": estimate(5.2, 4), "p_value": 0.03,
             "p_holm": 0.06, "scale": "percent", "asymptotic": True,
             "note": "3 of 1280 games were stopped at the ply cap"},
        ],
    },
    "rights": {
        "primary": {**_ELO, "label": "Elo of the rights of A", "rule": "sobel-wald",
                    "margin": 20.0},
        "estimate": {"score": estimate(0.517, 0.02), "elo": estimate(12.0, 15.0),
                     "normalized_elo": estimate(21.0, 26.0)},
        "right": {"used": 310, "declined": 12, "never_arose": 329,
                  "used_by": {"a": 200, "b": 190}, "declined_by": {"a": 12, "b": 0}},
        "history": _history(640, 12, 15, 2),
    },
    "engines": {
        **_ONE_RULE,
        "players": [player("a", 8000), player("b", 4000)],
        "nodes": 8000,
        "primary": {**_ELO, "label": "Elo of player A over player B", "rule": "gsprt",
                    "margin": 10.0, "bounds": [0.0, 10.0], "scale": "normalized"},
        "estimate": {"score": estimate(0.53, 0.02), "elo": estimate(21.0, 14.0),
                     "normalized_elo": estimate(38.0, 26.0)},
        "test": {**NO_TEST, "rule": "gsprt", "scale": "normalized", "bounds_elo": [0.0, 10.0],
                 "llr": 1.7, "lower": -2.94, "upper": 2.94, "p_value": 0.02, "log_e": 4.1},
        "secondary": [
            {"name": "draws", "label": "drawn games", "a": estimate(0.204, 0.03), "b": None,
             "difference": None, "p_value": None, "p_holm": None, "scale": "share",
             "asymptotic": False, "note": None},
        ],
        "history": _history(640, 21, 14, 1),
    },
    "ratings": {
        **_ONE_RULE,
        "players": [player(f"n{nodes}", nodes) for nodes in (500, 1000, 2000, 4000)],
        "primary": _ELO,
        "estimate": {},
        "test": NO_TEST,
        "ratings": {
            "players": [
                {"key": "n500", "name": "500 nodes", "elo": -151.2, "low": -175.0, "high": -127.4,
                 "games": 640, "score": 0.27},
                {"key": "n1000", "name": "1000 nodes", "elo": -49.9, "low": -71.0, "high": -28.8,
                 "games": 640, "score": 0.43},
                {"key": "n2000", "name": "2000 nodes", "elo": 60.3, "low": 39.0, "high": 81.6,
                 "games": 640, "score": 0.58},
                {"key": "n4000", "name": "4000 nodes", "elo": 140.8, "low": 117.0, "high": 164.6,
                 "games": 640, "score": 0.72},
            ],
            "advantage": estimate(31.0, 12.0),
            "draw_rate": 0.204,
            "pools": [["n500", "n1000", "n2000", "n4000"]],
            "watched": True,
        },
        "history": _lines({"n500": -151.2, "n1000": -49.9, "n2000": 60.3, "n4000": 140.8}, 60),
    },
    "material": {
        **_ONE_RULE,
        "primary": {**_ELO, "metric": "piece_values", "label": "values in pawns", "target": 0.25},
        "estimate": {},
        "test": NO_TEST,
        "values": {
            "men": [
                {"letter": "N", "name": "knight", "value": 3.21, "low": 2.81, "high": 3.61},
                {"letter": "P", "name": "pawn", "value": 1.0, "low": 1.0, "high": 1.0},
                {"letter": "Q", "name": "queen", "value": 9.44, "low": 8.6, "high": 10.28},
                {"letter": "R", "name": "rook", "value": 5.02, "low": 4.55, "high": 5.49},
                {"letter": "V", "name": "vao", "value": None, "low": None, "high": None},
            ],
            "pawn_elo": estimate(61.0, 9.0),
            "chi2": 14.2,
            "dof": 11,
            "matches": [
                {"label": "N:PPP", "units": 210, "score": 0.512, "expected": 0.518},
                {"label": "Q:NR", "units": 180, "score": 0.561, "expected": 0.554},
                {"label": "R:NP", "units": 0, "score": None, "expected": 0.62},
            ],
            "reach": 0.31,
            "target": 0.25,
            "watched": True,
        },
        "history": _lines({"N": 3.21, "P": 1.0, "Q": 9.44, "R": 5.02, "V": None}, 1),
    },
}  # fmt: skip


def unplayed(kind: str) -> View:
    """An experiment of a kind before its first game."""
    view = experiment(kind)
    nothing = estimate(None, None)
    values = view["values"] and {
        **view["values"],
        "men": [{**man, **nothing} for man in view["values"]["men"]],
        "pawn_elo": nothing, "chi2": None, "dof": None, "matches": [], "reach": None,
    }  # fmt: skip
    ratings = view["ratings"] and {
        **view["ratings"],
        "players": [
            {**player, "elo": None, "low": None, "high": None, "games": 0, "score": None}
            for player in view["ratings"]["players"]
        ],
        "advantage": nothing, "draw_rate": None,
        "pools": [[player["key"]] for player in view["players"]],
    }  # fmt: skip
    return {
        **view,
        "state": "queued",
        "started": None,
        "units_done": 0,
        "units_played": 0,
        "batches_done": 0,
        "games_per_minute": 0.0,
        "estimate": dict.fromkeys(view["estimate"], nothing),
        "values": values,
        "ratings": ratings,
        "secondary": [],
        "profile": None,
        "tallies": {arm: {**_tally(0), "mean_plies": None, "reasons": {}} for arm in "ab"},
        "history": [],
    }


def finished_gsprt() -> View:
    """A GSPRT that accepted that player A is stronger."""
    view = experiment("engines")
    sentence = (
        "8000 nodes beats 4000 nodes: it scores 53.0 % (+21.0 Elo). Decided after 640 openings, "
        "each played both ways round."
    )
    return {
        **view,
        "state": "decided",
        "finished": "2026-11-30T11:00:05+00:00",
        "test": {**view["test"], "llr": 2.99},
        "adjusted": {"value": 18.4, "low": 6.1, "high": 30.2, "los": 0.998},
        "verdict": {"outcome": "a_higher", "sentence": sentence, "at_unit": 640},
    }


def curve(**changes: Any) -> View:
    """A node-budget curve of three levels, all of them played."""
    asked = experiment("compare")["id"]
    levels = [
        {"level": 1, "nodes": 500, "experiment": asked, "units": 4000, **estimate(0.061, 0.02)},
        {"level": 4, "nodes": 2000, "experiment": asked, "units": 4000, **estimate(0.034, 0.02)},
        {"level": 16, "nodes": 8000, "experiment": asked, "units": 4000, **estimate(0.004, 0.02)},
    ]
    sentence = (
        "The answer depends on strength: from +6.1 percentage points at 500 nodes to +0.4 "
        "percentage points at 8000; a doubling of the nodes changes it by -1.4 percentage points "
        "(-2.5 to -0.3 percentage points)."
    )
    whole: View = {
        "family": "cc" * 32,
        "name": "Does stalemate matter?",
        "levels": levels,
        "slope": estimate(-0.014, 0.011),
        "label": "strength-dependent",
        "sentence": sentence,
        "complete": True,
    }
    return {**whole, **changes}


def curve_under_way() -> View:
    """The same while its last level has not begun."""
    whole = curve()
    *played, last = whole["levels"]
    return {
        **whole,
        "levels": [*played, {**last, "units": 0, **estimate(None, None)}],
        "slope": estimate(None, None),
        "label": None,
        "sentence": "2 of 3 strengths have played their budget; whether the answer changes with "
        "strength is told when all have.",
        "complete": False,
    }


class Shelf:
    """A source of pages that holds hand-made views."""

    def __init__(
        self,
        *experiments: View,
        curves: tuple[View, ...] = (),
        games: tuple[View, ...] = (),
        found: View | None = None,
    ) -> None:
        self._experiments = {view["id"]: view for view in experiments}
        self._curves = {view["family"]: view for view in curves}
        self._games = list(games)
        self._found = found or {"level": 0.05, "findings": [], "tested": len(experiments)}

    def experiments(self, *, limit: int, offset: int) -> View:
        views = list(self._experiments.values())
        return {"total": len(views), "experiments": views[offset : offset + limit]}

    def experiment(self, experiment_id: str) -> View:
        return _taken(self._experiments, experiment_id)

    def games(self, experiment_id: str, *, limit: int, offset: int) -> View:
        self.experiment(experiment_id)
        return {"total": len(self._games), "games": self._games[offset : offset + limit]}

    def game(self, game_id: int) -> View:
        return _taken({game["id"]: game for game in self._games}, game_id)

    def start(self, game: View) -> str | None:
        return game.get("start")

    def rule_sets(self, experiment_id: str) -> Mapping[str, RuleSet]:
        self.experiment(experiment_id)
        grand = RuleSet.load("grand")
        return {"a": grand, "b": grand}

    def curve(self, family: str) -> View:
        return _taken(self._curves, family)

    def findings(self) -> View:
        return self._found


def game(number: int, arm: str, match: str) -> View:
    """One game of an experiment's list."""
    return {
        "id": 2 * number + (arm == "b") + 1,
        "unit": number,
        "arm": arm,
        "match": match,
        "result": "1-0",
        "reason": "checkmate",
        "plies": 88,
        "opening_plies": 8,
        "promotions": {"white": {}, "black": {}},
        "declined": {"white": 0, "black": 0},
        "provenance": "worker",
        "verified": "trusted",
        "after_decision": False,
        "reproducible": True,
    }


def _taken(shelf: Mapping[Any, View], key: Any) -> View:
    if key not in shelf:
        raise NotFoundError(f"no {key!r}")
    return shelf[key]
