"""Which of the observed metrics can be other than nought under given rules.

A metric that cannot occur is not looked at: it would only make the others' adjusted p-values
larger. What can occur is told by the rules, never by the games: to choose by what was seen would
spoil the p-values.
"""

from __future__ import annotations

from collections.abc import Iterable

from tabia.engine import RuleSet
from tabia.engine.rules.tables import core_tables
from tabia.server.metrics import COMPARED, OBSERVED

_ALWAYS = (*COMPARED, "lead_changes", "stalemate")
_KEPT = 256

_known: dict[str, frozenset[str]] = {}


def observable(rule_sets: Iterable[RuleSet]) -> tuple[str, ...]:
    """The names of the metrics that can occur under one of the rule sets, in their order."""
    found: set[str] = set()
    for rules in rule_sets:
        if rules.id not in _known:
            if len(_known) >= _KEPT:
                _known.clear()
            _known[rules.id] = _of(rules)
        found |= _known[rules.id]
    return tuple(name for name in OBSERVED if name in found)


def _of(rules: RuleSet) -> frozenset[str]:
    tables = core_tables(rules)
    sides = tables["sides"]
    modes = {
        mode
        for side in sides
        for moves in side["moves"]
        for primitive in moves
        for mode in primitive["mode"]
    }
    zones = [zone for side in sides for zones in side["promotions"] for zone in zones]
    occurs = {
        "declined_promotions": any(not zone["compulsory"] for zone in zones),
        "castling": any(side["castling"] for side in sides),
        "en_passant": "e" in modes,
        "own_captures": "d" in modes,
        "citadel_exits": bool(rules.rules.board.citadels),
        "repetition": tables["repetition"] > 0,
        "n_move_rule": tables["n_move_plies"] > 0,
        "dead_position": tables["dead_position"],
        "bare_king": rules.rules.endings.bare_king.result != "play on",
    }
    return frozenset(_ALWAYS) | {name for name, can in occurs.items() if can}
