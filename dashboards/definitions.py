"""What the numbers of a game profile mean: docs/metrics.md as a page, and where each is in it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

from tabia.dashboards import markdown

TEXT = Path(__file__).parent / "metrics.md"
"""A link to docs/metrics.md, so that the pages have it wherever Tabia is installed."""


@lru_cache
def definitions() -> Markup:
    """The whole text as HTML; each row of its tables can be linked to."""
    return markdown.html(_text())


@lru_cache
def definition_of(name: str) -> str | None:
    """The id of the row that defines a number of a profile; None where there is none.

    ``drawn_by:repetition`` is defined with all ``drawn_by:REASON``.
    """
    rows = markdown.anchors(_text())
    if name in rows:
        return name
    family = f"{name.partition(':')[0]}:"
    return next((row for row in sorted(rows) if row.startswith(family)), None)


def _text() -> str:
    return TEXT.read_text(encoding="utf-8")
