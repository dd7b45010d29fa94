"""How games end, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tabia.engine.rules.effective import SIDES, Rules
from tabia.engine.rules.explain.phrases import counted, listed
from tabia.engine.rules.explain.royalty import check_in_words

_GETS = {"draw": "the game is drawn", "loss": "that side loses", "win": "that side wins"}


def endings_in_words(rules: Rules, name: Callable[[str], str]) -> Iterator[str]:
    """Checkmate, stalemate, bare kings, repetition, the n-move rule, dead positions."""
    endings = rules.endings
    yield from check_in_words(rules, name)
    results = {side: rules.sides[side].endings.stalemate for side in SIDES}
    if len(set(results.values())) == 1:
        yield (
            f"Stalemate, having no legal move without being in check: {_GETS[results['white']]}."
        )
    else:
        for side, result in results.items():
            yield f"When {side.capitalize()} is stalemated, {_GETS[result]}."
    yield from _bare_king(rules, name)
    repetition = endings.repetition
    if repetition.count:
        then = {
            "draw": "the game is drawn",
            "loss": "the side whose move made it loses",
            "win": "the side whose move made it wins",
        }[repetition.result]
        yield f"When a position occurs {counted(repetition.count, 'time')}, {then}."
    else:
        yield "Repetition ends no game."
    yield from _n_moves(rules, name)
    if endings.dead_position == "draw":
        yield "A position from which neither side can win any more is drawn at once."
    else:
        yield "A position from which neither side can win is played on."


def _bare_king(rules: Rules, name: Callable[[str], str]) -> Iterator[str]:
    bare = rules.endings.bare_king
    if bare.result == "play on":
        return
    what = "loses at once" if bare.result == "loss" else "draws at once"
    kings = {rules.only_king(side) for side in SIDES}
    king = kings.pop() if len(kings) == 1 else None
    left = f"its {name(king)}" if king else "royal ones"
    yield f"A side that has no man left but {left} {what}."
    if bare.answer:
        yield "If it can bare the other side with its next move, the game is drawn."
    if not bare.citadels_count:
        yield "Men who still stand on a citadel do not count for that."


def _n_moves(rules: Rules, name: Callable[[str], str]) -> Iterator[str]:
    rule = rules.endings.n_move
    if not rule.moves:
        yield "There is no limit to moves without progress."
        return
    words = {"capture": "a capture", "own capture": "a capture of an own man"}
    resets = [words.get(each) or f"a move of a {name(each)}" for each in rule.resets
              if each in words or each in rules.letters]  # fmt: skip
    without = f" without {listed(resets, 'or')}" if resets else ""
    yield f"After {rule.moves} moves of each side in a row{without}, the game is drawn."
