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
    from_move: int


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
    array: Board
    board: Board
    side: int
    rights: frozenset[Right]
    fresh: frozenset[int]  # squares of men who have not moved
    move: int = 1
    passed: tuple[int, ...] = ()
    victim: int = -1

    def exists(self, file: int, rank: int) -> bool:
        t = self.tables
        inside = 0 <= file < t["files"] and 0 <= rank < t["ranks"]
        return inside and rank * 16 + file not in t["holes"]

    def path(self, origin: int, step: dict[str, Any]) -> Iterator[int]:
        """The squares in that direction, men or none, as far as the board and the range go."""
        files = self.tables["files"]
        file, rank = origin % 16, origin // 16
        for _ in range(step["range"] or 64):
            file, rank = file + step["dx"], rank + step["dy"]
            if step.get("wrap"):
                file %= files
            if not self.exists(file, rank) or rank * 16 + file == origin:
                return
            yield rank * 16 + file

    def offset(self, origin: int, offset: list[int]) -> int | None:
        """The square so far away, if there is one."""
        file, rank = origin % 16 + offset[0], origin // 16 + offset[1]
        return rank * 16 + file if self.exists(file, rank) else None

    def ride(self, board: Board, start: int, step: dict[str, Any]) -> Iterator[int]:
        """The squares that may be landed on, men or none."""
        hurdle = False
        for times, square in enumerate(self.path(start, step), start=1):
            if times < step.get("start", 1):
                continue
            if "hop" in step and not hurdle:
                if square in board:
                    if board[square][1] in step.get("not_over", ()):
                        return
                    hurdle = True
                continue
            yield square
            if square in board or step.get("hop") == "behind":
                return

    def steps(self, board: Board, origin: int) -> Iterator[tuple[dict[str, Any], int, list[int]]]:
        """(primitive, destination, squares passed) of the man there, enemy or empty alike."""
        side, kind = board[origin]
        for step in self.tables["sides"][side]["moves"][kind]:
            if step["from"] is not None and origin not in step["from"]:
                continue
            if step.get("unmoved") and origin not in self.fresh:
                continue
            via = [self.offset(origin, v) for v in step["via"]]
            over = [self.offset(origin, o) for o in step.get("over", ())]
            if any(v is None or v in board for v in via):
                continue
            if any(o not in board or board[o][1] in step.get("not_over", ()) for o in over):
                continue
            start = self.offset(origin, step["first"]) if "first" in step else origin
            if start is None or ("first" in step and start in board):
                continue
            for to in self.ride(board, start, step):
                yield step, to, [v for v in via if v is not None]

    def attacked(self, board: Board, square: int, by: int) -> bool:
        royal = self.tables["royal"]
        return any(
            to == square and "c" in step["mode"] and royal not in step.get("not_onto", ())
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
        """Every move once, whatever ways lead to it."""
        found: dict[str, Play] = {}
        for play in [*self.men_moves(), *self.castlings()]:
            board = self.after(play)
            if not self.attacked(board, self.king(board, self.side), 1 - self.side):
                assert found.setdefault(play.text, play) == play
        return [found[text] for text in sorted(found)]

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
                    own = foe[0] == self.side
                    if ("d" if own else "c") not in step["mode"]:
                        continue
                    if foe[1] == self.tables["royal"]:
                        continue
                    if own and foe[1] not in step.get("victims", (foe[1],)):
                        continue
                    if not own and foe[1] in step.get("not_onto", ()):
                        continue
                elif step["mode"] == "e":
                    if to not in self.passed:
                        continue
                    victim = self.board[self.victim][1]
                    if victim not in step.get("ep_victims", (victim,)):
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
                stays = rule.get("when_none") == "stays" and not open_to
                return [*open_to, *([] if rule["compulsory"] and not stays else [None])]
        return [None]

    def could_go(self, origin: int, to: int, modes: str) -> bool:
        """Whether another move of that man has these two squares, on an empty board."""
        side, kind = self.board[origin]
        for step in self.tables["sides"][side]["moves"][kind]:
            start = self.offset(origin, step["first"]) if "first" in step else origin
            if (
                any(mode in step["mode"] for mode in modes)
                and (step["from"] is None or origin in step["from"])
                and start is not None
                and to in self.path(start, step)
            ):
                return True
        return False

    def castlings(self) -> Iterator[Play]:
        for right in self.rights:
            if right.side != self.side or self.move < right.from_move:
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
            # Whether the king can stay where he arrives is asked afterwards, as of every move.
            passed = [s for s in walks[0] if s != right.king[1]]
            if any(self.attacked(without, s, 1 - self.side) for s in passed):
                continue
            star = "*" * self.could_go(*right.king, "mcd")
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
            fresh=self.fresh - touched,
            move=self.move + self.side,
            passed=play.passed,
            victim=play.on[0][0],
        )

    def home(self) -> set[int]:
        """The squares on which a FEN takes a man for one that has not moved."""
        return {square for square, man in self.board.items() if self.array.get(square) == man}

    def passers(self) -> int:
        """How many men may have passed over the open squares, for all that a FEN says."""
        return sum(
            set(self.passed)
            <= {self.offset(square, [x - step["dx"], y - step["dy"]]) for x, y in step["via"]}
            for square, (side, kind) in self.board.items()
            if side != self.side and self.passed
            for step in self.tables["sides"][side]["moves"][kind]
            if step["ep"]
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
        rights = "".join(
            sorted({r.letter if r.side == 0 else r.letter.lower() for r in self.rights})
        )
        return f"{'/'.join(rows)} {'wb'[self.side]} {rights or '-'}"


GROUPS = (
    "W F D N A H C Z G R B Q K W2 F3 R4 NN DD A2 mW cF mN cR fW fF bW sW vW fN bsN mB cQ cA "
    "nD nN nA nH nC nZ nG mnD cnN imW icF iR imnD inN iB2 cnZ fmW fcF fmD "
    "pR cpB mRcpR gQ gR3 pNN jR jB jjR jD jA dW mcdR mcdN dK oR oB oN oK ofF tQ cpR NX DY afsW "
    "afsF afsK FyafsF WyafsW yafF FfryaflFflyafrF pafW mpafsF afafsW afraflW iafW mdB "
    "iFyafsF mafafW"
)
PAWNS = (
    "fmWifmnDfceF fmWifmnDifmnHfceF fmWfmnDfcF fmWfcF fmFifmnAfceW fmWimnNfceF fmWmnDceF "
    "fmWsmnDceFceW fmWifmnHfceF mWceFmnA fmWfmnHceFeW fmWfmnDfceoF fmWifmnDfcdF fmWfmnDfceF"
)
KINGS = "K K K K W F KnD Q2 N mKcN KmnD KeD mWcF mcdK oK KafsW KjD"


def random_pieces(rng: random.Random) -> dict[str, Any]:
    def moves() -> str:
        while True:
            text = "".join(rng.sample(GROUPS.split(), rng.choice([1, 1, 2, 3])))
            with suppress(BetzaError):  # of two paths to one square, say
                steps(text)
                return text

    def piece(moves: str) -> dict[str, Any]:
        found: dict[str, Any] = {"moves": moves}
        for field in ("own_victims", "not_over", "not_onto", "ep_victims"):
            if rng.random() < 0.1:
                found[field] = "".join(rng.sample("ABPRS", 2))
        if rng.random() < 0.3:
            found["initial"] = "unmoved"
        elif rng.random() < 0.1:
            found["initial_ranks"] = [2, 3]
        return found

    return {
        "K": {"moves": rng.choice(KINGS.split()), "royal": True},
        "P": piece(rng.choice(PAWNS.split())),
        **{letter: piece(moves()) for letter in "ABR"},
        "S": piece(rng.choice(PAWNS.split()) if rng.random() < 0.5 else moves()),
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
            "when_none": rng.choice(["immobile", "stays"]),
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
        for castle in document["castling"].values():
            to = ord(castle["king"]) - ord("a")
            castle["also"] = [
                chr(ord("a") + file)
                for file in range(files)
                if file not in (king, to) and (file > king) == (to > king) and rng.random() < 0.2
            ]
        document["castling"]["from_move"] = rng.choice([1, 1, 3])
    if rng.random() < 0.4:
        own = random_pieces(rng)
        document["black"] = {
            "pieces": {
                letter: {key: value for key, value in own[letter].items() if key != "royal"}
                for letter in rng.sample("ABPSK", 2)
            }
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
        Right(
            side,
            c["letter"],
            (c["king_from"], to["king_to"]),
            (c["rook_from"], to["rook_to"]),
            c.get("from_move", 1),
        )
        for side in (0, 1)
        for c in tables["sides"][side]["castling"]
        for to in c.get("moves", [c])
    )
    game = Game(tables, board, board, 0, rights, frozenset(board))
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
    fresh = frozenset(square for square, man in strewn.items() if board.get(square) == man)
    return replace(game, board=strewn, side=rng.randrange(2), fresh=fresh)


def compare(position: Position, game: Game) -> list[Play]:
    legal = game.legal()
    fen = position.fen()
    assert position.legal_moves() == [play.text for play in legal], fen
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
            if game.fresh >= game.home() and game.passers() <= 1:
                again = Position(rules, position.fen())
                assert again.legal_moves() == position.legal_moves(), position.fen()
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
    assert sum(compare_games(rng, plies=7) for _ in range(8)) > 0


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(20, 60))
def test_legal_moves_under_many_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    assert sum(compare_games(rng, plies=20) for _ in range(80)) > 0
