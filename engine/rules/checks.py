"""Which rules describe a game that can be played: what no schema can say, one check a rule."""

from __future__ import annotations

from tabia.engine.documents import DocumentError, show
from tabia.engine.rules import betza
from tabia.engine.rules.array import square_name, square_of
from tabia.engine.rules.castling_checks import check_castling
from tabia.engine.rules.effective import SIDES, Rules
from tabia.engine.rules.known import require_common, require_letters, require_ranks
from tabia.engine.rules.model import RuleDocument, SidePiece
from tabia.engine.rules.promotion_checks import check_promotion

MAX_STEPS = 400
"""Of all pieces of a side together. What a rule set costs to compile and to weigh grows with them;
the richest game of the catalog has 200."""


def require_playable(rules: Rules, document: RuleDocument, source: str) -> None:
    """Raises DocumentError for the first thing that no game can have. The document tells under
    which key a side's rule was written."""
    _check_citadels(rules, source)
    _check_resets(rules, source)
    _check_repetition(rules, source)
    _check_bare_king(rules, source)
    for side in SIDES:
        prefix = f"{side}." if getattr(document, side) else ""
        _check_steps(rules, side, source, f"{prefix}pieces")
        for letter in rules.letters:
            _check_piece(rules, side, letter, source, f"{prefix}pieces.{letter}")
        givers = rules.sides[side].en_passant.givers
        require_letters(rules, givers, source, f"{prefix}en_passant.givers")
        check_promotion(rules, side, source, f"{prefix}promotion")
        check_castling(rules, side, source, f"{prefix}castling")


def _check_citadels(rules: Rules, source: str) -> None:
    board = rules.board
    for citadel, out in board.citadels.items():
        key = f"board.citadels.{citadel}"
        for name in (citadel, out):
            file, rank = square_of(name)
            if file >= board.files or rank >= board.ranks or name in board.holes:
                raise DocumentError(
                    source, key, f"{name} is no square of the board; allowed: squares"
                )
        if out in board.citadels:
            raise DocumentError(
                source, key, f"{out} is a citadel itself; allowed: a square that can be entered"
            )
        for side in SIDES:
            for man in rules.royal_men(side):
                if square_name(man.file, man.rank) == citadel:
                    raise DocumentError(
                        source, key, f"{man.letter}, who is royal, stands there; allowed: others"
                    )


def _check_resets(rules: Rules, source: str) -> None:
    resets = rules.endings.n_move.resets
    if resets == ["capture", "P"]:  # the default, which a game without a P need not unsay
        return
    letters = "".join(reset for reset in resets if len(reset) == 1)
    require_letters(rules, letters, source, "endings.n_move.resets")


def _check_repetition(rules: Rules, source: str) -> None:
    if rules.endings.repetition.count == 1:
        raise DocumentError(
            source, "endings.repetition.count", "found 1; allowed: 0 = never, or 2 to 16"
        )


def _check_bare_king(rules: Rules, source: str) -> None:
    bare = rules.endings.bare_king
    if bare.answer and bare.result != "loss":
        raise DocumentError(
            source,
            "endings.bare_king.answer",
            f"an answer to what is no loss; allowed: with result = {show('loss')}",
        )


def _check_steps(rules: Rules, side: str, source: str, key: str) -> None:
    found = sum(len(betza.steps(piece.moves)) for piece in rules.sides[side].pieces.values())
    if found > MAX_STEPS:
        raise DocumentError(
            source, key, f"{found} different steps in all pieces together; allowed: {MAX_STEPS}"
        )


def _check_spared(rules: Rules, side: str, piece: SidePiece, source: str, key: str) -> None:
    royals = rules.royals(SIDES[1 - SIDES.index(side)])
    spared = [letter for letter in royals if letter in piece.not_onto]
    others = [letter for letter in royals if letter not in piece.not_onto]
    if spared and others:
        raise DocumentError(
            source,
            key,
            f"found {spared[0]}, which is royal, without {others[0]}, which is too; "
            "allowed: all royal pieces of the other side, or none",
        )


def _check_captures_at_once(
    rules: Rules, side: str, piece: SidePiece, source: str, key: str
) -> None:
    """Nobody may capture the last royal men together: of those that a side may lose, one stays."""
    other = SIDES[1 - SIDES.index(side)]
    if rules.sides[other].check.royals == "every":
        return
    if any(len(step.takes) + ("c" in step.mode) > 1 for step in betza.steps(piece.moves)):
        raise DocumentError(
            source,
            f"{key}.moves",
            f"found {show(piece.moves)}, which captures two men at once, of a side that may lose "
            f'royal men; allowed: where {other.capitalize()} has check.royals = "every"',
        )


def _check_piece(rules: Rules, side: str, letter: str, source: str, key: str) -> None:
    piece = rules.sides[side].pieces[letter]
    for field in ("own_victims", "not_over", "not_onto", "ep_victims"):
        require_letters(rules, getattr(piece, field), source, f"{key}.{field}")
    require_common(rules, side, piece.own_victims, source, f"{key}.own_victims")
    _check_spared(rules, side, piece, source, f"{key}.not_onto")
    _check_captures_at_once(rules, side, piece, source, key)
    for field in ("initial_ranks", "ranks"):
        require_ranks(rules, getattr(piece, field), source, f"{key}.{field}")
    if piece.initial_ranks and piece.initial == "unmoved":
        raise DocumentError(
            source, f"{key}.initial_ranks", 'ranks for initial = "unmoved"; allowed: for "rank"'
        )
    if piece.ranks and any(s.reach != 1 or s.first for s in betza.steps(piece.moves)):
        raise DocumentError(
            source,
            f"{key}.ranks",
            f"found ranks for {piece.moves}, which rides; allowed: for pieces that step and leap",
        )
