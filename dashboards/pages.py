"""The pages: each route reads what it shows from the source and hands it to a template."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from flask import Blueprint, Response, make_response, render_template, request

from tabia.dashboards.board import board_svg, placement
from tabia.dashboards.calculator_page import calculator_context
from tabia.dashboards.curve_page import curve_context
from tabia.dashboards.definitions import definitions
from tabia.dashboards.experiment_page import experiment_context
from tabia.dashboards.filters import register
from tabia.dashboards.look import look_of
from tabia.dashboards.replay import board_label, move_rows, replay
from tabia.dashboards.rules_page import facts, piece_rows
from tabia.dashboards.seats import ONE_RULE_KINDS, names, rule_arms
from tabia.dashboards.source import Source, View
from tabia.dashboards.version import VERSION
from tabia.engine import Position
from tabia.engine.rules.explain.explanation import explain
from tabia.engine.rules.tables import core_tables

_EXPERIMENTS_A_PAGE = 30
_GAMES_A_PAGE = 50
_MOST = 10**9


def pages(source: Source) -> Blueprint:
    """The blueprint of all pages over ``source``."""
    blueprint = Blueprint(
        "pages",
        __name__,
        template_folder="templates",
        static_folder="static",
        static_url_path="/assets",
    )
    register(blueprint)

    def listed() -> View:
        return source.experiments(limit=_EXPERIMENTS_A_PAGE, offset=_argument("offset"))

    @blueprint.get("/")
    def experiments() -> Response:
        found = listed()
        return _page("experiments.html", tag=_tag(found), **_list_context(found))

    @blueprint.get("/experiments/news")
    def experiments_news() -> Response:
        found = listed()
        tag = _tag(found)
        return _unchanged(tag) or _page("experiments_list.html", tag=tag, **_list_context(found))

    @blueprint.get("/experiments/<experiment_id>")
    def experiment(experiment_id: str) -> Response:
        view = source.experiment(experiment_id)
        return _page("experiment.html", tag=_tag(view), **experiment_context(source, view))

    @blueprint.get("/experiments/<experiment_id>/news")
    def experiment_news(experiment_id: str) -> Response:
        view = source.experiment(experiment_id)
        tag = _tag(view)
        return _unchanged(tag) or _page(
            "experiment_news.html", tag=tag, **experiment_context(source, view)
        )

    @blueprint.get("/experiments/<experiment_id>/games")
    def games(experiment_id: str) -> Response:
        view = source.experiment(experiment_id)
        offset = _argument("offset")
        found = source.games(experiment_id, limit=_GAMES_A_PAGE, offset=offset)
        return _page(
            "games.html",
            view=view,
            games=found["games"],
            total=found["total"],
            offset=offset,
            limit=_GAMES_A_PAGE,
            names=names(view),
            one_rule=view["kind"] in ONE_RULE_KINDS,
        )

    @blueprint.get("/experiments/<experiment_id>/rules/<any(a, b):arm>")
    def rules(experiment_id: str, arm: str) -> Response:
        view = source.experiment(experiment_id)
        rule_set = source.rule_sets(experiment_id)[arm]
        look = look_of(core_tables(rule_set))
        explained = explain(rule_set)
        return _page(
            "rules.html",
            view=view,
            arm=arm.upper(),
            rules=rule_set,
            board=board_svg(
                look.geometry,
                placement(look.array),
                look.symbols,
                label=f"The array. FEN: {look.array}",
            ),
            explained=explained,
            pieces=piece_rows(explained, look),
            facts=facts(rule_set),
        )

    @blueprint.get("/curves/<family>")
    def curve(family: str) -> Response:
        return _page("curve.html", **curve_context(source, source.curve(family)))

    @blueprint.get("/findings")
    def findings() -> Response:
        return _page("findings.html", found=source.findings())

    @blueprint.get("/definitions")
    def metric_definitions() -> Response:
        return _page("definitions.html", text=definitions())

    @blueprint.get("/calculator")
    def calculator() -> Response:
        context, status = calculator_context(request.args)
        response = _page("calculator.html", **context)
        response.status_code = status
        return response

    @blueprint.get("/games/<int:game_id>")
    def game(game_id: int) -> Response:
        found = source.game(game_id)
        view = source.experiment(found["experiment"])
        return _page("game.html", **_game_context(source, view, found))

    return blueprint


def _list_context(found: View) -> dict[str, Any]:
    return {
        "experiments": found["experiments"],
        "total": found["total"],
        "offset": _argument("offset"),
        "limit": _EXPERIMENTS_A_PAGE,
    }


def _game_context(source: Source, view: View, game: View) -> dict[str, Any]:
    rule_sets = source.rule_sets(view["id"])
    white, black = (rule_sets[arm] for arm in rule_arms(game, view))
    look = look_of(core_tables(white, black))
    plies = replay(
        Position(white, source.start(game), black=black),
        game["moves"],
        pawns=look.pawns,
        opening_plies=game["opening_plies"],
        result=game["result"],
        reason=game["reason"],
    )
    ply = min(_argument("ply"), len(plies) - 1)
    return {
        "view": view,
        "game": game,
        "plies": plies,
        "rows": move_rows(plies),
        "ply": ply,
        "last": len(plies) - 1,
        "board": board_svg(
            look.geometry,
            placement(plies[ply].fen),
            look.symbols,
            label=board_label(plies[ply].fen),
            marked=plies[ply].squares,
        ),
        "script_plies": [
            {
                "fen": each.fen,
                "squares": each.squares,
                "caption": each.caption,
                "label": board_label(each.fen),
            }
            for each in plies
        ],
    }


def _argument(name: str) -> int:
    """A whole number of the query, brought into bounds: people edit addresses by hand."""
    return min(max(request.args.get(name, 0, type=int), 0), _MOST)


def _tag(data: object) -> str:
    """The entity tag of a page part: a hash of what it shows and of the program that shows it."""
    text = json.dumps([data, VERSION], sort_keys=True, default=str)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def _page(template: str, *, tag: str | None = None, **context: Any) -> Response:
    response = make_response(render_template(template, tag=tag, **context))
    response.headers["Cache-Control"] = "no-cache"
    if tag:
        response.headers["ETag"] = tag
    return response


def _unchanged(tag: str) -> Response | None:
    """An empty 304 for whoever has this already."""
    if not request.if_none_match.contains(tag.strip('"')):
        return None
    return Response(status=304, headers={"ETag": tag, "Cache-Control": "no-cache"})
