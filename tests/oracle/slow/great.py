"""Great Chess, from the rules of Chess2100 and its page on the Wolf.

The 8x8 squares are b2 to i9, so that a1, j1, a10 and j10 are the citadels. T is the Tower, S the
Soldier. Read into it: the Hawk goes one square diagonally or leaps two in any direction; it starts
on the j-file; Wolf and Hawk leave a citadel by one of their moves from the corner square beside it
and may capture by that move; castling is that of Western Chess; retiring a Soldier is not the
capture that the 50 moves are counted from; a captured man that a Soldier became is used up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .kernel import (
    DIAGONAL,
    ORTHOGONAL,
    Board,
    Game,
    Lines,
    Man,
    Move,
    Reach,
    State,
    all_ways,
    together,
)

CORNERS = {"a1": "b2", "j1": "i2", "a10": "b9", "j10": "i9"}


def from_citadels(reach: Reach) -> Reach:
    def reach_too(board: Board, square: str) -> Iterator[str]:
        return reach(board, CORNERS.get(square, square))

    return reach_too


class Great(Game):
    array = "w8h/1tnbqkbnt1/1ssssssss1/10/10/10/10/1SSSSSSSS1/1TNBQKBNT1/W8H"
    pawns = "S"
    wings: Mapping[str, str] = {"i2": "K", "b2": "Q", "i9": "k", "b9": "q"}

    def __init__(self) -> None:
        super().__init__()
        self.lines = lines = Lines(
            square
            for square in self.squares()
            if square[0] in "bcdefghi" and square[1:] in "23456789"
        )
        rook, bishop = lines.rider(ORTHOGONAL), lines.rider(DIAGONAL)
        self.men = {
            "K": Man(lines.leaper(all_ways((0, 1), (1, 1)))),
            "Q": Man(together(rook, bishop)),
            "T": Man(rook),
            "B": Man(bishop),
            "N": Man(lines.leaper(all_ways((1, 2)))),
            "W": Man(from_citadels(lines.leaper(all_ways((0, 1), (1, 3))))),
            "H": Man(from_citadels(lines.leaper(all_ways((1, 1), (0, 2), (2, 2))))),
        }
        self.men |= {letter.lower(): man for letter, man in self.men.items()}
        for soldier, up in (("S", 1), ("s", -1)):
            self.men[soldier] = Man(
                lines.leaper([(0, up), (0, -up)]), lines.leaper([(-1, up), (1, up)])
            )

    def may_stand(self, square: str, man: str) -> bool:
        """Soldiers everywhere: they retreat, and may stay Soldiers on the last row."""
        return self.start.board[square] == man if square in CORNERS else square in self.lines.at

    def may_take(self, man: str, victim: str) -> bool:
        """Enemies; and power pieces take over the place of one of their own Soldiers."""
        if man.isupper() != victim.isupper():
            return True
        return victim in "Ss" and man.upper() in "QTBNWH"

    def becomes(self, state: State, soldier: str, to: str) -> list[str]:
        """On the last row any captured power piece, or a Soldier still."""
        if to[1:] != ("9" if soldier == "S" else "2"):
            return [""]
        letters = "QTBNWH" if soldier == "S" else "qtbnwh"
        return ["", *(letter for letter in letters if state.reserve[letter] > 0)]

    def pawn_moves(self, state: State, square: str, pawn: str) -> Iterator[Move]:
        board, up = state.board, 1 if pawn == "S" else -1
        front = self.lines.to(square, 0, up)
        if front and front not in board:
            yield from self.pawn_to(state, square, pawn, front)
            further = self.lines.to(front, 0, up)
            if further and square in state.unmoved and further not in board:
                yield from self.pawn_to(state, square, pawn, further, passed=(front,))
        back = self.lines.to(square, 0, -up)
        if back and back not in board:
            yield from self.pawn_to(state, square, pawn, back)
        yield from self.pawn_captures(state, square, pawn)

    def castling(self, state: State) -> Iterator[Move]:
        rank, king, tower = (2, "K", "T") if state.white else (9, "k", "t")
        home = f"f{rank}"
        for corner, between in self.open_wings(state, home, {f"b{rank}": -1, f"i{rank}": 1}):
            over, to = between[:2]
            alone = {square: man for square, man in state.board.items() if square != home}
            if not self.reached({**alone, over: king}, over, by_white=not state.white):
                yield Move(home + to, (home, corner), ((to, king), (over, tower)))

    def rights(self, state: State) -> frozenset[str]:
        """Towers that may still castle, Soldiers that may still take a double step."""
        return frozenset(
            square
            for square in state.unmoved
            if state.board[square] in "Ss"
            or (square in ("b2", "i2") and "f2" in state.unmoved)
            or (square in ("b9", "i9") and "f9" in state.unmoved)
        )

    def resets(self, move: Move) -> bool:
        """ "Without any piece capture": moves of Soldiers count, and so does retiring one's own."""
        return bool(move.taken) and move.taken.isupper() != move.on[0][1].isupper()

    def dead(self, _state: State) -> bool:
        """Never: what could not mate can still destroy an army."""
        return False

    def may_be(self, state: State) -> bool:
        """The side that moved last has men: without any, it had lost before."""
        return super().may_be(state) and not self.destroyed(state, white=not state.white)

    def destroyed(self, state: State, *, white: bool) -> bool:
        """Whether that side has no combatant left but its king; on a citadel, none is one."""
        return not any(
            man.isupper() == white and man not in "Kk"
            for square, man in state.board.items()
            if square not in CORNERS
        )

    def outcome(
        self, state: State, moves: Mapping[str, Move], times: int
    ) -> tuple[str, str] | None:
        ended = super().outcome(state, moves, times)
        if self.destroyed(state, white=state.white) and (not ended or ended[1] != "checkmate"):
            return "0-1" if state.white else "1-0", "bare king"
        return ended


GREAT = Great()
