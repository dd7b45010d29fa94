"""What the page of one experiment shows, whatever its kind."""

from __future__ import annotations

from typing import Any

from tabia.dashboards import charts, wording
from tabia.dashboards.declared import a_move
from tabia.dashboards.pictures import interval_strip
from tabia.dashboards.seats import ONE_RULE_KINDS, called, game_columns, names
from tabia.dashboards.source import Source, View
from tabia.dashboards.standing import main_estimate
from tabia.dashboards.tables import profile_rows

_GAMES_SHOWN = 12


def experiment_context(source: Source, view: View) -> dict[str, Any]:
    """The names that ``experiment.html`` and its sections use."""
    scale = wording.scale_of(view["primary"]["metric"])
    main = main_estimate(view)
    one_rule = view["kind"] in ONE_RULE_KINDS
    margin = view["primary"]["margin"] if view["test"]["rule"] == "sobel-wald" else 0.0
    strip = (
        interval_strip(
            main,
            margin,
            scale,
            label=f"{wording.difference(main['value'], scale)}, "
            f"interval {wording.span(main, scale)}",
        )
        if main
        else None
    )
    return {
        "view": view,
        "main": main,
        "strip": strip,
        "one_rule": one_rule,
        "names": names(view),
        "limit_of": {player["key"]: a_move(player) for player in view["players"]},
        "estimate_chart": charts.estimate_chart(view, scale),
        "lines_chart": charts.lines_chart(view, called(view), scale),
        "called": called(view),
        "path_chart": charts.path_chart(view),
        "path_words": charts.path_words(view),
        "profile_rows": profile_rows(view["profile"], _profiled(view)),
        "game_columns": game_columns(view),
        "games": source.games(view["id"], limit=_GAMES_SHOWN, offset=0)["games"],
        "confidence": wording.confidence(view["primary"]["alpha"]),
    }


def _profiled(view: View) -> tuple[str, ...]:
    """The arms with a column of their own: games of one rule set are profiled together."""
    return ("a", "b") if view["kind"] == "compare" else ("a",)
