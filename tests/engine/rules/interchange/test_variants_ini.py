"""variants.ini of Fairy-Stockfish, read: every key is honoured or refused by its name."""

from pathlib import Path

import pytest

from tabia.engine import Position
from tabia.engine.documents import DocumentError
from tabia.engine.rules import RuleSet
from tabia.engine.rules.interchange.fairy_stockfish.importing import VariantFile
from tabia.engine.rules.interchange.fairy_stockfish.keys import (
    EVERY_KEY,
    NO_RULES,
    OLD_NAMES,
    PLAYED,
    UNPLAYED,
)
from tabia.engine.rules.interchange.fairy_stockfish.piece_types import ORDER
from tabia.engine.rules.interchange.importing import Imported, import_rules

GAMES = Path(__file__).parents[3] / "data" / "games"
ASKS = {  # kind of value -> one that asks for something
    "truth": "true", "number": "3", "rank": "4", "squares": "*3", "types": "n", "type": "n",
    "becomes": "n:b", "rights": "K",
}  # fmt: skip
NEEDED_WITH = {
    "pieceDrops": "pieceDrops = true", "promotedPieceType": "promotedPieceType = n:b",
    "blastOnCapture": "blastOnCapture = true", "petrifyOnCaptureTypes": "petrifyOnCaptureTypes = n",
    "gating": "gating = true", "wallingRule": "wallingRule = duck", "flagRegion": "flagRegion = e4",
    "connectN": "connectN = 4", "materialCounting": "materialCounting = janggi",
    "extinctionValue": "extinctionValue = loss",
}  # fmt: skip


def imported(lines: str, parent: str = "chess", name: str = "game") -> Imported:
    return import_rules(f"[{name}:{parent}]\n{lines}\n", "file.ini", name)


def refusal(text: str, variant: str | None = "game") -> str:
    with pytest.raises(DocumentError) as refused:
        import_rules(text, "file.ini", variant)
    return str(refused.value)


def asking(key: str) -> str:
    unplayed = UNPLAYED[key]
    if unplayed.neutral is True:
        return f"{key} = false"
    words = unplayed.kind.split("|")
    value = next((w for w in words[1:] if w != unplayed.neutral), None)
    return f"{key} = {value if len(words) > 1 else ASKS[unplayed.kind]}"


@pytest.mark.parametrize("key", sorted(UNPLAYED))
def test_a_rule_that_we_do_not_play_is_refused_by_its_name(key: str) -> None:
    needs = UNPLAYED[key].matters_with
    with_it = NEEDED_WITH[needs] if needs else ""
    message = refusal(f"[game:chess]\n{asking(key)}\n{with_it}\n")
    assert message.startswith("file.ini:game.")
    # A key that asks for nothing by itself may be refused for the one it goes with.
    assert key in message.split(":")[1] or (needs and needs in message) or "extinction" in message


@pytest.mark.parametrize("key", sorted(key for key, each in UNPLAYED.items() if each.matters_with))
def test_without_what_it_goes_with_it_asks_for_nothing(key: str) -> None:
    got = imported(asking(key))
    assert got.rule_set.id == RuleSet.load("chess").id
    assert any(key in remark and "left out" in remark for remark in got.remarks)


@pytest.mark.parametrize("key", sorted(NO_RULES))
def test_keys_that_are_no_rules_are_left_out_and_said_to_be(key: str) -> None:
    got = imported(f"{key} = p:1")
    assert got.rule_set.id == RuleSet.load("chess").id
    assert any(remark.startswith(f"game.{key}: left out") for remark in got.remarks)


@pytest.mark.parametrize("key", sorted(set(EVERY_KEY) - set(NO_RULES) - set(ORDER)))
def test_a_value_that_cannot_be_read_is_refused(key: str) -> None:
    texts = {"startFen", "pieceToCharTable"}
    message = refusal(f"[game:chess]\n{key} = ?\n")
    assert message.startswith(f"file.ini:game.{key}: ")
    assert "allowed" in message or key in texts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[game:chess]\ncastlign = false\n", 'did you mean "castling"?'),
        ("[game:chess]\nno sense\n", "line 2"),
        ("king = k\n", "line 1"),
        ("[game:chess\n", "line 1"),
        ("[a]\nking = k\n[a]\nking = k\n", "second variant"),
        ("", "no variant in it"),
        ("[game:crazyhouse]\n", "built-in variant"),
        ("[game:graand]\n", 'did you mean "grand"?'),
        ("[game:chess]\nking = -\n", "game.king: no king"),
        ("[game:chess]\nstartFen = 8/8/8/8/8/8/8/K6k b - - 0 1\n", "Black moves first"),
        ("[game:chess]\nstartFen = 8/8/8/8/8/8/8/K6k[Q] w - - 0 1\n", "in the hand"),
        ("[game:chess]\nstartFen = K6k w - - 0 1\n", "needed: 8"),
        ("[game:chess]\ncustomPiece1 = a:xyN\n", "customPiece1: position 1"),
        ("[game:chess]\npromotionRegionWhite = a8\n", "promotionRegionWhite"),
        ("[game:chess]\nextinctionValue = loss\n", "extinctionValue: asks"),
        ("[game:coregal]\nextinctionPieceTypes = *\n", "extinctionPieceTypes: found every piece"),
        ("[game:coregal]\nextinctionValue = draw\n", "extinctionValue: found royal pieces whose"),
        ("[game:coregal]\nextinctionPieceCount = 1\n", "extinctionPieceCount: found 1 with more"),
        ("[game:spartan]\nextinctionPieceTypes = kc\n", "extinctionPieceCount: found 0 with more"),
    ],
)  # fmt: skip
def test_refused_in_one_line(text: str, said: str) -> None:
    assert said in refusal(text, None)


def test_one_refused_variant_does_not_take_the_others_with_it() -> None:
    file = VariantFile("[a:chess]\nmustCapture = true\n[b:a]\n[c:chess]\n", "file.ini")
    assert file.document("c")[0]["name"] == "c"
    with pytest.raises(DocumentError, match=r"b.mustCapture: inherited from a.mustCapture"):
        file.document("b")


def test_several_variants_need_a_choice() -> None:
    text = "[a:chess]\n[b:chess]\n"
    assert "--variant" in refusal(text, None)
    assert "--variant" in refusal(text, "c")
    assert import_rules(text, "file.ini", "b").rule_set.id == RuleSet.load("chess").id


@pytest.mark.parametrize(
    ("lines", "parent", "same_as"),
    [
        ("", "grand", "grand"),
        ("stalemateValue = loss", "chess", "chess-stalemate-win"),
        ("enPassantRegion = -", "grand", "grand-no-ep"),
        ("doubleStep = false", "chess", "chess-pawn-one"),
        ("doubleStepRegionWhite = *2 *3\ndoubleStepRegionBlack = *7 *6", "chess",
         "chess-semi-torpedo"),
        ("castling = false", "chess", "chess-no-castling"),
        ("mandatoryPawnPromotion = true\nimmobilityIllegal = false", "grand",
         "grand-mandatory-promotion"),
        ("startFen = r8r/1nbaqkcbn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBAQKCBN1/R8R w - - 0 1",
         "grand", "grand-scanlon-array"),
    ],
)  # fmt: skip
def test_tweaks_of_the_catalog_are_recognized(lines: str, parent: str, same_as: str) -> None:
    got = imported(lines, parent)
    assert got.rule_set.id == RuleSet.load(same_as).id
    assert "[board]" not in got.text  # said as a tweak


def test_letters_follow_the_moves() -> None:
    # Fairy-Stockfish's C is the chancellor, our M; its A our C. The new piece takes a free letter.
    got = imported("customPiece1 = m:KNAD\nchancellor = c\npromotionPieceTypes = acm\n"
                   "promotionLimit = a:1 c:1", "grand")  # fmt: skip
    pieces = got.rule_set.rules.sides["white"].pieces
    assert pieces["M"].moves == "NR"
    assert pieces["C"].moves == "BN"
    new = next(letter for letter, piece in pieces.items() if "D" in piece.moves)
    assert new not in "CM"
    assert sorted(got.rule_set.rules.sides["white"].promotion.to) == sorted("CM" + new)
    assert any("C is M" in remark for remark in got.remarks)


def test_a_game_of_its_own() -> None:
    got = import_rules(
        """
# a small game with walls, a cannon and a bare king rule
[walls]
maxRank = 6
maxFile = f
pawn = p
cannon = c
king = k:KN
startFen = ckc3/pppppp/1*4/4*1/PPPPPP/3CKC w - - 0 1
promotionRegionWhite = *6
promotionPieceTypes = c
promotionLimit = c:3
castling = false
doubleStep = false
nFoldValue = loss
nMoveRule = 20
extinctionValue = loss
extinctionClaim = true
extinctionPieceTypes = *
extinctionPieceCount = 1
extinctionOpponentPieceCount = 2
""",
        "walls.ini",
    )
    rules = got.rule_set.rules
    assert rules.board.holes == ["b4", "e3"]
    assert rules.sides["white"].pieces["K"].moves == "KN"
    assert rules.sides["white"].promotion.supply == "limited"
    assert rules.sides["white"].promotion.limits == "CCC"
    # The side to move loses, so the one that repeated wins.
    assert rules.endings.repetition.result == "win"
    assert (rules.endings.bare_king.result, rules.endings.bare_king.answer) == ("loss", True)
    assert rules.endings.n_move.moves == 20
    assert RuleSet.from_toml(got.text).id == got.rule_set.id


def test_pawns_take_en_passant_whatever_their_types_say() -> None:
    got = imported("enPassantTypes = -")
    assert got.rule_set.id == RuleSet.load("chess").id
    assert any("enPassantTypes" in remark for remark in got.remarks)


def test_every_played_key_is_in_the_list() -> None:
    assert set(PLAYED) | set(UNPLAYED) | set(NO_RULES) | set(OLD_NAMES) <= set(EVERY_KEY)
    assert not set(PLAYED) & set(UNPLAYED)


def test_los_alamos_as_a_parent_is_the_game_that_published_numbers_are_of() -> None:
    got = imported("", parent="losalamos")
    assert got.rule_set.id == RuleSet.load(GAMES / "losalamos.toml").id


def test_a_section_adds_to_a_small_board() -> None:
    array = "rnbqk/ppppp/5/5/PPPPP/RNBQK w - - 0 1"
    lines = f"maxRank = 6\npromotionRegionWhite = *6\nstartFen = {array}"
    got = imported(lines, parent="gardner")
    assert got.rule_set.start_fen == array
    assert got.rule_set.canonical["promotion"]["compulsory"] == [6]
    assert Position(got.rule_set).perft(1) == 7


@pytest.mark.parametrize("parent", ["coregal", "spartan"])
def test_royal_keys_are_those_of_the_catalog(parent: str) -> None:
    assert imported("", parent).rule_set.id == RuleSet.load(parent).id


def test_royal_types_and_what_check_is() -> None:
    spartan = imported("", "spartan").rule_set.rules
    assert (spartan.royals("white"), spartan.royals("black")) == ("K", "K")
    assert [spartan.sides[side].check.royals for side in ("white", "black")] == ["every", "duple"]
    last = imported("dupleCheck = false", "spartan").rule_set.rules
    assert last.sides["black"].check.royals == "last"
    all_royal = imported("extinctionPieceCount = 1", "spartan").rule_set.rules
    assert all_royal.sides["black"].check.royals == "every"


@pytest.mark.parametrize(
    ("lines", "key"),
    [
        ("extinctionPseudoRoyal = true", "extinctionPseudoRoyal"),
        ("dupleCheck = true", "dupleCheck"),
    ],
)
def test_royal_keys_without_what_they_go_with_ask_for_nothing(lines: str, key: str) -> None:
    got = imported(lines)
    assert got.rule_set.id == RuleSet.load("chess").id
    assert any(key in remark and "left out" in remark for remark in got.remarks)
