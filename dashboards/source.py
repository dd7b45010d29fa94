"""Where the pages get what they show: the coordinator's read functions, and the rules they are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tabia.engine import RuleSet

View = Mapping[str, Any]
"""A JSON object of the coordinator's API, as docs/api.md describes it."""


class Source(Protocol):
    """Everything the pages read. Unknown ids give None."""

    def experiments(self) -> Sequence[View]:
        """All experiments, the newest first, without history and rule diff."""

    def experiment(self, experiment_id: str) -> View | None:
        """One experiment with everything that is known of it."""

    def games(self, experiment_id: str, *, limit: int, offset: int) -> Sequence[View]:
        """Games of an experiment in the order of its schedule."""

    def game(self, game_id: int) -> View | None:
        """One game with its moves and its experiment's id."""

    def rule_sets(self, experiment_id: str) -> Mapping[str, RuleSet]:
        """The rule sets of the arms ``a`` and ``b``."""
