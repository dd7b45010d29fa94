"""The pages in a real browser: what moves, what stays readable, what must never happen."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, Response, expect

from tabia.dashboards.board import MARGIN, SQUARE, placement
from tests.dashboards.conftest import House

HOSTILE = '<script>window.pwned=1</script><img src=x onerror="window.pwned=1">'


def _expected(fen: str) -> set[tuple[str, int, int]]:
    """What ``_men`` must find on a board of ten ranks."""
    return {
        (letter, MARGIN + square % 16 * SQUARE, (9 - square // 16) * SQUARE)
        for square, letter in placement(fen).items()
    }


def _men(page: Page) -> set[tuple[str, int, int]]:
    """Men and where they stand on the picture, small letters for Black's."""
    found = page.evaluate(
        """() => [...document.querySelectorAll(".board .men use")].map((man) => {
          const letter = man.getAttribute("href").slice(-1);
          const own = man.getAttribute("class") === "white" ? letter : letter.toLowerCase();
          return [own, Number(man.getAttribute("x")), Number(man.getAttribute("y"))];
        })"""
    )
    return {(letter, x, y) for letter, x, y in found}


def test_a_running_experiment_renews_its_page_without_loading_it_again(
    house: House, page: Page
) -> None:
    experiment = house.submit()
    answers: list[int] = []

    def note(response: Response) -> None:
        if response.url.endswith("/news"):
            answers.append(response.status)

    page.on("response", note)
    page.goto(f"/experiments/{experiment}")
    page.evaluate("window.sameDocument = true")
    expect(page.locator(".sentence")).to_have_text("No games yet.")
    expect(page.locator("#chart")).to_be_hidden()

    house.play(units=64)
    view = house.view(experiment)
    expect(page.locator(".figures")).to_contain_text(f"{view['units_done']} of 400 units counted")
    expect(page.locator("#chart canvas")).to_be_visible()
    expect(page.locator("#chart")).to_have_attribute("data-points", str(len(view["history"])))

    # What a reader has opened stays open, and the next points arrive in the same chart.
    page.locator("#history summary").click()
    page.evaluate("document.querySelector('#chart canvas').kept = true")
    with page.expect_response(lambda response: response.status == 304):
        pass
    house.play(units=32)
    view = house.view(experiment)
    expect(page.locator("#chart")).to_have_attribute("data-points", str(len(view["history"])))
    expect(page.locator("#history table")).to_be_visible()
    expect(page.locator("#history tbody tr")).to_have_count(len(view["history"]))
    assert page.evaluate("document.querySelector('#chart canvas').kept")

    # A finished experiment says so and is asked no more.
    house.stop(experiment)
    expect(page.locator("header .state")).to_have_text("stopped")
    expect(page.locator("#experiment[hx-trigger]")).to_have_count(0)
    asked = len(answers)
    page.wait_for_timeout(4500)
    assert len(answers) == asked
    assert 304 in answers
    assert page.evaluate("window.sameDocument")


def test_the_chart_draws_the_estimate_in_its_colour(house: House, page: Page) -> None:
    experiment = house.submit()
    house.play(units=64)
    page.goto(f"/experiments/{experiment}")
    expect(page.locator("#chart canvas")).to_be_visible()
    colours = page.evaluate(
        """() => {
          const canvas = document.querySelector("#chart canvas");
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          const seen = new Set();
          for (let i = 0; i < data.length; i += 4) {
            if (data[i + 3] === 255) seen.add([data[i], data[i + 1], data[i + 2]].join());
          }
          return [...seen];
        }"""
    )
    assert "31,106,147" in colours  # --a of the light scheme


def test_the_list_of_experiments_renews_itself_too(house: House, page: Page) -> None:
    page.goto("/")
    expect(page.locator("#experiments")).to_contain_text("No experiment has been submitted yet.")
    house.submit()
    expect(page.locator(".card h2")).to_have_text("Does stalemate matter?")
    house.play(units=1)
    expect(page.locator(".card .state")).to_have_text("running")


def test_a_replay_reaches_the_end_and_back_by_every_way(house: House, page: Page) -> None:
    experiment = house.submit(arms={"a": "grand", "b": "grander"})
    house.play(units=1)
    game = house.client.get(f"/api/v1/games/{house.games(experiment)[0]['id']}").get_json()
    last = game["plies"]
    page.goto(f"/games/{game['id']}")
    page.evaluate("window.sameDocument = true")
    plies = page.evaluate("JSON.parse(document.getElementById('plies').textContent)")
    start, end = _expected(plies[0]["fen"]), _expected(plies[-1]["fen"])
    replay = page.locator("#replay")
    assert _men(page) == start

    page.keyboard.press("End")
    expect(replay).to_have_attribute("data-ply", str(last))
    assert _men(page) == end
    expect(page.locator(".now")).to_contain_text(f"{game['reason']}.")
    expect(page.locator(".fen")).to_have_text(plies[-1]["fen"])
    expect(page.locator(".board .mark")).to_have_count(2)

    page.keyboard.press("Home")
    assert _men(page) == start
    expect(page.locator(".board .mark")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".moves [aria-current]")).to_have_attribute("data-ply", "1")
    page.get_by_role("link", name="Forward one ply").click()
    page.get_by_role("link", name="Back one ply").click()
    expect(replay).to_have_attribute("data-ply", "1")
    page.get_by_role("link", name="Last position").click()
    assert _men(page) == end
    page.locator(".moves a[data-ply='3']").click()
    assert _men(page) == _expected(plies[3]["fen"])
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("End")
    assert _men(page) == end
    assert page.evaluate("window.sameDocument")

    # The address names the position: loaded again, it shows the same board from the server.
    page.reload()
    expect(replay).to_have_attribute("data-ply", str(last))
    assert _men(page) == end


def _every_page(house: House, experiment: str) -> list[str]:
    return [
        "/",
        f"/experiments/{experiment}",
        f"/experiments/{experiment}/games",
        f"/experiments/{experiment}/rules/b",
        f"/games/{house.games(experiment)[1]['id']}?ply=9",
    ]


def test_what_strangers_write_does_not_run(house: House, page: Page) -> None:
    tweak = {"extends": "chess", "name": HOSTILE, "pieces": {"N": {"name": HOSTILE, "moves": "N"}}}
    experiment = house.submit(
        name=HOSTILE, question=HOSTILE, arms={"a": "chess", "b": "t"}, rulesets={"t": tweak}
    )
    house.play(units=33)
    for path in _every_page(house, experiment):
        page.goto(path)
        assert page.evaluate("window.pwned") is None, path
        assert page.locator("img").count() == 0, path


def test_no_page_scrolls_sideways(house: House, page: Page) -> None:
    word = "donaudampfschifffahrt" * 4
    experiment = house.submit(
        name=word,
        question=word * 3,
        arms={"a": "grand", "b": "tweak"},
        rulesets={"tweak": {"extends": "grander", "name": word}},
    )
    house.play(units=33)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for path in _every_page(house, experiment):
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)


def test_everything_can_be_read_without_scripts(
    house: House, browser: Browser, address: str
) -> None:
    experiment = house.submit()
    house.play(units=33)
    context = browser.new_context(base_url=address, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/experiments/{experiment}")
    page.locator("#history summary").click()
    expect(page.locator("#history tbody tr").first).to_be_visible()
    expect(page.locator("noscript p")).to_be_visible()
    page.get_by_role("link", name="Unit 0, A").click()
    page.get_by_role("link", name="Forward one ply").click()
    expect(page.locator("#replay")).to_have_attribute("data-ply", "1")
    expect(page.get_by_role("slider")).to_be_hidden()
    context.close()


def test_a_page_says_so_when_the_coordinator_stops_answering(
    house: House, browser: Browser, address: str
) -> None:
    experiment = house.submit()
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.goto(f"/experiments/{experiment}")
    context.set_offline(True)
    expect(page.locator("body.away")).to_be_visible()
    context.set_offline(False)
    expect(page.locator("body:not(.away)")).to_be_visible()
    context.close()


def test_every_page_can_be_used_by_keyboard_and_by_ear(house: House, page: Page) -> None:
    experiment = house.submit()
    house.play(units=33)
    for path in _every_page(house, experiment):
        page.goto(path)
        assert page.locator("h1").count() == 1, path
        assert page.locator("main").count() == 1, path
        unnamed = page.evaluate(
            """() => [...document.querySelectorAll("a, button, input, svg[role=img], progress")]
              .filter((e) => e.checkVisibility())
              .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim()
                || e.closest("label")?.textContent.trim()))
              .map((e) => e.outerHTML.slice(0, 120))"""
        )
        assert unnamed == [], path
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content", path
