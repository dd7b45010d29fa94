"""Gross Chess, from the text of Fergus Duniho's page (2009).

Read into it: the king does not castle onto the rook's own square; a pawn that moved three squares
may be captured on either square it passed ("any enemy Pawn it passes by in an adjacent file"; "as
in Omega Chess"); promotion is compulsory on the twelfth rank, as it is on Grand Chess's last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from .kernel import DIAGONAL, ORTHOGONAL, Game, Lines, Man, Move, State, all_ways, together

TENTH = "BNVW"  # "Bishops, Knights, Vaos, and Wizards"
ELEVENTH = TENTH + "SCR"  # "these pieces plus Champions, Cannons, and Rooks"
TWELFTH = ELEVENTH + "AMQ"  # "Archbishop, Marshall, or Queen … only on the last rank"


class Gross(Game):
    array = (
        "mavwc2cwvam/1rsnbqkbnsr1/pppppppppppp/12/12/12/12/12/12/PPPPPPPPPPPP/1RSNBQKBNSR1/"
        "MAVWC2CWVAM"
    )
    extra_reserve = "QQRRRRNNNNBBBB"  # "also two Queens, four Rooks, four Knights, four Bishops"
    wings: Mapping[str, str] = {"k2": "K", "b2": "Q", "k11": "k", "b11": "q"}
    one_coloured = "BW"

    def __init__(self) -> None:
        super().__init__()
        self.lines = lines = Lines(self.squares())
        rook, bishop = lines.rider(ORTHOGONAL), lines.rider(DIAGONAL)
        knight = lines.leaper(all_ways((1, 2)))
        self.men = {
            "K": Man(lines.leaper(all_ways((0, 1), (1, 1)))),
            "Q": Man(together(rook, bishop)),
            "M": Man(together(rook, knight)),
            "A": Man(together(knight, bishop)),
            "R": Man(rook),
            "B": Man(bishop),
            "N": Man(knight),
            "S": Man(lines.leaper(all_ways((0, 2), (2, 2), (0, 1)))),
            "W": Man(lines.leaper(all_ways((1, 1), (1, 3)))),
            "C": Man(rook, lines.hopper(ORTHOGONAL)),
            "V": Man(bishop, lines.hopper(DIAGONAL)),
        }
        self.men |= {letter.lower(): man for letter, man in self.men.items()}
        for pawn, up in (("P", 1), ("p", -1)):
            self.men[pawn] = Man(lines.leaper([(0, up)]), lines.leaper([(-1, up), (1, up)]))

    def becomes(self, state: State, pawn: str, to: str) -> list[str]:
        """What a pawn that reaches the square may be: men held in reserve, or itself."""
        rank = int(to[1:]) if pawn == "P" else 13 - int(to[1:])
        letters = {10: TENTH, 11: ELEVENTH, 12: TWELFTH}.get(rank, "")
        if pawn == "p":
            letters = letters.lower()
        held = [letter for letter in letters if state.reserve[letter] > 0]
        return held if rank == 12 else [*held, ""]

    def pawn_moves(self, state: State, square: str, pawn: str) -> Iterator[Move]:
        up = 1 if pawn == "P" else -1
        passed: list[str] = []
        for to in self.lines.ray(square, 0, up)[: 3 if square in state.unmoved else 1]:
            if to in state.board:
                break
            yield from self.pawn_to(state, square, pawn, to, passed)
            passed.append(to)
        yield from self.pawn_captures(state, square, pawn)

    def castling(self, state: State) -> Iterator[Move]:
        rank, king, rook = (2, "K", "R") if state.white else (11, "k", "r")
        home = f"g{rank}"
        for corner, between in self.open_wings(state, home, {f"b{rank}": -1, f"k{rank}": 1}):
            for before, to in pairwise(between):
                walk = between[: between.index(to)]
                alone = {square: man for square, man in state.board.items() if square != home}
                if any(
                    self.reached({**alone, square: king}, square, by_white=not state.white)
                    for square in walk
                ):
                    break
                yield Move(home + to, (home, corner), ((to, king), (before, rook)))

    def rights(self, state: State) -> frozenset[str]:
        """Kings and rooks that may still castle, now or later."""
        return frozenset(
            rook
            for king, rooks in (("g2", ("b2", "k2")), ("g11", ("b11", "k11")))
            for rook in rooks
            if king in state.unmoved and rook in state.unmoved
        )


GROSS = Gross()
