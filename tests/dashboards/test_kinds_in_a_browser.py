"""Every kind of page in a real browser: curves, findings, calculator; at desk and by phone."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect
from werkzeug.serving import make_server

from tabia.dashboards.app import add_pages
from tests.dashboards import handmade
from tests.dashboards.handmade import Shelf, experiment

DESK, PHONE = 1280, 390
KINDS = ("compare", "rights", "engines", "ratings", "material")
NAME = "donaudampfschifffahrt" * 3


def _shelf() -> Shelf:
    """One experiment of every kind, with names that nobody would choose."""
    views = [experiment(kind, name=NAME) for kind in KINDS if kind != "engines"]
    views.append(handmade.finished_gsprt())
    views[-1]["players"] = [{**each, "name": NAME} for each in views[-1]["players"]]
    return Shelf(
        *views,
        curves=(handmade.curve(name=NAME),),
        found={"level": 0.05, "tested": 5, "findings": views[-1:]},
    )


def _paths() -> list[str]:
    return [
        "/",
        "/findings",
        f"/curves/{handmade.curve()['family']}",
        "/definitions",
        "/calculator",
        "/calculator?form=pairs&counts=16+219+530+240+90&bounds=0+10&margin=20",
        "/calculator?form=plan&margin=0.03&question=white_score&touched=0.1",
        *(f"/experiments/{experiment(kind)['id']}" for kind in KINDS),
    ]


@pytest.fixture
def shelf_page(browser: Browser) -> Iterator[Page]:
    """A tab on pages over the shelf; whatever it complains about fails the test."""
    app = Flask("pages")
    add_pages(app, _shelf())
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    context = browser.new_context(base_url=f"http://127.0.0.1:{server.server_port}")
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    server.shutdown()
    thread.join()
    server.server_close()
    assert complaints == []


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_no_page_scrolls_sideways_and_none_is_cut_off(shelf_page: Page, width: int) -> None:
    shelf_page.set_viewport_size({"width": width, "height": 800})
    for path in _paths():
        shelf_page.goto(path)
        assert shelf_page.evaluate("document.documentElement.scrollWidth") <= width, path
        beyond = shelf_page.evaluate(
            """(width) => [...document.querySelectorAll("main p, main h1, main h2, input, button")]
              .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > width + 1)
              .map((e) => e.outerHTML.slice(0, 100))""",
            width,
        )
        assert beyond == [], path


def test_every_page_can_be_used_by_keyboard_and_by_ear(shelf_page: Page) -> None:
    for path in _paths():
        shelf_page.goto(path)
        assert shelf_page.locator("h1").count() == 1, path
        assert shelf_page.locator("main").count() == 1, path
        unnamed = shelf_page.evaluate(
            """() => [...document.querySelectorAll(
                "a, button, input:not([type=hidden]), select, svg[role=img], [role=img], progress")]
              .filter((e) => e.checkVisibility())
              .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim()
                || e.labels?.[0]?.textContent.trim()))
              .map((e) => e.outerHTML.slice(0, 120))"""
        )
        assert unnamed == [], path
        skipped = shelf_page.evaluate(
            """() => [...document.querySelectorAll("h1, h2, h3")]
              .filter((e) => e.checkVisibility()).map((e) => Number(e.tagName[1]))
              .some((level, i, all) => i > 0 && level > all[i - 1] + 1)"""
        )
        assert not skipped, path
        shelf_page.keyboard.press("Tab")
        assert shelf_page.evaluate("document.activeElement.textContent") == "Skip to the content"


def _colours(page: Page, chart: str) -> set[str]:
    found: list[str] = page.evaluate(
        """(chart) => {
          const canvas = document.querySelector(`${chart} canvas`);
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          const seen = new Set();
          for (let i = 0; i < data.length; i += 4) {
            if (data[i + 3] === 255) seen.add([data[i], data[i + 1], data[i + 2]].join());
          }
          return [...seen];
        }""",
        chart,
    )
    return set(found)


BLUE, BROWN = "31,106,147", "176,81,26"  # --a and --b of the light scheme


def test_the_path_of_the_test_is_drawn_with_a_line_for_either_direction(shelf_page: Page) -> None:
    view = experiment("compare")
    shelf_page.goto(f"/experiments/{view['id']}")
    expect(shelf_page.locator("#path")).to_have_attribute("data-points", str(len(view["history"])))
    assert {BLUE, BROWN} <= _colours(shelf_page, "#path")
    legend = shelf_page.locator("#path .u-legend")
    expect(legend).to_contain_text("LLR, A’s favour")
    expect(legend.get_by_text("Bound").first).to_be_hidden()
    shelf_page.locator("#history summary").click()
    rows = shelf_page.locator("#history tbody tr")
    expect(rows).to_have_count(len(view["history"]))


def test_a_gsprt_has_one_line(shelf_page: Page) -> None:
    shelf_page.goto(f"/experiments/{experiment('engines')['id']}")
    expect(shelf_page.locator("#path canvas")).to_be_visible()
    assert BROWN not in _colours(shelf_page, "#path")


@pytest.mark.parametrize("kind", ["ratings", "material"])
def test_ratings_and_values_are_drawn_with_a_line_each(shelf_page: Page, kind: str) -> None:
    shelf_page.goto(f"/experiments/{experiment(kind)['id']}")
    expect(shelf_page.locator("#lines canvas")).to_be_visible()
    assert {BLUE, BROWN} <= _colours(shelf_page, "#lines")
    names = shelf_page.locator(".ranked tbody th").all_inner_texts()
    for name in names:
        expect(shelf_page.locator("#lines .u-legend")).to_contain_text(name.split(" ")[0].lower())


def test_the_calculator_is_filled_in_and_answers_without_scripts(
    shelf_page: Page, browser: Browser
) -> None:
    shelf_page.goto("/calculator")
    address = shelf_page.url
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.get_by_role("link", name="Single games").click()
    page.get_by_label("Won, drawn, lost").fill("620 900 480")
    page.get_by_label("Bounds in").select_option("logistic")
    page.get_by_role("button", name="Calculate").click()
    expect(page.locator(".verdict .sentence")).to_contain_text("+24.4 Elo")
    assert "counts=620+900+480" in page.url
    assert "scale=logistic" in page.url

    # The address alone has the same answer; a mistake stays in its field.
    page.goto(page.url)
    expect(page.locator(".verdict .sentence")).to_contain_text("+24.4 Elo")
    page.get_by_label("Won, drawn, lost").fill("620 900")
    page.keyboard.press("Enter")
    field = page.get_by_label("Won, drawn, lost")
    expect(field).to_have_value("620 900")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_contain_text("allowed: 3 whole numbers")
    context.close()
