"""Where pieces go: the movers of the games we know, on a board, by what their inventors say."""

import pytest

from tabia.engine import Position, RuleSet
from tabia.engine.rules.array import EMPTY, format_row

# X moves, Y and Z stand in the way; nobody can go to the kings by chance.
SCENE = """
[board]
files = 15
ranks = 15
[pieces]
K = {{ moves = "K", royal = true }}
X = {{ moves = "{moves}"{fields} }}
Y = {{ moves = "" }}
Z = {{ moves = "" }}
[array]
15 = "13k1"
1 = "1K13"
"""
GRYPHON = "FyafsF"
SHIP = "FfryaflFflyafrFbryafrFblyaflF"
FALCON = "afafsWafraflWaflafrWafsafFafafsFafraflFaflafrFafsafW"


def position(moves: str, men: str = "", fields: str = "") -> Position:
    """X on h8 and men such as `h10:y` on the board, White to move."""
    rules = RuleSet.from_toml(SCENE.format(moves=moves, fields=fields))
    board = {"b1": "K", "n15": "k", "h8": "X"}
    board |= dict(man.split(":") for man in men.split())
    rows = [
        format_row(board.get(f"{file}{rank}", EMPTY) for file in "abcdefghijklmno")
        for rank in range(15, 0, -1)
    ]
    return Position(rules, f"{'/'.join(rows)} w - - 0 1")


def reached(moves: str, men: str = "", fields: str = "") -> set[str]:
    """The squares that X goes to."""
    found = position(moves, men, fields).legal_moves()
    return {move[2:] for move in found if move.startswith("h8")}


def named(offsets: set[tuple[int, int]]) -> set[str]:
    return {f"{chr(ord('h') + x)}{8 + y}" for x, y in offsets}


def leaps(*families: tuple[int, int]) -> set[str]:
    """The squares of leaps, turned and mirrored in every way."""
    return named(
        {
            (sx * x, sy * y)
            for a, b in families
            for x, y in ((a, b), (b, a))
            for sx in (1, -1)
            for sy in (1, -1)
        }
    )


def ray(dx: int, dy: int, first: int = 1, last: int = 7) -> set[str]:
    return named({(n * dx, n * dy) for n in range(first, last + 1)})


ROOK = ray(0, 1) | ray(0, -1) | ray(1, 0) | ray(-1, 0)
BISHOP = ray(1, 1) | ray(1, -1) | ray(-1, 1) | ray(-1, -1)


@pytest.mark.parametrize(
    ("name", "moves", "squares", "count"),
    [
        ("Wazir", "W", leaps((0, 1)), 4),
        ("Ferz", "F", leaps((1, 1)), 4),
        ("Dabbaba", "D", leaps((0, 2)), 4),
        ("Knight", "N", leaps((1, 2)), 8),
        ("Alfil", "A", leaps((2, 2)), 4),
        ("Camel", "C", leaps((1, 3)), 8),
        ("Zebra", "Z", leaps((2, 3)), 8),
        ("King, Prince", "K", leaps((0, 1), (1, 1)), 8),
        ("Champion", "WAD", leaps((0, 1), (0, 2), (2, 2)), 12),
        ("Wizard", "FC", leaps((1, 1), (1, 3)), 12),
        ("Knight of Opulent Chess", "NW", leaps((1, 2), (0, 1)), 12),
        ("Lion of Opulent Chess", "FDH", leaps((1, 1), (0, 2), (0, 3)), 12),
        ("Lion of Gigachess", "KNAD", leaps((0, 1), (1, 1), (1, 2), (0, 2), (2, 2)), 24),
        ("Buffalo", "NCZ", leaps((1, 2), (1, 3), (2, 3)), 24),
        ("Elephant", "FA", leaps((1, 1), (2, 2)), 8),
        ("Machine", "WD", leaps((0, 1), (0, 2)), 8),
        ("Wolf", "WC", leaps((0, 1), (1, 3)), 12),
        ("Hawk, reading H1", "FDA", leaps((1, 1), (0, 2), (2, 2)), 12),
        ("Hawk, reading H3", "DA", leaps((0, 2), (2, 2)), 8),
        ("Hawk, reading H4", "DAHG", leaps((0, 2), (2, 2), (0, 3), (3, 3)), 16),
        ("General", "KC", leaps((0, 1), (1, 1), (1, 3)), 16),
        ("Pasha, Mastodon", "KAD", leaps((0, 1), (1, 1), (0, 2), (2, 2)), 16),
        ("Bison", "CZ", leaps((1, 3), (2, 3)), 16),
        ("Templar Knight", "NmZ", leaps((1, 2), (2, 3)), 16),
        ("Falcon", FALCON, leaps((1, 3), (2, 3)), 16),
        ("Marshall", "RN", ROOK | leaps((1, 2)), 36),
        ("Cardinal", "BN", BISHOP | leaps((1, 2)), 36),
        ("Amazon", "QN", ROOK | BISHOP | leaps((1, 2)), 64),
        ("Cannon, nobody about", "mRcpR", ROOK, 28),
        ("Vao, nobody about", "mBcpB", BISHOP, 28),
        ("Korean Cannon, nobody about", "pR", set(), 0),
        ("Grasshopper, nobody about", "gQ", set(), 0),
        ("Ski-bishop", "jB", BISHOP - leaps((1, 1)), 24),
        ("longer leaps", "NXDYZY", leaps((1, 5), (2, 4), (4, 5)), 24),
        ("Mao", "afsW", leaps((1, 2)), 8),
        ("Moa", "afsF", leaps((1, 2)), 8),
    ],
)
def test_on_an_open_board(name: str, moves: str, squares: set[str], count: int) -> None:
    assert reached(moves) == squares, name
    assert len(squares) == count


def test_the_gryphon_turns_once() -> None:
    # One square diagonally, then away along rank or file.
    assert reached(GRYPHON) == {
        square
        for x in (1, -1)
        for y in (1, -1)
        for square in named({(x, y * n) for n in range(1, 8)} | {(x * n, y) for n in range(1, 8)})
    }
    beyond_i9 = {*(f"i{n}" for n in range(9, 16)), *(f"{file}9" for file in "ijklmno")}
    for man in "Yy":
        got = reached(GRYPHON, f"i9:{man}")
        assert got == reached(GRYPHON) - beyond_i9 | ({"i9"} if man == "y" else set())
    assert {"i10", "i11", "i12"} == reached(GRYPHON, "i12:y") & {f"i{n}" for n in range(10, 16)}


def test_the_ship_goes_up_and_down_only() -> None:
    sides = {f"{file}{n}" for file in "gi" for n in (*range(1, 8), *range(9, 16))}
    assert reached(SHIP) == sides
    assert reached(SHIP, "i9:Y g5:y") == sides - {f"i{n}" for n in range(9, 16)} - {
        "g4",
        "g3",
        "g2",
        "g1",
    }


@pytest.mark.parametrize(
    ("target", "men", "free"),
    [
        # To a Camel's square by F W W, W F W or W W F.
        ("k9", "i8:Y", True),
        ("k9", "i9:Y", True),
        ("k9", "j9:y", True),
        ("k9", "i8:Y j9:Y", False),
        ("k9", "i8:Y i9:y", False),
        ("k9", "j8:Y j9:Y", False),
        ("k9", "i9:Y j8:Y", True),
        # To a Zebra's by F F W, F W F or W F F.
        ("k10", "i9:Y", True),
        ("k10", "i9:Y i8:Y", False),
        ("k10", "i9:Y j9:Y", False),
        ("k10", "j9:Y j10:Y", False),
        ("k10", "j10:Y i8:Y", True),
    ],
)
def test_the_falcon_needs_one_free_way_of_three(target: str, men: str, free: bool) -> None:
    assert (target in reached(FALCON, men)) is free


def test_two_ways_to_one_square_are_one_move() -> None:
    moves = position(FALCON).legal_moves()
    assert len(moves) == len(set(moves))
    assert sum(move.startswith("h8") for move in moves) == 16


@pytest.mark.parametrize(
    ("moves", "men", "up"),
    [
        # The square straight ahead, by number; the man to be captured stands among the others.
        ("mRcpR", "h11:Y h13:y", "9 10 13"),
        ("mRcpR", "h11:y h13:y", "9 10 13"),
        ("mRcpR", "h11:y", "9 10"),
        ("mRcpR", "h11:y h12:Y h13:y", "9 10"),
        ("mRcpR", "h9:Y h15:y", "15"),
        ("pR", "h11:Y", "12 13 14 15"),
        ("pR", "h11:Y h13:y", "12 13"),
        ("pR", "h11:Y h13:Y", "12"),
        ("pR4", "h11:Y", "12"),
        ("gR", "h11:Y", "12"),
        ("gR", "h11:Y h12:y", "12"),
        ("gR", "h11:Y h12:Y", ""),
        ("gR3", "h11:Y", ""),
        ("jR", "h9:Y", "10 11 12 13 14 15"),
        ("jR", "h9:Y h11:y", "10 11"),
        ("jjR", "h9:Y h10:y", "11 12 13 14 15"),
        ("jR3", "", "10 11"),
        ("jD", "", ""),
        ("jD", "h9:y", "10"),
        ("nD", "h9:y", ""),
        ("nD", "h10:y", "10"),
        ("afW", "h9:y", ""),
        ("pafW", "h9:y", "10"),
        ("pafW", "", ""),
        ("mpafW", "h9:y", "10"),
        ("mpafW", "", "10"),
        ("yafW", "", "10 11 12 13 14 15"),
        ("yafW", "h9:y", ""),
        ("fR4", "", "9 10 11 12"),
        ("cR", "h11:y", "11"),
        ("mR", "h11:y", "9 10"),
    ],
)
def test_straight_ahead(moves: str, men: str, up: str) -> None:
    squares = {f"h{n}" for n in range(9, 16)}
    assert reached(moves, men) & squares == {f"h{n}" for n in up.split()}


@pytest.mark.parametrize(
    ("moves", "man", "lost"),
    [
        ("nN", "h9", {"g10", "i10"}),
        ("afsW", "h9", {"g10", "i10"}),
        ("afsF", "i9", {"i10", "j9"}),
        ("afsK", "h9", set()),
        ("nN", "i9", set()),
        ("nA", "i9", {"j10"}),
        ("nZ", "h9", {"f11", "j11"}),
    ],
)
def test_lame_leaps(moves: str, man: str, lost: set[str]) -> None:
    assert reached(moves) - reached(moves, f"{man}:Y") - {man} == lost


def test_korean_cannons_do_not_hop_over_their_like() -> None:
    fields = ', not_over = "Y"'
    assert reached("pR", "h10:Y", fields) == set()
    assert reached("pR", "h10:y", fields) == set()
    assert reached("pR", "h10:Z", fields) == {f"h{n}" for n in range(11, 16)}
    # Behind one that it may hop over, it may capture one that it may not hop over.
    assert reached("pR", "h10:Z h12:y", fields) == {"h11", "h12"}
    assert reached("pR", "h10:Z h12:y", f'{fields}, not_onto = "Y"') == {"h11"}


def test_own_men_are_captured_by_d_alone() -> None:
    ahead = "h9:Y i8:Z g8:y"
    assert reached("W", ahead) == {"h7", "g8"}
    assert reached("mcdW", ahead) == {"h7", "g8", "h9", "i8"}
    assert reached("dW", ahead) == {"h9", "i8"}
    assert reached("mcdW", ahead, ', own_victims = "Y"') == {"h7", "g8", "h9"}
    assert reached("mcdR", "h10:Y h11:y") & {f"h{n}" for n in range(9, 12)} == {"h9", "h10"}


@pytest.mark.parametrize(("moves", "check"), [("R", True), ("tR", False), ("mRctR", False)])
def test_a_tame_piece_gives_no_check(moves: str, check: bool) -> None:
    rules = RuleSet.from_toml(SCENE.format(moves=moves, fields=""))
    fen = "/".join(["7k7", *["15"] * 6, "7X7", *["15"] * 6, "1K13"])
    assert Position(rules, f"{fen} b - - 0 1").in_check() is check


def test_files_wrap_round_on_a_cylinder() -> None:
    rules = RuleSet.from_toml(
        'extends = "chess"\n[pieces]\nR.moves = "oR"\nB.moves = "oB"\nN.moves = "oN"'
    )
    fen = "8/7k/8/8/R7/4K3/8/B6N w - - 0 1"
    moves = Position(rules, fen).legal_moves()
    assert {m for m in moves if m.startswith("a4")} >= {f"a4{file}4" for file in "bcdefgh"}
    assert {m for m in moves if m.startswith("h1")} == {"h1a3", "h1b2", "h1f2", "h1g3"}
    assert {m for m in moves if m.startswith("a1")} >= {"a1h2", "a1g3", "a1f4", "a1b2"}


def test_a_man_on_a_citadel_moves_as_from_the_square_beside_it() -> None:
    rules = RuleSet.load("great")
    start = Position(rules)
    from_citadels = [move for move in start.legal_moves() if move[0] in "aj"]
    # A Wolf from b2: one square along rank or file, or a Camel's leap; c3's neighbour b3 holds an
    # own Soldier, which it may retire. A Hawk from i2 likewise.
    assert from_citadels == ["a1b3", "a1c5", "a1e3", "j1g4", "j1h3", "j1i4"]
    start.push("a1c5")
    assert start.fen().split("/")[-1].startswith("9H ")


def test_a_soldier_has_its_double_step_once() -> None:
    position = Position(RuleSet.load("great"))
    assert "e3e5" in position.legal_moves()
    for move in ("e3e4", "e8e7", "e4e3", "e7e8"):
        position.push(move)
    assert "e3e4" in position.legal_moves()
    assert "e3e5" not in position.legal_moves()
    chess = Position(RuleSet.load("chess-pawn-back"))
    for move in ("e2e3", "e7e6", "e3e2", "e6e7"):
        chess.push(move)
    assert "e2e4" in chess.legal_moves()


def test_pawns_go_back_no_further_than_their_second_rank() -> None:
    position = Position(RuleSet.load("chess-pawn-back"), "4k3/8/8/8/8/4P3/P7/6K1 w - - 0 1")
    assert "e3e2" in position.legal_moves()
    assert not any(move.startswith("a2a1") for move in position.legal_moves())


def test_a_corporal_steps_or_captures_en_passant() -> None:
    rows = ["13k", *["14"] * 6, "14", "5o8", "14", "4P9", "14", "14", "K13"]
    position = Position(RuleSet.load("gigachess"), f"{'/'.join(rows)} w - - 0 1")
    position.push("e4e6")
    assert {"f6e5", "f6e5*"} <= set(position.legal_moves())
    position.push("f6e5*")
    assert "P" not in position.fen()


def test_both_squares_that_a_triple_step_passes_are_open() -> None:
    fen = "6k5/12/12/12/12/12/1p10/1p10/12/P11/12/6K5 w - - 0 1"
    position = Position(RuleSet.load("gross"), fen)
    position.push("a3a6")
    assert {"b5a4", "b6a5"} <= set(position.legal_moves())
    assert position.fen().split()[3] == "a4a5"
