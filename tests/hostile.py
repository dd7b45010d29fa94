"""Rule files from a stranger by number, and what one may cost.

`document(seed)` is a rule file of the catalog or of tests/data/games in which a few things were
put, replaced or taken away, as tables or as text; the same for a number in every run of one Python.
`python -m hostile FIRST COUNT AT_FILE` tries so many in a row under limits of memory and processor
time, and prints one JSON object. AT_FILE tells afterwards which one ended the process, if one did.
"""

from __future__ import annotations

import copy
import json
import mmap
import resource
import struct
import sys
import time
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tabia.engine import FenError, Position, RuleSet
from tabia.engine.documents import DocumentError
from tabia.engine.rules import groups
from tabia.engine.rules.resolve import catalog_ids
from tabia.engine.rules.toml_text import toml_text

GAMES = Path(__file__).parent / "data" / "games"
MOST_SECONDS = 1.0
MOST_MEGABYTES = 200
PLIES = 20

KEYS = [
    "board", "files", "ranks", "holes", "citadels", "pieces", "P", "X", "K", "Q", "moves", "royal",
    "initial", "initial_ranks", "own_victims", "not_over", "not_onto", "ep_victims", "array", "1",
    "2", "8", "10", "16", "castling", "kingside", "queenside", "king", "partner", "to", "also",
    "from_move", "en_passant", "givers", "promotion", "optional", "compulsory", "supply", "reserve",
    "limits", "tiers", "when_none", "endings", "stalemate", "n_move", "resets", "repetition",
    "count", "result", "dead_position", "bare_king", "answer", "citadels_count", "white", "black",
    "check", "royals", "home", "extends", "name", "notes", "source", "id", "", "é",
]  # fmt: skip
WORDS = [
    "draw", "loss", "win", "play on", "any", "captured", "limited", "immobile", "stays", "rank",
    "every", "last", "duple", "unmoved", "capture", "own capture", "chess", "grand", "great",
    "a1", "p16", "j10", "b2", "a", "p", "KQ", "QQRRRR", "NBRQ", "16", "p15", "kk14", "K" * 16,
    "P" * 16, "\u202e", "",
]  # fmt: skip
ATOMS = [
    "W",
    "F",
    "D",
    "N",
    "A",
    "H",
    "C",
    "Z",
    "G",
    "K",
    "B",
    "R",
    "Q",
    "X",
    "Y",
    "NN",
    "W0",
    "F3",
]
MODIFIERS = "fblrvshmcdeintpgoyjaa"
LEGS = ("ca", "mca", "cab", "da", "pa", "mcdpa", "cafs", "mab", "fca")
NUMBERS = [-1, 0, 1, 2, 3, 4, 8, 14, 15, 16, 17, 100, 500, 501, 2**31, 2**63, -(2**64), 10**5000]


class BrokenError(AssertionError):
    """What a rule file did that none may do."""


def document(seed: int) -> dict[str, Any] | str:
    """The rule file of that number: tables, or one time in eight a text."""
    rng = Random(seed)
    data = copy.deepcopy(rng.choice(_games()))
    if rng.random() < 0.05:
        _crowd(data, rng)
    if rng.random() < 0.125:
        return _misspelt(toml_text(data), rng)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5))):
        _mutate(data, rng)
    return data


def trial(seed: int) -> bool:
    """Refused in one line, or played: some moves at random, and two searches. Whether it was
    played; raises BrokenError."""
    source = document(seed)
    try:
        if isinstance(source, str):
            rules = RuleSet.from_toml(source, "stranger.toml")
        else:
            rules = RuleSet.from_document(source, "stranger.toml")
        position = Position(rules)
    except (DocumentError, FenError) as refused:
        line = str(refused)
        if not line.isprintable() or len(line) >= 1000:
            raise BrokenError(f"refused in {len(line)} characters: {line!r}") from None
        return False
    if RuleSet.from_canonical(rules.canonical).id != rules.id:
        raise BrokenError("its canonical form is another rule set")
    rng = Random(seed)
    for ply in range(PLIES):
        moves = position.legal_moves()
        if len(moves) != len(set(moves)):
            raise BrokenError(f"a move twice in {position.fen()}")
        if position.outcome() is not None:
            break
        if ply % 8 == 4:
            found = position.search(nodes=30).best_move
            if found not in moves:
                raise BrokenError(f"the search moves {found} in {position.fen()}")
        position.push(rng.choice(moves))
    return True


@dataclass
class Cost:
    """What a run of trials took: the most seconds of processor time of one file, and which; the
    most megabytes above what the process had before the first."""

    tried: int = 0
    played: int = 0
    seconds: float = 0.0
    slowest: int = -1
    megabytes: float = 0.0


@cache
def _games() -> list[dict[str, Any]]:
    named = [RuleSet.load(each) for each in catalog_ids()]
    named += [RuleSet.load(path) for path in sorted(GAMES.glob("*.toml"))]
    forms = [{k: v for k, v in rules.canonical.items() if k != "schema"} for rules in named]
    return forms + [{"extends": each} for each in ("chess", "grand", "great", "omega", "shatranj")]


def _tables(data: dict[str, Any]) -> list[dict[str, Any]]:
    found = [data]
    for value in data.values():
        children = value if isinstance(value, list) else [value]
        for child in children:
            if isinstance(child, dict):
                found += _tables(child)
    return found


def _mutate(data: dict[str, Any], rng: Random) -> None:
    table = rng.choice(_tables(data))
    if table and rng.random() < 0.75:
        key = rng.choice(sorted(table))
        table[key] = _likely(data, key, table[key], rng)
        return
    key = rng.choice(sorted(table)) if table and rng.random() < 0.7 else rng.choice(KEYS)
    match rng.randrange(8):
        case 0:
            table.pop(key, None)
        case 1:
            pieces = data.get("pieces")
            if isinstance(pieces, dict):
                letter = rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
                pieces[letter] = {"moves": _betza(rng)}
        case 2:
            other = rng.choice(_tables(rng.choice(_games())))
            table.update(copy.deepcopy(other))
        case 3 if key == "moves":
            table[key] = _betza(rng)
        case 3 if isinstance(table.get(key), str):
            table[key] = _misspelt(table[key], rng)
        case _:
            table[key] = _betza(rng) if key == "moves" else _value(rng)


def _likely(data: dict[str, Any], key: str, value: Any, rng: Random) -> Any:
    """Another value of that kind, which the language may well allow there."""
    letters = "".join(data.get("pieces", {})) if isinstance(data.get("pieces"), dict) else ""
    if key == "moves":
        return "".join(rng.choice(_groups()) for _ in range(rng.choice((1, 1, 2, 3, 5))))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((value + 1, value - 1, 0, rng.randrange(17)))
    if isinstance(value, list) and all(isinstance(each, int) for each in value):
        return sorted({rng.randrange(1, 17) for _ in range(rng.randrange(4))})
    if isinstance(value, str) and key.isdigit() and value:  # a row of the array: two men exchanged
        one, other = rng.randrange(len(value)), rng.randrange(len(value))
        row = list(value)
        row[one], row[other] = row[other], row[one]
        return "".join(row)
    if isinstance(value, str) and value.isupper() and letters:
        return "".join(rng.choice(letters) for _ in range(rng.randrange(7)))
    if isinstance(value, str) and len(value) == 1:
        return rng.choice("abcdefghijklmnop")
    if isinstance(value, str):
        return rng.choice(WORDS)
    return copy.deepcopy(value)


@cache
def _groups() -> list[str]:
    """The moves of every piece of the games, one atom each."""
    pieces = [piece for form in _games() for piece in form.get("pieces", {}).values()]
    return sorted({str(group) for piece in pieces for group in groups.parse(piece["moves"])})


def _value(rng: Random) -> Any:
    match rng.randrange(10):
        case 0 | 1:
            return rng.choice(NUMBERS)
        case 2 | 3:
            return rng.choice(WORDS)
        case 4:
            return _betza(rng)
        case 5:
            return rng.random() < 0.5
        case 6:
            return [_value(rng) for _ in range(rng.randrange(4))]
        case 7:
            return {rng.choice(KEYS): _value(rng) for _ in range(rng.randrange(3))}
        case 8:
            return "".join(rng.choice("KQRBNPkqrbnp0123456789") for _ in range(rng.randrange(17)))
        case _:
            return rng.choice((None, 0.5, float("nan"), float("inf"), "x" * 3000))


def _betza(rng: Random) -> str:
    text = ""
    for _ in range(rng.choice((1, 1, 2, 2, 3, 5, 12))):
        if rng.random() < 0.2:  # legs that capture, which chance hardly ever spells
            text += "".join(rng.choice(LEGS) for _ in range(rng.choice((1, 1, 2, 4))))
        text += "".join(rng.choice(MODIFIERS) for _ in range(rng.choice((0, 0, 1, 2, 3, 6))))
        text += rng.choice(ATOMS) + rng.choice(("", "", "", "0", "2", "4", "15"))
    return text


def _crowd(data: dict[str, Any], rng: Random) -> None:
    """A large board with many kinds of pieces: what costs most to compile and to play."""
    data["board"] = {"files": rng.choice((12, 16)), "ranks": rng.choice((12, 16))}
    pieces = data.setdefault("pieces", {})
    for letter in "ABCDEFGHIJLMNOSTUVWXYZ":
        if isinstance(pieces, dict) and rng.random() < 0.7:
            pieces[letter] = {"moves": _betza(rng)}


def _misspelt(text: str, rng: Random) -> str:
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.choice((0, 1, 1, 3, 20)))
        put = rng.choice((*WORDS, *MODIFIERS, *ATOMS, *'[]{}"=,.#\n\\\x00', text[at:to] * 2))
        text = text[:at] + put + text[to:]
    return text


def _resident() -> float:
    """The most megabytes of memory that the process has held so far. Not ru_maxrss, which a process
    inherits from the one that started it."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def _mapped() -> int:
    """Bytes of address space that the process has now."""
    pages = Path("/proc/self/statm").read_text().split()[0]
    return int(pages) * resource.getpagesize()


def main(first: int, count: int, at_file: Path) -> None:
    """Tries the files first … first + count - 1."""
    trial(0)  # what every process needs once: modules, caches of the catalog
    _games()
    before = _resident()
    limit = _mapped() + MOST_MEGABYTES * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    cost = Cost()
    with at_file.open("r+b") as file, mmap.mmap(file.fileno(), 8) as at:
        for seed in range(first, first + count):
            struct.pack_into("<q", at, 0, seed)
            start = time.process_time()
            resource.setrlimit(resource.RLIMIT_CPU, (int(start) + 5, resource.RLIM_INFINITY))
            try:
                cost.played += trial(seed)
            except Exception as error:
                raise BrokenError(f"file {seed}: {type(error).__name__}: {error}") from error
            seconds = time.process_time() - start
            if seconds > cost.seconds:
                cost.seconds, cost.slowest = round(seconds, 3), seed
            cost.tried += 1
    cost.megabytes = round(_resident() - before, 1)
    print(json.dumps(asdict(cost)))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
