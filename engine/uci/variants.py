"""The rule sets that a UCI program can choose from: the catalog, and files that it names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tabia.engine.documents import DocumentError, suggestion
from tabia.engine.rules.interchange.importing import Imported, import_each, read_rules
from tabia.engine.rules.resolve import catalog_ids
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.uci.words import UciError

DEFAULT = "chess"


class Variants:
    """Names of variants and their rule sets; those of the catalog are loaded when asked for."""

    def __init__(self) -> None:
        self._loaded: dict[str, RuleSet] = {}

    @property
    def names(self) -> list[str]:
        """Every name, sorted, the default first as some programs take the first one."""
        names = {*catalog_ids(), *self._loaded}
        return [DEFAULT, *sorted(names - {DEFAULT})]

    def get(self, name: str) -> RuleSet:
        """The rule set of that name. Raises UciError."""
        if name in self._loaded:
            return self._loaded[name]
        if name not in catalog_ids():
            raise UciError(
                f"UCI_Variant: {name} is no variant known here; {suggestion(name, self.names)}"
                "allowed: those of `uci`, and those of files that VariantPath names"
            )
        self._loaded[name] = RuleSet.load(name)
        return self._loaded[name]

    def add_files(self, paths: str) -> Iterator[str]:
        """Loads the files of a path list; what was loaded and what was refused, one line each."""
        for path in filter(None, paths.split(os.pathsep)):
            try:
                for name, rule_set in _read(Path(path)):
                    if isinstance(rule_set, DocumentError):
                        yield f"{rule_set}"
                    elif name in catalog_ids():
                        yield f"{path}: {name} is a catalog id; allowed: any other name"
                    else:
                        self._loaded[name] = rule_set
                        yield f"{path}: {name} loaded, rules_id {rule_set.id}"
            except DocumentError as error:
                yield f"{error}"


def _read(path: Path) -> Iterator[tuple[str, RuleSet | DocumentError]]:
    if path.suffix == ".toml":
        rule_set = RuleSet.load(path)
        yield str(rule_set.labels.get("id") or path.stem), rule_set
        return
    for name, found in import_each(read_rules(path), str(path)):
        yield name, found.rule_set if isinstance(found, Imported) else found
