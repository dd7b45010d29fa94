"""Rule sets as sections of a variants.ini: read back they are the same, or the key is named."""

from functools import cache

import pytest

from tabia.engine.documents import DocumentError
from tabia.engine.rules import RuleSet
from tabia.engine.rules.interchange.fairy_stockfish.writing import write_section
from tabia.engine.rules.interchange.importing import import_rules
from tabia.engine.rules.resolve import catalog_ids

REFUSED = {
    "board.files", "board.ranks", "board.citadels", "castling", "pieces.B.moves",
}  # fmt: skip

TIERED = """
extends = "chess"
[promotion]
compulsory = []
optional = [7]
tiers = [{ ranks = [8], to = "Q", compulsory = true }]
"""


@cache
def able() -> set[str]:
    """The rule sets that can be written."""

    def written(name: str) -> bool:
        try:
            return bool(write_section(RuleSet.load(name)))
        except DocumentError:
            return False

    return {name for name in catalog_ids() if written(name)}


@pytest.mark.parametrize("name", catalog_ids())
def test_written_and_read_back(name: str) -> None:
    rule_set = RuleSet.load(name)
    if name not in able():
        with pytest.raises(DocumentError, match="Fairy-Stockfish cannot express") as refused:
            write_section(rule_set)
        assert refused.value.key in REFUSED
        return
    section = write_section(rule_set)
    first = import_rules(str(section), "export.ini")
    assert first.rule_set.id == rule_set.id
    again = import_rules(str(write_section(first.rule_set)), "export.ini")
    assert (again.rule_set.id, again.text) == (first.rule_set.id, first.text)


def test_most_of_the_catalog_can_be_written() -> None:
    assert {"chess", "grand", "grander", "opulent", "shako", "courier", "shatranj", "berolina",
            "chess-torpedo", "chess-pawn-back", "capablanca"} <= able()  # fmt: skip


def test_letters_that_readers_would_take_for_the_other_piece_are_changed() -> None:
    grand = write_section(RuleSet.load("grand"))
    assert (grand.letters["M"], grand.letters["C"]) == ("C", "A")
    assert "# C is written A, M is written C" in str(grand)
    janus = write_section(RuleSet.load("janus"))
    assert all(ours == theirs for ours, theirs in janus.letters.items())


@pytest.mark.parametrize(
    ("tweak", "key"),
    [
        ('extends = "chess"\n[pieces.N]\nmoves = "FyafsF"', "pieces.N.moves"),
        ('extends = "chess"\n[pieces.N]\nmoves = "jN"', "pieces.N.moves"),
        ('extends = "chess"\n[black.pieces.N]\nmoves = "C"', "black.pieces.N.moves"),
        ('extends = "chess"\n[castling]\nfrom_move = 5', "castling"),
        (TIERED, "promotion"),
        ('extends = "chess"\n[black.endings]\nstalemate = "loss"', "endings.stalemate"),
        ('extends = "chess"\n[endings]\nbare_king = { result = "draw" }', "endings.bare"),
        ('extends = "chess"\n[pieces.P]\ninitial = "unmoved"\nmoves = "fbmWifmnDfceF"',
         "pieces.P.moves"),
        ('extends = "chess"\n[pieces.N]\nmoves = "NcafmK"', "pieces.N.moves"),
        ('extends = "chess"\n[pieces.N]\nmoves = "NdafmK"', "pieces.N.moves"),
        ('extends = "chess"\n[pieces.N]\nmoves = "NmabK"', "pieces.N.moves"),
    ],
)  # fmt: skip
def test_what_it_cannot_say_is_named(tweak: str, key: str) -> None:
    with pytest.raises(DocumentError) as refused:
        write_section(RuleSet.from_toml(tweak))
    assert refused.value.key == key
