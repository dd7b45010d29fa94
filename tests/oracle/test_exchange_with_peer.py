"""Variants that go to Fairy-Stockfish and come from it have the same moves there and here."""

import hashlib
import os
import re
from functools import cache
from pathlib import Path

import pyffish
import pytest

from tabia.engine import Position, RuleSet
from tabia.engine.documents import DocumentError
from tabia.engine.rules.interchange.fairy_stockfish.small_boards import SMALL_BOARDS
from tabia.engine.rules.interchange.fairy_stockfish.writing import Written, write_section
from tabia.engine.rules.interchange.importing import Imported, import_each, import_rules
from tabia.engine.rules.resolve import catalog_ids

# Fairy-Stockfish's own collection of variants, which is not ours to carry about.
COLLECTION = Path(
    os.environ.get("TABIA_VARIANTS_INI", "")
    or Path(__file__).parents[3] / "shared" / "data" / "fairy-stockfish-variants.ini"
)


@cache
def written(name: str) -> Written | None:
    try:
        return write_section(RuleSet.load(name), f"from-tabia-{name}")
    except DocumentError:
        return None


def translated(move: str, letters: dict[str, str]) -> str:
    """A move of the peer in our letters."""
    last = move[-1]
    return move[:-1] + letters.get(last.upper(), last).lower() if last.isalpha() else move


def require_same_moves(
    variant: str,
    rule_set: RuleSet,
    letters: dict[str, str],
    game: int,
    plies: int,
    black: RuleSet | None = None,
) -> None:
    """One random game, played here and there. letters: theirs -> ours."""
    position, fen = Position(rule_set, black=black), pyffish.start_fen(variant)
    for ply in range(plies):
        theirs = {translated(move, letters): move for move in pyffish.legal_moves(variant, fen, [])}
        # A castling move that looks like a step of the king is king takes rook there, * here.
        ours = {move for move in position.legal_moves() if not move.endswith("*")}
        castles = {move for move in theirs if move not in ours}
        stars = [move for move in position.legal_moves() if move.endswith("*")]
        if position.outcome() is not None and not theirs:
            return
        assert ours == set(theirs) - castles
        assert len(castles) == len(stars)
        if not ours or position.outcome() is not None:
            return
        digest = hashlib.sha256(f"{variant} {game} {ply}".encode()).digest()
        move = sorted(ours)[int.from_bytes(digest) % len(ours)]
        position.push(move)
        fen = pyffish.get_fen(variant, fen, [theirs[move]])


@pytest.mark.parametrize("name", [name for name in catalog_ids() if written(name)])
def test_what_is_exported_is_played_alike(name: str) -> None:
    section = written(name)
    assert section is not None
    pyffish.load_variant_config(str(section))
    letters = {theirs: ours for ours, theirs in section.letters.items()}
    for game in range(2):
        require_same_moves(section.name, RuleSet.load(name), letters, game, 60)
    position, fen = Position(RuleSet.load(name)), pyffish.start_fen(section.name)
    behind = (pyffish.legal_moves(section.name, fen, [move])
              for move in pyffish.legal_moves(section.name, fen, []))  # fmt: skip
    assert sum(map(len, behind)) == position.perft(2)


OWN = """
[own-two-kings:chess]
king = -
commoner = k
castlingKingPiece = k
extinctionValue = loss
extinctionPseudoRoyal = true
extinctionPieceTypes = k
extinctionPieceCount = 1
startFen = rnbkkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR w KQkq - 0 1

[own-last-king:own-two-kings]
extinctionPieceCount = 0

[own-duple:own-two-kings]
extinctionPieceCount = 0
dupleCheck = true
promotionPieceTypes = qk
promotionLimit = k:3

[own-royal-knights:chess]
extinctionValue = loss
extinctionPseudoRoyal = true
extinctionPieceTypes = n
extinctionPieceCount = 1
promotionPieceTypes = qrb

[own-maharajah]
pawn = p
knight = n
bishop = b
rook = r
queen = q
king = k
amazon = m
startFen = rnbqkbnr/pppppppp/8/8/8/8/8/4M3 w kq - 0 1
promotionPieceTypes = qrbn
extinctionValue = loss
extinctionPieceTypes = m
extinctionPseudoRoyal = true

[own-small]
maxRank = 6
maxFile = 7
pawn = p
cannon = c
horse = h
customPiece1 = a:fsKmD
customPiece2 = g:gQ
customPiece3 = l:R3fB
king = k:KN
startFen = chak1gl/ppppppp/7/7/PPPPPPP/CHAK1GL w - - 0 1
promotionRegionWhite = *5 *6
promotionRegionBlack = *2 *1
promotionPieceTypes = ch
promotionLimit = c:2 h:2
mandatoryPawnPromotion = false
immobilityIllegal = true
doubleStep = false
castling = false
[own-first-moves:grand]
customPiece1 = p:fmWfceFifmnD
doubleStepRegionWhite = *3 *4
doubleStepRegionBlack = *8 *7
[own-berolina]
customPiece1 = p:mfFcfeWimfnA
rook = r
queen = q
king = k
pawnTypes = p
promotionPieceTypes = rq
startFen = r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1
"""


@pytest.mark.parametrize("name", re.findall(r"^\[([a-z-]+)", OWN, re.MULTILINE))
def test_what_is_imported_is_played_alike(name: str) -> None:
    if name not in pyffish.variants():
        pyffish.load_variant_config(OWN)
    got = import_rules(OWN, "own.ini", name)
    for game in range(4):
        require_same_moves(name, got.rule_set, renamed(got), game, 80)


@pytest.mark.parametrize("name", sorted(SMALL_BOARDS))
def test_a_small_board_that_a_section_may_extend_is_the_peer_s(name: str) -> None:
    got = import_rules(f"[own-{name}:{name}]\n", "own.ini")
    for game in range(8):
        require_same_moves(name, got.rule_set, renamed(got), game, 80)


RIGHTS = [("grand-no-ep", "grand"), ("chess-no-castling", "chess"), ("chess-torpedo", "chess")]
LIMITS = [("grander", "grander-free-promotion"), ("grand", "grand-mandatory-promotion")]


def both_ways(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [*pairs, *((b, a) for a, b in pairs)]


@pytest.mark.parametrize(("a", "b"), both_ways(RIGHTS))
def test_rules_that_differ_by_side_are_played_alike(a: str, b: str) -> None:
    """What a program of others is told of the games of a `rights`."""
    white, black = RuleSet.load(a), RuleSet.load(b)
    section = write_section(white, f"own-{a}-{b}", black=black)
    pyffish.load_variant_config(str(section))
    letters = {theirs: ours for ours, theirs in section.letters.items()}
    for game in range(6):
        require_same_moves(section.name, white, letters, game, 80, black)


@pytest.mark.parametrize(("a", "b"), both_ways(LIMITS))
def test_sides_that_differ_in_more_than_they_may_there_are_refused(a: str, b: str) -> None:
    with pytest.raises(DocumentError, match="which Fairy-Stockfish cannot express"):
        write_section(RuleSet.load(a), black=RuleSet.load(b))


def renamed(got: Imported) -> dict[str, str]:
    found = (re.match(r"(\w) is (\w), as it moves", remark) for remark in got.remarks)
    return {match[1]: match[2] for match in found if match}


@pytest.mark.nightly
def test_the_collection_of_fairy_stockfish() -> None:
    if not COLLECTION.is_file():
        pytest.skip(f"no {COLLECTION.name} here: name its path in TABIA_VARIANTS_INI")
    text = COLLECTION.read_text(encoding="utf-8")
    pyffish.load_variant_config(text)
    accepted, total = [], 0
    for name, got in import_each(text, COLLECTION.name):
        total += 1
        if isinstance(got, DocumentError):
            # What it is refused for is named: a key of the section, or the parent we do not have.
            assert got.key.startswith(f"{name}.") or "extends" in got.problem, str(got)
            continue
        accepted.append(name)
        for game in range(3):
            require_same_moves(name, got.rule_set, renamed(got), game, 60)
        again = import_rules(str(write_section(got.rule_set, "again")), "again.ini", "again")
        assert again.rule_set.id == got.rule_set.id, name
    print(f"{len(accepted)} of {total} variants accepted: {', '.join(accepted)}")
    assert len(accepted) >= 25
