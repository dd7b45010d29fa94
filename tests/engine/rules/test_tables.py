"""What the core is given: squares as numbers, each side's moves turned its own way."""

from typing import Any

import pytest

from tabia.engine import Position
from tabia.engine.documents import DocumentError
from tabia.engine.rules import RuleSet
from tabia.engine.rules.resolve import catalog_ids
from tabia.engine.rules.tables import core_tables


def square(name: str) -> int:
    return (int(name[1:]) - 1) * 16 + "abcdefghijklmnop".index(name[0])


def squares(names: str) -> list[int]:
    return [square(name) for name in names.split()]


def prim(dx: int, dy: int, mode: str, **other: Any) -> dict[str, Any]:
    plain = {"dx": dx, "dy": dy, "range": 1, "mode": mode, "from": None, "via": [], "ep": False}
    return {**plain, **other}


def by_vector(prims: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(prims, key=lambda p: (p["dx"], p["dy"], p["mode"]))


def test_chess() -> None:
    tables = core_tables(RuleSet.load("chess"))
    sides = tables.pop("sides")
    assert tables == {
        "files": 8,
        "ranks": 8,
        "holes": [],
        "letters": "BKNPQR",
        "royal": 1,
        "repetition": 3,
        "n_move_plies": 100,
        "n_move_reset_types": [3],
        "n_move_reset_capture": True,
        "dead_position": True,
        "start_fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    }
    white, black = sides
    assert white["stalemate"] == black["stalemate"] == "draw"
    double = {"from": squares("a2 b2 c2 d2 e2 f2 g2 h2"), "via": [[0, 1]], "ep": True}
    assert by_vector(white["moves"][3]) == [
        prim(-1, 1, "c"),
        prim(-1, 1, "e"),
        prim(0, 1, "m"),
        prim(0, 2, "m", **double),
        prim(1, 1, "c"),
        prim(1, 1, "e"),
    ]
    double = {"from": squares("a7 b7 c7 d7 e7 f7 g7 h7"), "via": [[0, -1]], "ep": True}
    assert by_vector(black["moves"][3]) == [
        prim(-1, -1, "c"),
        prim(-1, -1, "e"),
        prim(0, -2, "m", **double),
        prim(0, -1, "m"),
        prim(1, -1, "c"),
        prim(1, -1, "e"),
    ]
    assert {(p["dx"], p["dy"]) for p in white["moves"][2]} == {
        (x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)
    }
    assert by_vector(white["moves"][5]) == [
        prim(-1, 0, "mc", range=0),
        prim(0, -1, "mc", range=0),
        prim(0, 1, "mc", range=0),
        prim(1, 0, "mc", range=0),
    ]
    assert white["promotions"] == [
        [], [], [],
        [
            {
                "squares": squares("a8 b8 c8 d8 e8 f8 g8 h8"),
                "to": [0, 2, 4, 5],
                "limit": [-1] * 6,
                "compulsory": True,
            }
        ],
        [], [],
    ]  # fmt: skip
    assert black["promotions"][3][0]["squares"] == squares("a1 b1 c1 d1 e1 f1 g1 h1")
    assert white["castling"] == [
        {
            "letter": "K",
            "king_from": square("e1"),
            "king_to": square("g1"),
            "rook_from": square("h1"),
            "rook_to": square("f1"),
            "rook": 5,
            "empty": squares("f1 g1"),
            "safe": squares("e1 f1 g1"),
        },
        {
            "letter": "Q",
            "king_from": square("e1"),
            "king_to": square("c1"),
            "rook_from": square("a1"),
            "rook_to": square("d1"),
            "rook": 5,
            "empty": squares("b1 c1 d1"),
            "safe": squares("c1 d1 e1"),
        },
    ]
    assert [c["king_to"] for c in black["castling"]] == squares("g8 c8")


def test_grand_promotion_and_supply() -> None:
    tables = core_tables(RuleSet.load("grand"))
    assert tables["letters"] == "BCKMNPQR"
    white, black = (side["promotions"][5] for side in tables["sides"])
    limit = [2, 1, 1, 1, 2, 10, 1, 2]
    assert [(zone["compulsory"], zone["limit"]) for zone in white] == [
        (False, limit),
        (True, limit),
    ]
    ranks = [sorted({sq // 16 + 1 for sq in zone["squares"]}) for zone in (*white, *black)]
    assert ranks == [[8, 9], [10], [2, 3], [1]]
    assert [len(zone["squares"]) for zone in white] == [20, 10]
    assert {"".join(tables["letters"][t] for t in zone["to"]) for zone in white} == {"BCMNQR"}
    assert all(side["castling"] == [] for side in tables["sides"])


def test_grander_has_neither_en_passant_nor_n_move_rule() -> None:
    tables = core_tables(RuleSet.load("grander"))
    prims = [p for side in tables["sides"] for piece in side["moves"] for p in piece]
    assert not any(p["ep"] or p["mode"] == "e" for p in prims)
    assert tables["n_move_plies"] == 0
    assert [side["stalemate"] for side in tables["sides"]] == ["loss", "loss"]
    assert tables["start_fen"] == (
        "r8r/1nbcqkmbn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBCQKMBN1/R8R w - - 0 1"
    )


@pytest.mark.parametrize("name", catalog_ids())
def test_black_is_white_mirrored(name: str) -> None:
    tables = core_tables(RuleSet.load(name))
    white, black = tables["sides"]

    def flip(sq: int) -> int:
        return (tables["ranks"] - 1 - sq // 16) * 16 + sq % 16

    for one, other in zip(white["moves"], black["moves"], strict=True):
        turned = [
            {
                **p,
                "dy": -p["dy"],
                "via": [[x, -y] for x, y in p["via"]],
                "from": p["from"] and sorted(flip(sq) for sq in p["from"]),
            }
            for p in one
        ]
        assert by_vector(turned) == by_vector(other)
    for one, other in zip(white["promotions"], black["promotions"], strict=True):
        assert [sorted(map(flip, zone["squares"])) for zone in one] == [
            zone["squares"] for zone in other
        ]
    for one, other in zip(white["castling"], black["castling"], strict=True):
        assert {
            key: flip(one[key]) for key in ("king_from", "king_to", "rook_from", "rook_to")
        } == {key: other[key] for key in ("king_from", "king_to", "rook_from", "rook_to")}


def test_what_one_side_passes_matters_only_if_the_other_can_answer() -> None:
    rules = RuleSet.from_toml('extends = "chess"\n[black.pieces.P]\nmoves = "fmWifmnDfcF"')
    white, black = core_tables(rules)["sides"]
    assert not any(p["ep"] for p in white["moves"][3])
    assert any(p["ep"] for p in black["moves"][3])
    assert any(p["mode"] == "e" for p in white["moves"][3])


@pytest.mark.parametrize(
    ("moves", "leaves"),
    [
        ("fmnD", True),
        ("fmnH", True),
        ("fnD", False),
        ("fmD", False),
        ("fmW2", False),
        ("fmnN", True),
    ],
)
def test_lame_moves_without_capture_leave_squares_open_to_en_passant(
    moves: str, leaves: bool
) -> None:
    rules = RuleSet.from_toml(f'extends = "chess"\n[pieces.P]\nmoves = "fceF{moves}"')
    prims = core_tables(rules)["sides"][0]["moves"][3]
    assert any(p["ep"] for p in prims) == leaves


def test_initial_squares_are_whole_ranks_less_holes(small: str) -> None:
    text = small.replace("fmWfcF", "fmWifmnDfcF").replace("ranks = 5", 'ranks = 5\nholes = ["b4"]')
    text = text.replace("pppp", "p1pp").replace('2 = "PPPP"', '2 = "PP2"\n3 = "3P"')
    white, black = core_tables(RuleSet.from_toml(text))["sides"]
    start = [
        [p["from"] for p in side["moves"][1] if p["from"] is not None] for side in (white, black)
    ]
    assert start == [[squares("a2 b2 c2 d2 a3 b3 c3 d3")], [squares("a4 c4 d4")]]


def test_a_longer_step_from_the_start_makes_no_move_twice() -> None:
    rules = RuleSet.from_toml('extends = "chess"\n[pieces.P]\nmoves = "ifmW3fWfcF"')
    position = Position(rules)
    assert [move for move in position.legal_moves() if move.startswith("a2")] == [
        "a2a3",
        "a2a4",
        "a2a5",
    ]
    up = [p for p in core_tables(rules)["sides"][0]["moves"][3] if p["dx"] == 0]
    assert [(p["mode"], p["range"], p["from"] and len(p["from"])) for p in up] == [
        ("c", 1, None),
        ("m", 1, 56),
        ("m", 3, 8),
    ]
    position = Position(rules, "4k3/8/8/p7/8/P7/8/4K3 w - - 0 1")
    assert [move for move in position.legal_moves() if move.startswith("a")] == ["a3a4"]


def test_castling_of_another_make(small: str) -> None:
    text = small + '[castling]\npartner = "R"\nkingside = { king = "c", partner = "d", to = "a" }\n'
    tables = core_tables(RuleSet.from_toml(text.replace("KR1R", "K2R").replace("kr1r", "k2r")))
    castle = tables["sides"][1]["castling"][0]
    assert castle["empty"] == squares("b5 c5")
    assert castle["safe"] == squares("a5 b5 c5")
    assert (castle["rook_from"], castle["rook_to"]) == (square("d5"), square("a5"))
    assert tables["start_fen"].endswith(" w Kk - 0 1")


def test_each_side_by_its_own_rule_set() -> None:
    grand, mandatory = RuleSet.load("grand"), RuleSet.load("grand-mandatory-promotion")
    mixed = core_tables(grand, mandatory)
    assert mixed["sides"][0] == core_tables(grand)["sides"][0]
    assert mixed["sides"][1] == core_tables(mandatory)["sides"][1]
    assert mixed["sides"][1] != core_tables(grand)["sides"][1]
    assert core_tables(grand, grand) == core_tables(grand)


def test_castling_rights_in_the_fen_are_each_sides_own() -> None:
    without = RuleSet.from_toml('extends = "chess"\ncastling = false')
    tables = core_tables(RuleSet.load("chess"), without)
    assert tables["start_fen"].endswith(" w KQ - 0 1")


def test_en_passant_across_two_rule_sets() -> None:
    grand, without = RuleSet.load("grand"), RuleSet.load("grand-no-ep")
    white, black = core_tables(grand, without)["sides"]
    assert any(p["ep"] for p in black["moves"][5])
    assert not any(p["ep"] for p in white["moves"][5])


@pytest.mark.parametrize(
    ("tweak", "key"),
    [
        ("[board]\nfiles = 9\n[array]\n8='rnbqkbnr1'\n7='9'\n2='9'\n1='RNBQKBNR1'", "board.files"),
        ("[board]\nholes = ['a4']", "board.holes"),
        ("[array]\n3 = 'N7'", "array.3"),
        ("[pieces.X]\nmoves = 'A'", "pieces.X.moves"),
        (
            "[pieces]\nQ = false\n[array]\n8='rnb1kbnr'\n1='RNB1KBNR'\n[promotion]\nto='N'",
            "array.8",
        ),
        ("[endings]\nstalemate = 'loss'", "endings.stalemate"),
        ("[white.endings]\nstalemate = 'loss'", "white.endings.stalemate"),
        ("[endings]\nrepetition = { count = 4 }", "endings.repetition"),
        ("[endings]\nn_move = { moves = 60 }", "endings.n_move.moves"),
        ("[endings]\nn_move = { resets = ['P'] }", "endings.n_move.resets"),
        ("[endings]\ndead_position = 'play on'", "endings.dead_position"),
        (
            (
                "[pieces.K]\nroyal = false\n[pieces.Q]\nroyal = true\n[promotion]\nto = 'N'\n"
                "[castling]\nkingside = false\nqueenside = false"
            ),
            "pieces.royal",
        ),
    ],
)
def test_sides_must_agree_on_the_game(tweak: str, key: str) -> None:
    other = RuleSet.from_toml(f'name = "Other"\nextends = "chess"\n{tweak}')
    with pytest.raises(DocumentError) as error:
        core_tables(RuleSet.load("chess"), other)
    assert error.value.source == "Western Chess against Other"
    assert error.value.key == key
    assert "on one board with one array and one set of endings" in error.value.problem


@pytest.mark.parametrize("name", catalog_ids())
def test_tables_stay_within_what_the_core_takes(name: str) -> None:
    tables = core_tables(RuleSet.load(name))
    types = range(len(tables["letters"]))
    for side in tables["sides"]:
        assert len(side["moves"]) == len(side["promotions"]) == len(types)
        for prims in side["moves"]:
            for p in prims:
                assert set(p) == {"dx", "dy", "range", "mode", "from", "via", "ep"}
                assert (p["dx"], p["dy"]) != (0, 0)
                assert p["mode"] in ("m", "c", "mc", "e")
                assert 0 <= p["range"] <= 15
