"""The little Markdown that our own documentation is written in, as HTML.

Headings, paragraphs, bullet lists and tables; within a line code, bold, links to the web and
subscripts. Everything else is text, and escaped. A row of a table whose first cell is code has that
code as its id, so that others can link to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

_INLINE = (
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*([^*]+)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"&lt;(/?su[bp])&gt;"), r"<\1>"),
    (re.compile(r"\[([^\]]+)\]\((https://[^)\s]+)\)"), r'<a href="\2">\1</a>'),
    # Other pages of the documentation are not served: their titles stand without a link.
    (re.compile(r"\[([^\]]+)\]\([^)]*\)"), r"\1"),
)
_RULE = re.compile(r"[|:\s-]+")


def html(text: str) -> Markup:
    """The whole text."""
    blocks = re.split(r"\n\s*\n", text.strip())
    return Markup("\n").join(part for block in blocks for part in _block(block.splitlines()))


def anchors(text: str) -> frozenset[str]:
    """The ids of all rows of its tables."""
    return frozenset(re.findall(r"^\| `([^`]+)`", text, flags=re.MULTILINE))


def _block(lines: list[str]) -> Iterator[Markup]:
    if heading := re.fullmatch(r"(#{1,3}) (.*)", lines[0]):
        level = len(heading[1])
        yield Markup("<h{0}>{1}</h{0}>").format(level, _inline(heading[2]))
        if lines[1:]:
            yield from _block(lines[1:])
    elif lines[0].startswith("|"):
        yield _table(lines)
    elif lines[0].startswith("* "):
        items = re.split(r"^\* ", "\n".join(lines), flags=re.MULTILINE)[1:]
        bullets = (Markup("<li>{}</li>").format(_inline(item)) for item in items)
        yield Markup("<ul>{}</ul>").format(Markup("").join(bullets))
    else:
        yield Markup("<p>{}</p>").format(_inline(" ".join(lines)))


def _table(lines: list[str]) -> Markup:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    head, *body = [row for line, row in zip(lines, rows, strict=True) if not _RULE.fullmatch(line)]
    heads = Markup("").join(Markup('<th scope="col">{}</th>').format(_inline(c)) for c in head)
    return Markup(
        '<div class="table-scroll" tabindex="0" role="group" aria-label="{}"><table>'
        "<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
    ).format(" ".join(head), heads, Markup("").join(map(_row, body)))


def _row(cells: list[str]) -> Markup:
    name = re.fullmatch(r"`([^`]+)`", cells[0])
    mark = Markup(' id="{}"').format(name[1]) if name else Markup("")
    first = Markup('<th scope="row">{}</th>').format(_inline(cells[0]))
    rest = (Markup("<td>{}</td>").format(_inline(cell)) for cell in cells[1:])
    return Markup("<tr{}>{}{}</tr>").format(mark, first, Markup("").join(rest))


def _inline(text: str) -> Markup:
    found = str(escape(text))
    for pattern, put in _INLINE:
        found = pattern.sub(put, found)
    return Markup(found)  # escaped above; what was put in are our own tags
