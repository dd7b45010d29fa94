"""The core against a second move generator that knows no trick: random rules, random positions.

`slow_game` is the other one. Half of the rules are documents, as strangers write them; the other
half are tables that use all the core understands, also what no notation says.
"""

from __future__ import annotations

import random
import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from slow_game import Board, Game, Play, array, fen_reader_view

from tabia.engine import FenError, Position, RuleSet, _core
from tabia.engine.documents import DocumentError
from tabia.engine.rules.betza import BetzaError, steps
from tabia.engine.rules.tables import core_tables

GROUPS = (
    "W F D N A H C Z G R B Q K W2 F3 R4 NN DD A2 mW cF mN cR fW fF bW sW vW fN bsN mB cQ cA "
    "nD nN nA nH nC nZ nG mnD cnN imW icF iR imnD inN iB2 cnZ fmW fcF fmD "
    "caW cabK mcabF mabW fcafmF mafcabmW cabafmW mpcaW mdafF dcpafsW icafD cabafcF"
)
PAWNS = (
    "fmWifmnDfceF fmWifmnDifmnHfceF fmWfmnDfcF fmWfcF fmFifmnAfceW fmWimnNfceF fmWmnDceF "
    "fmWsmnDceFceW fmWifmnHfceF mWceFmnA fmWfmnHceFeW"
)
KINGS = "K K K K W F KnD Q2 N mKcN KmnD KeD mWcF KcabW KfcafmF KmabF"


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
        text = re.sub("1+", lambda blank: str(len(blank[0])), text)
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


def strewn(tables: dict[str, Any], rng: random.Random) -> Game:
    """The array, or its men (some of them) strewn over the board."""
    game = array(tables)
    if rng.random() < 0.4:
        return game
    rights = rng.sample(sorted(game.rights, key=str), rng.randint(0, len(game.rights)))
    fixed = {square for right in rights for square in (right.king, right.rook)}
    loose = [man for square, man in game.board.items() if square not in fixed]
    kings = [man for man in loose if game.is_royal(man)]
    men = rng.sample(loose, min(len(loose), rng.choice([0, 2, 5, 9, 16])))
    men = [*kings, *(man for man in men if man not in kings)]
    squares = [
        rank * 16 + file
        for rank in range(tables["ranks"])
        for file in range(tables["files"])
        if game.exists(file, rank) and rank * 16 + file not in fixed
    ]
    rng.shuffle(squares)
    if rng.random() < 0.5:  # men in citadels are rare otherwise
        squares = [*squares[: len(kings)], *game.citadels, *squares[len(kings) :]]
    board: Board = {square: game.board[square] for square in fixed}
    board.update(zip(squares, men, strict=False))
    placed = replace(
        game,
        board=board,
        side=rng.randrange(2),
        rights=frozenset(rights),
        clock=rng.choice([0, 0, 3]),
        number=rng.randint(1, 4),
    )
    return replace(placed, unmoved=fen_reader_view(placed))


def compare(board: _core.Board, game: Game) -> None:
    fen = board.fen()
    assert fen == game.fen()
    legal = board.legal_moves()
    assert legal == sorted(play.text for play in game.legal), fen
    first, then = board.legal_moves_in_stages()
    assert sorted(first + then) == legal, fen  # a search sees all of them, and each once
    assert board.in_check() == game.check(), fen
    assert board.outcome() == game.outcome(), fen


def choose(game: Game, rng: random.Random) -> Play:
    """One of the legal moves; rare kinds more often than chance has them, for they are what could
    be wrong."""
    tries = rng.sample(game.legal, min(len(game.legal), 8))
    last = game.before[-2] if len(game.before) > 1 else None
    kinds = [
        [p for p in game.legal if p.passed],
        [p for p in game.legal if p.en_passant is not None or len(p.on) > 1],
        [p for p in game.legal if p.victim and p.victim[0] == game.side],
        [p for p in game.legal if p.taken],
        [p for p in game.legal if p.off[0] == p.off[1]],
        [p for p in game.legal if last and game.after(p) == last.board],
        [p for p in tries if game.play(p).check()],
        [p for p in tries if p.passed and game.play(p).open_squares()],
    ]
    return rng.choice(rng.choice([kind for kind in kinds if kind] or [game.legal]))


def wander(
    rules: _core.Rules, tables: dict[str, Any], rng: random.Random, walks: int, plies: int
) -> int:
    """Compares positions on random walks; how many."""
    compared = 0
    keys: dict[int, tuple[Any, ...]] = {}
    for _ in range(walks):
        game = strewn(tables, rng)
        try:
            board = _core.Board(rules, game.fen())
        except FenError:
            continue  # strewn men stand where they must have promoted
        for _ in range(plies):
            compare(board, game)
            compared += 1
            fen, key = board.fen(), board.key()
            assert keys.setdefault(key, game.same()) == game.same(), fen
            if game.unmoved == fen_reader_view(game):
                again = _core.Board(rules, fen)
                assert again.legal_moves() == board.legal_moves(), fen
                assert again.key() == key, fen
            if not game.legal:
                break
            for play in rng.sample(game.legal, min(len(game.legal), 4)):
                board.push(play.text)
                assert board.fen() == game.play(play).fen(), (fen, play.text)
                board.pop()
                assert (board.fen(), board.key()) == (fen, key), play.text
            play = choose(game, rng)
            board.push(play.text)
            game = game.play(play)
    return compared


def compare_documents(rng: random.Random, plies: int) -> int:
    """The number of positions compared; 0: the rules are refused."""
    try:
        rules = RuleSet.from_document(random_document(rng), "random")
        Position(rules)
    except (DocumentError, FenError):
        return 0
    tables = core_tables(rules)
    return wander(_core.Rules.compile(tables), tables, rng, 2, plies)


def offset(rng: random.Random, reach: int = 2) -> list[int]:
    while True:
        x, y = rng.randint(-reach, reach), rng.randint(-reach, reach)
        if x or y:
            return [x, y]


def some(rng: random.Random, chance: float, items: list[int]) -> list[int]:
    return sorted(rng.sample(items, rng.randint(1, len(items)))) if rng.random() < chance else []


def random_step(
    rng: random.Random, squares: list[int], *, royal: bool, through: bool
) -> dict[str, Any]:
    """One primitive; of every kind that the core knows, if it may go through others."""
    kind = rng.choice(["leap", "leap", "ride", "lame", "over", "bent", "hop", "hop", "start"])
    dx, dy = offset(rng, 2 if kind in ("leap", "lame") else 1)
    step: dict[str, Any] = {"dx": dx, "dy": dy, "ep": False, "via": [], "range": 1}
    step["from"] = some(rng, 0.1, squares) or None
    step["mode"] = rng.choice(["mc", "mc", "mc", "mc", "m", "c", "d", "mcd"])
    if kind in ("ride", "bent", "hop", "start"):
        step["range"] = rng.choice([0, 0, 2, 3])
    if kind == "start":
        step["start"] = rng.choice([2, 2, 3]) if step["range"] != 2 else 2
    if kind in ("lame", "over"):
        step["via" if kind == "lame" else "over"] = [
            offset(rng) for _ in range(rng.choice([1, 1, 2]))
        ]
        step["via"] = [v for v in step["via"] if v != [dx, dy]]
    if step.get("over"):
        step["not_over"] = some(rng, 0.3, list(range(6)))
    if kind == "bent":
        step["first"] = offset(rng)
    if kind == "hop":
        step["hop"] = rng.choice(["over", "over", "behind"])
        step["not_over"] = some(rng, 0.3, list(range(6)))
    if kind == "leap" and not royal and rng.random() < 0.2:
        step["mode"] = "e"
        step["ep_victims"] = some(rng, 0.3, list(range(6))) or None
    if "d" in step["mode"] and rng.random() < 0.5:
        step["victims"] = some(rng, 1, [0, 1, 3, 4, 5])
    if "c" in step["mode"]:
        step["not_onto"] = some(rng, 0.15, list(range(6)))
    step["ep"] = step["mode"] == "m" and bool(step["via"]) and not royal
    step["unmoved"] = rng.random() < 0.15
    step["wrap"] = rng.random() < 0.2
    if through and kind in ("leap", "lame", "over") and step["mode"] != "e":
        return gone_through(rng, step)
    return step


def gone_through(rng: random.Random, step: dict[str, Any]) -> dict[str, Any]:
    """The leap with captures on its way, or back to where it began."""
    if rng.random() < 0.3:
        step.update(dx=0, dy=0, mode="m")
    if rng.random() < 0.8:  # else the conditions hardly ever hold together
        step.update(via=[], over=[], not_over=[])
    asked = {(step["dx"], step["dy"]), *map(tuple, step["via"] + step.get("over", []))}
    counts = rng.choice([(1, 0), (1, 0), (1, 0), (0, 1), (1, 1), (2, 0)])
    for key, count in zip(("takes", "takes_own"), counts, strict=True):
        more = {(x, y) for x, y in (offset(rng, 1) for _ in range(count))} - asked
        asked |= more
        step[key] = [list(square) for square in sorted(more)]
    if step["dx"] or step["dy"] or step["takes"] or step["takes_own"]:
        return {**step, "ep": False, "wrap": False}
    return {**step, "ep": False, "wrap": False, "via": [[0, 1]], "over": [], "not_over": []}


def lion_steps(rng: random.Random) -> list[dict[str, Any]]:
    """Men that go on after a capture, in every way that two steps of a king lead to."""
    plain: dict[str, Any] = {"range": 1, "ep": False, "from": None, "via": []}
    away = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    key = rng.choice(["takes", "takes", "takes_own", "via"])
    found = []
    for x, y in rng.sample(away, 4):
        for dx, dy in rng.sample(away, 3):
            ends = {"dx": x + dx, "dy": y + dy, "mode": rng.choice(["m", "mc", "mcd"])}
            if (x, y) == (-dx, -dy):
                ends["mode"] = "m"
            found.append({**plain, **ends, key: [[x, y]]})
    return found


def pawn_steps(rng: random.Random, forward: int) -> list[dict[str, Any]]:
    """Men that pass and capture en passant, in some way."""
    plain: dict[str, Any] = {"range": 1, "via": [], "ep": False, "from": None}
    wrap = {"wrap": True} if rng.random() < 0.3 else {}
    wait = {"unmoved": True} if rng.random() < 0.5 else {}
    x = rng.choice([0, 0, 1])
    long = rng.choice([2, 3])
    double = {
        "dx": x * long, "dy": forward * long, "ep": True, "mode": "m",
        "via": [[x * n, forward * n] for n in range(1, long)],
    }  # fmt: skip
    takes = [
        {"dx": dx, "dy": forward, "mode": mode} for dx in (-1, 0, 1) if dx != x for mode in "ce"
    ]
    step = {"dx": x, "dy": forward, "mode": "m"}
    found = [{**plain, **step, **wrap}, {**plain, **double, **wrap, **wait}]
    return [*found, *({**plain, **take, **wrap} for take in takes)]


def random_side(
    rng: random.Random, forward: int, files: int, ranks: int, squares: list[int], through: float
) -> dict[str, Any]:
    """through: the chance of a leap to capture on its way or to come back."""

    def some_step(*, royal: bool = False) -> dict[str, Any]:
        return random_step(rng, squares, royal=royal, through=rng.random() < through)

    king = [
        {"dx": x, "dy": y, "range": 1, "mode": "mc", "from": None, "via": [], "ep": False}
        for x in (-1, 0, 1)
        for y in (-1, 0, 1)
        if x or y
    ]
    moves = [[some_step() for _ in range(rng.choice([2, 4, 6]))] for _ in range(6)]
    moves[2] = [*king, *(some_step(royal=True) for _ in range(rng.choice([0, 0, 1, 2])))]
    moves[4] = pawn_steps(rng, forward)
    if rng.random() < through:
        moves[5] += lion_steps(rng)
    promotions: list[list[dict[str, Any]]] = [[] for _ in range(6)]
    own_ranks = (0, 1) if forward > 0 else (ranks - 2, ranks - 1)
    open_squares = [s for s in squares if s // 16 not in own_ranks]
    if rng.random() < 0.8:
        for kind in rng.sample([3, 4, 5], 2):
            promotions[kind] = [
                {
                    "squares": some(rng, 1, open_squares),
                    "to": some(rng, 1, [0, 1, 3, 5]),
                    "limit": [rng.choice([-1, 1, 2, 3]) for _ in range(6)],
                    "compulsory": rng.random() < 0.5,
                    "when_none": rng.choice(["immobile", "stays"]),
                }
                for _ in range(rng.choice([1, 2]))
            ]
    home = 0 if forward > 0 else ranks - 1
    ends = rng.sample(range(files), files)
    castling = [
        {
            "letter": letter,
            "king_from": home * 16 + files // 2,
            "rook_from": home * 16 + rook,
            "rook": 1,
            "moves": [
                {
                    "king_to": home * 16 + to,
                    "rook_to": home * 16 + rng.choice([f for f in range(files) if f != to]),
                }
                for to in (ends[:3] if letter == "K" else ends[3:])
            ],
            "from_move": rng.choice([1, 1, 3]),
        }
        for letter, rook in (("K", files - 1), ("Q", 0))
        if rng.random() < 0.8
    ]
    return {
        "moves": moves,
        "promotions": promotions,
        "castling": castling,
        "stalemate": rng.choice(["draw", "loss", "win"]),
    }


def random_tables(rng: random.Random) -> dict[str, Any]:
    """Six types A B K N P S, of which K is royal, A and S may be, B castles and P is a pawn of a
    kind."""
    files, ranks = rng.choice([(5, 5), (5, 6), (6, 6), (6, 8), (8, 6), (9, 5)])
    every = [rank * 16 + file for rank in range(ranks) for file in range(files)]
    spare = [s for s in every if 0 < s // 16 < ranks - 1]
    holes = rng.sample(spare, rng.choice([0, 0, 1, 2]))
    corners = [s for s in spare if s not in holes and s % 16 in (0, files - 1)]
    citadels = rng.sample(corners, rng.choice([0, 0, 1, 2]))
    squares = [s for s in every if s not in holes and s not in citadels]
    rows: dict[int, list[str]] = {rank: ["1"] * files for rank in range(ranks)}
    for rank, letters in ((0, "ABNS1"), (1, "PPSAN1"), (ranks - 2, "PPSAN1"), (ranks - 1, "ABNS1")):
        row = [rng.choice(letters) for _ in range(files)]
        if letters[-2] == "S":
            row[files // 2], row[0], row[-1] = "K", "B", "B"
        rows[rank] = [
            "1" if rank * 16 + file in holes else letter if rank < 2 else letter.lower()
            for file, letter in enumerate(row)
        ]
    through = 0.0 if citadels else rng.choice([0, 0.2, 0.6])
    sides = [random_side(rng, forward, files, ranks, squares, through) for forward in (1, -1)]
    crown(rng, sides)
    rights = "".join(c["letter"] for c in sides[0]["castling"])
    rights += "".join(c["letter"].lower() for c in sides[1]["castling"])
    board = "/".join("".join(rows[rank]) for rank in reversed(range(ranks)))
    board = re.sub("1+", lambda blank: str(len(blank[0])), board)
    bare = rng.choice(["none", "none", "loss", "loss", "draw"])
    return {
        "files": files,
        "ranks": ranks,
        "holes": holes,
        "letters": "ABKNPS",
        "citadels": [{"square": s, "moves_as": rng.choice(squares)} for s in citadels],
        "repetition": rng.choice([0, 2, 2, 3]),
        "repetition_result": rng.choice(["draw", "loss", "win"]),
        "n_move_plies": rng.choice([0, 5, 100]),
        "n_move_reset_types": rng.choice([[], [4], [0, 4]]),
        "n_move_reset_capture": rng.random() < 0.8,
        "n_move_reset_own_capture": rng.random() < 0.3,
        "dead_position": False,
        "bare": bare,
        "bare_answer": bare == "loss" and rng.random() < 0.5,
        "bare_ignores_citadels": rng.random() < 0.5,
        "start_fen": f"{board} w {rights or '-'} - 0 1",
        "sides": sides,
    }


def crown(rng: random.Random, sides: list[dict[str, Any]]) -> None:
    """K of both sides is royal; in half of the games others are too, and may be promoted to."""
    several = rng.random() < 0.5
    for side in sides:
        able = [kind for kind in (0, 5) if several and not side["promotions"][kind]]
        side["royal"] = sorted([2, *rng.sample(able, rng.randint(0, len(able)))])
        side["check"] = rng.choice(["every", "last", "duple"])
        for step in (step for kind in side["royal"] for step in side["moves"][kind]):
            step["ep"] = False  # nobody captures a king, in passing neither
        for rules in side["promotions"] if several and rng.random() < 0.5 else []:
            for rule in rules:
                rule["to"] = sorted({*rule["to"], 2})
    for side, other in (sides, sides[::-1]):
        for step in (step for moves in side["moves"] for step in moves):
            if {*step.get("not_onto", [])} & {*other["royal"]}:  # all of them or none
                step["not_onto"] = sorted({*step["not_onto"], *other["royal"]})
            if len(step.get("takes", [])) + ("c" in step["mode"]) > 1:
                other["check"] = "every"  # or the last two could be captured together


def compare_tables(rng: random.Random, plies: int) -> int:
    """The number of positions compared; 0: the rules are refused."""
    tables = random_tables(rng)
    try:
        rules = _core.Rules.compile(tables)
    except ValueError:
        return 0
    return wander(rules, tables, rng, 3, plies)


@pytest.mark.parametrize("seed", range(8))
def test_legal_moves_under_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    assert sum(compare_documents(rng, plies=12) for _ in range(3)) > 0


@pytest.mark.parametrize("seed", range(10))
def test_everything_under_random_tables(seed: int) -> None:
    rng = random.Random(seed)
    assert sum(compare_tables(rng, plies=8) for _ in range(7)) > 0


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(20, 60))
def test_legal_moves_under_many_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    assert sum(compare_documents(rng, plies=20) for _ in range(40)) > 0


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(20, 60))
def test_everything_under_many_random_tables(seed: int) -> None:
    rng = random.Random(seed)
    assert sum(compare_tables(rng, plies=16) for _ in range(40)) > 0
