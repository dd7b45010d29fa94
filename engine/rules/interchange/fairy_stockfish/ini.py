"""The grammar of a variants.ini: sections, each a variant, of lines `key = value`.

Fairy-Stockfish reads such a file forgivingly: a line it does not understand, a key it does not know
and a value of the wrong type are skipped. Here each is refused with its line, for what is skipped
is a rule that the designer believes to be there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tabia.engine.documents import DocumentError, show

MAX_TEXT = 512 * 1024
MAX_SECTIONS = 2000
MAX_LINE = 4000

_HEADER = re.compile(r"\[([^\[\]:]+)(?::([^\[\]:]+))?\]\s*")


@dataclass(frozen=True)
class Entry:
    """The value of a key, and the line it stands on (from 1)."""

    value: str
    line: int


@dataclass(frozen=True)
class Section:
    """One variant as written: its parent's name, if it has one, and its keys.

    repeated: the keys that stand there more than once; the last counts, as in Fairy-Stockfish.
    """

    name: str
    parent: str | None
    entries: Mapping[str, Entry]
    repeated: tuple[str, ...]
    line: int


def read_sections(text: str, source: str) -> dict[str, Section]:
    """The variants of a file by name, in the order of the file. Raises DocumentError."""
    if len(text) > MAX_TEXT:
        raise DocumentError(source, "", f"the text is too long; allowed: {MAX_TEXT // 1024} KiB")
    sections: dict[str, Section] = {}
    header: tuple[str, str | None, int] | None = None
    entries: dict[str, Entry] = {}
    repeated: list[str] = []

    def close() -> None:
        if header is not None:
            name, parent, line = header
            sections[name] = Section(name, parent, dict(entries), tuple(repeated), line)

    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if not line.strip() or line[0] in "#;":
            continue
        if len(line) > MAX_LINE:
            raise DocumentError(
                source, "", f"line {number}: too long; allowed: {MAX_LINE} characters"
            )
        if line.startswith("["):
            close()
            header = _header(line, number, source)
            if header[0] in sections:
                raise DocumentError(
                    source,
                    header[0],
                    f"line {number}: a second variant of that name; allowed: one",
                )
            if len(sections) == MAX_SECTIONS:
                raise DocumentError(source, "", f"too many variants; allowed: {MAX_SECTIONS}")
            entries, repeated = {}, []
            continue
        key, equals, value = line.partition("=")
        key = key.strip()
        if not equals or not key or header is None:
            raise DocumentError(
                source,
                "" if header is None else header[0],
                f"line {number}: found {show(line)}; allowed: [variant], [variant:parent], "
                "key = value below such a head, or a comment that starts with #",
            )
        if key in entries:
            repeated.append(key)
        entries[key] = Entry(value.strip(), number)
    close()
    if not sections:
        raise DocumentError(source, "", "no variant in it; needed: a line such as [my-game:chess]")
    return sections


def _header(line: str, number: int, source: str) -> tuple[str, str | None, int]:
    match = _HEADER.fullmatch(line)
    if match is None:
        raise DocumentError(
            source,
            "",
            f"line {number}: found {show(line)}; allowed: [variant] or [variant:parent]",
        )
    parent = match[2]
    return match[1].strip(), parent.strip() if parent else None, number
