"""Rule sets that are none: each refused by one line with file, key, what was found, what is
allowed."""

from collections.abc import Callable

import pytest

from tabia.engine.documents import DocumentError
from tabia.engine.rules import RuleSet

Refusal = Callable[[str], str]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            "[board]",
            "[bord]",
            (
                'bord: unknown key; did you mean "board"? allowed: array, author, black, board, '
                "castling, check, en_passant, endings, extends, id, name, notes, pieces, "
                "promotion, source, white, year"
            ),
        ),
        ("files = 4", "files = 17", "board.files: found 17; allowed: a whole number from 1 to 16"),
        ("ranks = 5", "ranks = 0", "board.ranks: found 0; allowed: a whole number from 1 to 16"),
        (
            "ranks = 5",
            "ranks = 5.5",
            "board.ranks: found 5.5; allowed: a whole number from 1 to 16",
        ),
        ("files = 4\n", "", "board.files: missing; needed: a whole number from 1 to 16"),
        (
            "ranks = 5",
            'ranks = 5\nholes = ["e1"]',
            "board.holes: e1 is not on the board; allowed: a1 to d5",
        ),
        (
            "ranks = 5",
            'ranks = 5\nholes = ["a0"]',
            'board.holes.0: found "a0"; allowed: a square such as e4, a1 to p16',
        ),
        (
            "ranks = 5",
            'ranks = 5\nholes = ["a2"]',
            'array.2: found "PPPP" with a man on the hole a2; allowed: men on squares',
        ),
        (
            "R = {",
            "Rk = {",
            'pieces.Rk: found the key "Rk"; allowed as a key: one capital letter, A to Z',
        ),
        (
            ", royal = true }",
            " }",
            "pieces: found no royal piece of White; allowed: one or more with royal = true",
        ),
        (
            "[promotion]",
            "[black.pieces.K]\nroyal = false\n[promotion]",
            "pieces: found no royal piece of Black; allowed: one or more with royal = true",
        ),
        (
            'moves = "R" }',
            'moves = "R", royal = true, not_onto = "K" }',
            (
                "pieces.R.not_onto: found K, which is royal, without R, which is too; "
                "allowed: all royal pieces of the other side, or none"
            ),
        ),
        (
            'moves = "R"',
            'moves = "zR"',
            (
                'pieces.R.moves: position 1 of "zR": "z" (crooked path) is not supported; '
                "modifiers: f b l r v s h, m c d e, i, t p g o y n j, a; "
                "atoms: W F D N A H C(=L) Z(=J) G K R B Q, WX to GX, DY NY AY CY ZY"
            ),
        ),
        (
            'moves = "R"',
            f'moves = "{"W" * 201}"',
            (
                f'pieces.R.moves: found "{"W" * 60}…"; allowed: moves in Betza notation such as '
                '"fmWfcF"'
            ),
        ),
        (
            '1 = "KR1R"',
            '1 = "KR2R"',
            'array.1: found "KR2R" with 5 squares; allowed: exactly 4, the files of the board',
        ),
        (
            '1 = "KR1R"',
            '1 = "KR"',
            'array.1: found "KR" with 2 squares; allowed: exactly 4, the files of the board',
        ),
        (
            '1 = "KR1R"',
            '1 = "KQ1R"',
            (
                'array.1: found "KQ1R", where Q is no piece of this game; '
                "allowed: K, P, R, small letters for Black"
            ),
        ),
        (
            '1 = "KR1R"',
            '1 = "KR0R"',
            'array.1: found "KR0R" with 0 blanks; allowed: 1 to 4',
        ),
        (
            '1 = "KR1R"',
            '1 = "KR R"',
            'array.1: found "KR R" with the character " "; allowed: letters of pieces and numbers',
        ),
        (
            '1 = "KR1R"',
            '6 = "KR1R"',
            "array.6: no such rank on the board; allowed: 1 to 5",
        ),
        (
            '1 = "KR1R"',
            '01 = "KR1R"',
            'array.01: found the key "01"; allowed as a key: the number of a rank, 1 to 16',
        ),
        (
            '1 = "KR1R"',
            '1 = "RR1R"',
            "array: found no royal man (K) of White; allowed: one or more a side",
        ),
        (
            "compulsory = [5]",
            "compulsory = [6]",
            "promotion.compulsory: rank 6 is not on the board; allowed: 1 to 5",
        ),
        (
            "compulsory = [5]",
            "compulsory = [5]\noptional = [4, 5]",
            "promotion: rank 5 is both optional and compulsory; allowed: one of the two",
        ),
        (
            'to = "R"',
            'to = "RQ"',
            "promotion.to: Q is no piece of this game; allowed: K, P, R",
        ),
        (
            'to = "R"',
            'to = "PR"',
            "promotion.to: P is itself a piece that promotes; allowed: other pieces",
        ),
        (
            'to = "R"\n',
            "",
            "promotion.to: found nothing to promote to; needed: letters of pieces",
        ),
        (
            'to = "R"',
            'to = ["R"]',
            'promotion.to: found a list of 1; allowed: a text of piece letters such as "NBRQ"',
        ),
        (
            'to = "R"',
            'to = "R"\nsupply = "lost"',
            'promotion.supply: found "lost"; allowed: "any" or "captured" or "limited"',
        ),
        (
            'to = "R"',
            'to = "R"\nwhen_none = "dies"',
            'promotion.when_none: found "dies"; allowed: "immobile" or "stays"',
        ),
        (
            "[promotion]",
            '[endings]\nstalemate = "lose"\n[promotion]',
            'endings.stalemate: found "lose"; allowed: "draw" or "loss" or "win"',
        ),
        (
            "[promotion]",
            "[endings]\nrepetition = { count = 1 }\n[promotion]",
            "endings.repetition.count: found 1; allowed: 0 = never, or 2 to 16",
        ),
        (
            "[promotion]",
            '[endings]\nn_move = { resets = ["capture", "Q"] }\n[promotion]',
            "endings.n_move.resets: Q is no piece of this game; allowed: K, P, R",
        ),
        (
            "[promotion]",
            '[endings]\nn_move = { resets = ["captures"] }\n[promotion]',
            (
                'endings.n_move.resets.0: found "captures"; allowed: "capture", "own capture" or '
                "the letter of a piece whose moves reset the count"
            ),
        ),
        (
            "[promotion]",
            '[castling]\nkingside = { king = "c", partner = "c" }\n[promotion]',
            (
                "castling.kingside.partner: found nobody on c1 in White's array; needed: R, who "
                "castles with the king on a1"
            ),
        ),
        (
            "[promotion]",
            '[castling]\nkingside = { king = "e", partner = "d" }\n[promotion]',
            "castling.kingside.king: no file e on the board; allowed: a to d",
        ),
        (
            "[promotion]",
            '[castling]\nkingside = { king = "c", partner = "d", to = "c" }\n[promotion]',
            "castling.kingside: king and partner both end on file c; allowed: two files",
        ),
        (
            "[promotion]",
            '[castling]\nkingside = { king = "a", partner = "d" }\n[promotion]',
            "castling.kingside.king: the king already stands on file a; allowed: another file",
        ),
        (
            "[promotion]",
            '[castling]\npartner = "K"\nkingside = { king = "c", partner = "a" }\n[promotion]',
            "castling.partner: K is royal; allowed: pieces that are not",
        ),
        (
            "[promotion]",
            '[castling]\nkingside = { king = "c" }\n[promotion]',
            "castling.kingside.partner: missing; needed: the letter of a file, a to p",
        ),
        (
            "[promotion]",
            "[black.board]\nfiles = 5\n[promotion]",
            (
                "black.board: unknown key; allowed: castling, check, en_passant, endings, pieces, "
                "promotion"
            ),
        ),
        (
            "[promotion]",
            "[white.endings]\ndead_position = 'draw'\n[promotion]",
            "white.endings.dead_position: unknown key; allowed: stalemate",
        ),
        (
            "[promotion]",
            "[white.pieces.Q]\nmoves = 'Q'\n[promotion]",
            "white.pieces.Q: no piece of this game; allowed: K, P, R",
        ),
        (
            "[promotion]",
            "[white.pieces.R]\nmoves = 'camR'\n[promotion]",
            (
                'white.pieces.R.moves: position 4 of "camR": "a" (a further leg) on R is not '
                "supported; allowed: on W F K D A H G"
            ),
        ),
        (
            "[promotion]",
            "[black.promotion]\ncompulsory = [6]\n[promotion]",
            "black.promotion.compulsory: rank 6 is not on the board; allowed: 1 to 5",
        ),
        (
            "[promotion]",
            "castling = false\n[promotion]",
            (
                'array.castling: found the key "castling"; allowed as a key: the number of a rank, '
                "1 to 16"
            ),
        ),
        (
            "ranks = 5",
            'ranks = 5\nholes = ["b3"]\ncitadels = { b3 = "a3" }',
            "board.citadels.b3: b3 is no square of the board; allowed: squares",
        ),
        (
            "ranks = 5",
            'ranks = 5\ncitadels = { e1 = "a3" }',
            "board.citadels.e1: e1 is no square of the board; allowed: squares",
        ),
        (
            "ranks = 5",
            'ranks = 5\ncitadels = { b3 = "c3", c3 = "a3" }',
            "board.citadels.b3: c3 is a citadel itself; allowed: a square that can be entered",
        ),
        (
            "ranks = 5",
            'ranks = 5\ncitadels = { a1 = "b3" }',
            "board.citadels.a1: K, who is royal, stands there; allowed: others",
        ),
        (
            'moves = "R"',
            'moves = "mcdR", own_victims = "Q"',
            "pieces.R.own_victims: Q is no piece of this game; allowed: K, P, R",
        ),
        (
            'moves = "R"',
            'moves = "mcdR", own_victims = "KP"',
            "pieces.R.own_victims: K is royal; allowed: pieces that are not",
        ),
        (
            'moves = "R"',
            'moves = "pR", not_over = "X"',
            "pieces.R.not_over: X is no piece of this game; allowed: K, P, R",
        ),
        (
            'moves = "R"',
            'moves = "R", ranks = [1, 2]',
            (
                "pieces.R.ranks: found ranks for R, which rides; "
                "allowed: for pieces that step and leap"
            ),
        ),
        (
            'moves = "fmWfcF"',
            'moves = "fmWifmnDfcF", initial_ranks = [6]',
            "pieces.P.initial_ranks: rank 6 is not on the board; allowed: 1 to 5",
        ),
        (
            'moves = "fmWfcF"',
            'moves = "fmWifmnDfcF", initial_ranks = [3], initial = "unmoved"',
            'pieces.P.initial_ranks: ranks for initial = "unmoved"; allowed: for "rank"',
        ),
        (
            'moves = "fmWfcF"',
            'moves = "fmWfcF", initial = "first"',
            'pieces.P.initial: found "first"; allowed: "rank" or "unmoved"',
        ),
        (
            "[promotion]",
            '[en_passant]\ngivers = "Q"\n[promotion]',
            "en_passant.givers: Q is no piece of this game; allowed: K, P, R",
        ),
        (
            "compulsory = [5]",
            'compulsory = [5]\nreserve = "RR"',
            'promotion.reserve: found "RR" with supply = "any"; allowed: with "captured"',
        ),
        (
            "compulsory = [5]",
            'compulsory = [5]\nsupply = "limited"\nlimits = "RQ"',
            "promotion.limits: Q is no piece of this game; allowed: K, P, R",
        ),
        (
            "compulsory = [5]",
            'compulsory = [5]\ntiers = [{ ranks = [6], to = "R", compulsory = true }]',
            "promotion.compulsory: rank 6 is not on the board; allowed: 1 to 5",
        ),
        (
            "compulsory = [5]",
            'compulsory = [5]\ntiers = [{ ranks = [6], to = "R", pieces = "R" }]',
            "promotion.tiers.ranks: rank 6 is not on the board; allowed: 1 to 5",
        ),
        (
            "compulsory = [5]",
            'compulsory = [5]\ntiers = [{ ranks = [5], to = "R", pieces = "PR" }]',
            "promotion.tiers: two promotions of P on rank 5; allowed: one a rank",
        ),
        (
            "compulsory = [5]",
            'compulsory = [5]\ntiers = [{ ranks = [4], to = "" }]',
            "promotion.tiers.to: found nothing to promote to; needed: letters of pieces",
        ),
        (
            "compulsory = [5]",
            'compulsory = [5]\ntiers = [{ ranks = [], to = "R" }]',
            (
                "promotion.tiers.0.ranks: found a list of 0; allowed: a list of 1 to 16, each a "
                "whole number from 1 to 16"
            ),
        ),
        (
            "compulsory = [5]",
            'compulsory = [5]\ntiers = [{ rank = 5, to = "R" }]',
            (
                'promotion.tiers.0.rank: unknown key; did you mean "ranks"? allowed: compulsory, '
                "pieces, ranks, to"
            ),
        ),
        (
            "[promotion]",
            '[castling]\nkingside = { king = "b", also = ["e"], partner = "d" }\n[promotion]',
            "castling.kingside.also: no file e on the board; allowed: a to d",
        ),
        (
            "[promotion]",
            (
                '[castling]\nkingside = { king = "b", also = ["c"], to = "a", partner = "d" }\n'
                "[promotion]"
            ),
            (
                "castling.kingside.to: one file for several moves; allowed: left out, so that the "
                "partner ends beside the king"
            ),
        ),
        (
            "[promotion]",
            "[castling]\nfrom_move = 0\n[promotion]",
            "castling.from_move: found 0; allowed: a whole number from 1 to 500",
        ),
        (
            "[promotion]",
            '[endings.bare_king]\nresult = "draw"\nanswer = true\n[promotion]',
            (
                "endings.bare_king.answer: an answer to what is no loss; "
                'allowed: with result = "loss"'
            ),
        ),
        (
            "[promotion]",
            '[endings.repetition]\nresult = "lose"\n[promotion]',
            'endings.repetition.result: found "lose"; allowed: "draw" or "loss" or "win"',
        ),
        (
            'name = "Small"',
            'name = ""',
            'name: found ""; allowed: one line of 1 to 100 characters',
        ),
        (
            'name = "Small"',
            'id = "../small"',
            'id: found "../small"; allowed: small letters, digits and hyphens, 64 at most',
        ),
        (
            'name = "Small"',
            'name = "Small\\u0000"',
            'name: found "Small\\u0000"; allowed: one line of 1 to 100 characters',
        ),
        (
            'name = "Small"',
            'source = ["\\u001b[2J"]',
            (
                'source.0: found "\\u001b[2J"; allowed: a text of at most 2000 characters, none of '
                "them a control character"
            ),
        ),
        (
            'name = "Small"',
            "notes = 'one'",
            (
                'notes: found "one"; allowed: a list of 0 to 32, each a text of at most 2000 '
                "characters, none of them a control character"
            ),
        ),
        (
            'name = "Small"',
            "schema = 1",
            (
                "schema: unknown key; allowed: array, author, black, board, castling, check, "
                "en_passant, endings, extends, id, name, notes, pieces, promotion, source, white, "
                "year"
            ),
        ),
    ],
)
def test_refused(small: str, refusal: Refusal, old: str, new: str, line: str) -> None:
    assert small.count(old) >= 1
    assert refusal(small.replace(old, new, 1)) == f"my.toml:{line}"


def test_not_toml(refusal: Refusal) -> None:
    assert refusal("[board").startswith("my.toml: not valid TOML: ")


def test_unknown_ids_are_answered_with_the_catalog() -> None:
    with pytest.raises(DocumentError) as error:
        RuleSet.load("grend")
    assert str(error.value).startswith(
        'grend: no such rule set and no such file; did you mean "grand"? allowed: a file, or '
    )


def test_a_schema_of_another_version_is_refused(small: str) -> None:
    form = dict(RuleSet.from_toml(small).canonical)
    for schema, found in ((2, "2"), (None, "nothing"), (True, "true")):
        with pytest.raises(DocumentError, match=f"schema: found {found}; allowed: 1"):
            RuleSet.from_canonical({**form, "schema": schema})
