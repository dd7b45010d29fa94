"""The commands of UCI as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from tabia.engine.documents import show


class UciError(ValueError):
    """What of a command is not understood, in words for an `info string`."""


@dataclass(frozen=True)
class Start:
    """`position`: a FEN, None for the array, and the moves made from there."""

    fen: str | None
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Go:
    """`go`: its limits, 0 or None where not given; times in milliseconds. ignored: the words that
    this engine does not heed."""

    depth: int = 0
    nodes: int = 0
    perft: int = 0
    movetime: int = 0
    time: dict[str, int] = field(default_factory=dict)
    increment: dict[str, int] = field(default_factory=dict)
    movestogo: int = 0
    infinite: bool = False
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True)
class Option:
    """`setoption`: names are compared without regard to case."""

    name: str
    value: str


_NUMBERS = ("depth", "nodes", "perft", "movetime", "movestogo")
_TIMES = {
    "wtime": ("time", "white"),
    "btime": ("time", "black"),
    "winc": ("increment", "white"),
    "binc": ("increment", "black"),
}
_MOST = 10**15


def read_position(words: list[str]) -> Start:
    """What follows `position`. Raises UciError."""
    at = words.index("moves") if "moves" in words else len(words)
    place, moves = words[:at], tuple(words[at + 1 :])
    if place == ["startpos"]:
        return Start(None, moves)
    if place[:1] == ["fen"] and len(place) > 1:
        return Start(" ".join(place[1:]), moves)
    raise UciError("position: needed: startpos, or fen and a FEN, then moves and the moves made")


def read_go(words: list[str]) -> Go:
    """What follows `go`. Raises UciError."""
    numbers = dict.fromkeys(_NUMBERS, 0)
    times: dict[str, dict[str, int]] = {"time": {}, "increment": {}}
    infinite, ignored = False, []
    rest = iter(words)
    for word in rest:
        if word in _NUMBERS:
            numbers[word] = _number(word, next(rest, ""))
        elif word in _TIMES:
            kind, side = _TIMES[word]
            times[kind][side] = _number(word, next(rest, ""))
        elif word == "infinite":
            infinite = True
        else:
            ignored.append(word)
    return Go(
        depth=numbers["depth"],
        nodes=numbers["nodes"],
        perft=numbers["perft"],
        movetime=numbers["movetime"],
        time=times["time"],
        increment=times["increment"],
        movestogo=numbers["movestogo"],
        infinite=infinite,
        ignored=tuple(ignored),
    )


def read_option(words: list[str]) -> Option:
    """What follows `setoption`. Raises UciError."""
    if words[:1] != ["name"] or len(words) < 2:
        raise UciError("setoption: needed: name, the option, value, its value")
    at = words.index("value") if "value" in words else len(words)
    return Option(" ".join(words[1:at]), " ".join(words[at + 1 :]))


def _number(word: str, text: str) -> int:
    # GUIs send negative times when a flag has fallen.
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 16):
        raise UciError(f"go {word}: found {show(text)}; needed: a whole number")
    return 0 if text.startswith("-") else min(int(digits), _MOST)
