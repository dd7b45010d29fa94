"""Move generation against numbers that others published."""

from pathlib import Path

import pytest

from tabia.engine import Position, RuleSet

PUBLISHED = [
    line.split("\t")
    for line in (Path(__file__).parents[1] / "data" / "perft.tsv").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(
    ("rules", "fen", "depth", "nodes", "source"),
    PUBLISHED,
    ids=lambda value: value if len(value) < 90 else None,
)
def test_published_perft(rules: str, fen: str, depth: str, nodes: str, source: str) -> None:
    assert Position(RuleSet.load(rules), fen).perft(int(depth)) == int(nodes), source
