"""What every answer tells the browser: run and load nothing but our own files."""

from __future__ import annotations

from flask import Flask, Response, request

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_FOR_GOOD = "public, max-age=31536000, immutable"


def guard(app: Flask) -> None:
    """Adds the headers to all answers of ``app`` that do not bring their own."""

    @app.after_request
    def add(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        if request.endpoint == "pages.static" and "v" in request.args:
            # The address holds a hash of the content (see assets.py).
            response.headers["Cache-Control"] = _FOR_GOOD
        return response
