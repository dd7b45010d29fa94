"""Who has White and who has Black: by rules, by players, or by armies."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from tabia.engine.match.kinds import ONE_RULE_SET

ONE_RULE_KINDS: Final = ONE_RULE_SET
"""Kinds whose games are all played under one rule set."""

View = Mapping[str, Any]


def names(view: View) -> dict[str, str]:
    """What stands for arms ``a`` and ``b`` in words: the players of ``engines``, else the rules."""
    if view["kind"] == "engines":
        return {player["key"]: player["name"] for player in view["players"]}
    return {arm["key"]: arm["name"] for arm in view["arms"]}


def called(view: View) -> dict[str, str]:
    """Names by key of everything that a rating list or piece values measure, the best first."""
    if view["kind"] == "ratings":
        rows = [(each["key"], each["name"], each["elo"]) for each in view["ratings"]["players"]]
    elif view["kind"] == "material":
        rows = [(each["letter"], each["name"], each["value"]) for each in view["values"]["men"]]
    else:
        return {}
    rows.sort(key=lambda row: -math.inf if row[2] is None else row[2], reverse=True)
    return {key: name for key, name, _ in rows}


def contest(view: View) -> str:
    """Who or what is set against each other, in a few words."""
    rules = view["arms"][0]["name"]
    if view["kind"] == "ratings":
        return f"{len(view['players'])} players, {rules}"
    if view["kind"] == "material":
        return f"piece values, {rules}"
    found = names(view)
    where = f", {rules}" if view["kind"] == "engines" else ""
    return f"{found['a']} against {found['b']}{where}"


def game_columns(view: View) -> list[tuple[str, str, Mapping[str, Any]]]:
    """The counts of games side by side: arm, heading, tally.

    Where an arm is no more than the order of two seats, all games are counted together.
    """
    tallies = view["tallies"]
    if view["kind"] in ("ratings", "material"):
        return [("", "All games", _together(tallies["a"], tallies["b"]))]
    words = {"rights": "White has the rights of {}", "engines": "White is {}"}.get(
        view["kind"], "{}"
    )
    return [(key, words.format(name), tallies[key]) for key, name in names(view).items()]


def _together(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, Any]:
    games = a["games"] + b["games"]
    plies = sum(each["games"] * (each["mean_plies"] or 0) for each in (a, b))
    counts = ("white_wins", "draws", "black_wins", "capped", "promotions", "declined")
    return {
        "games": games,
        **{name: a[name] + b[name] for name in counts},
        "mean_plies": plies / games if games else None,
        "reasons": {
            reason: a["reasons"].get(reason, 0) + b["reasons"].get(reason, 0)
            for reason in {**a["reasons"], **b["reasons"]}
        },
    }


def rule_arms(game: View, view: View) -> tuple[str, str]:
    """By which arm's rules White plays a game, and by which Black does."""
    mine = game["arm"]
    other = "b" if mine == "a" else "a"
    return mine, other if view["kind"] == "rights" else mine


def seats(game: View, view: View) -> tuple[str, str]:
    """White and Black of a game under one rule set: players by name, or armies."""
    if view["kind"] == "engines":
        found = names(view)
        first, second = found["a"], found["b"]
    elif view["kind"] == "ratings":
        called = {player["key"]: player["name"] for player in view["players"]}
        first, second = (called[key] for key in game["match"].split(":"))
    else:
        first, second = (_army(letters) for letters in game["match"].split(":"))
    return (first, second) if game["arm"] == "a" else (second, first)


def players(game: View, view: View) -> str:
    """Which rules a game was played under, or who played it, as a sentence."""
    if view["kind"] in ONE_RULE_KINDS:
        white, black = seats(game, view)
        if view["kind"] == "material":
            return f"White has {white} where Black has {black}."
        return f"White is {white}, Black is {black}."
    found = names(view)
    mine, other = (found[arm] for arm in rule_arms(game, view))
    if view["kind"] == "rights":
        return f"White has the rights of {mine}, Black those of {other}."
    return f"Played under the rules of {mine}."


def armies(label: str) -> str:
    """``R:NPP`` as people read it: ``R against N + 2 P``."""
    return " against ".join(_army(letters) for letters in label.split(":"))


def _army(letters: str) -> str:
    men = Counter(letters).items()
    return " + ".join(
        letter if copies == 1 else f"{copies}\u00a0{letter}" for letter, copies in men
    )
