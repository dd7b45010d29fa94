"""A file of another program, read as one of our rule sets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tabia.engine.documents import DocumentError, show
from tabia.engine.rules.interchange.fairy_stockfish.importing import VariantFile
from tabia.engine.rules.interchange.fairy_stockfish.ini import MAX_TEXT
from tabia.engine.rules.interchange.interactive_diagram.reading import as_document
from tabia.engine.rules.interchange.matching import shortest
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.rules.toml_text import toml_text

_SECTION = re.compile(r"^\[[^\[\]\n]+\]\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Imported:
    """A rule set, the TOML text that says it as shortly as the catalog allows, and remarks: what
    was left out, read otherwise or renamed, one line each."""

    rule_set: RuleSet
    text: str
    remarks: tuple[str, ...]


def read_rules(path: Path) -> str:
    """The text of a file from a stranger. Raises DocumentError."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_TEXT + 1)
    except OSError as error:
        raise DocumentError(str(path), "", f"cannot be read: {error.strerror}") from None
    if len(raw) > MAX_TEXT:
        raise DocumentError(str(path), "", f"too long; allowed: {MAX_TEXT // 1024} KiB")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def import_rules(text: str, source: str, variant: str | None = None) -> Imported:
    """The rule set in a text: a variants.ini if it has sections, else an Interactive Diagram.
    variant: which section; needed where there are several. Raises DocumentError."""
    if Path(source).suffix == ".ini" or _SECTION.search(text):
        file = VariantFile(text, source)
        return _imported(file, _chosen(file, variant))
    if variant is not None:
        raise DocumentError(source, "", "no sections in it; allowed: without --variant")
    document, remarks = as_document(text, source, Path(source).stem)
    found = shortest(document, source)
    return Imported(found.rule_set, toml_text(found.document), (*remarks, *found.renamed))


def import_each(text: str, source: str) -> Iterator[tuple[str, Imported | DocumentError]]:
    """Every variant of a variants.ini with its import, or what it is refused for."""
    file = VariantFile(text, source)
    for name in file.sections:
        try:
            yield name, _imported(file, name)
        except DocumentError as error:
            yield name, error


def _imported(file: VariantFile, name: str) -> Imported:
    document, remarks = file.document(name)
    found = shortest(document, f"{file.source}:{name}", file.ancestor(name))
    return Imported(found.rule_set, toml_text(found.document), (*remarks, *found.renamed))


def _chosen(file: VariantFile, variant: str | None) -> str:
    names = list(file.sections)
    if variant is None and len(names) == 1:
        return names[0]
    if variant in file.sections:
        return str(variant)
    several = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    found = "several variants" if variant is None else show(variant)
    raise DocumentError(file.source, "", f"found {found}; needed: --variant with one of {several}")
