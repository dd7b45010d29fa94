"""Gigachess, from the text of Jean-Louis Cazaux's page (2001).

Read into it: a Corporal beside a square that was passed over has two moves there, the plain step
and the capture en passant, told apart by a `*` after the capture; a double step onto the last row
promotes, and leaves no pawn to capture en passant. The array's letters are those of Jocly.
"""

from __future__ import annotations

from collections.abc import Iterator

from .kernel import DIAGONAL, ORTHOGONAL, Game, Lines, Man, Move, State, all_ways, together


class Gigachess(Game):
    array = (
        "wzjxflhamcxjzw/dernbiqkibnred/ppppoooooopppp/4pppppp4/14/14/14/14/14/14/4PPPPPP4/"
        "PPPPOOOOOOPPPP/DERNBIQKIBNRED/WZJXFLHAMCXJZW"
    )
    pawns = "PO"
    one_coloured = "BJE"

    def __init__(self) -> None:
        super().__init__()
        self.lines = lines = Lines(self.squares())
        rook, bishop = lines.rider(ORTHOGONAL), lines.rider(DIAGONAL)
        knight, king = lines.leaper(all_ways((1, 2))), lines.leaper(all_ways((0, 1), (1, 1)))
        self.men = {
            "K": Man(king),
            "Q": Man(together(rook, bishop)),
            "R": Man(rook),
            "B": Man(bishop),
            "N": Man(knight),
            "A": Man(together(rook, bishop, knight)),
            "M": Man(together(rook, knight)),
            "C": Man(together(bishop, knight)),
            # "may move as a King …, or it may jump to a position two squares away … or as a Knight"
            "L": Man(lines.leaper(all_ways((0, 1), (1, 1), (0, 2), (2, 2), (1, 2)))),
            # Outward: back towards where it came from would be a step of a rook.
            "H": Man(lines.bent(lambda dx, dy: ((dx, 0), (0, dy)))),
            "X": Man(lines.bent(lambda _dx, dy: ((0, dy),))),
            "J": Man(lines.leaper(all_ways((1, 3)))),
            "F": Man(lines.leaper(all_ways((1, 2), (1, 3), (2, 3)))),
            "Z": Man(rook, lines.hopper(ORTHOGONAL)),
            "W": Man(bishop, lines.hopper(DIAGONAL)),
            "E": Man(lines.leaper(all_ways((1, 1), (2, 2)))),
            "D": Man(lines.leaper(all_ways((0, 1), (0, 2)))),
            "I": Man(king),
        }
        self.men |= {letter.lower(): man for letter, man in self.men.items()}
        for pawn, up in (("P", 1), ("O", 1), ("p", -1), ("o", -1)):
            self.men[pawn] = Man(lines.leaper([(0, up)]), lines.leaper([(-1, up), (1, up)]))

    def becomes(self, _state: State, pawn: str, to: str) -> list[str]:
        """On the last row an Amazon, and nothing else."""
        if to[1:] != ("14" if pawn.isupper() else "1"):
            return [""]
        return ["A" if pawn.isupper() else "a"]

    def pawn_moves(self, state: State, square: str, pawn: str) -> Iterator[Move]:
        passed: list[str] = []
        for to in self.lines.ray(square, 0, 1 if pawn.isupper() else -1)[:2]:
            if to in state.board:
                break
            yield from self.pawn_to(state, square, pawn, to, passed)
            passed.append(to)
        corporal = pawn in "Oo"
        if corporal:
            for to in self.men[pawn].takes(state.board, square):
                if to not in state.board:
                    yield from self.pawn_to(state, square, pawn, to)
        yield from self.pawn_captures(state, square, pawn, mark="*" * corporal)


GIGACHESS = Gigachess()
