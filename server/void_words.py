"""Void pairs in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def in_words(reasons: Sequence[Mapping[str, Any]]) -> str:
    """ "Fairy-Max 5.0b: crash 3, late move 1"."""
    by_name: dict[str, list[str]] = {}
    for each in reasons:
        by_name.setdefault(each["name"], []).append(f"{each['reason']} {each['pairs']}")
    return "; ".join(f"{name}: {', '.join(told)}" for name, told in by_name.items())
