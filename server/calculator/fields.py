"""What a form asks for: texts from a command line or a query, checked one by one.

A field's text either ends in a value or in a DocumentError whose key is the field's name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tabia.engine.documents import DocumentError, show

MOST = 10**9
"""No count is larger: beyond it sums of squares lose their last digits."""

_SEPARATORS = re.compile(r"[\s,;/]+")


class RefusedError(ValueError):
    """A field's text is no such value; the text says what was found and what is allowed."""


Read = Callable[[str], Any]


@dataclass(frozen=True)
class Field:
    """One thing that a form asks for.

    ``parts`` is how many words its text has; ``default`` is "" for what must be given, and None
    for what may be left out. ``choices`` are the only texts allowed, with what they mean.
    """

    name: str
    label: str
    hint: str
    read: Read
    default: str | None = ""
    example: str = ""
    parts: int = 1
    choices: Mapping[str, str] | None = None


Values = Mapping[str, Any]
"""The values of a form's fields by name; None for what was left out."""


def read_fields(fields: tuple[Field, ...], given: Mapping[str, str], source: str) -> dict[str, Any]:
    """The values of all fields. Raises DocumentError for the first that is wrong."""
    return {field.name: _value(field, given.get(field.name, ""), source) for field in fields}


def _value(field: Field, text: str, source: str) -> Any:
    stripped = text.strip() or field.default
    if stripped is None:
        return None
    if not stripped:
        raise DocumentError(source, field.name, f"missing; needed: {field.hint}")
    try:
        return field.read(stripped)
    except RefusedError as error:
        raise DocumentError(source, field.name, str(error)) from None


def counts(cells: int, example: str) -> Read:
    """Whole numbers, as many as there are cells, not all of them 0."""

    def read(text: str) -> list[int]:
        words = [word for word in _SEPARATORS.split(text) if word]
        fine = len(words) == cells and all(_is_count(word) for word in words)
        found = [int(word) for word in words] if fine else []
        if not any(found):
            raise RefusedError(
                f"found {show(text)}; allowed: {cells} whole numbers from 0 to {MOST:,}, not all "
                f"of them 0, as in {example}"
            )
        return found

    return read


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= len(str(MOST)) and int(word) <= MOST


def number(low: float, high: float, *, open_ends: bool = False) -> Read:
    """A number between two ends; without the ends themselves where they are open."""

    def read(text: str) -> float:
        found = _number(text)
        inside = found is not None and (low < found < high if open_ends else low <= found <= high)
        if found is None or not inside:
            between = "above" if open_ends else "from"
            to = "and below" if open_ends else "to"
            raise RefusedError(
                f"found {show(text)}; allowed: a number {between} {low:,g} {to} {high:,g}"
            )
        return found

    return read


def rising(low: float, high: float) -> Read:
    """Two numbers within two ends, the smaller one first."""

    def read(text: str) -> tuple[float, float]:
        words = [_number(word) for word in _SEPARATORS.split(text) if word]
        if len(words) == 2 and None not in words:
            first, second = (word for word in words if word is not None)
            if low <= first < second <= high:
                return first, second
        raise RefusedError(
            f"found {show(text)}; allowed: two numbers from {low:g} to {high:g}, the smaller one "
            "first, as in 0 10"
        )

    return read


def one_of(choices: Mapping[str, str]) -> Read:
    """One of a few words."""

    def read(text: str) -> str:
        if text not in choices:
            raise RefusedError(f"found {show(text)}; allowed: {' or '.join(choices)}")
        return text

    return read


def _number(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if math.isfinite(found) else None
