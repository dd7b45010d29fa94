"""What the slow generators share: squares and lines, men, moves, the safety of the king, endings.

Plain and slow on purpose, and written from the games' own texts: a move is legal when, after it was
made on a copy of the board, no enemy man reaches the king. Nothing here knows Tabia's rule language
or its core. Squares are names ("g2"), men are letters, White's upper case; a board maps the one to
the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby

Board = Mapping[str, str]
Reach = Callable[[Board, str], Iterator[str]]
"""Where a man on a square may land on this board, be the square empty or not."""

ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def all_ways(*leaps: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Leaps given for one eighth of the compass, in every direction."""
    return tuple(
        sorted(
            {
                (dx * sx, dy * sy)
                for a, b in leaps
                for dx, dy in ((a, b), (b, a))
                for sx in (1, -1)
                for sy in (1, -1)
            }
        )
    )


class Lines:
    """The squares of a board, and the lines through them."""

    def __init__(self, squares: Iterable[str]):
        self.at = {name: (ord(name[0]) - ord("a"), int(name[1:])) for name in squares}
        self.name = {place: name for name, place in self.at.items()}
        self.ray = cache(self._ray)

    def _ray(self, square: str, dx: int, dy: int) -> tuple[str, ...]:
        x, y = self.at[square]
        squares = []
        while (x := x + dx, y := y + dy) in self.name:
            squares.append(self.name[x, y])
        return tuple(squares)

    def to(self, square: str, dx: int, dy: int) -> str | None:
        x, y = self.at[square]
        return self.name.get((x + dx, y + dy))

    # --- ways to move -----------------------------------------------------------------------

    def leaper(self, leaps: Iterable[tuple[int, int]]) -> Reach:
        leaps = tuple(leaps)

        @cache
        def targets(square: str) -> tuple[str, ...]:
            return tuple(to for dx, dy in leaps if (to := self.to(square, dx, dy)))

        return lambda _board, square: iter(targets(square))

    def rider(self, directions: Iterable[tuple[int, int]]) -> Reach:
        directions = tuple(directions)

        def reach(board: Board, square: str) -> Iterator[str]:
            for direction in directions:
                for to in self.ray(square, *direction):
                    yield to
                    if to in board:
                        break

        return reach

    def hopper(self, directions: Iterable[tuple[int, int]]) -> Reach:
        """Along a line, over exactly one man, onto the next one."""
        directions = tuple(directions)

        def reach(board: Board, square: str) -> Iterator[str]:
            for direction in directions:
                men = [to for to in self.ray(square, *direction) if to in board]
                yield from men[1:2]

        return reach

    def bent(self, onward: Callable[[int, int], Iterable[tuple[int, int]]]) -> Reach:
        """One square diagonally, then, if that is empty, on in the directions told for it."""

        def reach(board: Board, square: str) -> Iterator[str]:
            for dx, dy in DIAGONAL:
                corner = self.to(square, dx, dy)
                if corner is None:
                    continue
                yield corner
                if corner in board:
                    continue
                for direction in onward(dx, dy):
                    for to in self.ray(corner, *direction):
                        yield to
                        if to in board:
                            break

        return reach


def together(*ways: Reach) -> Reach:
    def reach(board: Board, square: str) -> Iterator[str]:
        for way in ways:
            yield from way(board, square)

    return reach


class Man:
    """What a man of one side can do: go to empty squares, take on others."""

    def __init__(self, goes: Reach, takes: Reach | None = None):
        self.goes = goes
        self.takes = takes or goes
        self.ever = cache(self._ever)

    def _ever(self, square: str) -> frozenset[str]:
        """Squares out of which no board makes it take: most men are too far off to matter."""
        return frozenset(self.goes({}, square)) | frozenset(self.takes({}, square))


@dataclass(frozen=True)
class Move:
    text: str
    off: tuple[str, ...]  # squares that become empty
    on: tuple[tuple[str, str], ...]  # squares and the men put there
    taken: str = ""
    pawn: bool = False
    promoted: str = ""
    passed: tuple[str, ...] = ()  # squares open to e.p. capture by the reply
    en_passant: bool = False


@dataclass(frozen=True)
class State:
    board: Board
    white: bool = True  # to move
    unmoved: frozenset[str] = frozenset()  # squares whose men have stood there from the start
    passed: tuple[str, ...] = ()
    victim: str = ""  # the pawn that passed them
    reserve: Mapping[str, int] = field(default_factory=dict)  # men out of play, by letter and case
    quiet: int = 0  # plies since the last one that the n-move rule counts from


class Game:
    """One game: a module of its own says which men there are, what pawns do, how it ends."""

    array: str  # ranks from the top, as in a FEN
    pawns = "P"
    men: Mapping[str, Man]  # by letter and case
    extra_reserve = ""
    one_coloured = ""  # men bound to one colour; no hoppers, with which the core just plays on
    wings: Mapping[str, str] = {}  # rooks that castle, and what a FEN calls the right
    lines: Lines

    def __init__(self) -> None:
        rows = self.array.split("/")
        self.ranks = len(rows)
        board = {}
        for rank, row in zip(range(self.ranks, 0, -1), rows, strict=True):
            file = 0
            for is_number, part in groupby(row, str.isdigit):
                text = "".join(part)
                if is_number:
                    file += int(text)
                    continue
                for letter in text:
                    board[f"{chr(ord('a') + file)}{rank}"] = letter
                    file += 1
            self.files = file
        extra = Counter(self.extra_reserve + self.extra_reserve.lower())
        self.start = State(board, unmoved=frozenset(board), reserve=extra)

    def set_up(self, board: Board, *, white: bool, quiet: int, castling: bool) -> State:
        """A position out of a game: men that are missing were captured, others have not moved where
        they stand as in the array; but kings have, without castling."""
        reserve = Counter(self.start.reserve)
        reserve.update(self.start.board.values())
        reserve.subtract(board.values())
        home = self.start.board.items() & board.items()
        unmoved = frozenset(square for square, man in home if castling or man not in "Kk")
        return State(board, white, unmoved, reserve=reserve, quiet=quiet)

    def fen(self, state: State) -> str:
        """Before any double step."""
        rights = "".join(sorted(self.wings.get(s, "") for s in self.rights(state))) or "-"
        side = "w" if state.white else "b"
        return f"{self.placement(state)} {side} {rights} - {state.quiet} 1"

    def may_stand(self, square: str, man: str) -> bool:
        """Whether a game can bring the man there: pawns only go up, and not beyond promotion."""
        if man.upper() not in self.pawns:
            return True
        rank = int(square[1:])
        return 3 <= (rank if man.isupper() else self.ranks + 1 - rank) < self.ranks

    def squares(self) -> list[str]:
        return [
            f"{chr(ord('a') + file)}{rank}"
            for rank in range(1, self.ranks + 1)
            for file in range(self.files)
        ]

    def placement(self, state: State) -> str:
        """The first field of a FEN."""
        rows = []
        for rank in range(self.ranks, 0, -1):
            row = "".join(
                state.board.get(f"{chr(ord('a') + file)}{rank}", " ") for file in range(self.files)
            )
            rows.append(
                "".join(
                    str(len(text)) if text[0] == " " else text
                    for text in ("".join(part) for _, part in groupby(row, lambda c: c == " "))
                )
            )
        return "/".join(rows)

    # --- what a game says -------------------------------------------------------------------

    def pawn_moves(self, state: State, square: str, pawn: str) -> Iterator[Move]:
        raise NotImplementedError

    def becomes(self, state: State, pawn: str, to: str) -> list[str]:
        """What the pawn may be on that square, by letter and case; "" is the pawn that it was."""
        raise NotImplementedError

    def castling(self, _state: State) -> Iterator[Move]:
        return iter(())

    def may_take(self, man: str, victim: str) -> bool:
        return man.isupper() != victim.isupper()

    def resets(self, move: Move) -> bool:
        """Whether the n-move rule counts anew from this move."""
        return move.pawn or bool(move.taken)

    def rights(self, _state: State) -> frozenset[str]:
        """Men whose never having moved still gives a right: two positions differ by them."""
        return frozenset()

    def dead(self, state: State) -> bool:
        """No series of moves leads to a mate: beside the kings, one knight at most, or men that
        stand on squares of one colour and never leave them."""
        rest = {square: man for square, man in state.board.items() if man not in "Kk"}
        colours = {sum(self.lines.at[square]) % 2 for square in rest}
        men = "".join(rest.values()).upper()
        return men == "N" or (set(men) <= set(self.one_coloured) and len(colours) <= 1)

    def may_be(self, state: State) -> bool:
        """Whether a game can come to the position, as far as a glance tells: the side that moved
        last has not left its king to be captured."""
        return not self.threatened(state.board, white=not state.white)

    # --- what several games have in common ----------------------------------------------------

    def pawn_to(
        self, state: State, square: str, pawn: str, to: str, passed: Iterable[str] = ()
    ) -> Iterator[Move]:
        """The pawn's move to a square, once for each man that it may be there. passed: the squares
        that are then open to capture en passant, if it is a pawn still."""
        for letter in self.becomes(state, pawn, to):
            yield Move(
                square + to + letter.lower(),
                (square,),
                ((to, letter or pawn),),
                state.board.get(to, ""),
                pawn=True,
                promoted=letter,
                passed=() if letter else tuple(passed),
            )

    def pawn_captures(self, state: State, square: str, pawn: str, mark: str = "") -> Iterator[Move]:
        """The pawn's captures, those en passant among them; mark: what tells these from a plain
        move of it to the same square."""
        for to in self.men[pawn].takes(state.board, square):
            if to in state.board:
                if self.may_take(pawn, state.board[to]):
                    yield from self.pawn_to(state, square, pawn, to)
            elif to in state.passed:
                yield Move(
                    square + to + mark,
                    (square, state.victim),
                    ((to, pawn),),
                    state.board[state.victim],
                    pawn=True,
                    en_passant=True,
                )

    def open_wings(
        self, state: State, home: str, corners: Mapping[str, int]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The corners, each with its direction from the king's square, whose man the king may turn
        to, neither of them having moved and nobody between them; and the squares between."""
        if home not in state.unmoved or self.check(state):
            return
        for corner, way in corners.items():
            line = self.lines.ray(home, way, 0)
            between = line[: line.index(corner)]
            if corner in state.unmoved and not any(square in state.board for square in between):
                yield corner, between

    # --- moves ------------------------------------------------------------------------------

    def reached(self, board: Board, target: str, *, by_white: bool) -> bool:
        """Whether a man of that side could take on the square."""
        return any(
            letter.isupper() == by_white
            and target in (man := self.men[letter]).ever(square)
            and target in man.takes(board, square)
            for square, letter in board.items()
        )

    def check(self, state: State) -> bool:
        return self.threatened(state.board, white=state.white)

    def threatened(self, board: Board, *, white: bool) -> bool:
        king = "K" if white else "k"
        return self.reached(
            board, next(s for s, man in board.items() if man == king), by_white=not white
        )

    def moves(self, state: State) -> dict[str, Move]:
        """All legal moves by their text."""
        legal = {}
        for move in self._pseudo_legal(state):
            if not self.threatened(self._board_after(state, move), white=state.white):
                assert move.text not in legal, move.text
                legal[move.text] = move
        return legal

    def _pseudo_legal(self, state: State) -> Iterator[Move]:
        for square, letter in state.board.items():
            if letter.isupper() != state.white:
                continue
            if letter.upper() in self.pawns:
                yield from self.pawn_moves(state, square, letter)
                continue
            man = self.men[letter]
            # A man may have two ways to one square; that is still one move.
            goes = {to for to in man.goes(state.board, square) if to not in state.board}
            takes = {
                to
                for to in man.takes(state.board, square)
                if to in state.board and self.may_take(letter, state.board[to])
            }
            for to in goes | takes:
                yield Move(square + to, (square,), ((to, letter),), state.board.get(to, ""))
        yield from self.castling(state)

    def _board_after(self, state: State, move: Move) -> dict[str, str]:
        board = dict(state.board)
        for square in move.off:
            del board[square]
        board.update(move.on)
        return board

    def play(self, state: State, move: Move) -> State:
        reserve = Counter(state.reserve)
        if move.taken and move.taken.upper() not in self.pawns:
            reserve[move.taken] += 1
        if move.promoted:
            reserve[move.promoted] -= 1
        touched = {*move.off, *(square for square, _ in move.on)}
        return State(
            self._board_after(state, move),
            not state.white,
            state.unmoved - touched,
            move.passed,
            move.on[0][0] if move.passed else "",
            reserve,
            0 if self.resets(move) else state.quiet + 1,
        )

    def perft(self, state: State, depth: int) -> int:
        moves = self.moves(state)
        if depth == 1:
            return len(moves)
        return sum(self.perft(self.play(state, move), depth - 1) for move in moves.values())

    # --- endings ----------------------------------------------------------------------------

    def identity(self, state: State, moves: Mapping[str, Move]) -> object:
        """Equal for positions with the same men, side to move, rights and e.p. captures."""
        en_passant = frozenset(text for text, move in moves.items() if move.en_passant)
        return frozenset(state.board.items()), state.white, self.rights(state), en_passant

    def outcome(
        self, state: State, moves: Mapping[str, Move], times: int
    ) -> tuple[str, str] | None:
        """Result and reason; times: how often this position has occurred."""
        if not moves:
            if self.check(state):
                return "0-1" if state.white else "1-0", "checkmate"
            return "1/2-1/2", "stalemate"
        if self.dead(state):
            return "1/2-1/2", "dead position"
        if times >= 3:
            return "1/2-1/2", "repetition"
        if state.quiet >= 100:
            return "1/2-1/2", "n-move rule"
        return None
