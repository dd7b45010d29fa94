"""The calculator's page: one form at a time, its answer under an address that can be shared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tabia.engine.documents import DocumentError
from tabia.server.calculator.fields import Field
from tabia.server.calculator.forms import FORMS

_FIRST: Final = next(iter(FORMS))
_OK, _UNPROCESSABLE = 200, 422


def calculator_context(query: Mapping[str, str]) -> tuple[dict[str, Any], int]:
    """What ``calculator.html`` shows for the texts of a query, and the status of the answer.

    A query without any field of its form gets the form, filled with an example. A field that is
    wrong gets its problem beside it, in the words of ``tabia stats``.
    """
    form = FORMS.get(query.get("form", _FIRST), FORMS[_FIRST])
    given = {field.name: query[field.name] for field in form.fields if field.name in query}
    context: dict[str, Any] = {
        "forms": list(FORMS.values()),
        "form": form,
        "texts": {field.name: _shown(field, given) for field in form.fields},
        "answer": None,
        "problems": {},
    }
    if not given:
        return context, _OK
    try:
        return {**context, "answer": form.answer(given)}, _OK
    except DocumentError as error:
        return {**context, "problems": {error.key: error.problem}}, _UNPROCESSABLE


def _shown(field: Field, given: Mapping[str, str]) -> str:
    """What stands in a field: what was given, else what is taken for it, else an example."""
    unasked = field.example if not given and field.default == "" else ""
    return given.get(field.name, field.default or unasked)
