"""The shortest way to say a rule set: as a tweak of one of the catalog, where that is shorter.

Letters are matched by what the pieces do: a piece that moves as one of the catalog's rule set gets
its letter there, whatever it was called in the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from string import ascii_uppercase
from typing import Any

from tabia.engine.documents import DocumentError
from tabia.engine.rules.betza import steps
from tabia.engine.rules.canonical import spelt_out
from tabia.engine.rules.model import LABELS
from tabia.engine.rules.resolve import catalog_ids
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.rules.tables import core_tables
from tabia.engine.rules.toml_text import toml_text

Document = Mapping[str, Any]
_ORDER = ("extends", "board", "pieces", "array", "en_passant", "castling", "promotion", "endings",
          "white", "black")  # fmt: skip


@dataclass(frozen=True)
class Shortest:
    """A rule set with the shortest document that says it; renamed: letters in the file that are
    other ones now, and why."""

    rule_set: RuleSet
    document: Document
    renamed: tuple[str, ...]


def shortest(document: Document, source: str, likely: str | None = None) -> Shortest:
    """The rule set of a document that extends nothing, said as shortly as the catalog allows.
    likely: the catalog id that it comes from, preferred where it is as short. Raises DocumentError
    when the document is refused."""
    whole = RuleSet.from_document(document, source)
    labels = {key: document[key] for key in LABELS if key in document}
    best = Shortest(whole, laid_out({**labels, **_stated(whole)}), ())
    length = len(toml_text(best.document))
    for catalog_id, ancestor in sorted(
        _catalogued().items(), key=lambda item: (item[0] != likely, item[0])
    ):
        if ancestor.rules.board != whole.rules.board:
            continue
        letters = matched_letters(whole, ancestor)
        renamed = RuleSet.from_document(
            _spelt_alike(with_letters(document, letters), ancestor), source
        )
        candidate = laid_out({**labels, **_tweak(ancestor, renamed)})
        text = toml_text(candidate)
        if len(text) < length and _says(candidate, renamed, source):
            why = tuple(
                f"{own} is {other}, as it moves like {catalog_id}'s"
                for own, other in sorted(letters.items())
                if own != other
            )
            best, length = Shortest(renamed, candidate, why), len(text)
    return best


def matched_letters(rule_set: RuleSet, model: RuleSet) -> dict[str, str]:
    """Every letter of the rule set -> the letter it gets: the model's for a piece that moves alike,
    its own or a free one for others."""
    ours, theirs = _behaviours(rule_set), _behaviours(model)
    letters: dict[str, str] = {}
    for letter, behaviour in sorted(ours.items()):
        alike = [each for each, other in sorted(theirs.items()) if other == behaviour]
        free = [each for each in alike if each not in letters.values()]
        if free:
            letters[letter] = letter if letter in free else free[0]
    for letter in sorted(set(ours) - set(letters)):
        free = [each for each in (letter, *ascii_uppercase) if each not in letters.values()]
        spare = [each for each in free if each not in theirs]
        letters[letter] = letter if letter in free else (spare or free)[0]
    return letters


def with_letters(document: Document, letters: Mapping[str, str]) -> dict[str, Any]:
    """The document of a whole game with its pieces renamed."""
    renamed = dict(document)
    for key in ("pieces", "promotion", "castling", "white", "black"):
        if key in document:
            renamed[key] = _renamed(document[key], letters)
    renamed["array"] = {rank: _row(row, letters) for rank, row in document["array"].items()}
    if "endings" in document:
        renamed["endings"] = _endings(document["endings"], letters)
    return renamed


def _spelt_alike(document: dict[str, Any], ancestor: RuleSet) -> dict[str, Any]:
    """The document with the ancestor's spelling of moves that are the same."""
    spelt = ancestor.rules.sides["white"].pieces
    pieces = {
        letter: {**piece, "moves": spelt[letter].moves}
        if letter in spelt and set(steps(piece["moves"])) == set(steps(spelt[letter].moves))
        else piece
        for letter, piece in document["pieces"].items()
    }
    return {**document, "pieces": pieces}


def laid_out(document: Document) -> dict[str, Any]:
    """The document in the order of the handbook, the array as one sees it."""
    rest = {key: document[key] for key in (*LABELS, *_ORDER) if key in document}
    if isinstance(rest.get("array"), Mapping):
        rest["array"] = dict(sorted(rest["array"].items(), key=lambda row: -int(row[0])))
    return rest


@cache
def _catalogued() -> dict[str, RuleSet]:
    return {catalog_id: RuleSet.load(catalog_id) for catalog_id in catalog_ids()}


def _behaviours(rule_set: RuleSet) -> dict[str, str]:
    """What each piece does on either side, in a form that can be compared. Squares that first moves
    start from depend on the array, and are left to the comparison of the rules."""
    tables = core_tables(rule_set)
    found = {}
    for index, letter in enumerate(tables["letters"]):
        sides = []
        for side in tables["sides"]:
            moves = (
                {**move, "from": move["from"] is not None, "ep": False}
                for move in side["moves"][index]
            )
            sides.append(sorted(str(sorted(move.items())) for move in moves))
        royal = [index in side["royal"] for side in tables["sides"]]
        found[letter] = f"{royal} {sides}"
    return found


_LETTER_SETS = {"pieces", "to", "reserve", "limits", "own_victims", "not_over", "not_onto",
                "ep_victims", "givers", "partner"}  # fmt: skip


def _renamed(value: Any, letters: Mapping[str, str]) -> Any:
    """A table whose keys that are letters, and texts that are sets of letters, are renamed."""
    if not isinstance(value, Mapping):
        return value
    found: dict[str, Any] = {}
    for key, inner in value.items():
        if isinstance(inner, str) and key in _LETTER_SETS and inner.isupper():
            found[key] = "".join(letters.get(letter, letter) for letter in inner)
        else:
            found[letters.get(key, key)] = _renamed(inner, letters)
    return found


def _row(row: str, letters: Mapping[str, str]) -> str:
    both = {**letters, **{a.lower(): b.lower() for a, b in letters.items()}}
    return "".join(both.get(cell, cell) for cell in row)


def _endings(endings: Document, letters: Mapping[str, str]) -> dict[str, Any]:
    if "n_move" not in endings or "resets" not in endings["n_move"]:
        return dict(endings)
    resets = [letters.get(reset, reset) for reset in endings["n_move"]["resets"]]
    return {**endings, "n_move": {**endings["n_move"], "resets": resets}}


def _stated(rule_set: RuleSet) -> dict[str, Any]:
    """The rule set's own document without labels of the file it came from."""
    drop = {"schema", "catalog_id", "extends", *LABELS}
    return {key: value for key, value in rule_set.document.items() if key not in drop}


def _tweak(ancestor: RuleSet, rule_set: RuleSet) -> dict[str, Any]:
    """What a tweak of the ancestor states to be that rule set."""
    base, target = (spelt_out(each.rules, defaults=True) for each in (ancestor, rule_set))
    own = _over(base, target)
    for letter, piece in own.get("pieces", {}).items():
        if piece and letter not in ancestor.rules.letters:
            own["pieces"][letter] = rule_set.document["pieces"][letter]
    if "array" in own:
        blank = str(rule_set.rules.board.files)
        own["array"] = {rank: row or blank for rank, row in own["array"].items()}
    for wing in ("kingside", "queenside"):
        castle = own.get("castling", {}).get(wing)
        if castle:
            own["castling"][wing] = {key: value for key, value in castle.items() if value}
    return {"extends": ancestor.catalog_id, **own}


def _over(base: Document, target: Document) -> dict[str, Any]:
    """What is to be laid over the base to get the target."""
    found: dict[str, Any] = {}
    for key, value in target.items():
        below = base.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            inner = _over(below, value)
            if inner:
                found[key] = inner
        elif isinstance(below, Mapping) and value is None:
            found[key] = False
        elif value != below and value is not None:
            found[key] = value
    for key, below in base.items():
        if key not in target and isinstance(below, Mapping):
            found[key] = False
        elif key not in target and key.isdigit():
            found[key] = ""  # a rank that is empty now
    return found


def _says(document: Document, rule_set: RuleSet, source: str) -> bool:
    try:
        return RuleSet.from_document(document, source).id == rule_set.id
    except DocumentError:
        return False
