"""Board and array in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tabia.engine.rules.array import square_name
from tabia.engine.rules.effective import SIDES, Rules
from tabia.engine.rules.explain.phrases import counted, listed


def board_in_words(rules: Rules) -> Iterator[str]:
    """Size, holes, citadels."""
    board = rules.board
    squares = board.files * board.ranks - len(board.holes) - len(board.citadels)
    yield f"The board has {board.files} files and {board.ranks} ranks, {squares} squares in all."
    if board.holes:
        yield f"Not there: {listed(board.holes)}."
    for citadel, out in board.citadels.items():
        yield (
            f"{citadel} is a citadel: a man who starts there moves as if he stood on {out}, "
            "whoever stands there; nobody can enter, attack or pass it."
        )


def array_in_words(rules: Rules, name: Callable[[str], str]) -> Iterator[str]:
    """Where each side's men stand at the start."""
    for side in SIDES:
        places: dict[str, list[str]] = {}
        for man in rules.men(side):
            places.setdefault(man.letter, []).append(square_name(man.file, man.rank))
        men = [f"{name(letter)} {_places(squares)}" for letter, squares in places.items()]
        count = sum(map(len, places.values()))
        yield f"{side.capitalize()} has {counted(count, 'man').replace('mans', 'men')}: " + (
            "; ".join(men) + "."
        )


def _places(squares: list[str]) -> str:
    """Squares by name, three or more in a row as a span."""
    parts: list[str] = []
    run: list[str] = []
    for square in [*squares, ""]:
        if run and square and _next_to(run[-1], square):
            run.append(square)
            continue
        parts += [f"{run[0]}–{run[-1]}"] if len(run) > 2 else run
        run = [square]
    return ", ".join(parts)


def _next_to(one: str, other: str) -> bool:
    return one[1:] == other[1:] and ord(other[0]) == ord(one[0]) + 1


def names_of(piece_names: Mapping[str, str]) -> Callable[[str], str]:
    """What a piece is called: its name, else its letter."""
    return lambda letter: piece_names.get(letter) or f"the piece {letter}"
