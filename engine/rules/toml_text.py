"""Writing TOML: the tables of a rule set as a text that reads back as the same tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any


def toml_text(tables: Mapping[str, Any]) -> str:
    """The TOML text of nested tables of texts, whole numbers, booleans and lists of those
    or of tables."""
    return "\n".join(_lines(tables, ())).strip() + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    for key, value in table.items():
        if not isinstance(value, Mapping):
            yield f"{_key(key)} = {_value(value)}"
    for key, value in table.items():
        if not isinstance(value, Mapping):
            continue
        here = (*path, key)
        if value and all(isinstance(inner, Mapping) for inner in value.values()):
            yield from _lines(value, here)  # nothing of its own to state
        else:
            yield ""
            yield f"[{'.'.join(_key(part) for part in here)}]"
            yield from _lines(value, here)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:  # a table that is taken away
        return "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):  # in a list
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(_value(item) for item in value)}]"
    return str(value)
