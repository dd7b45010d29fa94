"""Pages of a real coordinator, read as a client without scripts reads them."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from tabia.dashboards.app import create_app
from tabia.dashboards.headers import POLICY
from tabia.engine import RuleSet
from tabia.engine.weights import neutral_weights
from tabia.engine.weights_file import weights_hash
from tabia.server.access import Action, NotAllowedError
from tests.dashboards.conftest import House

HOSTILE = '<script>window.pwned=1</script><img src=x onerror="window.pwned=1">'


def _text(html: str) -> str:
    """The page without its tags and with single blanks."""
    return re.sub(r"[ \n]+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def test_without_experiments_the_list_says_how_to_start_one(house: House) -> None:
    assert "tabia run" in house.page("/")


def test_the_list_shows_each_experiment_with_its_question_state_and_progress(house: House) -> None:
    experiment = house.submit()
    text = _text(house.page("/"))
    assert "waiting compare Does stalemate matter?" in text
    assert "Would chess be less drawn" in text
    assert "0 of 400 units" in text
    house.play(units=1)
    text = _text(house.page("/"))
    assert "running compare" in text
    assert f"{house.view(experiment)['units_done']} of 400 units" in text


def test_a_long_list_is_turned_page_by_page(house: House) -> None:
    for seed in range(31):
        house.submit(seed=seed, name=f"Number {seed}", nodes=1, max_plies=5)
    first, second = house.page("/"), house.page("/?offset=30")
    assert 'href="?offset=30"' in first
    names = re.compile(r">(Number \d+)</a>")
    assert len(names.findall(first)) == 30
    assert len({*names.findall(first), *names.findall(second)}) == 31
    assert 'offset=30"' in re.findall(r'hx-get="([^"]*")', second)[0]


def test_an_experiment_says_what_was_asked_what_differs_and_how_to_cite_it(house: House) -> None:
    experiment = house.submit()
    view, text = house.view(experiment), _text(house.page(f"/experiments/{experiment}"))
    for needed in (
        view["name"],
        view["question"],
        view["id"],
        view["engine"],
        *(arm["rules_id"] for arm in view["arms"]),
        "No games yet.",
        "margin 3.0 percentage points",
        "at most 400 units, 20 nodes a move",
        view["expected"]["sentence"],
    ):
        assert needed in text
    for row in view["rules_diff"]:
        assert f"{row['a']} {row['b']}" in text


def test_weights_of_ones_own_are_named_and_what_they_do_to_the_coupling_is_said(
    house: House,
) -> None:
    weights = neutral_weights(RuleSet.load("chess"))
    weights["letters"]["N"]["mid"] = 700
    name = weights_hash(weights)
    apart = house.page(f"/experiments/{house.submit(weights={'a': weights})}")
    assert f'<a href="/api/v1/weights/{name}"><code>{name[:12]}</code></a>' in apart
    assert "That breaks the coupling of the arms:" in _text(apart)
    assert "the two games are the same until" not in _text(apart)
    alike = _text(house.page(f"/experiments/{house.submit(weights={'all': weights})}"))
    assert f"everybody else by {name[:12]}" in alike
    assert "coupling" not in alike
    assert "weights" not in _text(house.page(f"/experiments/{house.submit()}"))


def test_a_running_experiment_shows_the_numbers_of_the_api(house: House) -> None:
    experiment = house.submit()
    house.play(units=32)
    view, text = house.view(experiment), _text(house.page(f"/experiments/{experiment}"))
    a, b = view["tallies"]["a"], view["tallies"]["b"]
    assert f"Games {a['games']} {b['games']}" in text
    assert re.search(rf"White wins {a['white_wins']} [\d.]+\u202f% {b['white_wins']} ", text)
    assert re.search(rf"Capped \(score one half\) {a['capped']} ", text)
    assert f"Mean length in plies {a['mean_plies']:.1f} {b['mean_plies']:.1f}" in text
    assert f"mattered in {view['touched']['units']} of {view['units_done']} units" in text
    difference = view["estimate"]["difference"]["value"]
    assert f"{100 * abs(difference):.1f}\u202fpp" in text
    assert "Not a verdict" in text
    history = re.findall(
        r'<tr><th scope="row">([\d,]+)</th>', house.page(f"/experiments/{experiment}")
    )
    assert history == [str(point["units"]) for point in view["history"]]


def test_a_verdict_stands_large_on_its_page_and_in_the_list(house: House) -> None:
    # Both arms are chess: equal games, so that the smallest looks decide "no difference".
    experiment = house.submit(
        arms={"a": "chess", "b": "chess"}, test={"budget": 400, "margin": 0.4}
    )
    while (view := house.view(experiment))["verdict"] is None:
        house.play(units=16)
    assert view["state"] == "decided"
    page = house.page(f"/experiments/{experiment}")
    large = re.search(r'<p class="sentence">(.*)</p>', page)
    assert large is not None
    assert view["verdict"]["sentence"].startswith(unescape(large[1]))
    assert view["verdict"]["sentence"] in _text(page)
    assert view["verdict"]["sentence"] in _text(house.page("/"))


def test_an_experiment_about_rights_says_how_often_the_right_arose(house: House) -> None:
    experiment = house.submit(
        kind="rights",
        arms={"a": "grand-free-promotion", "b": "grand"},
        test={"budget": 100, "margin": 20},
    )
    house.play(units=3)
    view, text = house.view(experiment), _text(house.page(f"/experiments/{experiment}"))
    assert f"in {view['right']['never_arose']} of {view['units_done']} units it never arose" in text
    assert "Each opening is played twice" in text
    assert "Worth of those rights" in text
    game = house.games(experiment)[1]
    names = {arm["key"]: arm["name"] for arm in view["arms"]}
    assert f"White has the rights of {names['b']}, Black those of {names['a']}." in _text(
        house.page(f"/games/{game['id']}")
    )


def test_games_are_listed_in_schedule_order_and_lead_to_their_replays(house: House) -> None:
    experiment = house.submit()
    house.play(units=30)
    games = house.games(experiment)
    page = house.page(f"/experiments/{experiment}/games")
    assert re.findall(r'href="/games/(\d+)"', page) == [str(game["id"]) for game in games[:50]]
    assert 'href="?offset=50"' in page
    rest = house.page(f"/experiments/{experiment}/games?offset=50")
    assert re.findall(r'href="/games/(\d+)"', rest) == [str(game["id"]) for game in games[50:100]]


def test_a_replay_shows_any_ply_without_scripts(house: House) -> None:
    experiment = house.submit()
    house.play(units=1)
    game = house.client.get(f"/api/v1/games/{house.games(experiment)[0]['id']}").get_json()
    start = house.page(f"/games/{game['id']}")
    assert (
        '<code class="fen">rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1</code>' in start
    )
    assert start.count('data-ply="') == game["plies"] + 1
    end = house.page(f"/games/{game['id']}?ply={game['plies']}")
    assert f"{game['reason']}." in end
    assert re.findall(r'aria-current="step"', end) == ['aria-current="step"']
    beyond = house.page(f"/games/{game['id']}?ply=999999")
    assert re.search(r'<code class="fen">(.*)</code>', beyond) is not None
    assert f'data-ply="{game["plies"]}" data-last' in beyond


def test_the_rules_of_an_arm_are_drawn_and_spelled_out(house: House) -> None:
    experiment = house.submit(arms={"a": "grand", "b": "grand-stalemate-wins"})
    page = house.page(f"/experiments/{experiment}/rules/b")
    assert page.count('class="move-diagram"') == 8
    text = _text(page)
    assert "M Marshall" in text
    assert "C Cardinal" in text
    assert "as a rook; or by a leap of two squares along rank or file and one across" in text
    assert "What differs from Grand Chess" in text
    assert "Stalemate, having no legal move without being in check: that side loses." in text
    assert "stalemate loss" in text
    assert house.view(experiment)["arms"][1]["rules_id"] in text


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/experiments/nothing",
        f"/experiments/{'0' * 64}",
        f"/experiments/{'0' * 64}/news",
        f"/experiments/{'0' * 64}/games",
        f"/experiments/{'0' * 64}/rules/a",
        "/games/1",
        f"/games/{10**30}",
    ],
)
def test_what_is_not_there_is_a_page_in_the_house_style(house: House, path: str) -> None:
    answer = house.client.get(path)
    assert answer.status_code == 404
    assert "<h1>Nothing here</h1>" in answer.get_data(as_text=True)
    assert answer.headers["Content-Security-Policy"] == POLICY


def test_programs_keep_their_json_errors(house: House) -> None:
    answer = house.client.get("/api/v1/nothing")
    assert answer.status_code == 404
    assert answer.is_json
    answer = house.client.get(f"/api/v1/experiments/{'0' * 64}")
    assert answer.status_code == 404
    assert answer.get_json()["message"].startswith("no experiment")


def test_odd_queries_are_brought_into_bounds(house: House) -> None:
    experiment = house.submit()
    for query in ("offset=-1", "offset=x", f"offset={10**30}"):
        house.page(f"/experiments/{experiment}/games?{query}")
        house.page(f"/?{query}")


def test_news_cost_nothing_while_nothing_is_new(house: House) -> None:
    experiment = house.submit()
    for page in (f"/experiments/{experiment}", "/"):
        asked = re.search(r'hx-get="([^"]+)"[^>]* hx-headers=\'([^\']+)\'', house.page(page))
        assert asked is not None
        news, headers = asked[1], json.loads(asked[2])
        nothing = house.client.get(news, headers=headers)
        assert nothing.status_code == 304
        assert nothing.data == b""
        house.play(units=1)
        assert house.client.get(news, headers=headers).status_code == 200


def test_a_finished_experiment_asks_for_no_news(house: House) -> None:
    experiment = house.submit()
    assert "hx-trigger" in house.page(f"/experiments/{experiment}")
    house.stop(experiment)
    assert "hx-trigger" not in house.page(f"/experiments/{experiment}")
    assert "hx-trigger" not in house.page(f"/experiments/{experiment}/news")


def test_what_strangers_write_is_shown_and_never_run(house: House) -> None:
    tweak = {"extends": "chess", "name": HOSTILE, "pieces": {"N": {"name": HOSTILE, "moves": "N"}}}
    experiment = house.submit(
        name=HOSTILE, question=HOSTILE, arms={"a": "chess", "b": "t"}, rulesets={"t": tweak}
    )
    house.play(units=1)
    game = house.games(experiment)[1]["id"]
    for path in (
        "/",
        f"/experiments/{experiment}",
        f"/experiments/{experiment}/news",
        f"/experiments/{experiment}/games",
        f"/experiments/{experiment}/rules/b",
        f"/games/{game}",
    ):
        page = house.page(path)
        assert "<script>window" not in page, path
        assert "<img" not in page, path
        assert HOSTILE in unescape(page), path


def test_every_answer_forbids_foreign_code(house: House) -> None:
    for path in ("/", "/experiments/news", "/nothing", "/assets/tabia.css", "/api/v1/experiments"):
        headers = house.headers(path)
        assert headers["Content-Security-Policy"] == POLICY, path
        assert headers["X-Content-Type-Options"] == "nosniff", path
    assert "'unsafe" not in POLICY


def test_assets_are_kept_by_browsers_under_an_address_that_names_their_content(
    house: House,
) -> None:
    page = house.page("/")
    addresses = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page)
    assert len(addresses) >= 3
    for address in addresses:
        assert house.page(unescape(address))
        assert "immutable" in house.headers(unescape(address))["Cache-Control"]
        assert "immutable" not in house.headers(address.split("?")[0])["Cache-Control"]


def test_whoever_may_not_read_sees_a_page_that_says_so(house: House) -> None:
    def closed(_: object, action: Action) -> None:
        raise NotAllowedError(f"no {action} here")

    client = create_app(database=house.database, authorise=closed).test_client()
    answer = client.get("/")
    assert answer.status_code == 403
    assert "Not for everybody" in answer.get_data(as_text=True)
    with client.get("/assets/tabia.css") as style:
        assert style.status_code == 200
