"""An imbalance: two armies made of the array, each without the men that only the other one has.

`Q:NR` is the array without a knight and a rook (army a) against the array without a queen (army
b): a queen against knight and rook, and all other men equal. Which copy of a man is missing is
drawn for each unit, so that no result hangs on one square; both armies draw alike, and so stay
mirror images in all that they have in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tabia.engine.match.openings import draw_move
from tabia.engine.rules.array import EMPTY, format_row
from tabia.engine.rules.effective import SIDES, Man, Rules

SEPARATOR = ":"


@dataclass(frozen=True, order=True)
class Imbalance:
    """The men that only army a has, and those that only army b has: letters, sorted, none in
    both."""

    a: str
    b: str

    def __str__(self) -> str:
        return f"{self.a}{SEPARATOR}{self.b}"

    @classmethod
    def parse(cls, label: str) -> Imbalance:
        """The imbalance of a label such as "Q:NR". ValueError where it is none."""
        a, separator, b = label.partition(SEPARATOR)
        made = cls("".join(sorted(a)), "".join(sorted(b)))
        capitals = (a + b).isascii() and (a + b).isalpha() and (a + b).isupper()
        if not (separator and a and b and capitals and str(made) == label) or set(a) & set(b):
            raise ValueError(f'no imbalance: found "{label}"; allowed: two armies such as "Q:NR"')
        return made

    def difference(self) -> dict[str, int]:
        """By letter, how many men more army a has."""
        difference = Counter(self.a)
        difference.subtract(self.b)
        return dict(difference)


def array_of(rules: Rules, imbalance: Imbalance, seed: str, white: str) -> str:
    """The position before the first move, as a FEN: army `white` ("a" or "b") is White's.

    seed: says which copies are missing. A castling right goes with its partner. ValueError where
    the array has too few men of a letter.
    """
    missing = {"a": imbalance.b, "b": imbalance.a}
    black = "b" if white == "a" else "a"
    gone: set[tuple[int, int]] = set()
    for side, army in zip(SIDES, (white, black), strict=True):
        gone.update((man.file, man.rank) for man in _drawn(rules, side, missing[army], seed))
    rows = "/".join(
        format_row(
            EMPTY if (file, rank) in gone else cell
            for file, cell in enumerate(rules.rows[rank + 1])
        )
        for rank in reversed(range(rules.board.ranks))
    )
    return f"{rows} w {_castling(rules, gone) or '-'} - 0 1"


def _drawn(rules: Rules, side: str, letters: str, seed: str) -> Iterator[Man]:
    army = _from_own_edge(rules, side)
    for letter, copies in sorted(Counter(letters).items()):
        men = [man for man in army if man.letter == letter]
        if len(men) < copies:
            raise ValueError(f"the array has {len(men)} of {letter} for {side}, not {copies}")
        left = [str(index) for index in range(len(men))]
        for copy in range(copies):
            index = draw_move(f"{seed}:{letter}:{copy}", left)
            left.remove(index)
            yield men[int(index)]


def _from_own_edge(rules: Rules, side: str) -> list[Man]:
    """The side's men rank by rank from its own edge, each rank from file a: mirrored arrays have
    mirrored lists."""
    forward = 1 if side == "white" else -1
    return sorted(rules.men(side), key=lambda man: (forward * man.rank, man.file))


def _castling(rules: Rules, gone: set[tuple[int, int]]) -> str:
    rights = ""
    for side, wings in zip(SIDES, ("KQ", "kq"), strict=True):
        castling = rules.sides[side].castling
        king = rules.castling_man(side)
        for wing, castle in zip(wings, (castling.kingside, castling.queenside), strict=True):
            if castle is None or king is None:
                continue
            if ("abcdefghijklmnop".index(castle.partner), king.rank) not in gone:
                rights += wing
    return rights


def near_balanced(
    worth: Mapping[str, float],
    copies: Mapping[str, int],
    pawn: str,
    most_men: int,
    within: float,
) -> Iterator[Imbalance]:
    """All imbalances of up to `most_men` men a side, two pawns counting as one, whose sides differ
    in worth by no more than `within`: each once, the army of fewer men first (of equal ones the
    earlier in the alphabet)."""
    armies = sorted(
        (sum(worth[letter] for letter in army), len(army), army)
        for army in _armies(sorted(worth), copies, pawn, most_men)
    )
    start = 0
    for index, (value, size, army) in enumerate(armies):
        while armies[start][0] < value - within:
            start += 1
        for _, other_size, other in armies[start:index]:
            if not set(army) & set(other):
                first, second = sorted([(size, army), (other_size, other)])
                yield Imbalance(first[1], second[1])


def _armies(
    letters: Iterable[str], copies: Mapping[str, int], pawn: str, most_men: int
) -> Iterator[str]:
    """The sorted texts of up to so many men, at least one, no letter more often than it has copies.
    Two pawns are one man, one pawn is one too."""
    others = [letter for letter in letters if letter != pawn]
    for pawns in range(min(2 * most_men, copies[pawn]) + 1):
        for size in range(most_men - (pawns + 1) // 2 + 1):
            if pawns + size:
                for army in _chosen(others, copies, size):
                    yield "".join(sorted(army + pawn * pawns))


def _chosen(letters: Sequence[str], copies: Mapping[str, int], size: int) -> Iterator[str]:
    """The sorted texts of exactly so many of these letters."""
    if size == 0:
        yield ""
        return
    for place, letter in enumerate(letters):
        for number in range(1, min(size, copies[letter]) + 1):
            for rest in _chosen(letters[place + 1 :], copies, size - number):
                yield letter * number + rest
