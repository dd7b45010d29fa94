"""Random games of ours, and what Fairy-Stockfish calls the legal moves in their positions.

Its Python package is asked by FEN, without the moves before: it plays a list of moves again at
every call. What the two write differently, by rule:

* letters: as our export chose them, or, for a variant that is built in, those of its array;
* `*` in a FEN for squares that are not there, which ours counts as empty;
* the e.p. field: ours names squares where a capture is legal and no more. Where the man who passed
  the square is not ahead of it on its file (Berolina), the peer needs his square after it.

Castling is the king's move in both; the two differ only where that is an ordinary move as well,
and no variant here has such a castle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

import pyffish

from tabia.engine import Position, RuleSet
from tabia.engine.rules.array import square_name
from tabia.engine.rules.interchange.fairy_stockfish.writing import write_section
from tabia.engine.rules.squares import STRIDE
from tabia.engine.rules.tables import core_tables

_MOVE = re.compile(r"([a-l]\d+)([a-l]\d+)([A-Za-z]?)")
_CELL = re.compile(r"\d+|\D")


@dataclass(frozen=True)
class Peer:
    """A variant of Fairy-Stockfish. letters: ours -> its, both cases; holes: squares off the
    board as file and rank from 0."""

    name: str
    letters: Mapping[int, str]
    holes: frozenset[tuple[int, int]]

    def legal_moves(self, fen: str, last_to: str) -> list[str]:
        """Sorted; fen is ours, last_to the square that the last move went to."""
        return sorted(pyffish.legal_moves(self.name, self.fen(fen, last_to), []))

    def fen(self, fen: str, last_to: str) -> str:
        """Our FEN as the peer reads it."""
        board, turn, rights, passed, *counters = fen.split(" ")
        rows = [self._row(row, board.count("/") - n) for n, row in enumerate(board.split("/"))]
        if passed != "-" and passed[0] != last_to[0]:
            passed += last_to
        return " ".join(["/".join(rows), turn, rights, passed, *counters])

    def move(self, move: str) -> str:
        """Our move as the peer writes it."""
        return move[:-1] + move[-1].translate(self.letters) if move[-1].isalpha() else move

    def _row(self, row: str, rank: int) -> str:
        cells = _cells(row.translate(self.letters))
        walled = ("*" if (n, rank) in self.holes else cell for n, cell in enumerate(cells))
        return re.sub("1+", lambda run: str(len(run[0])), "".join(walled))


@dataclass
class Comparison:
    """Games played and positions compared; how many of those had a promotion, a capture en passant
    or a castling among their moves; and the differences, one line each."""

    games: int = 0
    positions: int = 0
    promotions: int = 0
    en_passant: int = 0
    castlings: int = 0
    differences: list[str] = field(default_factory=list)

    def __iadd__(self, other: Comparison) -> Comparison:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self

    def __str__(self) -> str:
        return (
            f"{self.games} games, {self.positions} positions ({self.promotions} with promotions, "
            f"{self.en_passant} with en passant, {self.castlings} with castling), "
            f"{len(self.differences)} differences"
        )


def compare(
    variant: str | Path,
    built_in: str | None,
    games: range,
    *,
    plies: int,
    every: int = 1,
    last: int = 0,
) -> Comparison:
    """Plays the games of those numbers, up to so many plies, and compares the moves at every
    `every`-th and at the last ones. The peer is our export, and in games of odd number the variant
    `built_in`, if any.
    """
    rule_set = _rule_set(variant)
    found = Comparison()
    for game in games:
        named = built_in if game % 2 else None
        peer = _exported(variant) if named is None else _named(variant, named)
        spots = list(_random_game(rule_set, game, plies))
        for ply, spot in enumerate(spots):
            if (ply + game // 2) % every == 0 or ply >= len(spots) - last:
                _compare_here(spot, peer, _castlings(variant), found)
        found.games += 1
    return found


def has(variant: str | Path) -> dict[str, bool]:
    """Which of the counts of a Comparison a variant can have at all."""
    sides = core_tables(_rule_set(variant))["sides"]
    return {
        "promotions": any(own for side in sides for own in side["promotions"]),
        "en_passant": any(
            move["mode"] == "e" for side in sides for own in side["moves"] for move in own
        ),
        "castlings": any(side["castling"] for side in sides),
    }


@dataclass(frozen=True)
class _Spot:
    """A position of a game, our moves in it, and the square that the last move went to."""

    fen: str
    moves: tuple[str, ...]
    last_to: str


def _compare_here(spot: _Spot, peer: Peer, castlings: frozenset[str], found: Comparison) -> None:
    _, _, rights, passed, *_ = spot.fen.split(" ")
    found.positions += 1
    found.promotions += any(move[-1].isalpha() for move in spot.moves)
    found.en_passant += passed != "-"
    found.castlings += rights != "-" and not castlings.isdisjoint(spot.moves)
    ours = sorted(map(peer.move, spot.moves))
    theirs = peer.legal_moves(spot.fen, spot.last_to)
    if ours != theirs:
        more, fewer = sorted(set(ours) - set(theirs)), sorted(set(theirs) - set(ours))
        found.differences.append(
            f"{peer.name} in {peer.fen(spot.fen, spot.last_to)}: "
            f"ours alone {more}, theirs alone {fewer}"
        )


def _random_game(rule_set: RuleSet, game: int, plies: int) -> Iterator[_Spot]:
    """A man is drawn first and then his move, so that pawns get across the board."""
    random = Random(f"{rule_set.id} {game}")
    position, last_to = Position(rule_set), ""
    for _ in range(plies):
        moves = position.legal_moves()
        yield _Spot(position.fen(), tuple(moves), last_to)
        if position.outcome() is not None:
            return
        men: dict[str, list[str]] = {}
        for move in moves:
            men.setdefault(_squares(move)[0], []).append(move)
        chosen = random.choice(men[random.choice(sorted(men))])
        position.push(chosen)
        last_to = _squares(chosen)[1]


def _squares(move: str) -> tuple[str, str]:
    found = _MOVE.fullmatch(move)
    assert found, move
    return found[1], found[2]


@cache
def _rule_set(variant: str | Path) -> RuleSet:
    return RuleSet.load(variant)


@cache
def _castlings(variant: str | Path) -> frozenset[str]:
    return frozenset(
        square_name(entry["king_from"] % STRIDE, entry["king_from"] // STRIDE)
        + square_name(move["king_to"] % STRIDE, move["king_to"] // STRIDE)
        for side in core_tables(_rule_set(variant))["sides"]
        for entry in side["castling"]
        for move in entry.get("moves") or [entry]
    )


@cache
def _exported(variant: str | Path) -> Peer:
    section = write_section(_rule_set(variant))
    pyffish.load_variant_config(str(section))
    assert section.name in pyffish.variants()
    return _peer(variant, section.name, section.letters)


@cache
def _named(variant: str | Path, built_in: str) -> Peer:
    ours, theirs = _rule_set(variant).start_fen.split()[0], pyffish.start_fen(built_in).split()[0]
    pairs = zip(_cells(ours), _cells(theirs), strict=True)
    letters: dict[str, str] = {}
    for own, other in pairs:
        if own.isupper():
            assert letters.setdefault(own, other) == other, f"{own} is {letters[own]} and {other}"
    return _peer(variant, built_in, letters)


def _peer(variant: str | Path, name: str, letters: Mapping[str, str]) -> Peer:
    both = {**letters, **{own.lower(): other.lower() for own, other in letters.items()}}
    holes = core_tables(_rule_set(variant))["holes"]
    return Peer(
        name, str.maketrans(both), frozenset((hole % STRIDE, hole // STRIDE) for hole in holes)
    )


def _cells(rows: str) -> list[str]:
    """A FEN's board or row cell by cell, `1` for each empty one."""
    return [
        cell
        for run in _CELL.findall(rows)
        for cell in (["1"] * int(run) if run.isdecimal() else [run])
    ]
