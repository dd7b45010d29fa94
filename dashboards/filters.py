"""What the templates can say: the words of our modules, and a few counts out of the tallies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint

from tabia.dashboards import declared, pictures, seats, standing, tables, wording
from tabia.dashboards.assets import asset
from tabia.dashboards.definitions import definition_of
from tabia.dashboards.version import VERSION

OUTCOME_ROWS: Final = (
    ("white_wins", "White wins", "white-wins"),
    ("draws", "Draws", "draws"),
    ("black_wins", "Black wins", "black-wins"),
    ("capped", "Capped (score one half)", "capped"),
)

SITE_PAGES: Final = (
    ("pages.experiments", "Experiments"),
    ("pages.findings", "Findings"),
    ("pages.calculator", "Calculator"),
)


def reasons(view: Mapping[str, Any]) -> list[str]:
    """All ways in which games of either arm ended, the commonest first."""
    counts: dict[str, int] = {}
    for arm in ("a", "b"):
        for reason, games in view["tallies"][arm]["reasons"].items():
            counts[reason] = counts.get(reason, 0) + games
    return sorted(counts, key=lambda reason: (-counts[reason], reason))


def promotions_a_game(tally: Mapping[str, Any]) -> str:
    """The mean number of promotions in a game of an arm, both sides together."""
    return wording.number(tally["promotions"] / tally["games"], 2) if tally["games"] else "–"


def register(blueprint: Blueprint) -> None:
    """Gives the templates their filters and names."""
    for function in (
        declared.declared,
        definition_of,
        declared.origin,
        declared.test_words,
        pictures.outcome_bar,
        pictures.row_strip,
        seats.armies,
        seats.contest,
        seats.players,
        seats.seats,
        standing.answer,
        standing.headline,
        tables.by_pool,
        tables.by_value,
        tables.fit_words,
        tables.interval,
        tables.signed_or_dash,
        wording.breakable,
        wording.difference,
        wording.e_value,
        wording.level,
        wording.likelihood,
        wording.moment,
        wording.number,
        wording.p_value,
        wording.pawns,
        wording.result,
        wording.rule_value,
        wording.scale_of,
        wording.sentence_start,
        wording.share,
        wording.signed,
        wording.span,
        wording.tolerance,
        wording.typeset,
        reasons,
        promotions_a_game,
    ):
        blueprint.add_app_template_filter(function)
    blueprint.add_app_template_filter(wording.STATES.__getitem__, "state_words")
    blueprint.add_app_template_global(asset)

    @blueprint.app_context_processor
    def names() -> dict[str, Any]:
        return {
            "live_states": wording.LIVE_STATES,
            "one_rule_kinds": seats.ONE_RULE_KINDS,
            "outcome_rows": OUTCOME_ROWS,
            "site_pages": SITE_PAGES,
            "version": VERSION,
        }
