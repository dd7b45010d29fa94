"""The pages of kinds with one rule set, and of curves, over games that were really played."""

from __future__ import annotations

import re
from html import unescape

from tests.dashboards.conftest import House

ENGINES = {
    "kind": "engines",
    "arms": None,
    "rules": "chess",
    "players": {"a": {"name": "Deep", "nodes": 40}, "b": {"name": "Shallow", "nodes": 10}},
}
RATINGS = {
    "kind": "ratings",
    "arms": None,
    "rules": "chess",
    "players": {"fast": {"nodes": 5}, "mid": {"nodes": 15}, "slow": {"nodes": 40}},
    "test": {"budget": 100},
}
MATERIAL = {"kind": "material", "arms": None, "rules": "chess", "test": {"budget": 200}}


def _text(html: str) -> str:
    return re.sub(r"[ \n]+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def test_two_engines_play_to_a_verdict_with_an_adjusted_estimate(house: House) -> None:
    experiment = house.submit(**ENGINES, test={"budget": 400, "bounds": [0, 200]})
    assert "No games yet." in house.page(f"/experiments/{experiment}")
    house.play(units=32)
    page = _text(house.page(f"/experiments/{experiment}"))
    assert "Deep over Shallow" in page
    assert "SPRT-adjusted" not in page
    while (view := house.view(experiment))["verdict"] is None:
        house.play(units=1)
    page = _text(house.page(f"/experiments/{experiment}"))
    assert view["verdict"]["sentence"] in page
    assert f"SPRT-adjusted +{view['adjusted']['value']:.0f}\u202fElo" in page
    games = house.games(experiment)
    assert "White is Deep, Black is Shallow." in _text(house.page(f"/games/{games[0]['id']}"))
    assert "White is Shallow, Black is Deep." in _text(house.page(f"/games/{games[1]['id']}"))
    # Such a difference is a finding, whatever else is asked.
    assert view["name"] in house.page("/findings")


def test_a_rating_list_is_watched_until_its_declared_end(house: House) -> None:
    experiment = house.submit(**RATINGS)
    assert "No games yet." in house.page(f"/experiments/{experiment}")
    house.play(units=48)
    view, page = house.view(experiment), _text(house.page(f"/experiments/{experiment}"))
    assert "These intervals may be watched" in page
    assert "fixed-sample" not in page
    assert page.count(" 40 nodes ") >= 2
    for player in view["ratings"]["players"]:
        assert re.search(rf"{player['name']} [+−]?\d+ (\[|no bound)", page)
    match = house.games(experiment)[0]["match"]
    assert match.count(":") == 1
    while house.view(experiment)["verdict"] is None:
        house.play(units=1)
    page = _text(house.page(f"/experiments/{experiment}"))
    assert "come to its declared end" in page
    assert "may be watched" not in page


def test_the_anchor_of_a_rating_list_stands_where_it_was_declared(house: House) -> None:
    experiment = house.submit(**RATINGS, ratings={"anchor": "mid", "anchor_elo": 700})
    assert "from 15 nodes, which is fixed at +700" in _text(
        house.page(f"/experiments/{experiment}")
    )
    house.play(units=48)
    view, page = house.view(experiment), _text(house.page(f"/experiments/{experiment}"))
    assert view["ratings"]["pools"] == [[row["key"] for row in view["ratings"]["players"]]]
    assert re.search(r"15 nodes \+700 fixed ", page)
    assert "Elo are counted from 15 nodes, which is fixed at +700, on the logistic scale" in page
    assert "Elo from 15 nodes, which is fixed at +700, after so many units" in page
    assert "A rating list of the whole budget, 15 nodes fixed at +700, at most 100 units" in page


def test_armies_begin_their_replay_with_the_men_they_have(house: House) -> None:
    experiment = house.submit(**MATERIAL)
    house.play(units=3)
    view = house.view(experiment)
    page = _text(house.page(f"/experiments/{experiment}"))
    assert "Values in pawns" in page
    assert f"at most {view['budget']} units" in page
    for game in house.games(experiment)[:2]:
        replay = house.page(f"/games/{game['id']}?ply=0")
        fen = re.search(r'<code class="fen">(\S+) ', replay)
        assert fen is not None
        first, second = game["match"].split(":")
        white, black = (first, second) if game["arm"] == "a" else (second, first)
        # Each side lacks what only the other one has.
        assert sum(map(str.isupper, fen[1])) == 16 - len(black)
        assert sum(map(str.islower, fen[1])) == 16 - len(white)
        for man in set(first + second):
            assert fen[1].count(man) - fen[1].count(man.lower()) == (
                white.count(man) - black.count(man)
            )


def test_a_curve_is_found_from_its_levels_and_told_when_all_are_played(house: House) -> None:
    experiment = house.submit(curve={"levels": [1, 2]}, test={"budget": 16})
    family = house.view(experiment)["curve"]["family"]
    assert f'href="/curves/{family}"' in house.page(f"/experiments/{experiment}")
    assert f'href="/curves/{family}"' in house.page("/")
    sentence = house.client.get(f"/api/v1/curves/{family}").get_json()["sentence"]
    assert sentence in _text(house.page(f"/curves/{family}"))
    house.play(units=32)
    curve = house.client.get(f"/api/v1/curves/{family}").get_json()
    assert curve["complete"]
    page = house.page(f"/curves/{family}")
    assert "The trend" in page
    for level in curve["levels"]:
        assert f'href="/experiments/{level["experiment"]}"' in page
    assert house.client.get(f"/curves/{'0' * 64}").status_code == 404
