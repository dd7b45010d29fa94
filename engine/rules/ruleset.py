"""`RuleSet`: a rule set loaded, checked, named by its id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabia.engine.documents import DocumentError, parse_toml, show, suggestion, validate
from tabia.engine.rules.canonical import canonical_form, rules_id
from tabia.engine.rules.checks import require_playable
from tabia.engine.rules.diff import Difference, differences
from tabia.engine.rules.effective import Rules, in_force
from tabia.engine.rules.model import LABELS, SCHEMA, RuleDocument
from tabia.engine.rules.resolve import (
    Found,
    Resolver,
    catalog_ids,
    from_catalog,
    inherited,
    lineage,
    overlay,
    read_file,
    unknown,
)
from tabia.engine.rules.tables import start_fen


@dataclass(frozen=True)
class RuleSet:
    """A rule set. `id` is a pure function of `canonical`; everything else but `rules` is a label.

    id: rules_id, 64 hexadecimal digits; canonical: the rules without defaults, as plain data;
    catalog_id: its id in the catalog, when it was loaded from there; extends: the reference to its
    parent, as written; labels: those of `id name author year source notes` that it states;
    piece_names: letter -> name, for the pieces that have one.
    """

    id: str
    canonical: Mapping[str, Any]
    rules: Rules
    labels: Mapping[str, Any]
    piece_names: Mapping[str, str]
    catalog_id: str | None = None
    extends: str | None = None

    @classmethod
    def load(cls, id_or_path: str | Path) -> RuleSet:
        """The rule set with that catalog id, else in that file. Raises DocumentError."""
        reference = str(id_or_path)
        found = from_catalog(reference)
        if found is not None:
            return cls._from_found(found, catalog_id=reference)
        if Path(reference).is_file():
            return cls._from_found(read_file(Path(reference)))
        raise DocumentError(
            reference,
            "",
            f"no such rule set and no such file; {suggestion(reference, catalog_ids())}"
            "allowed: a file, or an id that `tabia rules list` shows",
        )

    @classmethod
    def from_toml(
        cls, text: str, source: str = "rule set", resolver: Resolver = from_catalog
    ) -> RuleSet:
        """The rule set that a TOML text describes; `extends` may name what the resolver finds,
        by default the catalog alone. Raises DocumentError."""
        return cls.from_document(parse_toml(text, source), source, resolver)

    @classmethod
    def from_document(
        cls, data: Mapping[str, Any], source: str = "rule set", resolver: Resolver = from_catalog
    ) -> RuleSet:
        """As `from_toml`, for a document that is read already."""
        return cls._from_found(Found(f"document {source}", source, data, resolver))

    @classmethod
    def from_reference(cls, reference: str, source: str, key: str, resolver: Resolver) -> RuleSet:
        """The rule set that the key of another document names. Raises DocumentError about that
        document when the resolver finds none."""
        found = resolver(reference)
        if found is None:
            raise DocumentError(source, key, unknown(reference))
        return cls._from_found(found, catalog_id=reference if found.catalogued else None)

    @classmethod
    def from_canonical(cls, form: Mapping[str, Any], source: str = "canonical rules") -> RuleSet:
        """The rule set of a canonical form, with or without labels (see `document`)."""
        schema = form.get("schema")
        if schema != SCHEMA or isinstance(schema, bool):
            raise DocumentError(
                source, "schema", f"found {show(schema)}; allowed: {SCHEMA}, this version's"
            )
        rest = {key: value for key, value in form.items() if key != "schema"}
        catalog_id = rest.pop("catalog_id", None)
        extends = rest.pop("extends", None)
        rules = cls._build(rest, rest, source)
        return cls(
            **rules,
            catalog_id=catalog_id if isinstance(catalog_id, str) else None,
            extends=extends if isinstance(extends, str) else None,
        )

    @classmethod
    def _from_found(cls, found: Found, catalog_id: str | None = None) -> RuleSet:
        chain = lineage(found)
        merged: dict[str, Any] = {}
        for ancestor in reversed(chain):
            own = {key: value for key, value in ancestor.data.items() if key != "extends"}
            merged = overlay(inherited(merged), own)
            # What is wrong with a parent is said of the parent; the catalog's own are tested.
            if ancestor is found or not ancestor.catalogued:
                built = cls._build(merged, ancestor.data, ancestor.source)
        return cls(**built, catalog_id=catalog_id, extends=found.data.get("extends"))

    @staticmethod
    def _build(merged: Mapping[str, Any], own: Mapping[str, Any], source: str) -> dict[str, Any]:
        document = validate(RuleDocument, dict(merged), source)
        rules = in_force(document, source)
        require_playable(rules, document, source)
        form = canonical_form(rules)
        return {
            "id": rules_id(form),
            "canonical": form,
            "rules": rules,
            "labels": {key: own[key] for key in LABELS if key in own},
            "piece_names": {
                letter: piece.name
                for letter, piece in sorted(document.pieces.items())
                if piece.name is not None
            },
        }

    @property
    def name(self) -> str:
        """What people call it."""
        fallback = f"a tweak of {self.extends}" if self.extends else "an unnamed rule set"
        return str(self.labels.get("name") or self.labels.get("id") or fallback)

    @property
    def start_fen(self) -> str:
        """The array as a FEN, White to move."""
        return start_fen(self.rules)

    @property
    def document(self) -> dict[str, Any]:
        """Canonical form and labels together: what `from_canonical` makes this rule set from."""
        pieces = {
            letter: {**piece, **self._named(letter)}
            for letter, piece in self.canonical["pieces"].items()
        }
        origin = {"catalog_id": self.catalog_id, "extends": self.extends}
        stated = {key: value for key, value in origin.items() if value is not None}
        return {**self.canonical, **self.labels, **stated, "pieces": pieces}

    def diff(self, other: RuleSet) -> list[Difference]:
        """What differs, in words, this rule set's side first."""
        return differences(self.rules, other.rules)

    def _named(self, letter: str) -> dict[str, str]:
        return {"name": self.piece_names[letter]} if letter in self.piece_names else {}
