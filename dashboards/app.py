"""The coordinator with its pages, as one WSGI application: ``tabia.dashboards.app:create_app()``."""

from __future__ import annotations

from flask import Flask

from tabia.dashboards.errors import show_errors
from tabia.dashboards.headers import guard
from tabia.dashboards.pages import pages
from tabia.dashboards.source import Source


def add_pages(app: Flask, source: Source) -> None:
    """Gives ``app`` the pages over ``source``, their error pages and their headers."""
    app.register_blueprint(pages(source))
    show_errors(app)
    guard(app)
