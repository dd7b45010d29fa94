"""Finding an Interactive Diagram in the text of a page, pasted as it is.

A diagram is a run of `key=value` and `name:ID:moves:image:squares:holdings`, on lines of their own
or between blanks, with prose and markup around it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tabia.engine.documents import DocumentError, show
from tabia.engine.rules.interchange.interactive_diagram.keys import EVERY_KEY

MAX_TEXT = 512 * 1024
MAX_PIECES = 64

_SETTING = re.compile(r"([A-Za-z]\w*)=(\S*)")
_PIECE = re.compile(r"([^\s:=][^:=]*?)((?::[^:\s]*){3,5})")
_SCRIPT = re.compile(r"<script\b.*?(?:</script\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_FUNCTION = re.compile(r"\bfunction\s+([A-Za-z_$][\w$]{0,40})")


@dataclass(frozen=True)
class PieceLine:
    """One piece as written. squares: the text of the field, with all its commas; holdings: "" where
    nothing is said."""

    name: str
    id: str
    moves: str
    squares: str
    holdings: str


@dataclass(frozen=True)
class Page:
    """What a page's diagram says; `royal` of several lines has commas between. remarks: what of the
    page is not read, one line each."""

    settings: dict[str, str]
    pieces: tuple[PieceLine, ...]
    remarks: tuple[str, ...]


def read_page(text: str, source: str) -> Page:
    """The diagram in a text. Raises DocumentError where there is none, or several."""
    if len(text) > MAX_TEXT:
        raise DocumentError(source, "", f"the text is too long; allowed: {MAX_TEXT // 1024} KiB")
    remarks = [_lost(script) for script in _SCRIPT.findall(text)]
    settings: dict[str, str] = {}
    pieces: list[PieceLine] = []
    strange: list[str] = []
    waiting: list[str] = []
    for kind, token in _tokens(_without_markup(_SCRIPT.sub("\n", text))):
        if kind == "setting":
            key, _, value = token.partition("=")
            if key not in EVERY_KEY:
                # A web address or a formula of the prose, unless the diagram goes on behind it.
                waiting.append(token)
                continue
            if key == "royal" and key in settings:  # a line for each royal piece
                value = f"{settings[key]},{value}"
            elif key in settings and settings[key] != value:
                raise DocumentError(source, key, "stands there twice; allowed: one diagram a text")
            settings[key] = value
        else:
            name, _, fields = token.partition(":")
            id_, moves, _, squares, holdings, *_ = [*fields.split(":"), "", ""]
            pieces.append(PieceLine(name.strip(), id_, moves, squares, holdings))
            if len(pieces) > MAX_PIECES:
                raise DocumentError(source, "", f"too many pieces; allowed: {MAX_PIECES}")
        if settings or pieces:
            strange.extend(waiting)
        waiting.clear()
    if not pieces:
        raise DocumentError(
            source,
            "",
            "no Interactive Diagram in it; needed: lines such as knight:N:N:knight:b1,g1,,b8,g8",
        )
    if strange:
        key = strange[0].partition("=")[0]
        raise DocumentError(
            source,
            key,
            f"found {show(strange[0])}, no parameter that is known here; allowed: "
            f"{', '.join(sorted(EVERY_KEY))}",
        )
    return Page(settings, tuple(pieces), tuple(remarks))


def _without_markup(text: str) -> str:
    text = re.sub(r"<!--|-->", " ", text)
    return html.unescape(re.sub(r"</?[A-Za-z][^<>]*>", "\n", text))


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """The settings and pieces, in order. A name of several words is one on a line of its own."""
    for line in text.splitlines():
        stripped = line.strip()
        if _PIECE.fullmatch(stripped) and _SETTING.match(stripped) is None:
            yield "piece", stripped
            continue
        for token in stripped.split():
            if _SETTING.fullmatch(token):
                yield "setting", token
            elif _PIECE.fullmatch(token) and "//" not in token:
                yield "piece", token


def _lost(script: str) -> str:
    names = list(dict.fromkeys(_FUNCTION.findall(script)))[:8]
    what = f"the functions {', '.join(names)}" if names else f"{len(script)} characters"
    return f"a script is not read ({what}): rules that it adds or changes are lost"
