"""The coordinator with its pages, as one WSGI application, made by ``create_app()``."""

from __future__ import annotations

from flask import Flask, request

from tabia.dashboards.errors import show_errors, show_refusals
from tabia.dashboards.headers import guard
from tabia.dashboards.pages import pages
from tabia.dashboards.source import CoordinatorSource, Source
from tabia.server import app as server
from tabia.server.access import Action, Authorise, open_house
from tabia.server.database import Database
from tabia.server.settings import Settings


def create_app(
    settings: Settings | None = None,
    *,
    database: Database | None = None,
    authorise: Authorise = open_house,
) -> Flask:
    """The API and the pages; the arguments are those of ``tabia.server.app.create_app``."""
    app = server.create_app(settings, database=database, authorise=authorise)
    add_pages(app, CoordinatorSource(), authorise)
    return app


def add_pages(app: Flask, source: Source, authorise: Authorise = open_house) -> None:
    """Gives ``app`` the pages over ``source``, their error pages and their headers."""
    blueprint = pages(source)
    show_refusals(blueprint)

    @blueprint.before_request
    def may_read() -> None:
        if request.endpoint != "pages.static":
            authorise(request, Action.READ)

    app.register_blueprint(blueprint)
    show_errors(app)
    guard(app)
