"""The values of keys in a variants.ini: each kind of value, read from its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from tabia.engine.documents import show

MAX_FILES, MAX_RANKS = 12, 10
"""The largest board of Fairy-Stockfish."""

FilesRanks = frozenset[tuple[int, int]]
"""Squares as (file, rank), both from 0."""

EVERY_SQUARE: FilesRanks = frozenset((f, r) for f in range(MAX_FILES) for r in range(MAX_RANKS))
EVERY_TYPE = "*"
"""Stands in a set of piece types for all of them."""


class ValueRefused(ValueError):  # noqa: N818 - a refusal is what it is
    """What a key may hold instead, to be said behind what was found."""


Letters = Mapping[str, str]
"""Letter, capital -> piece type."""


def rank_squares(*ranks: int) -> FilesRanks:
    """Whole ranks, counted from 1."""
    return frozenset(square for square in EVERY_SQUARE if square[1] + 1 in ranks)


def read_value(kind: str, text: str, letters: Letters) -> Any:
    """The value of that kind, or one of the words of a kind such as "none|duck|arrow". Raises
    ValueRefused with what is allowed."""
    reader = _READERS.get(kind)
    if reader is not None:
        return reader(text, letters)
    words = kind.split("|")
    if text not in words:
        raise ValueRefused(", ".join(words))
    return text


def _truth(text: str, _: Letters) -> bool:
    if text not in ("true", "false"):
        raise ValueRefused("true or false")
    return text == "true"


def _number(text: str, _: Letters) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise ValueRefused("a whole number from 0 to 9999")
    return int(text)


def _rank(text: str, letters: Letters) -> int:
    number = _number(text, letters) if re.fullmatch(r"[0-9]{1,2}", text) else 0
    if not 1 <= number <= MAX_RANKS:
        raise ValueRefused(f"a rank, 1 to {MAX_RANKS}")
    return number


def _file(text: str, _: Letters) -> int:
    """From 1, whether it is written as a number or as a letter."""
    number = 0
    if re.fullmatch(r"[0-9]{1,2}", text):
        number = int(text)
    elif re.fullmatch(r"[a-z]", text):
        number = ord(text) - ord("a") + 1
    if not 1 <= number <= MAX_FILES:
        raise ValueRefused(f"a file, a to l or 1 to {MAX_FILES}")
    return number


def _squares(text: str, _: Letters) -> FilesRanks:
    found: set[tuple[int, int]] = set()
    for token in text.split():
        if token == "-":
            break
        match = re.fullmatch(r"(\*|[a-lA-L])(\*|[1-9]|10)", token)
        if match is None or token == "**":
            raise ValueRefused("squares such as e4, ranks such as *8, files such as a*, or -")
        file, rank = match[1].lower(), match[2]
        found |= {
            (f, r)
            for f, r in EVERY_SQUARE
            if file in ("*", "abcdefghijkl"[f]) and rank in ("*", str(r + 1))
        }
    return frozenset(found)


def _types(text: str, letters: Letters) -> frozenset[str]:
    found = set()
    for letter in text.replace(" ", ""):
        if letter == "-":
            break
        if letter == "*":
            found.add(EVERY_TYPE)
        elif letter.upper() in letters:
            found.add(letters[letter.upper()])
        else:
            raise ValueRefused(f"{_known(letters)}, * for all, - for none")
    return frozenset(found)


def _type(text: str, letters: Letters) -> str | None:
    found = sorted(_types(text, letters))
    if len(found) > 1:
        raise ValueRefused(f"one of {_known(letters)}, * for any, - for none")
    return found[0] if found else None


def _counts(text: str, letters: Letters) -> dict[str, int]:
    found = {}
    for token in text.split():
        match = re.fullmatch(r"([A-Za-z]):([0-9]{1,3})", token)
        if match is None or match[1].upper() not in letters:
            raise ValueRefused(f"pairs such as q:1 of {_known(letters)}")
        found[letters[match[1].upper()]] = int(match[2])
    return found


def _becomes(text: str, letters: Letters) -> dict[str, str]:
    found = {}
    for token in text.split():
        match = re.fullmatch(r"([A-Za-z]):([A-Za-z-])", token)
        if match is None or not {match[1].upper(), match[2].upper()} <= {*letters, "-"}:
            raise ValueRefused(f"pairs such as p:g of {_known(letters)}")
        if match[2] != "-":
            found[letters[match[1].upper()]] = letters[match[2].upper()]
    return found


def _rights(text: str, _: Letters) -> str:
    if not re.fullmatch(r"K?Q?k?q?|-", text):
        raise ValueRefused("some of KQkq, or -")
    return text.replace("-", "")


def _text(text: str, _: Letters) -> str:
    return text


def _known(letters: Letters) -> str:
    return (
        "the letters " + "".join(sorted(letters)).lower()
        if letters
        else "no letter, for want of pieces"
    )


_READERS: dict[str, Callable[[str, Letters], Any]] = {
    "truth": _truth,
    "number": _number,
    "rank": _rank,
    "file": _file,
    "squares": _squares,
    "types": _types,
    "type": _type,
    "counts": _counts,
    "becomes": _becomes,
    "rights": _rights,
    "text": _text,
}
VALUE = "win|loss|draw|none"


def in_words(value: Any) -> str:
    """A value as an ini file would have it, near enough to be recognized."""
    if isinstance(value, frozenset | set | dict):
        return "something" if value else "-"
    return show(value) if value != "" else "-"
