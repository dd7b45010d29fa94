"""docs/interchange.md tells what the code does."""

import re
from pathlib import Path

from tabia.engine.rules.interchange.fairy_stockfish.built_in import BUILT_IN
from tabia.engine.rules.interchange.fairy_stockfish.ini import MAX_TEXT
from tabia.engine.rules.interchange.fairy_stockfish.keys import EVERY_KEY
from tabia.engine.rules.interchange.fairy_stockfish.small_boards import SMALL_BOARDS
from tabia.engine.rules.interchange.interactive_diagram.keys import EVERY_KEY as PARAMETERS
from tabia.engine.rules.resolve import catalog_ids

HANDBOOK = (Path(__file__).parents[4] / "docs" / "interchange.md").read_text(encoding="utf-8")


def test_the_built_in_variants_are_named() -> None:
    named = re.search(r"built-in variants that the catalog has: (.*?)\.\n", HANDBOOK, re.DOTALL)
    assert named is not None
    assert set(re.findall(r"`([a-z]+)`", named[1])) == set(BUILT_IN)
    assert {ours.catalog_id for ours in BUILT_IN.values()} <= set(catalog_ids())
    small = re.search(r"small boards are known beside them: (.*?)\.\n", HANDBOOK, re.DOTALL)
    assert small is not None
    assert set(re.findall(r"`([a-z]+)`", small[1])) == set(SMALL_BOARDS)


def test_keys_that_it_names_exist() -> None:
    ini, _, diagrams = HANDBOOK.partition("## Interactive Diagrams")
    cells = " ".join(re.findall(r"^\| (`.*?) \|", ini, re.MULTILINE))
    for key in re.findall(r"`([a-z][A-Za-z]+)(…?)[` ]", cells):
        name, more = key
        assert name in EVERY_KEY or (more and any(each.startswith(name) for each in EVERY_KEY)), key
    for parameter in re.findall(r"`([a-z]+[A-Z][A-Za-z]+)`", diagrams):
        assert parameter in PARAMETERS, parameter


def test_the_longest_file() -> None:
    assert f"{MAX_TEXT // 1024} KiB" in HANDBOOK
