"""docs/rule-language.md is true: its examples load, its keys and defaults are the code's."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from tabia.engine import Position
from tabia.engine.rules import RuleSet, betza, groups
from tabia.engine.rules.model import Castle, Piece, RuleDocument, SideRules, Tier
from tabia.engine.rules.resolve import MAX_CHAIN

HANDBOOK = (Path(__file__).parents[3] / "docs" / "rule-language.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```toml\n(.*?)^```", HANDBOOK, re.DOTALL | re.MULTILINE)
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in HANDBOOK.splitlines()
    if re.match(r"\| `[a-z_.X]+` \|", line)
]
DOCUMENTED = {row[0].strip("`"): row[2].strip("`") for row in ROWS if len(row) in (3, 4)}


def in_words(field: FieldInfo) -> str:
    if field.is_required():
        return "needed"
    default = field.get_default(call_default_factory=True, validated_data={})
    assert default is not PydanticUndefined
    return "none" if default is None else json.dumps(default)


def keys(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every key of a document with its default, models that hold one written out."""
    for name, field in model.model_fields.items():
        key = f"{prefix}{name}"
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from keys(inner, f"{key}.")
        else:
            yield key, in_words(field)


def expected() -> dict[str, str]:
    found = dict(keys(RuleDocument))
    found.update(keys(Piece, "pieces.X."))
    found.update(keys(Castle, "castling.kingside."))
    found.update(keys(Tier, "promotion.tiers."))
    found["castling.kingside.to"] = "beside the king"  # what the code calls none
    return found


def test_every_key_and_its_default() -> None:
    assert expected() == DOCUMENTED


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_can_be_played(text: str) -> None:
    assert Position(RuleSet.from_toml(text)).legal_moves()


def test_there_are_examples_of_every_kind() -> None:
    assert len(EXAMPLES) >= 6
    assert any("extends" not in text for text in EXAMPLES)
    assert any("[black" in text for text in EXAMPLES)


def test_what_a_side_may_have_of_its_own() -> None:
    assert set(SideRules.model_fields) == {
        "pieces",
        "check",
        "en_passant",
        "castling",
        "promotion",
        "endings",
    }


def test_atoms_and_modifiers_are_those_of_the_code() -> None:
    section = HANDBOOK.partition("## Moves: Betza notation")[2].partition("## The id")[0]
    table = {cell for row in section.splitlines() for cell in re.findall(r"\| `([A-Z])`", row)}
    synonyms = set(re.findall(r"`[A-Z]` or `([A-Z])`", section))
    assert table == {*betza.LEAPS, *betza.COMPOUNDS}
    assert synonyms == set(betza.SYNONYMS)
    modifiers = set(re.findall(r"^\| ((?:`[a-z]` ?)+)\|", section, re.MULTILINE))
    told = {letter for row in modifiers for letter in re.findall(r"`([a-z])`", row)}
    assert told == {*groups.DIRECTIONS, *groups.MODES, *groups.OTHERS} - {"h", "y"}
    refused = section.partition("Not played")[2]
    assert set(re.findall(r"`([a-zA-Z])`", refused)) >= {
        key for key in groups.REFUSED if key.isalpha()
    }
    for letter in groups.REFUSED:
        with pytest.raises(betza.BetzaError):
            betza.parse(f"{letter}W" if letter.islower() else letter)


@pytest.mark.parametrize("moves", re.findall(r"^\* `([a-zA-Z]{4,})` is", HANDBOOK, re.MULTILINE))
def test_pieces_of_several_legs_are_those_of_the_code(moves: str) -> None:
    assert len(betza.steps(moves)) in (8, 12, 48)


TAKING = HANDBOOK.partition("**Captures on the way.**")[2].partition("**En passant.**")[0]


@pytest.mark.parametrize("moves", re.findall(r"^\| `([a-zA-Z]+)` \| ", TAKING, re.MULTILINE))
def test_pieces_that_capture_on_the_way_are_played(moves: str) -> None:
    assert any(step.takes or step.takes_own for step in betza.steps(moves))


def test_bounds() -> None:
    bounds = HANDBOOK.partition("## Bounds")[2]
    assert f"{betza.MAX_LENGTH} characters" in bounds
    assert f"{betza.MAX_STEPS} different steps" in bounds
    assert f"ranges to {betza.MAX_RANGE}" in bounds
    assert MAX_CHAIN == 8
    assert "eight rule sets long" in HANDBOOK
