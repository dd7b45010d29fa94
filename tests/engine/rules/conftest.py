"""A small game to write tweaks and mistakes of."""

from collections.abc import Callable

import pytest

from tabia.engine.documents import DocumentError
from tabia.engine.rules import RuleSet

SMALL = """
name = "Small"
[board]
files = 4
ranks = 5
[pieces]
K = { moves = "K", royal = true }
R = { moves = "R" }
P = { moves = "fmWfcF" }
[array]
5 = "kr1r"
4 = "pppp"
2 = "PPPP"
1 = "KR1R"
[promotion]
to = "R"
compulsory = [5]
"""


@pytest.fixture
def small() -> str:
    """A game on 4x5 squares, as TOML."""
    return SMALL


@pytest.fixture
def refusal() -> Callable[[str], str]:
    """The one line that a text is refused with, as from a file `my.toml`."""

    def refuse(text: str) -> str:
        with pytest.raises(DocumentError) as error:
            RuleSet.from_toml(text, source="my.toml")
        assert str(error.value).isprintable()
        return str(error.value)

    return refuse
