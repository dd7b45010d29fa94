"""Error pages in the house style; what programs ask for keeps its JSON."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Flask, make_response, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import InterfaceError, OperationalError
from werkzeug.exceptions import (
    Forbidden,
    HTTPException,
    InternalServerError,
    MethodNotAllowed,
    NotFound,
    ServiceUnavailable,
)

from tabia.server.access import NotAllowedError
from tabia.server.views import NotFoundError

_PAGES: Final[dict[type[HTTPException], tuple[str, str]]] = {
    Forbidden: ("Not for everybody", "Whoever runs this server has not opened this page to you."),
    NotFound: ("Nothing here", "This page does not exist, or what it showed is gone."),
    MethodNotAllowed: ("Not that way", "This address cannot be used like that."),
    InternalServerError: ("Something broke", "It is our fault, and it has been written down."),
    ServiceUnavailable: ("Not just now", "The database does not answer. Try again in a moment."),
}

# What the coordinator's functions raise, and which page that is.
_REFUSALS: Final[dict[type[Exception], type[HTTPException]]] = {
    NotFoundError: NotFound,
    NotAllowedError: Forbidden,
    OperationalError: ServiceUnavailable,
    InterfaceError: ServiceUnavailable,
}


def _page(kind: type[HTTPException]) -> ResponseReturnValue:
    heading, explanation = _PAGES.get(kind, (kind.__name__, kind.description or ""))
    text = render_template("error.html", code=kind.code, heading=heading, explanation=explanation)
    return make_response(text, kind.code)


def show_refusals(blueprint: Blueprint) -> None:
    """Lets the pages of ``blueprint`` answer with pages where the coordinator says no."""
    for raised, kind in _REFUSALS.items():
        blueprint.register_error_handler(raised, lambda _, kind=kind: _page(kind))


def show_errors(app: Flask) -> None:
    """Shows people a page for every other error; ``/api/`` and the like answer as before."""
    for_programs = app.error_handler_spec[None][None].get(HTTPException)

    def handle(error: HTTPException) -> ResponseReturnValue:
        if not is_for_programs(request.path):
            return _page(type(error))
        return app.ensure_sync(for_programs)(error) if for_programs else error.get_response()

    app.register_error_handler(HTTPException, handle)


def is_for_programs(path: str) -> bool:
    """Whether programs, not people, ask for ``path``."""
    return path.startswith("/api/") or path in {"/healthz", "/metrics"}
