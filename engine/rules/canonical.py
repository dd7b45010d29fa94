"""The canonical form of rules, and the id that is its hash.

Two rule sets have the same canonical form when they say the same, whatever the order of their keys,
their comments, their labels, and whether they state a default. Defaults are left out, so that a
field added to the language changes no id of a rule set that does not use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabia.engine.content import content_hash
from tabia.engine.rules.effective import Rules, array_rows
from tabia.engine.rules.model import SCHEMA


def canonical_form(rules: Rules) -> dict[str, Any]:
    """The rules as plain data without defaults, a document that can be read back."""
    form = {"schema": SCHEMA, **spelt_out(rules, defaults=False)}
    return {key: value for key, value in form.items() if value}


def spelt_out(rules: Rules, *, defaults: bool) -> dict[str, Any]:
    """Every rule as plain data, a document that extends nothing; Black's where they are not
    White's. defaults: whether what holds anyhow stands there too."""
    white, black = (rules.sides[side].model_dump() for side in ("white", "black"))
    side = rules.sides["white"].model_dump(exclude_defaults=not defaults)
    form = {
        "board": rules.board.model_dump(exclude_defaults=not defaults),
        "pieces": side["pieces"],
        "array": {str(rank): row for rank, row in array_rows(rules).items()},
        **{key: side.get(key, {}) for key in ("check", "en_passant", "castling", "promotion")},
        "endings": rules.endings.model_dump(exclude_defaults=not defaults),
    }
    return {**form, "black": _exceptions(white, black)}


def rules_id(form: Mapping[str, Any]) -> str:
    """SHA-256 of a canonical form, 64 hexadecimal digits."""
    return content_hash(form)


def _exceptions(shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What of `own` differs from `shared`, in the form that `overlay` lays over it again."""
    differing: dict[str, Any] = {}
    for key, value in own.items():
        below = shared.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            inner = _exceptions(below, value)
            if inner:
                differing[key] = inner
        elif value != below:
            differing[key] = value
    return differing
