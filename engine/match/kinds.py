"""The kinds of experiment, and what sets one apart from another."""

from __future__ import annotations

from typing import Literal, get_args

Kind = Literal["compare", "rights", "engines", "ratings", "material"]
KINDS: tuple[Kind, ...] = get_args(Kind)

ONE_RULE_SET: frozenset[Kind] = frozenset({"engines", "ratings", "material"})
"""Both sides of every game play by one rule set, and nothing else is asked about it."""

WITH_PLAYERS: frozenset[Kind] = frozenset({"engines", "ratings"})
"""Who plays differs from game to game, or from side to side."""
