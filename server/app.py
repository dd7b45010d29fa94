"""The coordinator as a WSGI application: the API, without the pages."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import structlog
from apiflask import APIFlask, HTTPError
from flask import Response, jsonify
from sqlalchemy.exc import InterfaceError, OperationalError

from tabia.engine.documents import DocumentError
from tabia.server import monitoring
from tabia.server.access import Authorise, NotAllowedError, open_house
from tabia.server.api import REQUEST_BODIES, api
from tabia.server.coordinator import Coordinator
from tabia.server.database import Database
from tabia.server.intake import ConflictError
from tabia.server.leases import UnknownLeaseError
from tabia.server.lending import EngineMismatchError
from tabia.server.library import UnknownWeightsError
from tabia.server.results import ResultError
from tabia.server.settings import Settings
from tabia.server.staging import NotOpenError
from tabia.server.views import NotFoundError

_log = structlog.get_logger(__name__)

STATUS: dict[type[Exception], int] = {
    DocumentError: 422,
    ResultError: 422,
    ConflictError: 409,
    EngineMismatchError: 409,
    NotAllowedError: 403,
    NotFoundError: 404,
    NotOpenError: 409,
    UnknownLeaseError: 404,
    UnknownWeightsError: 404,
}
"""What each refusal is called in HTTP; its text is the answer's one line."""


def create_app(
    settings: Settings | None = None,
    *,
    database: Database | None = None,
    authorise: Authorise = open_house,
) -> APIFlask:
    """The API on the database that ``settings`` name (by default: the environment's).

    The tables must be there, see :meth:`tabia.server.database.Database.migrate`. ``authorise`` is
    asked before every request.
    """
    settings = settings or Settings()
    app = APIFlask(
        "tabia.server",
        title="Tabia",
        version=version("tabia"),
        spec_path="/api/v1/openapi.json",
        docs_path=None,
    )
    app.config["OPENAPI_VERSION"] = "3.1.0"
    app.config["MAX_CONTENT_LENGTH"] = settings.max_request_bytes
    app.config["AUTO_OPERATION_ID"] = True
    app.config["LICENSE"] = {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"}
    app.extensions["tabia"] = Coordinator(
        database=database or Database(settings.resolved_database_url),
        settings=settings,
        authorise=authorise,
    )
    app.error_processor(_http_error)
    for kind, status in STATUS.items():
        app.register_error_handler(kind, _refusal(status))
    for lost in (OperationalError, InterfaceError):
        app.register_error_handler(lost, _no_database)
    app.spec_processor(_add_request_bodies)
    app.register_blueprint(api)
    app.register_blueprint(monitoring.monitoring)
    return app


def _refusal(status: int) -> Any:
    def answer(error: Exception) -> tuple[Response, int]:
        return jsonify(message=str(error)), status

    return answer


def _http_error(error: HTTPError) -> tuple[dict[str, Any], int, Any]:
    return {"message": error.message}, error.status_code, error.headers


def _no_database(error: Exception) -> tuple[Response, int]:
    _log.error("database does not answer", error=str(error).splitlines()[0])
    return jsonify(message="the database does not answer; try again later"), 503


def _add_request_bodies(spec: dict[str, Any] | str) -> dict[str, Any] | str:
    """Say what requests carry: the views read it themselves, to answer errors in one line."""
    assert isinstance(spec, dict), "only the YAML form would be text"
    shared = spec["components"]["schemas"]
    for (path, method), models in REQUEST_BODIES.items():
        choices = []
        for model in models:
            choice = model.model_json_schema(ref_template="#/components/schemas/{model}")
            shared.update(choice.pop("$defs", {}))
            choices.append(choice)
        spec["paths"][path][method]["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": {"anyOf": choices}}},
        }
    return spec
