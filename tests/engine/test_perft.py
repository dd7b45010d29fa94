"""Move generation against numbers that others published; what they are of is in
tests/data/oracles.md."""

from functools import cache
from pathlib import Path

import pytest

from tabia.engine import Position, RuleSet
from tabia.engine.rules.resolve import catalog_ids

DATA = Path(__file__).parents[1] / "data"
SOON = 1_000_000
PUBLISHED = [
    pytest.param(*row, marks=[] if int(row[3]) <= SOON else [pytest.mark.nightly])
    for line in (DATA / "perft.tsv").read_text().splitlines()
    if not line.startswith("#")
    for row in [line.split("\t")]
]


@cache
def rule_set(name: str) -> RuleSet:
    """The rule set of the catalog, or of games/."""
    return RuleSet.load(name if name in catalog_ids() else DATA / "games" / f"{name}.toml")


@pytest.mark.parametrize(
    ("rules", "fen", "depth", "nodes", "source"),
    PUBLISHED,
    ids=lambda value: value if len(value) < 90 else None,
)
def test_published_perft(rules: str, fen: str, depth: str, nodes: str, source: str) -> None:
    assert Position(rule_set(rules), fen).perft(int(depth)) == int(nodes), source


def test_every_game_of_the_oracles_is_asked() -> None:
    asked = {str(row.values[0]) for row in PUBLISHED}
    games = {path.stem for path in (DATA / "games").glob("*.toml")}
    assert games <= asked
    assert asked - games <= set(catalog_ids())
