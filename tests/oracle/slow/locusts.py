"""Two games of men that capture on the way, from what their men are said to do.

The Lion, after "Chu shogi" of Wikipedia and the rules of the Chu Shogi Association: a step of a
king twice in one turn, each of which may capture; or a jump to any square within two; so that it
may capture a man beside it without moving (igui), or pass the turn (jitto) if a square beside it is
empty. The Soaring Eagle does the same along the forward diagonals, and slides in the other
directions. The game is chess with these.

The men of `tests/data/games/locusts.toml`, after its notes: men of Checkers, withdrawers and
advancers of one step, a man that leaps over its own, and a king with the power of igui.

Where several moves of a man have one start and one end, the text tells them apart by the men
captured on the way, nearest to the start first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from .kernel import (
    DIAGONAL,
    ORTHOGONAL,
    Board,
    Game,
    Lines,
    Man,
    Move,
    State,
    all_ways,
)

Trip = tuple[tuple[str, ...], str]
"""The squares of the men captured before the last step, and where it ends."""
Trips = Callable[[Board, str], Iterator[Trip]]

KING = ORTHOGONAL + DIAGONAL
TWO_AWAY = all_ways((0, 1), (1, 1), (0, 2), (2, 2), (1, 2))


class Locusts(Game):
    """What both games share; `trips` are the ways of those who capture on the way."""

    trips: dict[str, Trips]
    choices = ""

    def becomes(self, _state: State, pawn: str, to: str) -> list[str]:
        if to[1:] != ("8" if pawn.isupper() else "1"):
            return [""]
        return list(self.choices if pawn.isupper() else self.choices.lower())

    def pawn_moves(self, state: State, square: str, pawn: str) -> Iterator[Move]:
        if pawn not in "Pp":
            yield from self.far_moves(state, square, pawn)
            return
        up = 1 if pawn.isupper() else -1
        once, *twice = self.lines.ray(square, 0, up)[:2]
        if once not in state.board:
            yield from self.pawn_to(state, square, pawn, once)
            if square[1:] == ("2" if up > 0 else "7") and twice[0] not in state.board:
                yield from self.pawn_to(state, square, pawn, twice[0], (once,))
        yield from self.pawn_captures(state, square, pawn)

    def far_moves(self, state: State, square: str, letter: str) -> Iterator[Move]:
        """The moves of a man that captures on the way, each once."""
        board = state.board
        found = {(frozenset(taken), to) for taken, to in self.trips[letter](board, square)}
        for men, to in found:
            onto = () if to == square or to not in board else (to,)
            victims = [board[s] for s in (*men, *onto)]
            if any(victim in "Kk" for victim in victims):
                continue
            text = "".join(f"{s},{s}" for s in sorted(men, key=lambda s: self.far(square, s)))
            promotes = self.becomes(state, letter, to) if letter.upper() in self.pawns else [""]
            for new in promotes:
                yield Move(
                    square + text + to + new.lower(),
                    tuple({square, *men}),
                    ((to, new or letter),),
                    "".join(victims),
                    pawn=letter.upper() in self.pawns,
                    promoted=new,
                )

    def far(self, one: str, other: str) -> tuple[int, int, int]:
        (x, y), (u, v) = self.lines.at[one], self.lines.at[other]
        return max(abs(u - x), abs(v - y)), v, u

    def _pseudo_legal(self, state: State) -> Iterator[Move]:
        for square, letter in state.board.items():
            if letter.isupper() != state.white:
                continue
            if letter.upper() in self.pawns:
                yield from self.pawn_moves(state, square, letter)
            else:
                yield from self.far_moves(state, square, letter)

    def reached(self, board: Board, target: str, *, by_white: bool) -> bool:
        return any(
            target in taken or (to == target and to != square)
            for square, letter in board.items()
            if letter.isupper() == by_white
            for taken, to in self.takes(board, square, letter)
        )

    def takes(self, board: Board, square: str, letter: str) -> Iterator[Trip]:
        if letter in "Pp":
            for to in self.men[letter].takes(board, square):
                yield (), to
        else:
            yield from self.trips[letter](board, square)

    # --- ways -------------------------------------------------------------------------------

    def pawns_of(self) -> dict[str, Man]:
        leaper = self.lines.leaper
        return {
            "P": Man(leaper([(0, 1)]), leaper([(-1, 1), (1, 1)])),
            "p": Man(leaper([(0, -1)]), leaper([(-1, -1), (1, -1)])),
        }

    def beside(self, square: str, ways: tuple[tuple[int, int], ...]) -> list[tuple[str, int, int]]:
        return [(to, dx, dy) for dx, dy in ways if (to := self.lines.to(square, dx, dy))]

    def rides(self, *ways: tuple[int, int]) -> Trips:
        def trips(board: Board, square: str) -> Iterator[Trip]:
            for dx, dy in ways:
                for to in self.lines.ray(square, dx, dy):
                    if to not in board or foe(board, square, to):
                        yield (), to
                    if to in board:
                        break

        return trips

    def leaps(self, *ways: tuple[int, int]) -> Trips:
        def trips(board: Board, square: str) -> Iterator[Trip]:
            for to, _, _ in self.beside(square, ways):
                if to not in board or foe(board, square, to):
                    yield (), to

        return trips

    def walks(self, *ways: tuple[int, int]) -> Trips:
        """Steps to empty squares only."""

        def trips(board: Board, square: str) -> Iterator[Trip]:
            for to, _, _ in self.beside(square, ways):
                if to not in board:
                    yield (), to

        return trips


def foe(board: Board, square: str, other: str) -> bool:
    return other in board and board[square].isupper() != board[other].isupper()


def together(*ways: Trips) -> Trips:
    def trips(board: Board, square: str) -> Iterator[Trip]:
        for way in ways:
            yield from way(board, square)

    return trips


class Lions(Locusts):
    array = "rlbekblr/pppppppp/8/8/8/8/PPPPPPPP/RLBEKBLR"
    choices = "RBLE"
    one_coloured = "B"

    def __init__(self) -> None:
        super().__init__()
        self.lines = Lines(self.squares())
        self.men = self.pawns_of()
        self.trips = {
            "K": self.leaps(*KING),
            "R": self.rides(*ORTHOGONAL),
            "B": self.rides(*DIAGONAL),
            "L": together(self.leaps(*TWO_AWAY), self.double_steps),
        }
        self.trips |= {letter.lower(): trips for letter, trips in self.trips.items()}
        for eagle, up in (("E", 1), ("e", -1)):
            slides = self.rides(*ORTHOGONAL, (1, -up), (-1, -up))
            self.trips[eagle] = together(slides, self.stings((1, up)), self.stings((-1, up)))

    def double_steps(self, board: Board, square: str) -> Iterator[Trip]:
        """All that two steps of a king can do, the first of them a capture; and the pass."""
        for first, _, _ in self.beside(square, KING):
            if first not in board:
                yield (), square
            elif foe(board, square, first):
                for second, _, _ in self.beside(first, KING):
                    if second == square or second not in board or foe(board, square, second):
                        yield (first,), second

    def stings(self, way: tuple[int, int]) -> Trips:
        """The same along one line, and the jump to the second square."""

        @cache
        def ahead(square: str) -> tuple[str, ...]:
            return self.lines.ray(square, *way)[:2]

        def trips(board: Board, square: str) -> Iterator[Trip]:
            squares = ahead(square)
            for to in squares:
                if to not in board or foe(board, square, to):
                    yield (), to
            if not squares:
                return
            if squares[0] not in board:
                yield (), square
            elif foe(board, square, squares[0]):
                yield (squares[0],), square
                for to in squares[1:]:
                    if to not in board or foe(board, square, to):
                        yield (squares[0],), to

        return trips


class Jumpers(Locusts):
    array = "rwdakawr/ppcppcpp/8/8/8/8/PPCPPCPP/RWDAKAWR"
    pawns = "PC"
    choices = "RAD"

    def __init__(self) -> None:
        super().__init__()
        self.lines = Lines(self.squares())
        self.men = self.pawns_of()
        self.trips = {
            "K": together(self.leaps(*KING), self.rifle),
            "R": self.rides(*ORTHOGONAL),
            "W": together(self.walks(*KING), self.withdrawals),
            "A": together(self.walks(*KING), self.advances),
            "D": together(self.leaps(*KING), self.leaps_over_own),
        }
        self.trips |= {letter.lower(): trips for letter, trips in self.trips.items()}
        self.trips["C"] = together(self.walks((-1, 1), (1, 1)), self.jumps(1))
        self.trips["c"] = together(self.walks((-1, -1), (1, -1)), self.jumps(-1))

    def dead(self, _state: State) -> bool:
        return False  # a king that captures from afar is beyond what the core judges

    def rifle(self, board: Board, square: str) -> Iterator[Trip]:
        for there, _, _ in self.beside(square, ORTHOGONAL):
            if foe(board, square, there):
                yield (there,), square

    def withdrawals(self, board: Board, square: str) -> Iterator[Trip]:
        for there, dx, dy in self.beside(square, KING):
            to = self.lines.to(square, -dx, -dy)
            if to and to not in board and foe(board, square, there):
                yield (there,), to

    def advances(self, board: Board, square: str) -> Iterator[Trip]:
        for to, dx, dy in self.beside(square, KING):
            there = self.lines.to(to, dx, dy)
            if to not in board and there and foe(board, square, there):
                yield (there,), to

    def leaps_over_own(self, board: Board, square: str) -> Iterator[Trip]:
        for there, dx, dy in self.beside(square, KING):
            to = self.lines.to(there, dx, dy)
            if there not in board or foe(board, square, there) or board[there] in "Kk":
                continue
            if to and (to not in board or foe(board, square, to)):
                yield (there,), to

    def jumps(self, up: int) -> Trips:
        """Once or twice, each time forward over an enemy man to an empty square."""

        def once(board: Board, square: str, man: str) -> Iterator[tuple[str, str]]:
            for there, dx, dy in self.beside(square, ((-1, up), (1, up))):
                to = self.lines.to(there, dx, dy)
                stands = there in board and board[there].isupper() != man.isupper()
                if stands and to and to not in board:
                    yield there, to

        def trips(board: Board, square: str) -> Iterator[Trip]:
            man = board[square]
            for first, landing in once(board, square, man):
                yield (first,), landing
                for second, to in once(board, landing, man):
                    yield (first, second), to

        return trips


LIONS, LOCUSTS = Lions(), Jumpers()
