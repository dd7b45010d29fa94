"""Every number of a game profile leads to its definition, and the definitions are a page."""

from __future__ import annotations

import re
from html import unescape

from flask import Flask

from tabia.dashboards import markdown
from tabia.dashboards.app import add_pages
from tabia.dashboards.definitions import TEXT, definition_of
from tabia.engine.match import Experiment, plan_batch, play_batch
from tabia.server.profile import Profile, array_of
from tests.dashboards.handmade import Shelf, experiment


def _html(path: str, shelf: Shelf) -> str:
    app = Flask("pages")
    add_pages(app, shelf)
    answer = app.test_client().get(path)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_every_row_of_a_profile_is_defined() -> None:
    document = {
        "name": "Profile",
        "kind": "engines",
        "rules": "chess",
        "players": {"a": {"nodes": 20}, "b": {"nodes": 20}},
        "openings": {"plies": 4},
    }
    played = Experiment.from_document(document, "test")
    profile = Profile()
    for game in play_batch(plan_batch(played, 0, 0, 4))["games"]:
        profile.add(game)
    array = array_of(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", {"white": "K", "black": "K"}
    )
    names = [row["name"] for row in profile.rows(array)]
    assert len(names) > 20
    assert [name for name in names if definition_of(name) is None] == []
    assert definition_of("survival:Q") == "survival:LETTER"
    assert definition_of("opening_diversity:black") == "opening_diversity:black"
    assert definition_of("nothing") is None


def test_a_profile_links_to_the_rows_of_the_page() -> None:
    view = experiment("compare")
    links = set(
        re.findall(r'href="/definitions#([^"]+)"', _html(f"/experiments/{view['id']}", Shelf(view)))
    )
    assert {unescape(link) for link in links} >= {"branching", "forced", "length"}
    page = _html("/definitions", Shelf())
    for link in links:
        assert f'id="{link}"' in page


def test_the_page_holds_the_whole_text_and_none_of_its_marks() -> None:
    page = _html("/definitions", Shelf())
    main = page[page.index("<article") : page.index("</article>")]
    assert main.count("<h2>") == TEXT.read_text().count("\n## ")
    text = unescape(re.sub(r"<[^>]+>", "", main))
    for mark in ("**", "`", "|", "## ", "]("):
        assert mark not in text


def test_markdown_is_escaped() -> None:
    hostile = '# <script>x</script>\n\n`"><img src=x>` [a](javascript:x) [b](https://example.org)'
    found = markdown.html(hostile)
    assert "<script" not in found
    assert "<img" not in found
    assert "javascript" not in found
    assert '<a href="https://example.org">b</a>' in found
