"""The core against a second move generator that knows no trick: random rules, random positions.

The generator below reads the core's own input tables, tries every move on a dictionary and asks
whether any enemy man could then capture the king. It shares no line and no idea with the core.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tabia.engine import FenError, Position, RuleSet
from tabia.engine.documents import DocumentError
from tabia.engine.rules.betza import BetzaError, steps
from tabia.engine.rules.tables import core_tables

Man = tuple[int, int]  # side (0 = White), type
Board = dict[int, Man]


def name(square: int) -> str:
    return f"{chr(ord('a') + square % 16)}{square // 16 + 1}"


@dataclass(frozen=True)
class Right:
    side: int
    letter: str
    king: tuple[int, int]  # from, to
    rook: tuple[int, int]


@dataclass(frozen=True)
class Play:
    """A move and what it does: men taken off, men put down, squares left open to e.p."""

    text: str
    off: tuple[int, ...]
    on: tuple[tuple[int, Man], ...]
    passed: tuple[int, ...] = ()
    en_passant: int | None = None  # the target


@dataclass(frozen=True)
class Game:
    tables: dict[str, Any]
    board: Board
    side: int
    rights: frozenset[Right]
    passed: tuple[int, ...] = ()
    victim: int = -1

    def exists(self, file: int, rank: int) -> bool:
        t = self.tables
        inside = 0 <= file < t["files"] and 0 <= rank < t["ranks"]
        return inside and rank * 16 + file not in t["holes"]

    def path(self, origin: int, step: dict[str, Any]) -> Iterator[int]:
        """The squares in that direction, men or none, as far as the board and the range go."""
        file, rank = origin % 16, origin // 16
        for _ in range(step["range"] or 16):
            file, rank = file + step["dx"], rank + step["dy"]
            if not self.exists(file, rank):
                return
            yield rank * 16 + file

    def steps(self, board: Board, origin: int) -> Iterator[tuple[dict[str, Any], int, list[int]]]:
        """(primitive, destination, squares passed) of the man there, enemy or empty alike."""
        side, kind = board[origin]
        for step in self.tables["sides"][side]["moves"][kind]:
            if step["from"] is not None and origin not in step["from"]:
                continue
            via = [(origin % 16 + x, origin // 16 + y) for x, y in step["via"]]
            if not all(self.exists(*v) and v[1] * 16 + v[0] not in board for v in via):
                continue
            for to in self.path(origin, step):
                yield step, to, [rank * 16 + file for file, rank in via]
                if to in board:
                    break

    def attacked(self, board: Board, square: int, by: int) -> bool:
        return any(
            to == square and "c" in step["mode"]
            for origin, man in board.items()
            if man[0] == by
            for step, to, _ in self.steps(board, origin)
        )

    def king(self, board: Board, side: int) -> int:
        return next(s for s, man in board.items() if man == (side, self.tables["royal"]))

    def check(self) -> bool:
        return self.attacked(self.board, self.king(self.board, self.side), 1 - self.side)

    def after(self, play: Play) -> Board:
        board = {s: man for s, man in self.board.items() if s not in play.off}
        board.update(play.on)
        return board

    def legal(self) -> list[Play]:
        return [
            play
            for play in [*self.men_moves(), *self.castlings()]
            for board in [self.after(play)]
            if not self.attacked(board, self.king(board, self.side), 1 - self.side)
        ]

    def men_moves(self) -> Iterator[Play]:
        for origin, man in self.board.items():
            if man[0] != self.side:
                continue
            for step, to, via in self.steps(self.board, origin):
                off = (origin, to)
                passed: tuple[int, ...] = ()
                target: int | None = None
                text, star = name(origin) + name(to), ""
                if to in self.board:
                    foe = self.board[to]
                    if foe[0] == self.side or "c" not in step["mode"]:
                        continue
                    if foe[1] == self.tables["royal"]:
                        continue
                elif step["mode"] == "e":
                    if to not in self.passed:
                        continue
                    off, target = (origin, self.victim), to
                    star = "*" * self.could_go(origin, to, "m")
                elif "m" not in step["mode"]:
                    continue
                elif step["ep"]:
                    passed = tuple(via)
                for promotion in self.promotions(man, to):
                    kind = man[1] if promotion is None else promotion
                    letter = "" if promotion is None else self.tables["letters"][kind].lower()
                    yield Play(
                        text + letter + star,
                        off,
                        ((to, (self.side, kind)),),
                        passed if promotion is None else (),
                        target,
                    )

    def promotions(self, man: Man, to: int) -> list[int | None]:
        for rule in self.tables["sides"][man[0]]["promotions"][man[1]]:
            if to in rule["squares"]:
                men = list(self.board.values())
                open_to = [
                    kind
                    for kind in rule["to"]
                    if rule["limit"][kind] < 0 or men.count((man[0], kind)) < rule["limit"][kind]
                ]
                return [*open_to, *([] if rule["compulsory"] else [None])]
        return [None]

    def could_go(self, origin: int, to: int, modes: str) -> bool:
        """Whether another move of that man has these two squares, on an empty board."""
        side, kind = self.board[origin]
        return any(
            any(mode in step["mode"] for mode in modes)
            and (step["from"] is None or origin in step["from"])
            and to in self.path(origin, step)
            for step in self.tables["sides"][side]["moves"][kind]
        )

    def castlings(self) -> Iterator[Play]:
        for right in self.rights:
            if right.side != self.side:
                continue
            king, rook = self.board[right.king[0]], self.board[right.rook[0]]
            without = {s: m for s, m in self.board.items() if s not in (right.king[0],)}
            walks = [range(min(w), max(w) + 1) for w in (right.king, right.rook)]
            if any(
                not self.exists(s % 16, s // 16) or (s in without and s != right.rook[0])
                for walk in walks
                for s in walk
            ):
                continue
            if any(self.attacked(without, s, 1 - self.side) for s in walks[0]):
                continue
            star = "*" * self.could_go(*right.king, "mc")
            yield Play(
                name(right.king[0]) + name(right.king[1]) + star,
                (right.king[0], right.rook[0]),
                ((right.king[1], king), (right.rook[1], rook)),
            )

    def play(self, play: Play) -> Game:
        touched = {*play.off, *(square for square, _ in play.on)}
        kept = {r for r in self.rights if not touched & {r.king[0], r.rook[0]}}
        return replace(
            self,
            board=self.after(play),
            side=1 - self.side,
            rights=frozenset(kept),
            passed=play.passed,
            victim=play.on[0][0],
        )

    def fen(self) -> str:
        t = self.tables
        rows = []
        for rank in reversed(range(t["ranks"])):
            row, blank = "", 0
            for file in range(t["files"]):
                man = self.board.get(rank * 16 + file)
                if man is None:
                    blank += 1
                    continue
                letter = t["letters"][man[1]]
                row += str(blank or "") + (letter if man[0] == 0 else letter.lower())
                blank = 0
            rows.append(row + str(blank or ""))
        rights = "".join(sorted(r.letter if r.side == 0 else r.letter.lower() for r in self.rights))
        return f"{'/'.join(rows)} {'wb'[self.side]} {rights or '-'}"


GROUPS = (
    "W F D N A H C Z G R B Q K W2 F3 R4 NN DD A2 mW cF mN cR fW fF bW sW vW fN bsN mB cQ cA "
    "nD nN nA nH nC nZ nG mnD cnN imW icF iR imnD inN iB2 cnZ fmW fcF fmD"
)
PAWNS = (
    "fmWifmnDfceF fmWifmnDifmnHfceF fmWfmnDfcF fmWfcF fmFifmnAfceW fmWimnNfceF fmWmnDceF "
    "fmWsmnDceFceW fmWifmnHfceF mWceFmnA fmWfmnHceFeW"
)
KINGS = "K K K K W F KnD Q2 N mKcN KmnD KeD mWcF"


def random_pieces(rng: random.Random) -> dict[str, Any]:
    def moves() -> str:
        while True:
            text = "".join(rng.sample(GROUPS.split(), rng.choice([1, 1, 2, 3])))
            with suppress(BetzaError):  # of two paths to one square, say
                steps(text)
                return text

    return {
        "K": {"moves": rng.choice(KINGS.split()), "royal": True},
        "P": {"moves": rng.choice(PAWNS.split())},
        **{letter: {"moves": moves()} for letter in "ABR"},
        "S": {"moves": rng.choice(PAWNS.split()) if rng.random() < 0.5 else moves()},
    }


def random_document(rng: random.Random) -> dict[str, Any]:
    files, ranks = rng.choice(
        [(5, 5), (6, 6), (8, 8), (4, 7), (8, 4), (3, 6), (10, 6), (16, 4), (5, 16), (16, 16)]
    )
    squares = [f"{chr(ord('a') + f)}{r + 1}" for f in range(files) for r in range(ranks)]
    holes = rng.sample(squares, rng.choice([0, 0, 1, 3]))
    rows = {}
    for rank in {1, 2, ranks - 1, ranks}:
        letters = "ABRS-" if rank in (1, ranks) else "PPPSA-"
        row = [rng.choice(letters) for _ in range(files)]
        if rank in (1, ranks):
            row[files // 2] = "K"
            if files >= 5:
                row[0] = row[-1] = "R"
        text = "".join(
            "1" if cell == "-" or f"{chr(ord('a') + file)}{rank}" in holes else cell
            for file, cell in enumerate(row)
        )
        rows[str(rank)] = text if rank <= 2 else text.lower()
    document: dict[str, Any] = {
        "board": {"files": files, "ranks": ranks, "holes": holes},
        "pieces": random_pieces(rng),
        "array": rows,
        "endings": {"dead_position": "play on", "stalemate": rng.choice(["draw", "loss", "win"])},
    }
    if rng.random() < 0.8:
        zone = rng.sample(range(ranks // 2, ranks + 1), min(2, ranks // 2))
        document["promotion"] = {
            "pieces": rng.choice(["P", "PS"]),
            "to": rng.choice(["A", "ABR", "BR"]),
            "supply": rng.choice(["any", "captured"]),
            "optional": zone[:1],
            "compulsory": zone[1:],
        }
    if files >= 5 and rng.random() < 0.7:
        wings = rng.sample(range(files), 2)
        king = files // 2
        document["castling"] = {
            wing: {"king": chr(ord("a") + to), "partner": chr(ord("a") + partner)}
            for wing, to, partner in zip(
                ("kingside", "queenside"), wings, (files - 1, 0), strict=True
            )
            if to != king
        }
    if rng.random() < 0.4:
        own = random_pieces(rng)
        document["black"] = {
            "pieces": {letter: {"moves": own[letter]["moves"]} for letter in rng.sample("ABPSK", 2)}
        }
    return document


def random_game(tables: dict[str, Any], rng: random.Random) -> Game:
    """The array, or its men (some of them) strewn over the board."""
    types = {letter: kind for kind, letter in enumerate(tables["letters"])}
    board: Board = {}
    for row, text in enumerate(tables["start_fen"].split()[0].split("/")):
        file = 0
        digits = ""
        for char in f"{text} ":
            if char.isdigit():
                digits += char
                continue
            file, digits = file + int(digits or 0), ""
            if char != " ":
                square = (tables["ranks"] - 1 - row) * 16 + file
                board[square] = (int(char.islower()), types[char.upper()])
                file += 1
    rights = frozenset(
        Right(side, c["letter"], (c["king_from"], c["king_to"]), (c["rook_from"], c["rook_to"]))
        for side in (0, 1)
        for c in tables["sides"][side]["castling"]
    )
    game = Game(tables, board, 0, rights)
    if rng.random() < 0.4:
        return game
    fixed = {square for right in rights for square in (right.king[0], right.rook[0])}
    loose = [man for square, man in board.items() if square not in fixed]
    kings = [man for man in loose if man[1] == tables["royal"]]
    men = rng.sample(loose, min(len(loose), rng.choice([2, 5, 9, 16])))
    men = [*kings, *(man for man in men if man not in kings)]
    squares = [
        rank * 16 + file
        for rank in range(tables["ranks"])
        for file in range(tables["files"])
        if game.exists(file, rank) and rank * 16 + file not in fixed
    ]
    placed = dict(zip(rng.sample(squares, min(len(men), len(squares))), men, strict=False))
    strewn = {**{square: board[square] for square in fixed}, **placed}
    return replace(game, board=strewn, side=rng.randrange(2))


def compare(position: Position, game: Game) -> list[Play]:
    legal = game.legal()
    fen = position.fen()
    assert position.legal_moves() == sorted(play.text for play in legal), fen
    assert position.in_check() == game.check(), fen
    assert fen.startswith(f"{game.fen()} "), fen
    open_squares = {play.en_passant for play in legal if play.en_passant is not None}
    field = "".join(name(s) for s in game.passed if s in open_squares)
    assert fen.split()[3] == (field or "-"), fen
    if not legal:
        ended = position.outcome()
        assert ended is not None
        assert ended.reason == ("checkmate" if game.check() else "stalemate")
    return legal


def compare_games(rng: random.Random, plies: int) -> int:
    """Random moves under random rules; the number of positions compared (0: refused rules)."""
    document = random_document(rng)
    try:
        rules = RuleSet.from_document(document, "random")
        Position(rules)
    except (DocumentError, FenError):
        return 0
    tables = core_tables(rules)
    compared = 0
    for _ in range(3):
        game = random_game(tables, rng)
        try:
            position = Position(rules, f"{game.fen()} - 0 1")
        except FenError:
            continue  # strewn men stand where they must have promoted
        for _ in range(plies):
            legal = compare(position, game)
            again = Position(rules, position.fen())
            assert again.legal_moves() == position.legal_moves()
            compared += 1
            if not legal:
                break
            # Rare kinds of moves first: they are what could be wrong.
            rare = [p for p in legal if p.passed or p.en_passant is not None or len(p.on) > 1]
            play = rng.choice(rare if rare and rng.random() < 0.5 else legal)
            position.push(play.text)
            game = game.play(play)
    return compared


@pytest.mark.parametrize("seed", range(20))
def test_legal_moves_under_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    assert sum(compare_games(rng, plies=12) for _ in range(8)) > 0


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(20, 60))
def test_legal_moves_under_many_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    assert sum(compare_games(rng, plies=20) for _ in range(80)) > 0
