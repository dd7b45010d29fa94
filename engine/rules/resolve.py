"""`extends`: a tweak laid over its parent, and where parents are looked for.

A document names its parent by a reference. What a reference may reach is decided by the resolver
that came with the document: the catalog alone for a text from a stranger, the files beside it for a
file of this machine. Nothing is ever fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from tabia.engine.documents import (
    MAX_BYTES,
    DocumentError,
    parse_toml,
    require_shallow,
    show,
    suggestion,
)
from tabia.engine.rules.model import LABELS

MAX_CHAIN = 8


@dataclass(frozen=True)
class Found:
    """A document and how to go on from it.

    identity: equal for two references to the same document, to notice cycles; resolver: what its
    own `extends` may name; catalogued: it comes with Tabia.
    """

    identity: str
    source: str
    data: Mapping[str, Any]
    resolver: Resolver
    catalogued: bool = False


Resolver = Callable[[str], Found | None]
"""From a reference to the document it names, or None where there is none of that name."""


def catalog_ids() -> list[str]:
    """The ids of the rule sets that come with Tabia, sorted."""
    names = (entry.name for entry in files(__package__).joinpath("catalog").iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def unknown(reference: str) -> str:
    """What is said of a reference to no rule set."""
    known = "allowed: the ids that `tabia rules list` shows"
    return (
        f"found {show(reference)}, which is no rule set known here; "
        f"{suggestion(reference, catalog_ids())}{known}"
    )


def from_catalog(reference: str) -> Found | None:
    """The rule set of that id among those that come with Tabia."""
    if reference not in catalog_ids():
        return None
    entry = files(__package__).joinpath("catalog", f"{reference}.toml")
    source = f"catalog/{reference}.toml"
    data = parse_toml(entry.read_text(encoding="utf-8"), source)
    return Found(f"catalog {reference}", source, data, from_catalog, catalogued=True)


def from_files(folder: Path) -> Resolver:
    """A resolver for documents of this machine: catalog ids, else `.toml` files, relative to that
    folder. Never to be given to a document that came over the network."""

    def resolve(reference: str) -> Found | None:
        found = from_catalog(reference)
        if found is not None or not reference.endswith(".toml"):
            return found
        path = folder / reference
        return read_file(path) if path.is_file() else None

    return resolve


def read_file(path: Path) -> Found:
    """The document in that file. Raises DocumentError when it cannot be read."""
    source = str(path)
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)  # one more than allowed, so that parse_toml refuses it
        text = raw.decode("utf-8")
    except OSError as error:
        raise DocumentError(source, "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise DocumentError(source, "", f"not UTF-8 at byte {error.start}") from None
    data = parse_toml(text, source)
    return Found(f"file {path.resolve()}", source, data, from_files(path.parent))


def inline(tables: Mapping[str, Any], source: str, otherwise: Resolver) -> Resolver:
    """A resolver for rule sets written into another document, under `[rulesets.ID]`.

    A catalog id cannot be written anew there: everybody who reads it knows what it means.
    """
    for name in tables:
        if name in catalog_ids():
            raise DocumentError(
                source, f"rulesets.{name}", f"{name} is a catalog id; allowed: any other name"
            )

    def resolve(reference: str) -> Found | None:
        if reference not in tables:
            return otherwise(reference)
        key = f"rulesets.{reference}"
        if not isinstance(tables[reference], Mapping):
            raise DocumentError(source, key, f"found {show(tables[reference])}; allowed: a table")
        return Found(f"inline {reference}", f"{source}:{key}", tables[reference], resolve)

    return resolve


def lineage(start: Found) -> list[Found]:
    """The document and its ancestors, itself first. Raises DocumentError on a cycle (naming it), on
    a parent that is not there, and on a chain that is too long."""
    chain = [start]
    while True:
        here = chain[-1]
        require_shallow(here.data, here.source)
        reference = here.data.get("extends")
        if reference is None:
            return chain
        if not isinstance(reference, str):
            raise DocumentError(
                here.source, "extends", f"found {show(reference)}; allowed: the id of a rule set"
            )
        parent = here.resolver(reference)
        if parent is None:
            raise DocumentError(here.source, "extends", unknown(reference))
        chain.append(parent)
        if parent.identity in {found.identity for found in chain[:-1]}:
            names = " -> ".join(found.source for found in chain)
            raise DocumentError(start.source, "extends", f"a cycle: {names}")
        if len(chain) > MAX_CHAIN:
            raise DocumentError(
                start.source,
                "extends",
                f"more than {MAX_CHAIN} rule sets in a chain; allowed: {MAX_CHAIN}",
            )


def overlay(parent: Mapping[str, Any], child: Mapping[str, Any]) -> dict[str, Any]:
    """The parent with what the child states: tables are laid over tables, all else replaces.

    `false` in place of a table that the parent has takes the table away.
    """
    merged = dict(parent)
    for key, value in child.items():
        below = parent.get(key)
        if isinstance(below, Mapping) and value is False:
            del merged[key]
        elif isinstance(below, Mapping) and isinstance(value, Mapping):
            merged[key] = overlay(below, value)
        else:
            merged[key] = value
    return merged


def inherited(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a tweak takes over from its parent: the rules, not the labels."""
    return {key: value for key, value in data.items() if key not in (*LABELS, "extends")}
