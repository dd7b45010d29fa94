"""A variant as Fairy-Stockfish holds it: its piece types with their letters, and its settings.

The keys of a section are applied to a copy of the parent's variant in the order of
Fairy-Stockfish's parser, not of the file, so that what overrules what is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from tabia.engine.documents import DocumentError, show, suggestion
from tabia.engine.rules.betza import BetzaError
from tabia.engine.rules.interchange.fairy_stockfish import betza
from tabia.engine.rules.interchange.fairy_stockfish.ini import Entry, Section
from tabia.engine.rules.interchange.fairy_stockfish.keys import (
    ALIASES,
    EVERY_KEY,
    NO_RULES,
    OLD_NAMES,
    OLD_RANKS,
    PLAYED,
    SIDES,
    UNPLAYED,
)
from tabia.engine.rules.interchange.fairy_stockfish.piece_types import CUSTOM_SLOTS, KING, ORDER
from tabia.engine.rules.interchange.fairy_stockfish.values import (
    EVERY_SQUARE,
    MAX_RANKS,
    FilesRanks,
    ValueRefused,
    in_words,
    rank_squares,
    read_value,
)


class Setting(NamedTuple):
    """The value of a key, and where it was written, as `variant.key`."""

    value: Any
    where: str


@dataclass(frozen=True)
class Variant:
    """letters: piece type -> capital letter; moves: custom slot or `king` -> Betza; settings: key,
    for one side where sides may differ -> what was written. remarks: what was read otherwise than
    one might think, one line each."""

    letters: Mapping[str, str] = field(default_factory=dict)
    moves: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def value(self, key: str) -> Any:
        """What holds for a key, whether written or not; `key` names the side where it must."""
        if key in self.settings:
            return self.settings[key].value
        if key in UNPLAYED:
            return UNPLAYED[key].neutral
        return PLAYED[_without_side(key) if key not in PLAYED else key].default

    def where(self, key: str) -> str:
        """Where that was written, the bare key where nowhere."""
        return self.settings[key].where if key in self.settings else key


BLANK = Variant(settings={f"promotionPieceTypes{side}": Setting(frozenset(), "") for side in SIDES})
"""A variant without a parent: the rules of chess, but no pieces."""


def applied(section: Section, parent: Variant, source: str) -> Variant:
    """The parent's variant with the keys of the section. Raises DocumentError for a key or a value
    that Fairy-Stockfish would skip."""
    reader = _Reader(section, parent, source)
    reader.require_known_keys()
    reader.pieces()
    reader.older_keys()
    reader.settings()
    return reader.variant()


def _without_side(key: str) -> str:
    return key.removesuffix("White").removesuffix("Black")


class _Reader:
    """The state while a section is applied."""

    def __init__(self, section: Section, parent: Variant, source: str) -> None:
        self.section = section
        self.source = source
        self.letters = dict(parent.letters)
        self.moves = dict(parent.moves)
        self.set = dict(parent.settings)
        self.remarks = [
            f"{section.name}.{key}: written more than once; the last counts"
            for key in section.repeated
        ]

    def variant(self) -> Variant:
        return Variant(self.letters, self.moves, self.set, tuple(self.remarks))

    def require_known_keys(self) -> None:
        for key, entry in self.section.entries.items():
            if key not in EVERY_KEY:
                raise self.refused(
                    key,
                    f"line {entry.line}: no key of Fairy-Stockfish, which would skip it; "
                    f"{suggestion(key, EVERY_KEY)}allowed: the keys of a variants.ini",
                )
            if key in NO_RULES:
                self.remark(key, f"left out: it is no rule but for {NO_RULES[key]}")

    def pieces(self) -> None:
        for kind in ORDER:
            entry = self.section.entries.get(kind)
            if entry is None or not entry.value:
                continue
            letter = entry.value[0]
            if letter == "-":
                self.remove(kind)
                continue
            if not (letter.isascii() and letter.isalpha()):
                raise self.refused(
                    kind, f"found {show(entry.value)}; allowed: a letter, or - for none"
                )
            # A letter that is taken goes to the later type.
            for other in [other for other, own in self.letters.items() if own == letter.upper()]:
                self.remove(other)
            self.letters[kind] = letter.upper()
            self.own_moves(kind, entry)

    def own_moves(self, kind: str, entry: Entry) -> None:
        own = kind in CUSTOM_SLOTS or kind == KING
        text = entry.value[2:]
        if entry.value[1:2] not in (":" if own else "", ""):
            allowed = "a letter, a colon and moves, such as c:WD" if own else "one letter"
            raise self.refused(kind, f"found {show(entry.value)}; allowed: {allowed}")
        if kind == KING:
            self.moves.pop(KING, None)
        if not own or (kind == KING and len(entry.value) == 1):
            return
        if len(entry.value) == 1:
            # Fairy-Stockfish keeps the moves that the slot had before, or none.
            text = self.moves.get(kind, "")
        try:
            betza.parse(text)
        except BetzaError as error:
            raise self.refused(kind, str(error)) from None
        self.moves[kind] = text
        if kind != KING and betza.takes_en_passant(text):
            for side in SIDES:
                key = f"enPassantTypes{side}"
                self.put(key, self.now(key) | {kind}, self.section.name + "." + kind)

    def remove(self, kind: str) -> None:
        if self.letters.pop(kind, None) is not None:
            for side in SIDES:
                key = f"promotionPieceTypes{side}"
                self.put(key, self.now(key) - {kind}, self.where(key))

    def older_keys(self) -> None:
        entries = self.section.entries
        for old, new in OLD_NAMES.items():
            if old in entries:
                self.put(new, self.read(UNPLAYED[new].kind, old), self.at(old))
        if "dropOnTop" in entries and self.read("truth", "dropOnTop"):
            self.put("enclosingDrop", "top", self.at("dropOnTop"))
        ranks = {old: self.read("rank", old) for old in OLD_RANKS if old in entries}
        board = self.read("rank", "maxRank") if "maxRank" in entries else self.now("maxRank")
        if "promotionRank" in ranks:
            first = ranks["promotionRank"]
            self.zone("promotionRegion", range(first, MAX_RANKS + 1), board, "promotionRank")
        if {"doubleStepRank", "doubleStepRankMin"} & set(ranks):
            most, least = ranks.get("doubleStepRank", 2), ranks.get("doubleStepRankMin", 2)
            key = "doubleStepRank" if "doubleStepRank" in ranks else "doubleStepRankMin"
            self.zone("doubleStepRegion", range(least, most + 1), board, key)

    def zone(self, region: str, ranks: range, board: int, key: str) -> None:
        """Ranks counted from each side's own first one."""
        self.put(f"{region}White", rank_squares(*ranks), self.at(key))
        self.put(
            f"{region}Black", rank_squares(*(board + 1 - rank for rank in ranks)), self.at(key)
        )

    def settings(self) -> None:
        entries = self.section.entries
        for alias, names in ALIASES.items():
            if alias in entries:
                for name in names:
                    self.both(name, alias)
        for key, entry in PLAYED.items():
            if key in entries and not entry.by_side:
                self.put(key, self.read(entry.kind, key), self.at(key))
            elif entry.by_side:
                if key in entries:
                    self.both(key, key)
                for side in SIDES:
                    if key + side in entries:
                        value = self.read(entry.kind, key + side)
                        self.put(key + side, value, self.at(key + side))
        for key, unplayed in UNPLAYED.items():
            if key in entries:
                self.put(key, self.read(unplayed.kind, key), self.at(key))

    def both(self, name: str, key: str) -> None:
        """A key for both sides, written as `key`."""
        value = self.read(PLAYED[name].kind, key)
        for side in SIDES:
            self.put(name + side, value, self.at(key))

    def read(self, kind: str, key: str) -> Any:
        text = self.section.entries[key].value
        try:
            return read_value(kind, text, {letter: type_ for type_, letter in self.letters.items()})
        except ValueRefused as allowed:
            raise self.refused(key, f"found {show(text)}; allowed: {allowed}") from None

    def now(self, key: str) -> Any:
        return replace(Variant(), settings=self.set).value(key)

    def where(self, key: str) -> str:
        return self.set[key].where if key in self.set else key

    def put(self, key: str, value: Any, where: str) -> None:
        self.set[key] = Setting(value, where)

    def at(self, key: str) -> str:
        return f"{self.section.name}.{key}"

    def remark(self, key: str, text: str) -> None:
        self.remarks.append(f"{self.at(key)}: {text}")

    def refused(self, key: str, problem: str) -> DocumentError:
        return DocumentError(self.source, self.at(key), problem)


def require_played(variant: Variant, name: str, source: str) -> tuple[str, ...]:
    """Raises DocumentError for the first setting that asks for rules we do not play; remarks about
    settings that ask for nothing, since what they depend on is off."""
    remarks = []
    for key, unplayed in UNPLAYED.items():
        if not _asks(variant, key):
            continue
        needs = unplayed.matters_with
        if needs is not None and not any(_asks(variant, each) for each in _sided(needs)):
            remarks.append(f"{variant.where(key)}: left out: it matters with {needs} only")
            continue
        raise refusal(
            variant,
            name,
            key,
            source,
            f"asks for {unplayed.asks}, which Tabia does not play; "
            f"allowed: {in_words(unplayed.neutral)}",
        )
    return tuple(remarks)


def refusal(variant: Variant, name: str, key: str, source: str, problem: str) -> DocumentError:
    """The refusal of a setting, which says where the variant of that name has it from."""
    where = variant.where(key)
    if where.startswith(f"{name}.") or "." not in where:
        return DocumentError(source, where if "." in where else f"{name}.{key}", problem)
    return DocumentError(source, f"{name}.{key}", f"inherited from {where}: {problem}")


def board_squares(variant: Variant) -> FilesRanks:
    """The squares of the variant's board, walls included."""
    files, ranks = variant.value("maxFile"), variant.value("maxRank")
    return frozenset(square for square in EVERY_SQUARE if square[0] < files and square[1] < ranks)


def _sided(key: str) -> list[str]:
    return [name for name in (key, f"{key}White", f"{key}Black") if name in {**UNPLAYED, **PLAYED}]


def _asks(variant: Variant, key: str) -> bool:
    """Whether a setting asks for anything: a region that holds the whole board does not."""
    value = variant.value(key)
    if key in PLAYED:
        return bool(value != PLAYED[key].default)
    neutral = UNPLAYED[key].neutral
    return bool(value != neutral) and not (
        neutral == EVERY_SQUARE and value >= board_squares(variant)
    )
