"""The game profile: what is counted of games, and that docs/metrics.md says what each row means."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.engine import RuleSet
from tabia.engine.match import Experiment
from tabia.server.local.profiles import game_profile
from tabia.server.metrics import OBSERVED
from tabia.server.occurrence import observable
from tabia.server.profile import OCCURS_WITH, Profile, array_of
from tabia.server.question import Question
from tabia.server.side_by_side import rows_by_name
from tabia.server.tally import Tally, profiled

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
REASONS = ["checkmate", "stalemate", "repetition"]


def both(white=0, black=0):
    return {"white": white, "black": black}


def game(result="1-0", reason="checkmate", *, plies=40, promotions=None, declined=None, **seen):
    """A game as the engine's results hold it; two plies of opening."""
    won = result != "1/2-1/2"
    return {
        "unit": 0,
        "arm": "a",
        "moves": " ".join(["a2a3", "a7a6", "e2e4", "e7e5", *["b1c3"] * (plies - 4)][:plies]),
        "opening_plies": 2,
        "result": result,
        "reason": reason,
        "plies": plies,
        "promotions": promotions or both({}, {}),
        "declined": declined or both(),
        "profile": {
            "offered": 30 * (plies - 2),
            "chosen": plies - 2,
            "forced": 1,
            "castlings": both(),
            "en_passant": both(),
            "own_captures": both(),
            "citadel_exits": both(),
            "first_promotion": None,
            "survivors": both({}, {}),
            "lead_changes": 0,
            "decided_at": plies // 2 if won else None,
        }
        | seen,
    }


def profile_of(*games):
    profile = Profile()
    for each in games:
        profile.add(each)
    return profile


def values(profile, array=None):
    return {row["name"]: row["value"] for row in profile.rows(array)}


CAPPED = game("1/2-1/2", "ply cap", plies=400)


def test_results_add_up_and_capped_games_are_a_class_of_their_own():
    shown = values(
        profile_of(
            game("1-0"),
            game("1-0", "bare king"),
            game("0-1"),
            game("1/2-1/2", "stalemate"),
            game("1/2-1/2", "repetition"),
            game("1/2-1/2", "repetition"),
            CAPPED,
            CAPPED,
        )
    )
    assert shown["first_move_advantage"] == pytest.approx(100 * (2 + 5 / 2) / 8 - 50)
    assert (shown["draws"], shown["decisive"], shown["capped"]) == (37.5, 37.5, 25)
    assert shown["drawn_by:repetition"] == 25
    assert shown["won_by:checkmate"] == 25
    by_reason = {"drawn_by": 0.0, "won_by": 0.0}
    for name, value in shown.items():
        if name.split(":")[0] in by_reason:
            by_reason[name.split(":")[0]] += value
    assert by_reason == {"drawn_by": shown["draws"], "won_by": shown["decisive"]}


@given(st.lists(st.integers(4, 300), min_size=1, max_size=60))
def test_the_median_and_the_quartiles_are_those_of_all_games(lengths):
    shown = values(profile_of(*(game(plies=plies) for plies in lengths)))
    low, median, high = np.percentile(lengths, [25, 50, 75])
    assert shown["length"] == pytest.approx(median)
    assert shown["length_iqr"] == pytest.approx(high - low, abs=1e-9)


def test_choice_is_counted_over_the_plies_that_engines_chose():
    shown = values(
        profile_of(game(plies=12, offered=300, forced=0), game(plies=32, offered=1000, forced=4))
    )
    assert shown["branching"] == pytest.approx(1300 / 40)
    assert shown["forced"] == pytest.approx(10)


def test_when_games_were_decided_is_said_of_won_games_alone():
    shown = values(
        profile_of(
            game("1-0", plies=100, decided_at=30, lead_changes=2),
            game("0-1", plies=60, decided_at=60, lead_changes=0),
            game("1/2-1/2", "repetition", plies=200, lead_changes=3),
            CAPPED,
        )
    )
    assert shown["decided_at"] == pytest.approx(100 * 90 / 160)
    assert shown["lead_changes"] == pytest.approx(5 / 4)


def test_the_first_moves_are_those_after_the_opening_by_whoever_made_them():
    first = game(plies=4)
    odd = game(plies=4) | {"moves": "a2a3 g8f6 e2e4 b7b6", "opening_plies": 1}
    other = game(plies=4) | {"moves": "a2a3 a7a6 d2d4 e7e5"}
    over = game(plies=3) | {"moves": "a2a3 a7a6 e2e4"}
    profile = profile_of(first, odd, other, over)
    assert profile.first_moves["white"] == {"e2e4": 3, "d2d4": 1}
    assert profile.first_moves["black"] == {"e7e5": 2, "g8f6": 1}
    always = values(profile_of(*[first] * 50))
    assert always["opening_diversity:white"] == always["opening_diversity:black"] == 1


def test_the_use_of_special_rules():
    profile = profile_of(
        game(
            promotions=both({"Q": 2}, {"N": 1}),
            declined=both(1),
            first_promotion=31,
            castlings=both(1, 1),
            en_passant=both(0, 1),
        ),
        game(castlings=both(1), own_captures=both(3), citadel_exits=both(1, 2)),
        game(promotions=both({"Q": 1}, {}), first_promotion=34),
        game(),
    )
    shown = values(profile)
    assert shown["promotions"] == 1
    assert shown["promoted_to:Q"] == 75
    assert shown["promoted_to:N"] == 25
    assert shown["first_promotion"] == 32.5
    assert shown["promotions_declined"] == 20
    assert shown["castlings"] == pytest.approx(100 * 3 / 8)
    assert shown["en_passant"] == 0.25
    assert (shown["own_captures"], shown["citadel_exits"]) == (0.75, 0.75)
    detail = {row["name"]: row["detail"] for row in profile.rows()}
    assert detail["castlings"] == "White 2, Black 1"
    assert detail["promotions"] == "in 2 of 4 games; White 3, Black 1"


def test_survival_is_a_share_of_the_men_of_the_array():
    array = {"white": {"R": 2, "Q": 1}, "black": {"R": 2, "Q": 1}}
    profile = profile_of(
        game(survivors=both({"R": 2, "K": 1}, {"R": 1, "K": 1})), game(survivors=both({}, {"R": 1}))
    )
    shown = values(profile, array)
    assert shown["survival:R"] == 50
    assert shown["survival:Q"] == 0
    assert "survival:K" not in shown
    assert not any(name.startswith("survival") for name in values(profile))


def test_the_men_of_an_array():
    assert array_of(
        "rnbqkbnr/pppp1ppp/10/PPPPPPPP/RNBQKBN1 w KQkq - 0 1", royals={"white": "K", "black": "K"}
    ) == {
        "white": {"P": 8, "R": 1, "N": 2, "B": 2, "Q": 1},
        "black": {"p".upper(): 7, "R": 2, "N": 2, "B": 2, "Q": 1},
    }


def test_no_game_has_no_number():
    rows = Profile().rows({"white": {"Q": 1}, "black": {"Q": 1}})
    assert rows
    assert all(row["value"] is None for row in rows)


@pytest.mark.parametrize(
    ("catalog_ids", "has", "lacks"),
    [
        (["chess"], {"castlings", "en_passant"}, {"own_captures", "citadel_exits"}),
        (["grand"], {"promotions_declined"}, {"castlings", "citadel_exits"}),
        (["shatranj"], set(), {"castlings", "en_passant", "promotions_declined"}),
        (["grand", "great"], {"castlings", "citadel_exits"}, set()),
    ],
)
def test_what_cannot_occur_has_no_row(catalog_ids, has, lacks):
    observed = observable([RuleSet.load(each) for each in catalog_ids])
    names = {row["name"] for row in profile_of(game()).rows(observed=observed)}
    assert has <= names
    assert not lacks & names
    assert {"draws", "promotions"} <= names
    assert set(OCCURS_WITH) <= {row["name"] for row in Profile().rows()}
    assert set(OCCURS_WITH.values()) <= set(OBSERVED)


@pytest.mark.parametrize("name", ["grand-ratings", "grand-engines"])
def test_an_experiment_of_any_kind_shows_what_can_occur_only(name):
    text = (ROOT / "experiments" / f"{name}.toml").read_text(encoding="utf-8")
    asked = Question.from_experiment(Experiment.from_toml(text, name))
    names = {row["name"] for row in profiled(asked, Tally())["a"]}
    assert {OCCURS_WITH[row] for row in OCCURS_WITH if row in names} <= set(asked.observed)
    assert "castlings" not in names


sides = st.integers(0, 3)
games = st.builds(
    game,
    st.sampled_from(["1-0", "0-1", "1/2-1/2"]),
    st.sampled_from([*REASONS, "ply cap"]),
    plies=st.integers(4, 90),
    promotions=st.builds(both, *[st.dictionaries(st.sampled_from("QRN"), st.integers(1, 3))] * 2),
    declined=st.builds(both, sides, sides),
    castlings=st.builds(both, sides, sides),
    lead_changes=sides,
    survivors=st.builds(both, *[st.dictionaries(st.sampled_from("QRN"), st.integers(1, 2))] * 2),
)


def sane(each):
    """Games stopped at the cap are drawn in the record."""
    return each["reason"] != "ply cap" or each["result"] == "1/2-1/2"


@given(st.lists(games.filter(sane), max_size=8), st.lists(games.filter(sane), max_size=8))
def test_it_is_the_same_in_parts_in_another_order_and_as_json(some, others):
    whole = profile_of(*some, *others)
    assert profile_of(*some).merged(profile_of(*others)) == whole
    assert profile_of(*reversed(others), *reversed(some)) == whole
    again = Profile.from_json(json.loads(json.dumps(whole.to_json())))
    assert again == whole
    assert again.rows() == whole.rows()


def test_the_document_defines_every_row_that_is_shown_and_no_other():
    defined = re.findall(
        r"^\| `([a-z_]+(?::\w+)?)` \| (.+?) \| (.+?) \| .+? \|$", TEXT, re.MULTILINE
    )
    profile = profile_of(
        game("1-0"),
        game("1/2-1/2", "stalemate"),
        game(promotions=both({"Q": 1}, {}), first_promotion=20),
    )
    array = {"white": {"Q": 1}, "black": {"Q": 1}}
    shown = {
        re.sub(r":(?!white|black).*", ":", row["name"]): row["unit"] for row in profile.rows(array)
    }
    assert [re.sub(r":[A-Z]+", ":", name) for name, _, _ in defined] == list(shown)
    assert {re.sub(r":[A-Z]+", ":", name): unit for name, _, unit in defined} == shown


def line(name: str, value: float | None, unit: str = "%") -> dict[str, Any]:
    return {"name": name, "label": name.title(), "value": value, "unit": unit, "detail": ""}


def test_what_one_arm_alone_has_stands_where_that_arm_has_it() -> None:
    found = rows_by_name(
        [[line("draws", 1), line("capped", 0)], [line("draws", 2), line("drawn_by:x", 2)]]
    )
    assert list(found) == ["draws", "drawn_by:x", "capped"]
    assert found["drawn_by:x"][0] is None
    assert found["capped"][1] is None


def test_a_terminal_shows_units_once_and_all_letters_in_a_line() -> None:
    left = [line(f"survival:{letter}", 50, "% of those of the array") for letter in "BCDEFGHIJKLM"]
    profile = {
        "a": [line("first_move_advantage", 1, "percentage points"), line("draws", None), *left],
        "b": [line("first_move_advantage", -1, "percentage points"), line("draws", 3), *left],
    }
    shown = game_profile({"profile": profile, "units_done": 1})
    assert shown[3].split() == ["First_Move_Advantage,", "percentage", "points", "+1.0", "−1.0"]
    assert shown[4].split() == ["Draws,", "%", "–", "3.0"]
    assert shown[5].startswith("  Left at the end, % of those of the array: B 50.0 / 50.0, C 50.0")
    assert len(shown) < 9
    assert max(map(len, shown)) <= 88
