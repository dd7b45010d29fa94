"""Small parts of sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
           "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen")  # fmt: skip


def number(count: int) -> str:
    """A small number as a word."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def listed(parts: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    items = list(parts)
    return f" {last} ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def counted(count: int, noun: str) -> str:
    """`one square`, `two squares`."""
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def ranks_in_words(ranks: Sequence[int]) -> str:
    """`rank 3`, `ranks 8 and 9`, `ranks 2 to 8`."""
    if len(ranks) > 2 and list(ranks) == list(range(ranks[0], ranks[-1] + 1)):
        return f"ranks {ranks[0]} to {ranks[-1]}"
    return f"rank{'' if len(ranks) == 1 else 's'} {listed(map(str, ranks))}"


def sentence(text: str) -> str:
    """The text with a capital at its head and a full stop behind it."""
    stripped = text.strip()
    end = "" if stripped.endswith((".", ":")) else "."
    return f"{stripped[:1].upper()}{stripped[1:]}{end}"
