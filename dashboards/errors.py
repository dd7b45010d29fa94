"""Error pages in the house style; the API answers its own errors."""

from __future__ import annotations

from typing import Final

from flask import Flask, Response, make_response, render_template, request
from werkzeug.exceptions import HTTPException

_EXPLANATIONS: Final[dict[int, tuple[str, str]]] = {
    404: ("Nothing here", "This page does not exist, or what it showed is gone."),
    405: ("Not that way", "This address cannot be used like that."),
    500: ("Something broke", "It is our fault, and it has been written to the log."),
}


def page_error(error: HTTPException) -> Response:
    """The page for an HTTP error."""
    code = error.code or 500
    heading, explanation = _EXPLANATIONS.get(code, (error.name, ""))
    # Only a description that the pages gave themselves is worth reading; the framework's speaks
    # of URLs and spelling.
    own = error.description if code == 404 and error.description != type(error).description else ""
    return make_response(
        render_template(
            "error.html", code=code, heading=heading, explanation=own or explanation or error.description
        ),
        code,
    )


def is_api(path: str) -> bool:
    """Whether programs, not people, ask for ``path``."""
    return path.startswith("/api/") or path in {"/healthz", "/metrics", "/openapi.json"}


def show_errors(app: Flask) -> None:
    """Lets people see pages where programs get JSON."""
    for_programs = app.error_handler_spec[None][None].get(HTTPException)

    @app.errorhandler(HTTPException)
    def handle(error: HTTPException) -> object:
        if is_api(request.path):
            return for_programs(error) if for_programs else error  # type: ignore[call-arg]
        return page_error(error)
