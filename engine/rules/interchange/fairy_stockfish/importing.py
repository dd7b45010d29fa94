"""The variants of a variants.ini as documents of our rule language."""

from __future__ import annotations

from collections.abc import Mapping

from tabia.engine.documents import DocumentError
from tabia.engine.rules.interchange.fairy_stockfish.built_in import (
    BUILT_IN,
    parent_variant,
)
from tabia.engine.rules.interchange.fairy_stockfish.ini import Section, read_sections
from tabia.engine.rules.interchange.fairy_stockfish.reading import Document, as_document
from tabia.engine.rules.interchange.fairy_stockfish.variant import BLANK, Variant, applied


class VariantFile:
    """A variants.ini, read section by section: one that is refused does not take others with it,
    but for those that extend it and cannot do without."""

    def __init__(self, text: str, source: str) -> None:
        """Raises DocumentError when the text is no such file."""
        self.source = source
        self.sections: Mapping[str, Section] = read_sections(text, source)
        self._variants: dict[str, Variant] = {}
        self._errors: dict[str, DocumentError] = {}
        for name, section in self.sections.items():
            try:
                self._variants[name] = applied(section, self._parent(section), source)
            except DocumentError as error:
                self._errors[name] = error

    def document(self, name: str) -> tuple[Document, tuple[str, ...]]:
        """The variant of that name as a document, and remarks. Raises DocumentError."""
        if name in self._errors:
            raise self._errors[name]
        return as_document(self._variants[name], name, self.source)

    def ancestor(self, name: str) -> str | None:
        """The catalog's rule set that the variant comes from by its parents, if it does."""
        seen = self.sections.get(name)
        while seen is not None and seen.parent is not None:
            if seen.parent not in self.sections:
                ours = BUILT_IN.get(seen.parent)
                return ours.catalog_id if ours else None
            seen = self.sections[seen.parent]
        return None

    def _parent(self, section: Section) -> Variant:
        if section.parent is None:
            return BLANK
        if section.parent in self._errors:
            raise DocumentError(
                self.source,
                section.name,
                f"extends {section.parent}, which is refused: {self._errors[section.parent]}",
            )
        return parent_variant(section.parent, self.source, section.name, self._variants)
