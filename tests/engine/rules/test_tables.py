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


ALWAYS = {"dx", "dy", "range", "mode", "from", "via", "ep"}
SELDOM = {
    "victims", "unmoved", "first", "start", "over", "hop", "not_over", "not_onto", "ep_victims",
    "wrap",
}  # fmt: skip


def in_one_order(prims: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The primitives with their keys and the squares they pass sorted."""
    return [dict(sorted({**p, "via": sorted(p["via"])}.items())) for p in prims]


def by_vector(prims: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(prims, key=lambda p: (p["dx"], p["dy"], p["mode"], repr(p)))


def test_chess() -> None:
    tables = core_tables(RuleSet.load("chess"))
    sides = tables.pop("sides")
    assert tables == {
        "files": 8,
        "ranks": 8,
        "holes": [],
        "letters": "BKNPQR",
        "repetition": 3,
        "n_move_plies": 100,
        "n_move_reset_types": [3],
        "n_move_reset_capture": True,
        "dead_position": True,
        "start_fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    }
    white, black = sides
    assert white["stalemate"] == black["stalemate"] == "draw"
    assert white["royal"] == black["royal"] == [1]
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


# In Spartan Chess the two sides are different armies.
@pytest.mark.parametrize("name", [name for name in catalog_ids() if name != "spartan"])
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
                **({"first": [p["first"][0], -p["first"][1]]} if "first" in p else {}),
            }
            for p in one
        ]
        assert by_vector(in_one_order(turned)) == by_vector(in_one_order(other))
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


def test_flexible_castling_has_one_move_for_each_file() -> None:
    kingside, queenside = core_tables(RuleSet.load("gross"))["sides"][0]["castling"]
    assert (kingside["letter"], kingside["king_from"]) == ("K", square("g2"))
    assert kingside["rook_from"] == square("k2")
    assert kingside["moves"] == [
        {"king_to": square("i2"), "rook_to": square("h2")},
        {"king_to": square("j2"), "rook_to": square("i2")},
    ]
    assert [move["king_to"] for move in queenside["moves"]] == squares("e2 d2 c2")
    assert [move["rook_to"] for move in queenside["moves"]] == squares("f2 e2 d2")
    onto = core_tables(RuleSet.load("gross-castling-onto-rook"))["sides"][1]["castling"]
    assert [move["king_to"] for move in onto[1]["moves"]] == squares("e11 d11 c11 b11")
    assert "from_move" not in kingside


def test_castling_from_a_move_on() -> None:
    for side in core_tables(RuleSet.load("chess-no-castling-10"))["sides"]:
        assert [castle["from_move"] for castle in side["castling"]] == [11, 11]


def test_tiers_and_reserve_of_gross_chess() -> None:
    tables = core_tables(RuleSet.load("gross"))
    letters = tables["letters"]
    zones = tables["sides"][0]["promotions"][letters.index("P")]
    found = {
        zone["squares"][0] // 16 + 1: ("".join(letters[t] for t in zone["to"]), zone["compulsory"])
        for zone in zones
    }
    assert found == {
        12: ("ABCMNQRSVW", True), 10: ("BNVW", False), 11: ("BCNRSVW", False),
    }  # fmt: skip
    # S0: own captured pieces, and two Queens, four Rooks, Knights and Bishops in reserve.
    limit = dict(zip(letters, zones[0]["limit"], strict=True))
    assert {letter: limit[letter] for letter in "QMARCSBNVW"} == {
        "Q": 3, "M": 2, "A": 2, "R": 6, "C": 2, "S": 2, "B": 6, "N": 6, "V": 2, "W": 2,
    }  # fmt: skip


def test_limits_and_a_man_that_stays() -> None:
    rules = RuleSet.from_toml(
        'extends = "chess"\n[promotion]\nsupply = "limited"\nlimits = "QQR"\nwhen_none = "stays"'
    )
    (zone,) = core_tables(rules)["sides"][0]["promotions"][3]
    assert zone["limit"] == [-1, -1, -1, -1, 2, 1]
    assert zone["when_none"] == "stays"


def test_promotions_of_several_pieces() -> None:
    rules = RuleSet.from_toml(
        """
        extends = "gigachess"
        [promotion]
        tiers = [
          { pieces = "NJ", ranks = [14], to = "F", compulsory = true },
          { pieces = "DE", ranks = [14], to = "L", compulsory = true },
        ]
        """
    )
    tables = core_tables(rules)
    to = {
        letter: [tables["letters"][t] for zone in zones for t in zone["to"]]
        for letter, zones in zip(tables["letters"], tables["sides"][1]["promotions"], strict=True)
        if zones
    }
    assert to == {"D": ["L"], "E": ["L"], "J": ["F"], "N": ["F"], "O": ["A"], "P": ["A"]}


def test_great_chess_at_the_edges_of_the_rules() -> None:
    tables = core_tables(RuleSet.load("great"))
    letters = tables["letters"]
    assert len(tables["holes"]) == 32
    assert tables["citadels"] == [
        {"square": square("a1"), "moves_as": square("b2")},
        {"square": square("a10"), "moves_as": square("b9")},
        {"square": square("j1"), "moves_as": square("i2")},
        {"square": square("j10"), "moves_as": square("i9")},
    ]
    assert (tables["bare"], tables["bare_ignores_citadels"]) == ("loss", True)
    assert "bare_answer" not in tables
    assert (tables["n_move_reset_types"], tables["n_move_reset_capture"]) == ([], True)
    assert "n_move_reset_own_capture" not in tables
    white = tables["sides"][0]
    assert {p["mode"] for p in white["moves"][letters.index("W")]} == {"mcd"}
    assert {tuple(p["victims"]) for p in white["moves"][letters.index("Q")]} == {
        (letters.index("S"),)
    }
    double = [p for p in white["moves"][letters.index("S")] if p["dy"] == 2]
    assert [(p.get("unmoved"), p["from"], p["ep"]) for p in double] == [(True, None, True)]
    (zone,) = white["promotions"][letters.index("S")]
    assert zone["squares"] == squares("b9 c9 d9 e9 f9 g9 h9 i9")
    assert not zone["compulsory"]


def test_a_bare_king_that_may_answer() -> None:
    tables = core_tables(RuleSet.load("shatranj"))
    assert (tables["bare"], tables["bare_answer"]) == ("loss", True)
    assert "bare_ignores_citadels" not in tables


def test_own_captures_and_repetition_as_a_loss() -> None:
    assert core_tables(RuleSet.load("chess-self-capture"))["n_move_reset_own_capture"]
    rules = RuleSet.from_toml('extends = "chess"\n[endings.repetition]\nresult = "loss"')
    assert core_tables(rules)["repetition_result"] == "loss"


@pytest.mark.parametrize(
    ("piece", "steps", "squares_from"),
    [
        ("initial_ranks = [2, 3]", (0, 2), "a2 a3"),
        ('moves = "fceFfmWifmnDbmW"\nranks = [2, 3, 4, 5, 6, 7, 8]', (0, -1), "a3 a4 a5 a6 a7 a8"),
        ("ranks = [4, 5]", (0, 1), "a3 a4"),
        ("ranks = [4, 5]", (0, 2), "a2"),
    ],
)
def test_ranks_of_first_moves_and_ranks_a_piece_keeps_to(
    piece: str, steps: tuple[int, int], squares_from: str
) -> None:
    rules = RuleSet.from_toml(f'extends = "chess"\n[pieces.P]\n{piece}')
    for side, sign in zip(core_tables(rules)["sides"], (1, -1), strict=True):
        (found,) = [p for p in side["moves"][3] if (p["dx"], p["dy"] * sign) == steps]
        origins = [sq for sq in found["from"] if sq % 16 == 0]
        if sign < 0:
            origins = sorted((7 - sq // 16) * 16 for sq in origins)
        assert origins == squares(squares_from)


@pytest.mark.parametrize(
    ("tweak", "open_to_ep"),
    [
        ("", {"O": True, "P": True}),
        ('[en_passant]\ngivers = "P"', {"O": False, "P": True}),
        ('[pieces]\nO.ep_victims = "P"\nP.ep_victims = "P"', {"O": False, "P": True}),
        ('[pieces]\nO.ep_victims = "P"', {"O": True, "P": True}),
        ('[black.en_passant]\ngivers = "O"', {"O": True, "P": True}),
        ('[white.en_passant]\ngivers = "O"', {"O": True, "P": False}),
    ],
)
def test_who_can_be_captured_en_passant(tweak: str, open_to_ep: dict[str, bool]) -> None:
    tables = core_tables(RuleSet.from_toml(f'extends = "gigachess"\n{tweak}'))
    letters, white = tables["letters"], tables["sides"][0]
    found = {x: any(p["ep"] for p in white["moves"][letters.index(x)]) for x in "OP"}
    assert found == open_to_ep
    victims = {
        tuple(letters[t] for t in p.get("ep_victims", []))
        for p in white["moves"][letters.index("O")]
        if p["mode"] == "e"
    }
    assert victims == {("P",) if "O.ep" in tweak else ()}


def test_what_korean_cannons_cannot_hop_over_or_onto() -> None:
    tables = core_tables(RuleSet.load("gross-korean"))
    cannon = tables["letters"].index("C")
    for p in tables["sides"][0]["moves"][cannon]:
        assert (p["hop"], p["not_over"]) == ("over", [cannon])
        assert "not_onto" not in p
    janggi = 'extends = "gross-korean"\n[pieces.C]\nnot_onto = "C"\nmoves = "ptR"'
    tables = core_tables(RuleSet.from_toml(janggi))
    (royal,) = tables["sides"][1]["royal"]
    assert {tuple(p["not_onto"]) for p in tables["sides"][0]["moves"][cannon]} == {(cannon, royal)}


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
                assert ALWAYS <= set(p) <= ALWAYS | SELDOM
                assert (p["dx"], p["dy"]) != (0, 0)
                assert p["mode"] in ("m", "c", "d", "mc", "md", "cd", "mcd", "e")
                assert all(p[key] for key in SELDOM & set(p))
                assert 0 <= p["range"] <= 15
