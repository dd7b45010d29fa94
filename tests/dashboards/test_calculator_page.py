"""The calculator's page: the answers and the complaints of ``tabia stats``, under an address."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tabia.dashboards.app import add_pages
from tabia.dashboards.wording import typeset
from tabia.engine.cli import main
from tabia.server.calculator.forms import FORMS
from tests.dashboards.handmade import Shelf


@pytest.fixture
def client() -> FlaskClient:
    app = Flask("pages")
    add_pages(app, Shelf())
    return app.test_client()


def _text(html: str) -> str:
    return re.sub(r"[ \n]+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def _example(form: str) -> dict[str, str]:
    return {field.name: field.default or field.example for field in FORMS[form].fields}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_without_an_answer_is_filled_with_what_will_be_asked(
    client: FlaskClient, form: str
) -> None:
    page = client.get("/calculator", query_string={"form": form}).get_data(as_text=True)
    assert "The answer" not in page
    for field in FORMS[form].fields:
        assert f'id="f-{field.name}"' in page
        assert f'<label for="f-{field.name}">{field.label}</label>' in page


@pytest.mark.parametrize("form", FORMS)
def test_an_address_with_fields_has_the_answer_of_the_command_line(
    client: FlaskClient, form: str
) -> None:
    given = _example(form)
    answer = FORMS[form].answer(given)
    found = client.get("/calculator", query_string={"form": form, **given})
    assert found.status_code == 200
    text = _text(found.get_data(as_text=True))
    assert typeset(answer.headline) in text
    for line in answer.lines:
        assert typeset(line.value or line.detail) in text
    for note in answer.notes:
        assert typeset(note) in text
    for row in answer.table.rows if answer.table else ():
        assert " ".join(row[2:]) in text
    assert f"tabia stats {form}" in text


def test_what_is_left_out_of_an_address_is_shown_as_what_was_taken_for_it(
    client: FlaskClient,
) -> None:
    page = client.get("/calculator?form=games&counts=620+900+480").get_data(as_text=True)
    assert "The answer" in page
    assert re.search(r'name="alpha" value="0.05"', page)
    assert re.search(r'name="bounds" value=""', page)


def test_a_wrong_field_is_a_422_with_the_words_of_the_command_line_beside_it(
    client: FlaskClient, capsys: pytest.CaptureFixture[str]
) -> None:
    found = client.get("/calculator?form=pairs&counts=1+2+3+4+x&alpha=0.01")
    assert found.status_code == 422
    page = found.get_data(as_text=True)
    assert main(["stats", "pairs", "1", "2", "3", "4", "x"]) == 2
    complaint = capsys.readouterr().err.strip().partition("counts: ")[2]
    beside = re.search(r'name="counts".*?<p class="problem"[^>]*>(.*?)</p>', page, re.DOTALL)
    assert beside is not None
    assert unescape(beside[1]) == complaint
    assert re.search(r'name="counts" value="1 2 3 4 x"', page)
    assert re.search(r'name="alpha" value="0.01"', page)
    assert page.count('aria-invalid="true"') == 1
    assert "The answer" not in page


def test_what_somebody_writes_into_an_address_is_shown_and_never_run(client: FlaskClient) -> None:
    hostile = '"><script>window.pwned=1</script>'
    for query in ({"form": hostile, "counts": hostile}, {"form": "pairs", "counts": hostile}):
        page = client.get("/calculator", query_string=query).get_data(as_text=True)
        assert "<script>window" not in page
    assert "window.pwned" in page


def test_an_unknown_form_is_the_first_one(client: FlaskClient) -> None:
    page = client.get("/calculator?form=nothing").get_data(as_text=True)
    assert '<input type="hidden" name="form" value="pairs">' in page


def test_a_form_may_be_sent_to_our_own_address_only(client: FlaskClient) -> None:
    policy = client.get("/calculator").headers["Content-Security-Policy"]
    assert "form-action 'self'" in policy
