"""A rule set explained: sections of sentences, pieces with the moves that their diagrams show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tabia.engine.documents import DocumentError
from tabia.engine.rules.effective import SIDES, Rules
from tabia.engine.rules.explain.endings import endings_in_words
from tabia.engine.rules.explain.moves import Point, moves_in_words
from tabia.engine.rules.explain.rights import (
    castling_in_words,
    en_passant_in_words,
    promotion_in_words,
)
from tabia.engine.rules.explain.royalty import royalty_in_words
from tabia.engine.rules.explain.setting import array_in_words, board_in_words
from tabia.engine.rules.pictures.kinds import kind_of
from tabia.engine.rules.resolve import from_catalog
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.rules.squares import absolute, all_squares
from tabia.engine.rules.tables import core_tables, is_royal

Name = Callable[[str], str]


@dataclass(frozen=True)
class Section:
    """A heading and its sentences."""

    heading: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class PiecePart:
    """A piece type: its sentences, White's primitive moves for a diagram, and the notation of it.
    A sentence that holds for one side only says so."""

    letter: str
    name: str
    royal: bool
    sentences: tuple[str, ...]
    moves: tuple[Mapping[str, Any], ...]
    betza: str


@dataclass(frozen=True)
class Change:
    """What a tweak says otherwise than its parent: under which heading, and both sentences."""

    heading: str
    before: tuple[str, ...]
    now: tuple[str, ...]


@dataclass(frozen=True)
class Explanation:
    """A whole rule set. parent: the name of what it is a tweak of, and how it differs; tables: what
    the core plays by, for pictures."""

    title: str
    about: tuple[str, ...]
    board: Section
    array: Section
    pieces: tuple[PiecePart, ...]
    rules: tuple[Section, ...]
    notes: tuple[str, ...]
    parent: str | None
    changes: tuple[Change, ...]
    tables: Mapping[str, Any]
    rule_set: RuleSet


def explain(rule_set: RuleSet, parent: RuleSet | None = None) -> Explanation:
    """The rule set in words. parent: what it is a tweak of; by default what it extends, where that
    is in the catalog."""
    explained = _explain(rule_set)
    parent = parent or _parent(rule_set)
    if parent is None:
        return explained
    before = _explain(parent)
    return Explanation(
        **{
            **explained.__dict__,
            "parent": parent.name,
            "changes": tuple(_changes(before, explained)),
        }
    )


def _explain(rule_set: RuleSet) -> Explanation:
    rules = rule_set.rules
    tables = core_tables(rule_set)
    name = _namer(rule_set, tables)
    labels = rule_set.labels
    origin = [str(labels[key]) for key in ("author", "year") if key in labels]
    about = [f"By {', '.join(origin)}."] if origin else []
    about += [f"From: {source}" for source in labels.get("source", ())]
    sections = (
        Section("Castling", _by_side(rules, name, castling_in_words)),
        Section("En passant", _by_side(rules, name, en_passant_in_words)),
        Section("Promotion", _by_side(rules, name, promotion_in_words)),
        Section("How games end", tuple(endings_in_words(rules, name))),
    )
    return Explanation(
        title=rule_set.name,
        about=tuple(about),
        board=Section("Board", tuple(board_in_words(rules))),
        array=Section("Array", tuple(array_in_words(rules, name))),
        pieces=tuple(_piece(rules, tables, index, name) for index in range(len(tables["letters"]))),
        rules=tuple(section for section in sections if section.sentences),
        notes=tuple(str(note) for note in labels.get("notes", ())),
        parent=None,
        changes=(),
        tables=tables,
        rule_set=rule_set,
    )


def _parent(rule_set: RuleSet) -> RuleSet | None:
    if not rule_set.extends or from_catalog(rule_set.extends) is None:
        return None
    try:
        return RuleSet.load(rule_set.extends)
    except DocumentError:
        return None


def _namer(rule_set: RuleSet, tables: Mapping[str, Any]) -> Name:
    names = dict(rule_set.piece_names)
    for index, letter in enumerate(tables["letters"]):
        if letter not in names:
            kind = kind_of(tables["sides"][0]["moves"][index], royal=is_royal(tables, index))
            names[letter] = kind.capitalize() if kind else f"{letter}-piece"
    return lambda letter: names.get(letter, letter)


def _by_side(
    rules: Rules, name: Name, told: Callable[[Rules, str, Name], Iterable[str]]
) -> tuple[str, ...]:
    """What holds for both sides once, else each side's own. Sentences that name squares are the
    sides' own, and told for both."""
    white, black = (tuple(told(rules, side, name)) for side in SIDES)
    if white == black:
        return white
    shared = [each for each in white if each in black]
    return (
        *(f"White: {each}" for each in white if each not in shared),
        *(f"Black: {each}" for each in black if each not in shared),
        *shared,
    )


def _piece(rules: Rules, tables: Mapping[str, Any], index: int, name: Name) -> PiecePart:
    letter = tables["letters"][index]
    told = []
    for number, side in enumerate(SIDES):
        piece = rules.sides[side].pieces[letter]
        point = Point(
            forward=1 if number == 0 else -1,
            squares=frozenset(all_squares(rules)),
            ranks=rules.board.ranks,
            confined=frozenset(absolute(rules, side, piece.ranks)),
            name=lambda index: name(tables["letters"][index]),
        )
        told.append(moves_in_words(tables["sides"][number]["moves"][index], point))
    white, black = told
    only = [own for own, side in zip(told, SIDES, strict=True) if rules.has(side, letter)]
    sentences = (
        only[0]
        if len(only) == 1
        else white
        if white == black
        else [*(f"White: {each}" for each in white), *(f"Black: {each}" for each in black)]
    )
    royal = is_royal(tables, index)
    if royal:
        sentences = [*sentences, *royalty_in_words(rules, letter)]
    return PiecePart(
        letter,
        name(letter),
        royal,
        tuple(sentences),
        tuple(tables["sides"][0]["moves"][index]),
        rules.sides["white"].pieces[letter].moves,
    )


def _changes(before: Explanation, now: Explanation) -> Iterable[Change]:
    for old, new in ((before.board, now.board), (before.array, now.array)):
        yield from _change(old.heading, old.sentences, new.sentences)
    old_pieces = {piece.letter: piece for piece in before.pieces}
    new_pieces = {piece.letter: piece for piece in now.pieces}
    for letter, piece in sorted({**old_pieces, **new_pieces}.items()):
        yield from _change(
            piece.name,
            old_pieces[letter].sentences if letter in old_pieces else ("Not there.",),
            new_pieces[letter].sentences if letter in new_pieces else ("Gone.",),
        )
    old_rules = {section.heading: section.sentences for section in before.rules}
    new_rules = {section.heading: section.sentences for section in now.rules}
    for heading in dict.fromkeys([*old_rules, *new_rules]):
        yield from _change(heading, old_rules.get(heading, ()), new_rules.get(heading, ()))


def _change(heading: str, before: tuple[str, ...], now: tuple[str, ...]) -> Iterable[Change]:
    gone = tuple(each for each in before if each not in now)
    new = tuple(each for each in now if each not in before)
    if gone or new:
        yield Change(heading, gone, new)
