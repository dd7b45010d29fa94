"""The pages: each route reads what it shows from the source and hands it to a template."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from flask import Blueprint, Response, abort, make_response, render_template, request

from tabia.dashboards import wording
from tabia.dashboards.board import board_svg, placement
from tabia.dashboards.charts import chart_data, interval_strip
from tabia.dashboards.filters import register
from tabia.dashboards.look import Look, look_of
from tabia.dashboards.replay import move_rows, replay
from tabia.dashboards.rules_page import facts, piece_rows
from tabia.dashboards.source import Source, View
from tabia.dashboards.version import VERSION
from tabia.engine import Position
from tabia.engine.rules.tables import core_tables

_GAMES_SHOWN = 12
_GAMES_A_PAGE = 50
_MAX_OFFSET = 10**9


def pages(source: Source) -> Blueprint:
    """The blueprint of all pages over ``source``."""
    blueprint = Blueprint(
        "pages", __name__, template_folder="templates", static_folder="static", static_url_path="/assets"
    )

    def experiment_or_404(experiment_id: str) -> View:
        view = source.experiment(experiment_id)
        if view is None:
            abort(404, description="No experiment has this id.")
        return view

    @blueprint.get("/")
    def experiments() -> Response:
        views = source.experiments()
        return _page("experiments.html", experiments=views, tag=_tag(views))

    @blueprint.get("/experiments/news")
    def experiments_news() -> Response:
        views = source.experiments()
        tag = _tag(views)
        return _unchanged(tag) or _page("experiments_list.html", tag=tag, experiments=views)

    @blueprint.get("/experiments/<experiment_id>")
    def experiment(experiment_id: str) -> Response:
        view = experiment_or_404(experiment_id)
        return _page("experiment.html", tag=_tag(view), **_experiment_context(source, view))

    @blueprint.get("/experiments/<experiment_id>/news")
    def experiment_news(experiment_id: str) -> Response:
        view = experiment_or_404(experiment_id)
        tag = _tag(view)
        return _unchanged(tag) or _page(
            "experiment_news.html", tag=tag, **_experiment_context(source, view)
        )

    @blueprint.get("/experiments/<experiment_id>/games")
    def games(experiment_id: str) -> Response:
        view = experiment_or_404(experiment_id)
        offset = min(max(request.args.get("offset", 0, type=int), 0), _MAX_OFFSET)
        found = source.games(experiment_id, limit=_GAMES_A_PAGE + 1, offset=offset)
        return _page(
            "games.html",
            view=view,
            games=found[:_GAMES_A_PAGE],
            more=len(found) > _GAMES_A_PAGE,
            offset=offset,
            limit=_GAMES_A_PAGE,
            arm_names=_arm_names(view),
        )

    @blueprint.get("/experiments/<experiment_id>/rules/<any(a, b):arm>")
    def rules(experiment_id: str, arm: str) -> Response:
        view = experiment_or_404(experiment_id)
        rule_set = source.rule_sets(experiment_id)[arm]
        look = look_of(core_tables(rule_set))
        return _page(
            "rules.html",
            view=view,
            arm=arm.upper(),
            rules=rule_set,
            board=board_svg(
                look.geometry, placement(look.array), look.symbols, label="The array on the board"
            ),
            pieces=piece_rows(rule_set, look),
            facts=facts(rule_set),
        )

    @blueprint.get("/games/<int:game_id>")
    def game(game_id: int) -> Response:
        found = source.game(game_id)
        if found is None:
            abort(404, description="No game has this number.")
        view = experiment_or_404(found["experiment"])
        return _page("game.html", **_game_context(source, view, found))

    register(blueprint)
    return blueprint


def _experiment_context(source: Source, view: View) -> dict[str, Any]:
    scale = wording.scale_of(view["primary"]["metric"])
    estimate = view["estimate"] or {}
    main = estimate.get("difference") or estimate.get("elo")
    strip = (
        interval_strip(
            main,
            view["primary"]["margin"],
            scale,
            label=f"{wording.difference(main['value'], scale)}, interval {wording.span(main, scale)}",
        )
        if main
        else None
    )
    return {
        "view": view,
        "strip": strip,
        "chart": chart_data(view, scale),
        "games": source.games(view["id"], limit=_GAMES_SHOWN, offset=0),
        "arm_names": _arm_names(view),
        "confidence": wording.confidence(view["primary"]["alpha"]),
    }


def _game_context(source: Source, view: View, game: View) -> dict[str, Any]:
    rule_sets = source.rule_sets(view["id"])
    white = rule_sets[game["arm"]]
    black = white
    if view["kind"] == "rights":
        black = rule_sets["b" if game["arm"] == "a" else "a"]
    look = look_of(core_tables(white, black))
    plies = replay(
        Position(white, black=black),
        game["moves"].split(),
        pawns=look.pawns,
        opening_plies=game["opening_plies"],
        end=wording.ending(game["result"], game["reason"]),
    )
    last = len(plies) - 1
    ply = min(max(request.args.get("ply", 0, type=int), 0), last)
    shown = plies[ply]
    return {
        "view": view,
        "game": game,
        "plies": plies,
        "rows": move_rows(plies),
        "ply": ply,
        "last": last,
        "board": board_svg(
            look.geometry,
            placement(shown.fen),
            look.symbols,
            label=_board_label(look, shown.fen),
            last_move=shown.squares,
        ),
        "script_plies": [
            {"fen": p.fen, "squares": p.squares, "caption": p.caption, "label": _board_label(look, p.fen)}
            for p in plies
        ],
    }


def _board_label(look: Look, fen: str) -> str:
    """The text alternative of a board: who is to move, and where everything stands by FEN."""
    turn = "White" if fen.split()[1] == "w" else "Black"
    g = look.geometry
    return f"Board of {g.files} by {g.ranks} squares, {turn} to move. FEN: {fen}"


def _arm_names(view: View) -> dict[str, str]:
    return {arm["key"]: arm["name"] for arm in view["arms"]}


def _tag(data: Any) -> str:
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
