"""UCI as plain data: what a program's lines mean, and how ours are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tabia.engine.outside.said import Option

MATE = 32_000
"""As in our own engine: a mate in n plies scores n less."""
_MOST_CENTIPAWNS = 31_000
_WORDS = ("type", "default", "min", "max", "var")
_LEAF = re.compile(r"([a-l]\d{1,2}[a-l]\d{1,2}[a-z]?): \d+")


@dataclass(frozen=True)
class Limit:
    """What ends a search, just one of them above 0."""

    nodes: int = 0
    movetime_ms: int = 0
    depth: int = 0


def read_option(line: str) -> Option | None:
    """The option of a line `option name … type …`, None where it is none."""
    words = line.split()
    if words[:2] != ["option", "name"] or "type" not in words:
        return None
    at = words.index("type")
    name, kind = " ".join(words[2:at]), " ".join(words[at + 1 : at + 2])
    fields: dict[str, list[str]] = {}
    choices: list[list[str]] = []
    current: list[str] = []
    for word in words[at:]:
        if word in _WORDS:
            current = fields.setdefault(word, [])
            if word == "var":
                current = []
                choices.append(current)
        else:
            current.append(word)
    return Option(
        name,
        kind,
        _number(fields.get("min")),
        _number(fields.get("max")),
        tuple(" ".join(choice) for choice in choices),
    )


def read_score(line: str) -> int | None:
    """Centipawns for the side to move in an `info` line, mates as our engine scores them; None
    where the line has none."""
    words = line.split()
    if words[:1] != ["info"] or words[1:2] == ["string"] or "score" not in words:
        return None
    at = words.index("score")
    kind, number = (*words[at + 1 : at + 3], "", "")[:2]
    value = _number([number])
    if value is None:
        return None
    if kind == "cp":
        return max(-_MOST_CENTIPAWNS, min(_MOST_CENTIPAWNS, value))
    if kind == "mate":
        plies = min(2 * abs(value), MATE - _MOST_CENTIPAWNS - 1)
        return MATE - plies + 1 if value > 0 else plies - MATE
    return None


def read_best(line: str) -> str | None:
    """The move of a `bestmove` line, "" where it names none; None for any other line."""
    words = line.split()
    if words[:1] != ["bestmove"]:
        return None
    return words[1] if len(words) > 1 else ""


def read_leaf(line: str) -> str | None:
    """The move of a line of `go perft`, None for any other line."""
    found = _LEAF.fullmatch(line.strip())
    return found[1] if found else None


def set_option(name: str, value: str) -> str:
    return f"setoption name {name} value {value}"


def position(moves: Sequence[str]) -> str:
    return " ".join(["position startpos", *(["moves", *moves] if moves else [])])


def go(limit: Limit) -> str:
    if limit.nodes:
        return f"go nodes {limit.nodes}"
    if limit.depth:
        return f"go depth {limit.depth}"
    return f"go movetime {limit.movetime_ms}"


def _number(words: list[str] | None) -> int | None:
    text = words[0] if words else ""
    return int(text) if re.fullmatch(r"-?[0-9]{1,12}", text) else None
