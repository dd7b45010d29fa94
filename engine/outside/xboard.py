"""The xboard protocol, version 2, as plain data (T. Mann and H. G. Muller, "Chess Engine
Communication Protocol"): the little of it that a player needs."""

from __future__ import annotations

import re

from tabia.engine.outside.said import Option

_FEATURE = re.compile(r'(\w+)=(?:"([^"]*)"|(\S+))')
_RESULT = re.compile(r"(1-0|0-1|1/2-1/2)(\s.*)?")
_THINKING = re.compile(r"\s*\d+[.&+]?\s+(-?\d+)\s+\d+\s+\d+(\s.*)?")
_MOST_CENTIPAWNS = 31_000


def read_features(line: str) -> list[tuple[str, str]]:
    """The features of a line, in order: name and value; none for any other line."""
    if not line.startswith("feature "):
        return []
    return [(found[1], found[2] or found[3] or "") for found in _FEATURE.finditer(line)]


def read_option(text: str) -> Option | None:
    """The option of a feature `option="NAME -TYPE …"`."""
    found = re.fullmatch(r"(.+?) -(\w+)(?: (.*))?", text)
    if found is None:
        return None
    name, kind, rest = found[1], found[2], found[3] or ""
    numbers = [int(word) for word in rest.split() if re.fullmatch(r"-?[0-9]{1,9}", word)]
    bounded = kind in ("spin", "slider") and len(numbers) == 3
    choices = tuple(each.strip().lstrip("*") for each in rest.split("///"))
    return Option(
        name,
        "spin" if kind == "slider" else kind,
        numbers[1] if bounded else None,
        numbers[2] if bounded else None,
        choices if kind == "combo" else (),
    )


def read_move(line: str) -> str | None:
    """The move that the program makes, None for any other line."""
    words = line.split()
    return words[1] if len(words) == 2 and words[0] == "move" else None


def gives_up(line: str) -> bool:
    """Whether it resigns or claims a result, which the rules that are played do not know."""
    return line.strip() == "resign" or _RESULT.fullmatch(line.strip()) is not None


def refuses(line: str) -> bool:
    """Whether it refuses a move, or does not know a command."""
    return line.startswith(("Illegal move", "Error (unknown command)"))


def read_score(line: str) -> int | None:
    """Centipawns for the side to move in a line of thinking output; None where it is none."""
    found = _THINKING.fullmatch(line)
    if found is None:
        return None
    score = int(found[1][:9])
    return max(-_MOST_CENTIPAWNS, min(_MOST_CENTIPAWNS, score))
