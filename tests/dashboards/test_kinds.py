"""The pages of every kind of experiment, over views written by hand."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from flask import Flask

from tabia.dashboards.app import add_pages
from tabia.dashboards.tables import profile_rows
from tests.dashboards import handmade
from tests.dashboards.handmade import NO_TEST, Shelf, experiment, player

KINDS = ("compare", "rights", "engines", "ratings", "material")


def _html(shelf: Shelf, path: str) -> str:
    app = Flask("pages")
    add_pages(app, shelf)
    answer = app.test_client().get(path)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def _text(html: str) -> str:
    """The page without its tags and with single blanks."""
    return re.sub(r"[ \n]+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def _page(view: dict[str, Any], *games: dict[str, Any]) -> str:
    return _text(_html(Shelf(view, games=games), f"/experiments/{view['id']}"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_page_before_its_first_game(kind: str) -> None:
    nothing = handmade.unplayed(kind)
    assert "No games yet." in _page(nothing)
    assert "No games yet." in _text(_html(Shelf(nothing), "/"))


@pytest.mark.parametrize("kind", KINDS)
def test_no_number_of_a_running_experiment_has_an_interval_of_a_fixed_sample(kind: str) -> None:
    page = _page(experiment(kind))
    assert "fixed-sample" not in page
    assert "SPRT-adjusted" not in page
    assert "valid: they hold at every moment" in page or "These intervals may be watched" in page


def test_two_rule_sets_are_set_against_each_other_and_one_is_linked() -> None:
    assert "What differs" in _page(experiment("compare"))
    for kind in ("engines", "ratings", "material"):
        view = experiment(kind)
        html = _html(Shelf(view), f"/experiments/{view['id']}")
        assert "What differs" not in html
        assert f'href="/experiments/{view["id"]}/rules/a"' in html
        assert "/rules/b" not in html


def test_players_are_named_with_their_nodes() -> None:
    page = _page(experiment("engines"))
    assert "8000 nodes 8,000 nodes 4000 nodes 4,000 nodes" in page
    assert "8000 nodes over 4000 nodes +21\u202fElo [+7, +35]" in page


def test_programs_and_clocks_are_named_and_what_they_mean_for_the_games() -> None:
    view = experiment(
        "engines",
        trusted_only=True,
        reproducible=False,
        players=[
            player("a", 8000),
            player("b", 0, name="Theirs", limit="100 ms", program="their-name", says="Theirs 1.2"),
        ],
        voids={
            "pairs": 3,
            "reasons": [
                {"player": "b", "name": "Theirs", "reason": "late move", "pairs": 3,
                 "example": "a move after <1> s"},
            ],
            "score_if_lost": 0.625,
        },
    )  # fmt: skip
    page = _page(view)
    assert "8,000 nodes, 100 ms a move" in page
    assert "Played on trusted workers only : Theirs is the program their-name, which says" in page
    assert "Somebody plays by the clock" in page
    assert "gets the same games" not in page
    assert "gets the same games" in _page(experiment("engines"))
    assert "Pairs of games that a program broke off: 3." in page
    assert "then 8000 nodes would score 62.5\u202f% instead of 53.0\u202f%" in page
    assert "Theirs Late move 3 a move after <1> s" in page
    html = _html(Shelf(view), f"/experiments/{view['id']}")
    assert "<1>" not in html
    assert "Void pairs" not in _page(experiment("engines"))


def test_a_finished_gsprt_shows_its_adjusted_estimate_beside_the_raw_one() -> None:
    page = _page(handmade.finished_gsprt())
    assert re.search(r"8000 nodes over 4000 nodes \+21\u202fElo \[\+7, \+35\]", page)
    assert re.search(r"SPRT-adjusted \+18\u202fElo \[\+6, \+30\]", page)
    assert "superiority, adjusted: 99.8\u202f%" in page
    assert "GSPRT of +10 against 0 normalized Elo" in page
    assert "log-likelihood ratio +2.99, bounds −2.94 and +2.94" in page


def test_the_path_of_the_test_is_in_the_table_with_the_bounds_of_each_look() -> None:
    view = experiment("compare")
    page = _page(view)
    last = view["history"][-1]
    assert f"+{last['llr'][0]:.2f} [−2.84, +3.41] −{-last['llr'][1]:.2f} [−2.79, +3.52]" in page
    one = _page(experiment("engines"))
    assert "Units Elo Interval LLR Bounds" in one


def test_an_experiment_that_only_measures_has_no_path_of_a_test() -> None:
    view = experiment("compare", test=NO_TEST)
    view["primary"] = {**view["primary"], "rule": "budget"}
    for point in view["history"]:
        point["llr"] = point["bounds"] = None
    html = _html(Shelf(view), f"/experiments/{view['id']}")
    assert re.search(r'<div class="path" hidden>', html)
    assert "measured over the whole budget" in _text(html)
    assert "the games are still being played" in _text(html)
    assert "which count as no difference" not in _text(html)


def test_secondary_metrics_are_marked_exploratory_with_p_values_for_all_of_them() -> None:
    page = _page(experiment("compare"))
    assert "Beside the question exploratory" in page
    assert "Drawn games 20.4\u202f% 25.1\u202f% −4.7\u202fpp [−7.7, −1.7] 0.002" in page
    assert "ply cap 96.4\u202fplies 91.6\u202fplies +5.2\u202f% [+1.2, +9.2] 0.060" in page
    single = _page(experiment("engines"))
    assert "Drawn games 20.4\u202f% [17.4, 23.4]" in single
    assert "Holm" not in single


def test_both_arms_of_a_comparison_are_profiled_side_by_side() -> None:
    page = _page(experiment("compare"))
    assert "Branching factor legal moves a ply 48.2 over 56000 plies 48.2 over 56000 plies" in page
    assert "Length, median 94.0 94.0" in page
    assert "First-move advantage +3.1\u202fpp White scores 53.1\u202f% +3.1\u202fpp" in page
    assert "First promotion at ply – –" in page
    alone = _page(experiment("ratings"))
    assert "Branching factor legal moves a ply 48.2 over 56000 plies Forced" in alone


def test_what_only_one_arm_has_stands_in_its_place() -> None:
    view = experiment("compare")
    view["profile"] = {"a": [*view["profile"]["a"][:2], *view["profile"]["a"][3:]],
                       "b": view["profile"]["a"]}  # fmt: skip
    rows = profile_rows(view["profile"], ("a", "b"))
    assert [row.name for row in rows] == [line["name"] for line in view["profile"]["b"]]
    assert "Drawn by repetition – 20.4\u202f% 131 of 640" in _page(view)


def test_what_breaks_down_another_number_is_folded_away() -> None:
    view = experiment("compare")
    html = _html(Shelf(view), f"/experiments/{view['id']}")
    table, folded = html.split('<details id="profile-parts">')
    assert 'id="profile-draws"' in table
    assert 'id="profile-drawn_by:repetition"' not in table
    assert 'id="profile-drawn_by:repetition"' in folded


def test_ratings_are_listed_the_best_first_with_their_errors() -> None:
    page = _page(experiment("ratings"))
    assert re.search(r"4000 nodes \+141 \[\+117, \+165\] 72\.0\u202f% 640 4,000", page)
    assert page.index("[+117, +165] 72.0") < page.index("[−175, −127] 27.0")
    assert "Having White is worth +31\u202fElo [+19, +43]" in page
    assert "So far 4000 nodes leads 4 players at +141\u202fElo [+117, +165]." in page


def test_a_rating_list_is_counted_from_its_mean_or_its_anchor() -> None:
    assert "Elo are counted from the mean of the pool, on the logistic" in _page(
        experiment("ratings")
    )
    view = experiment("ratings")
    best, *others = reversed(view["ratings"]["players"])
    fixed = {**best, "elo": 2800.0, "low": 2800.0, "high": 2800.0, "fixed": True}
    anchor = {"key": "n4000", "elo": 2800.0}
    view["ratings"] = {**view["ratings"], "players": [*others, fixed], "anchor": anchor}
    page = _page(view)
    assert re.search(r"4000 nodes \+2,800 fixed 72\.0\u202f% 640 4,000", page)
    assert "Elo are counted from 4000 nodes, which is fixed at +2,800, on the logistic" in page
    assert "leads 4 players at +2,800\u202fElo, where it is fixed." in page
    view["ratings"]["pools"] = [["n4000", "n2000"], ["n500", "n1000"]]
    assert "fixed at +2,800, in a pool without it from the mean, on the" in _page(view)


def test_the_end_of_a_rating_list_says_that_its_intervals_are_those_of_the_end() -> None:
    view = experiment("ratings")
    view["ratings"] = {**view["ratings"], "watched": False}
    page = _page(view)
    assert "come to its declared end" in page
    assert "may be watched" not in page


def test_pools_that_no_result_connects_are_kept_apart() -> None:
    view = experiment("ratings")
    view["ratings"] = {**view["ratings"], "pools": [["n500", "n1000"], ["n4000", "n2000"]]}
    page = _page(view)
    assert "2 pools that no result connects yet" in page
    assert page.index("Pool 1") < page.index("[−71, −29]") < page.index("Pool 2")


def test_a_player_who_cannot_be_rated_yet_is_listed_with_a_dash() -> None:
    view = experiment("ratings")
    first, *others = view["ratings"]["players"]
    alone = {**first, "elo": None, "low": None, "high": None}
    view["ratings"] = {**view["ratings"], "players": [alone, *others]}
    assert "500 nodes – no bound yet 27.0\u202f% 640 500" in _page(view)


def test_piece_values_stand_in_order_with_errors_scale_and_fit() -> None:
    page = _page(experiment("material"))
    assert re.search(r"Queen Q 9\.44 \[8\.60, 10\.28\] Rook R 5\.02 \[4\.55, 5\.49\]", page)
    assert "Pawn P 1.00 by definition" in page
    assert "Vao V – no bound yet" in page
    assert "+61\u202fElo [+52, +70] between these players" in page
    assert "χ² = 14.2 for 11 degrees of freedom; the values add up" in page
    assert "about ±0.31 pawns" in page
    assert "Q against N + R 180 56.1\u202f% 55.4\u202f%" in page
    assert "piece values to ±0.25 pawns" in page.lower()


def test_of_many_imbalances_those_of_the_most_units_are_listed() -> None:
    view = experiment("material")
    matches = [{"label": "Q:NR", "units": n, "score": 0.5, "expected": 0.5} for n in range(500)]
    view["values"] = {**view["values"], "matches": matches[::-1]}
    page = _page(view)
    assert "The 500 pairs of armies that were played: those of the most units" in page
    assert page.count("Q against N + R") == 100


def test_values_that_do_not_add_up_are_said_to() -> None:
    view = experiment("material")
    view["values"] = {**view["values"], "chi2": 44.0}
    assert "scatter much more than chance would" in _page(view)


@pytest.mark.parametrize(
    ("kind", "match", "white", "black"),
    [
        ("ratings", "n500:n1000", "500 nodes", "1000 nodes"),
        ("material", "Q:NR", "Q", "N + R"),
        ("material", "R:NPP", "R", "N + 2\u00a0P"),
        ("engines", "", "8000 nodes", "4000 nodes"),
    ],
)
def test_games_name_both_sides_and_colours_are_swapped(
    kind: str, match: str, white: str, black: str
) -> None:
    page = _page(experiment(kind), *(handmade.game(0, arm, match) for arm in "ab"))
    assert f"Unit 0, A {white} {black} 1–0" in page
    assert f"Unit 0, B {black} {white} 1–0" in page


def test_a_replay_of_armies_begins_without_the_men_that_are_missing() -> None:
    view = experiment("material")
    start = "r8r/1nbqkcmbn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NB1KCMBN1/R8R w - - 0 1"
    game = {
        **handmade.game(0, "a", "N:Q"),
        "experiment": view["id"],
        "moves": ["a3a4"],
        "plies": 1,
        "opening_plies": 0,
        "start": start,
    }
    page = _html(Shelf(view, games=(game,)), f"/games/{game['id']}?ply=0")
    assert f'<code class="fen">{start}</code>' in page
    assert "White has N where Black has Q." in page


def test_the_list_says_who_plays_whom_in_every_kind() -> None:
    page = _text(_html(Shelf(*(experiment(kind) for kind in KINDS)), "/"))
    for contest in (
        "Grand Chess against Grander Chess",
        "8000 nodes against 4000 nodes, Grand Chess",
        "4 players, Grand Chess",
        "piece values, Grand Chess",
    ):
        assert contest in page
    assert "So far 8000 nodes against 4000 nodes: +21\u202fElo [+7, +35]." in page


def test_a_curve_shows_its_levels_its_trend_and_leads_to_its_experiments() -> None:
    curve = handmade.curve()
    html = _html(Shelf(experiment("compare"), curves=(curve,)), f"/curves/{curve['family']}")
    page = _text(html)
    assert "The trend The answer depends on strength" in page
    assert "strength-dependent" in page
    assert "500 +6.1\u202fpp [+4.1, +8.1] 4,000" in page
    assert "A doubling −1.4\u202fpp [−2.5, −0.3]" in page
    picture = re.search(r'<svg class="curve".*?</svg>', html, flags=re.DOTALL)
    assert picture is not None
    assert picture[0].count('class="estimate"') == 3
    assert html.count(f'href="/experiments/{curve["levels"][0]["experiment"]}"') == 3


def test_a_curve_under_way_shows_no_trend_and_keeps_the_place_of_what_is_to_come() -> None:
    curve = handmade.curve_under_way()
    html = _html(Shelf(experiment("compare"), curves=(curve,)), f"/curves/{curve['family']}")
    page = _text(html)
    assert "Where it stands 2 of 3 strengths have played their budget" in page
    assert "8,000 – – 0" in page
    assert "A doubling" not in page
    picture = re.search(r'<svg class="curve".*?</svg>', html, flags=re.DOTALL)
    assert picture is not None
    assert picture[0].count('class="estimate"') == 2
    assert ">8,000</text>" in picture[0]


def test_an_experiment_of_a_curve_leads_to_it() -> None:
    curve = {"family": "cc" * 32, "level": 4, "levels": [1, 4, 16]}
    view = experiment("compare", curve=curve)
    for path in ("/", f"/experiments/{view['id']}"):
        assert f'href="/curves/{curve["family"]}"' in _html(Shelf(view), path)


def test_findings_are_listed_with_the_questions_they_stand_out_against() -> None:
    found = {**handmade.finished_gsprt()}
    found["test"] = {**found["test"], "log_e": 6.2}
    shelf = Shelf(found, found={"level": 0.05, "tested": 12, "findings": [found]})
    page = _text(_html(shelf, "/findings"))
    assert "against 12 questions asked here" in page
    assert "at most 5.0\u202f% are false" in page
    assert "e-value 493" in page
    assert found["verdict"]["sentence"] in page


def test_without_findings_the_page_says_so() -> None:
    assert "Nothing stands out yet." in _text(_html(Shelf(experiment("compare")), "/findings"))
    assert "No experiment has been played yet." in _text(_html(Shelf(), "/findings"))


def test_every_page_leads_to_the_others() -> None:
    for path in ("/", "/findings", "/calculator"):
        html = _html(Shelf(), path)
        assert re.findall(r'href="(/\w*)"(?: aria-current="page")?>(\w+)</a>', html)[-3:] == [
            ("/", "Experiments"),
            ("/findings", "Findings"),
            ("/calculator", "Calculator"),
        ]
        assert f'href="{path}" aria-current="page"' in html
