"""The HTTP API: what is asked, handed on to whoever knows, and the answer as JSON."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from apiflask import APIBlueprint
from flask import Response, request
from pydantic import BaseModel

from tabia.engine.documents import DocumentError, validate
from tabia.engine.match.document import ExperimentDocument
from tabia.server import intake, leases, lending, library, submission, views
from tabia.server.access import Action
from tabia.server.coordinator import coordinator
from tabia.server.lifecycle import stop_experiment
from tabia.server.planning import batch_of
from tabia.server.wire import (
    CreatedAnswer,
    CurveAnswer,
    ErrorAnswer,
    ExperimentAnswer,
    ExperimentList,
    FailureReport,
    FindingsAnswer,
    GameAnswer,
    GameList,
    HeartbeatAnswer,
    LeaseRequest,
    LoanAnswer,
    ReceiptAnswer,
    ResultDelivery,
    TomlDocument,
)

api = APIBlueprint("api", __name__, url_prefix="/api/v1", tag="Tabia")

MAX_PAGE = 500

REQUEST_BODIES: dict[tuple[str, str], tuple[type[BaseModel], ...]] = {
    ("/api/v1/experiments", "post"): (ExperimentDocument, TomlDocument),
    ("/api/v1/leases", "post"): (LeaseRequest,),
    ("/api/v1/leases/{lease_id}/failure", "post"): (FailureReport,),
    ("/api/v1/results", "post"): (ResultDelivery,),
}
"""What requests may carry, for OpenAPI."""

AnyModel = TypeVar("AnyModel", bound=BaseModel)


def _errors(*codes: int) -> dict[int, Any]:
    texts = {
        403: "The caller may not do this",
        404: "There is no such thing here",
        409: "It does not fit what is here",
        413: "The request is too large",
        422: "The request is wrong; nothing was stored",
    }
    content = {"application/json": {"schema": ErrorAnswer}}
    return {code: {"description": texts[code], "content": content} for code in (403, *codes)}


def _json() -> Any:
    try:
        data = json.loads(request.get_data(), parse_constant=_no_constant)
        text = json.dumps(data, ensure_ascii=False)
        text.encode()  # half of a surrogate pair cannot be stored
    except (ValueError, RecursionError):
        raise DocumentError("request", "", "not valid JSON; allowed: one JSON text") from None
    if "\\u0000" in text:
        raise DocumentError("request", "", "holds a NUL character; allowed: text without")
    return data


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _body(model: type[AnyModel]) -> AnyModel:
    return validate(model, _json(), "request")


def _number(name: str, default: int, most: int) -> int:
    text = request.args.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or len(text) > 12 or int(text) > most:
        raise DocumentError("request", name, f"allowed: a whole number from 0 to {most}")
    return int(text)


def _page() -> tuple[int, int]:
    return _number("limit", 50, MAX_PAGE), _number("offset", 0, 10**9)


@api.after_request
def _make_conditional(response: Response) -> Response:
    """Whoever asks again for what has not changed gets 304 and no body."""
    if request.method == "GET" and response.status_code == 200:
        response.add_etag()
        response.make_conditional(request)
    return response


def _allow(action: Action) -> None:
    coordinator().authorise(request, action)


@api.get("/experiments")
@api.output(ExperimentList)
@api.doc(responses=_errors(422))
def list_experiments() -> dict[str, Any]:
    """Experiments, the newest first

    Parameters of the query: `limit` (at most 500) and `offset`.
    """
    _allow(Action.READ)
    limit, offset = _page()
    with coordinator().database.read() as session:
        return views.list_view(session, limit=limit, offset=offset, now=coordinator().clock())


@api.post("/experiments")
@api.output(CreatedAnswer, status_code=201, description="Stored; it will be played")
@api.doc(
    responses={
        200: {
            "description": "The same experiment is here already",
            "content": {"application/json": {"schema": CreatedAnswer}},
        },
        **_errors(413, 422),
    }
)
def submit_experiment() -> tuple[dict[str, Any], int]:
    """Submit an experiment: the document as JSON, or as `{"toml": text}`

    A document with a curve is stored as one experiment for each of its levels.
    """
    _allow(Action.SUBMIT)
    document = submission.read_document(_json(), "experiment")
    submitted = submission.submit(
        coordinator().database, document, "experiment", now=coordinator().clock()
    )
    answer = {"id": submitted.id, "ids": list(submitted.ids), "family": submitted.family}
    return answer, 201 if submitted.is_new else 200


@api.get("/experiments/<experiment_id>")
@api.output(ExperimentAnswer)
@api.doc(responses=_errors(404))
def show_experiment(experiment_id: str) -> dict[str, Any]:
    """One experiment: what it asks, where it stands, what it says

    The answer has an ETag: ask again with If-None-Match and get 304 while nothing is new.
    """
    _allow(Action.READ)
    with coordinator().database.read() as session:
        return views.experiment_view(session, experiment_id, now=coordinator().clock())


@api.get("/findings")
@api.output(FindingsAnswer)
@api.doc(responses=_errors())
def list_findings() -> dict[str, Any]:
    """Experiments whose evidence stands among all that were run, the strongest first"""
    _allow(Action.READ)
    with coordinator().database.read() as session:
        return views.findings_view(session, now=coordinator().clock())


@api.get("/curves/<family>")
@api.output(CurveAnswer)
@api.doc(responses=_errors(404))
def show_curve(family: str) -> dict[str, Any]:
    """One question at several strengths: the answer of each, and the trend"""
    _allow(Action.READ)
    with coordinator().database.read() as session:
        return views.curve_view(session, family)


@api.post("/experiments/<experiment_id>/stop")
@api.output(ExperimentAnswer)
@api.doc(responses=_errors(404))
def stop(experiment_id: str) -> dict[str, Any]:
    """Stop an experiment: no new batches; those that are out are still counted"""
    _allow(Action.STOP)
    with coordinator().database.write() as session:
        views.require_experiment(session, experiment_id)
        stop_experiment(session, experiment_id, coordinator().clock())
    with coordinator().database.read() as session:
        return views.experiment_view(session, experiment_id, now=coordinator().clock())


@api.get("/experiments/<experiment_id>/games")
@api.output(GameList)
@api.doc(responses=_errors(404, 422))
def list_games(experiment_id: str) -> dict[str, Any]:
    """An experiment's games, in schedule order

    Parameters of the query: `limit` (at most 500) and `offset`.
    """
    _allow(Action.READ)
    limit, offset = _page()
    with coordinator().database.read() as session:
        return views.games_view(session, experiment_id, limit=limit, offset=offset)


@api.get("/experiments/<experiment_id>/batches/<int:number>")
@api.doc(responses={200: "The batch, as a worker gets it", **_errors(404, 409)})
def show_batch(experiment_id: str, number: int) -> dict[str, Any]:
    """One batch: whoever plays it with the same engine gets the same games"""
    _allow(Action.READ)
    with coordinator().database.read() as session:
        views.require_batch(session, experiment_id, number)
        return batch_of(session, experiment_id, number)


@api.get("/weights/<sha256>")
@api.doc(responses={200: "The weights, whose hash is their name", **_errors(404)})
def show_weights(sha256: str) -> dict[str, Any]:
    """Weights that some batch names by their hash, for whoever plays it

    The hash is SHA-256 of the JSON with its keys sorted and no blanks: check it.
    """
    _allow(Action.READ)
    with coordinator().database.read() as session:
        return library.require(session, sha256)


@api.get("/games/<int:game_id>")
@api.output(GameAnswer)
@api.doc(responses=_errors(404))
def show_game(game_id: int) -> dict[str, Any]:
    """One game, with its moves"""
    _allow(Action.READ)
    with coordinator().database.read() as session:
        return views.game_view(session, game_id)


@api.post("/leases")
@api.output(LoanAnswer, status_code=200, description="Play this")
@api.doc(responses={204: "There is nothing to play now", **_errors(409, 422)})
def lend() -> dict[str, Any] | Response:
    """Ask for a batch to play

    The engine's bench signature must be the server's: only then are its games the same.
    """
    _allow(Action.PLAY)
    asked = _body(LeaseRequest)
    here = coordinator()
    loan = lending.lend_next(
        here.database, holder=asked.worker, engine=asked.engine, now=here.clock(), terms=here.terms
    )
    if loan is None:
        return Response(status=204)
    return {
        "lease": loan.lease,
        "renew_within": here.terms.renew_within.total_seconds(),
        "batch": loan.batch,
    }


@api.post("/leases/<lease_id>/heartbeat")
@api.output(HeartbeatAnswer)
@api.doc(responses=_errors(404))
def heartbeat(lease_id: str) -> dict[str, Any]:
    """Say that the batch is still being played, and hear whether it is still wanted"""
    _allow(Action.PLAY)
    here = coordinator()
    with here.database.write() as session:
        return {"wanted": leases.renew(session, lease_id, now=here.clock(), terms=here.terms)}


@api.post("/leases/<lease_id>/failure")
@api.doc(responses={204: "Noted; the batch is given to somebody else", **_errors(404, 422)})
def report_failure(lease_id: str) -> Response:
    """Say that the batch could not be played, and why"""
    _allow(Action.PLAY)
    report = _body(FailureReport)
    here = coordinator()
    with here.database.write() as session:
        leases.fail(session, lease_id, report.message, now=here.clock(), terms=here.terms)
    return Response(status=204)


@api.delete("/leases/<lease_id>")
@api.doc(responses={204: "The batch is given to somebody else", **_errors(404)})
def give_back(lease_id: str) -> Response:
    """Give a batch back unplayed, because the computer is needed for something else"""
    _allow(Action.PLAY)
    here = coordinator()
    with here.database.write() as session:
        leases.give_back(session, lease_id, now=here.clock())
    return Response(status=204)


@api.post("/results")
@api.output(ReceiptAnswer)
@api.doc(responses=_errors(409, 413, 422))
def deliver() -> dict[str, Any]:
    """Deliver the result of a batch; delivering it twice does no harm"""
    _allow(Action.PLAY)
    delivery = _body(ResultDelivery)
    here = coordinator()
    with here.database.write() as session:
        receipt = intake.record(session, delivery.result, lease_id=delivery.lease, now=here.clock())
    return {"receipt": receipt.value}
