"""Where the pages get what they show: the coordinator's read functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from tabia.engine import RuleSet
from tabia.server import views
from tabia.server.coordinator import coordinator
from tabia.server.planning import experiment_of

View = Mapping[str, Any]
"""A JSON object of the coordinator's API; its shape is declared in ``tabia.server.wire``."""


class Source(Protocol):
    """Everything the pages read. What is not there raises ``tabia.server.views.NotFoundError``."""

    def experiments(self, *, limit: int, offset: int) -> View:
        """``{"total", "experiments"}``, the newest first, without history and rule diff."""

    def experiment(self, experiment_id: str) -> View:
        """One experiment with everything that is known of it."""

    def games(self, experiment_id: str, *, limit: int, offset: int) -> View:
        """``{"total", "games"}`` in the order of the schedule, without moves."""

    def game(self, game_id: int) -> View:
        """One game with its moves and its experiment's id."""

    def start(self, game: View) -> str | None:
        """The FEN of a game's position before its first move; None for the array of its rules."""

    def rule_sets(self, experiment_id: str) -> Mapping[str, RuleSet]:
        """The rule sets of the arms ``a`` and ``b``."""

    def curve(self, family: str) -> View:
        """A node-budget curve: one question at several numbers of nodes, and its trend."""

    def findings(self) -> View:
        """``{"level", "findings", "tested"}``: what the whole site found, by e-BH."""


class CoordinatorSource:
    """The source of a running coordinator: that of the application that handles the request."""

    def experiments(self, *, limit: int, offset: int) -> View:
        with coordinator().database.read() as session:
            return views.list_view(session, now=coordinator().clock(), limit=limit, offset=offset)

    def experiment(self, experiment_id: str) -> View:
        with coordinator().database.read() as session:
            return views.experiment_view(session, experiment_id, now=coordinator().clock())

    def games(self, experiment_id: str, *, limit: int, offset: int) -> View:
        with coordinator().database.read() as session:
            return views.games_view(session, experiment_id, limit=limit, offset=offset)

    def game(self, game_id: int) -> View:
        with coordinator().database.read() as session:
            return views.game_view(session, game_id)

    def start(self, game: View) -> str | None:
        with coordinator().database.read() as session:
            experiment = experiment_of(views.require_experiment(session, game["experiment"]))
            return experiment.units().start(game["unit"], game["arm"], game["match"])

    def rule_sets(self, experiment_id: str) -> Mapping[str, RuleSet]:
        with coordinator().database.read() as session:
            return views.rule_sets(session, experiment_id)

    def curve(self, family: str) -> View:
        with coordinator().database.read() as session:
            return views.curve_view(session, family)

    def findings(self) -> View:
        with coordinator().database.read() as session:
            return views.findings_view(session, now=coordinator().clock())
