"""Games played the slow way: a second reading of the core's tables, which knows no trick.

It tries every move on a dictionary and asks whether an enemy man could then capture a king. It
shares no line and no idea with the core, whose tables `engine/core/rules.hpp` describes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

Man = tuple[int, int]  # side (0 = White), type
Board = dict[int, Man]
Step = dict[str, Any]


def name(square: int) -> str:
    return f"{chr(ord('a') + square % 16)}{square // 16 + 1}"


@dataclass(frozen=True)
class Right:
    side: int
    letter: str
    king: int
    rook: int
    moves: tuple[tuple[int, int], ...]  # to where king and rook may go
    from_move: int = 1


@dataclass(frozen=True)
class Play:
    """A move and what it does: men taken off, men put down, squares left open to e.p."""

    text: str
    off: tuple[int, ...]
    on: tuple[tuple[int, Man], ...]
    passed: tuple[int, ...] = ()
    en_passant: int | None = None  # the target
    victim: Man | None = None
    taken: tuple[Man, ...] = ()  # on the way


@dataclass(frozen=True)
class Game:
    tables: dict[str, Any]
    board: Board
    side: int
    rights: frozenset[Right]
    unmoved: frozenset[int] = frozenset()
    passed: tuple[int, ...] = ()
    victim: int = -1
    clock: int = 0
    number: int = 1
    before: tuple[Game, ...] = field(default=(), repr=False)

    # --- the board -------------------------------------------------------------------------

    @property
    def citadels(self) -> dict[int, int]:
        return {c["square"]: c["moves_as"] for c in self.tables.get("citadels", [])}

    def exists(self, file: int, rank: int) -> bool:
        t = self.tables
        square = rank * 16 + file
        inside = 0 <= file < t["files"] and 0 <= rank < t["ranks"]
        return inside and square not in t["holes"] and square not in self.citadels

    def go(self, square: int, offset: Any, step: Step) -> int | None:
        file, rank = square % 16 + offset[0], square // 16 + offset[1]
        if step.get("wrap"):
            file %= self.tables["files"]
        return rank * 16 + file if self.exists(file, rank) else None

    def ride(self, stand: int, step: Step) -> Iterator[int]:
        """The squares of the way, men or none, as far as the board and the range go."""
        at: int | None = stand
        if step["dx"] == step["dy"] == 0:
            yield stand
            return
        if step.get("first"):
            at = self.go(stand, step["first"], step)
            if at == stand:
                return
        ends = (stand, at)  # once round the board
        for _ in range(step["range"] or 16):
            at = None if at is None else self.go(at, (step["dx"], step["dy"]), step)
            if at is None or at in ends:
                return
            yield at

    def reached(self, board: Board, stand: int, step: Step) -> Iterator[int]:
        """The squares that a step leads to, whoever stands there."""
        if step.get("first"):
            bend = self.go(stand, step["first"], step)
            if bend is None or bend in board:
                return
        hurdles, behind = 0, False
        for count, at in enumerate(self.ride(stand, step), 1):
            if count < step.get("start", 1):
                continue
            if not step.get("hop"):
                yield at
                if at in board:
                    return
                continue
            if hurdles and (step["hop"] == "over" or behind):
                yield at
            if hurdles and (at in board or step["hop"] == "behind"):
                return
            if at in board:
                if board[at][1] in step.get("not_over", []):
                    return
                hurdles, behind = 1, True

    def steps(
        self, board: Board, origin: int
    ) -> Iterator[tuple[Step, int, tuple[int, ...], tuple[int, ...]]]:
        """(primitive, destination, squares passed, squares captured on) of the man there."""
        side, kind = board[origin]
        stand = self.citadels.get(origin, origin)
        for step in self.tables["sides"][side]["moves"][kind]:
            if step["from"] is not None and stand not in step["from"]:
                continue
            if step.get("unmoved") and origin not in self.unmoved:
                continue
            via = [self.go(stand, offset, step) for offset in step["via"]]
            over = [self.go(stand, offset, step) for offset in step.get("over", [])]
            if None in via + over or any(v in board for v in via):
                continue
            if any(v not in board for v in over):
                continue
            if any(board[v][1] in step.get("not_over", []) for v in over if v is not None):
                continue
            taken = [self.go(stand, offset, step) for offset in step.get("takes", [])]
            own = [self.go(stand, offset, step) for offset in step.get("takes_own", [])]
            if None in taken + own or any(v not in board for v in taken + own):
                continue
            if any(not self.takes(step, side, board[v], own=False) for v in taken if v is not None):
                continue
            if any(not self.takes(step, side, board[v], own=True) for v in own if v is not None):
                continue
            on_the_way = tuple(v for v in (*taken, *own) if v is not None)
            for to in self.reached(board, stand, step):
                yield step, to, tuple(v for v in via if v is not None), on_the_way

    def takes(self, step: Step, side: int, man: Man, *, own: bool) -> bool:
        """Whether the step of that side may capture such a man, the enemy's king included."""
        if (man[0] == side) != own:
            return False
        if own:
            victims = step.get("victims")
            return not self.is_royal(man) and (victims is None or man[1] in victims)
        return man[1] not in step.get("not_onto", [])

    def attacked(self, board: Board, square: int, by: int) -> bool:
        """Whether a man of that side could capture a king there."""
        there = {**board, square: (1 - by, self.royal(1 - by)[0])}
        return any(
            (to == square or (square in taken and self.may_end(step, there, origin, to)))
            and (square in taken or "c" in step["mode"])
            and not {*self.royal(1 - by)} <= {*step.get("not_onto", [])}
            for origin, man in board.items()
            if man[0] == by
            for step, to, _, taken in self.steps(there, origin)
        )

    def may_end(self, step: Step, board: Board, origin: int, to: int) -> bool:
        """Whether a man that captured on its way may end there."""
        if to == origin or to not in board:
            return "m" in step["mode"]
        own = board[to][0] == board[origin][0]
        return ("d" if own else "c") in step["mode"] and self.takes(
            step, board[origin][0], board[to], own=own
        )

    def royal(self, side: int) -> list[int]:
        return list(self.tables["sides"][side]["royal"])

    def is_royal(self, man: Man) -> bool:
        return man[1] in self.royal(man[0])

    def kings(self, board: Board, side: int) -> list[int]:
        return [s for s, man in board.items() if man[0] == side and self.is_royal(man)]

    def rule(self, side: int) -> str:
        return str(self.tables["sides"][side].get("check", "every"))

    def keeps_kings(self, side: int) -> bool:
        """Whether the side may lose none of them."""
        return self.rule(side) == "every" or len(self.kings(self.board, side)) == 1

    def exposed(self, board: Board, side: int) -> bool:
        """Whether the side is in check, were it its turn."""
        attacks = [self.attacked(board, king, 1 - side) for king in self.kings(board, side)]
        if len(attacks) > 1 and self.rule(side) == "last":
            return False
        return all(attacks) if self.rule(side) == "duple" else any(attacks)

    def check(self) -> bool:
        return self.exposed(self.board, self.side)

    # --- moves -----------------------------------------------------------------------------

    def after(self, play: Play) -> Board:
        board = {s: man for s, man in self.board.items() if s not in play.off}
        board.update(play.on)
        return board

    @cached_property
    def legal(self) -> list[Play]:
        """Each once."""
        plays = dict.fromkeys([*self.men_moves(), *self.castlings()])
        return [play for play in plays if not self.exposed(self.after(play), self.side)]

    def men_moves(self) -> Iterator[Play]:
        for origin, man in self.board.items():
            if man[0] != self.side:
                continue
            for step, to, via, taken in self.steps(self.board, origin):
                victim = self.board.get(to) if to != origin else None
                off = (origin, to, *sorted(taken))
                if self.keeps_kings(1 - self.side) and any(
                    self.board[v][0] != self.side and self.is_royal(self.board[v]) for v in taken
                ):
                    continue
                target: int | None = None
                star = ""
                if step["mode"] == "e":
                    if to not in self.passed:
                        continue
                    victim = self.board[self.victim]
                    if victim[1] not in (step.get("ep_victims") or range(26)):
                        continue
                    off, target = (origin, self.victim), to
                    star = "*" * self.could_go(origin, to, "m")
                elif not self.may_land(step, victim):
                    continue
                passed = via if step["ep"] else ()
                for promotion in self.promotions(man, to):
                    kind = man[1] if promotion is None else promotion
                    letter = "" if promotion is None else self.tables["letters"][kind].lower()
                    yield Play(
                        self.legs(origin, taken) + name(to) + letter + star,
                        off,
                        ((to, (self.side, kind)),),
                        passed if promotion is None else (),
                        target,
                        victim,
                        tuple(self.board[v] for v in sorted(taken)),
                    )

    def legs(self, origin: int, taken: tuple[int, ...]) -> str:
        """A move's text but for the square where it ends: from man to man, the nearest first."""

        def far(square: int) -> tuple[int, int]:
            across, along = square % 16 - origin % 16, square // 16 - origin // 16
            return max(abs(across), abs(along)), square

        return name(origin) + "".join(f"{name(v)},{name(v)}" for v in sorted(taken, key=far))

    def may_land(self, step: Step, on: Man | None) -> bool:
        if on is None:
            return "m" in step["mode"]
        if self.is_royal(on) and (on[0] == self.side or self.keeps_kings(on[0])):
            return False
        if on[0] != self.side:
            return "c" in step["mode"] and on[1] not in step.get("not_onto", [])
        victims = step.get("victims")
        return "d" in step["mode"] and (victims is None or on[1] in victims)

    def promotions(self, man: Man, to: int) -> list[int | None]:
        for rule in self.tables["sides"][man[0]]["promotions"][man[1]]:
            if to in rule["squares"]:
                men = list(self.board.values())
                open_to = [
                    kind
                    for kind in rule["to"]
                    if rule["limit"][kind] < 0 or men.count((man[0], kind)) < rule["limit"][kind]
                ]
                stays = rule.get("when_none") == "stays" and not open_to
                return [*open_to, *([None] if stays or not rule["compulsory"] else [])]
        return [None]

    def could_go(self, origin: int, to: int, modes: str) -> bool:
        """Whether another move of that man can ever have these two squares."""
        side, kind = self.board[origin]
        stand = self.citadels.get(origin, origin)
        for step in self.tables["sides"][side]["moves"][kind]:
            if not any(mode in step["mode"] for mode in modes):
                continue
            if step.get("takes") or step.get("takes_own"):
                continue  # its text says more
            if step["from"] is not None and stand not in step["from"]:
                continue
            conditions = [*step["via"], *step.get("over", [])]
            if any(self.go(stand, offset, step) is None for offset in conditions):
                continue
            least = 2 if step.get("hop") else step.get("start", 1)
            if to in list(self.ride(stand, step))[least - 1 :]:
                return True
        return False

    def castlings(self) -> Iterator[Play]:
        for right in self.rights:
            if right.side != self.side or self.number < right.from_move:
                continue
            king, rook = self.board[right.king], self.board[right.rook]
            for king_to, rook_to in right.moves:
                ways = [(right.king, king_to), (right.rook, rook_to)]
                walked = {s for way in ways for s in range(min(way), max(way) + 1)}
                if any(
                    not self.exists(s % 16, s // 16)
                    or (s in self.board and s not in (right.king, right.rook))
                    for s in walked
                ):
                    continue
                # Where the king ends is asked of the position that castling leads to.
                crossed = set(range(min(ways[0]), max(ways[0]) + 1)) - {king_to} | {right.king}
                crossed = crossed if self.keeps_kings(self.side) else set()
                lifted = {s: man for s, man in self.board.items() if s != right.king}
                if any(self.attacked(lifted, s, 1 - self.side) for s in crossed):
                    continue
                star = "*" * self.could_go(right.king, king_to, "mcd")
                yield Play(
                    name(right.king) + name(king_to) + star,
                    (right.king, right.rook),
                    ((king_to, king), (rook_to, rook)),
                )

    def play(self, play: Play) -> Game:
        touched = {*play.off, *(square for square, _ in play.on)}
        t = self.tables
        mover = self.board[play.off[0]][1]
        resets = mover in t["n_move_reset_types"] and len(play.on) == 1
        for victim in (*filter(None, [play.victim]), *play.taken):
            own = victim[0] == self.side
            resets |= t.get("n_move_reset_own_capture", False) if own else t["n_move_reset_capture"]
        return replace(
            self,
            board=self.after(play),
            side=1 - self.side,
            rights=frozenset(r for r in self.rights if not touched & {r.king, r.rook}),
            unmoved=self.unmoved - touched,
            passed=play.passed,
            victim=play.on[0][0],
            clock=0 if resets else self.clock + 1,
            number=self.number + self.side,
            before=(*self.before, self),
        )

    # --- how it stands ---------------------------------------------------------------------

    def open_squares(self) -> tuple[int, ...]:
        """Where an e.p. capture is legal, as a FEN has it."""
        targets = {play.en_passant for play in self.legal}
        return tuple(dict.fromkeys(s for s in self.passed if s in targets))

    def same(self) -> tuple[Any, ...]:
        """What makes a position: two that agree in it are the same."""
        waiting = frozenset(s for s in self.unmoved if self.may_wait(self.board[s]))
        rights = frozenset((r.side, r.rook) for r in self.rights)
        men = frozenset(self.board.items())
        return men, self.side, rights, waiting, frozenset(self.open_squares())

    def may_wait(self, man: Man) -> bool:
        return any(s.get("unmoved") for s in self.tables["sides"][man[0]]["moves"][man[1]])

    def is_bare(self, side: int) -> bool:
        ignored = self.citadels if self.tables.get("bare_ignores_citadels") else {}
        return not any(
            man[0] == side and not self.is_royal(man) and square not in ignored
            for square, man in self.board.items()
        )

    def outcome(self) -> tuple[str, str] | None:
        """(result, reason), dead positions apart."""

        def result(side: int, gets: str) -> str:
            worth = {"win": 1, "draw": 0, "loss": -1}[gets] * (1 if side == 0 else -1)
            return {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[worth]

        t = self.tables
        if not self.legal and self.check():
            return result(self.side, "loss"), "checkmate"
        bare = [side for side in (0, 1) if self.is_bare(side)]
        rule = t.get("bare", "none")
        answers = (
            t.get("bare_answer")
            and bare == [self.side]
            and any(self.play(play).is_bare(1 - self.side) for play in self.legal)
        )
        if rule != "none" and bare and not (rule == "loss" and answers):
            return result(bare[0], "draw" if len(bare) == 2 else rule), "bare king"
        if not self.legal:
            return result(self.side, t["sides"][self.side]["stalemate"]), "stalemate"
        if t["n_move_plies"] and self.clock >= t["n_move_plies"]:
            return "1/2-1/2", "n-move rule"
        seen = [earlier.same() for earlier in (*self.before, self)].count(self.same())
        if t["repetition"] and seen >= t["repetition"]:
            gets = t.get("repetition_result", "draw")
            return result(1 - self.side, gets), "repetition"
        return None

    def fen(self) -> str:
        t = self.tables
        rows = []
        for rank in reversed(range(t["ranks"])):
            row, blank = "", 0
            for file in range(t["files"]):
                man = self.board.get(rank * 16 + file)
                if man is None:
                    blank += 1
                    continue
                letter = t["letters"][man[1]]
                row += str(blank or "") + (letter if man[0] == 0 else letter.lower())
                blank = 0
            rows.append(row + str(blank or ""))
        rights = "".join(sorted(r.letter if r.side == 0 else r.letter.lower() for r in self.rights))
        passed = "".join(name(s) for s in self.open_squares())
        fields = (rights or "-", passed or "-", self.clock, self.number)
        return f"{'/'.join(rows)} {'wb'[self.side]} {' '.join(str(f) for f in fields)}"


def array(tables: dict[str, Any]) -> Game:
    """The position that the game starts from."""
    types = {letter: kind for kind, letter in enumerate(tables["letters"])}
    board: Board = {}
    for row, text in enumerate(tables["start_fen"].split()[0].split("/")):
        file = 0
        digits = ""
        for char in f"{text} ":
            if char.isdigit():
                digits += char
                continue
            file, digits = file + int(digits or 0), ""
            if char != " ":
                square = (tables["ranks"] - 1 - row) * 16 + file
                board[square] = (int(char.islower()), types[char.upper()])
                file += 1
    rights = frozenset(
        Right(
            side,
            c["letter"],
            c["king_from"],
            c["rook_from"],
            tuple((m["king_to"], m["rook_to"]) for m in c.get("moves", [c])),
            c.get("from_move", 1),
        )
        for side in (0, 1)
        for c in tables["sides"][side]["castling"]
    )
    return Game(tables, board, 0, rights, frozenset(board))


def fen_reader_view(game: Game) -> frozenset[int]:
    """The men that a FEN's reader takes for unmoved: where the array has such a man."""
    home = array(game.tables).board
    return frozenset(s for s, man in game.board.items() if home.get(s) == man)
