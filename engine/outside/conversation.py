"""What is said to a program, in which order, and how long one waits for an answer.

A conversation stands on a `Channel`: lines in, lines out. It believes nothing: what comes back is
a text that may be a move.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from tabia.engine.documents import show
from tabia.engine.outside import uci, xboard
from tabia.engine.outside.misconduct import MisconductError, ProgramError, Reason
from tabia.engine.outside.process import Channel, LateError
from tabia.engine.outside.programs import Patience
from tabia.engine.outside.said import Option, Protocol, Said
from tabia.engine.outside.spelling import Spelling
from tabia.engine.outside.uci import Limit


@dataclass(frozen=True)
class Answer:
    """move: as the program wrote it; score: centipawns from its side, None if it told none."""

    move: str
    score: int | None


class Conversation(ABC):
    """With one program, over one channel."""

    def __init__(self, channel: Channel, patience: Patience) -> None:
        self._channel = channel
        self._patience = patience

    @abstractmethod
    def introduce(self) -> Said:
        """What it says of itself. Raises MisconductError."""

    @abstractmethod
    def set_up(self, spelling: Spelling, options: Mapping[str, str], folder: Path) -> None:
        """Chooses the variant and sets options. folder: where files may be put that it reads.
        Raises ProgramError, MisconductError."""

    @abstractmethod
    def new_game(self) -> None:
        """Raises MisconductError."""

    @abstractmethod
    def legal_moves(self, moves: Sequence[str]) -> list[str] | None:
        """The moves that it thinks legal after these, None where it cannot be asked."""

    @abstractmethod
    def move(self, moves: Sequence[str], limit: Limit) -> Answer:
        """Its move after these moves from the array. Raises MisconductError."""

    def _until(self, ends: Callable[[str], bool], what: str) -> list[str]:
        """The lines up to one that `ends`; for preparations. Raises MisconductError."""
        deadline = time.monotonic() + self._patience.start
        lines: list[str] = []
        try:
            while not (lines and ends(lines[-1])):
                lines.append(self._channel.line(deadline))
        except LateError:
            raise MisconductError(
                Reason.NO_ANSWER, f"no {what} within {self._patience.start:g} s"
            ) from None
        return lines

    def _answer(self, read: Callable[[str], str | None], limit: Limit, stop: str) -> str:
        """What `read` finds in the first line where it finds something."""
        started = time.monotonic()
        allowed = self._allowed(limit)
        try:
            return self._first(read, started + allowed)
        except LateError:
            self._channel.say(stop)
        try:
            self._first(read, time.monotonic() + self._patience.stop)
        except LateError:
            waited = allowed + self._patience.stop
            raise MisconductError(Reason.NO_ANSWER, f"no move within {waited:g} s") from None
        late = time.monotonic() - started
        raise MisconductError(
            Reason.LATE_MOVE, f"a move after {late:.2f} s; allowed: {allowed:g} s"
        )

    def _allowed(self, limit: Limit) -> float:
        if limit.movetime_ms:
            return limit.movetime_ms / 1000 + self._patience.margin
        return self._patience.move

    def _first(self, read: Callable[[str], str | None], deadline: float) -> str:
        while True:
            found = read(self._channel.line(deadline))
            if found is not None:
                return found


class Uci(Conversation):
    """In UCI."""

    def introduce(self) -> Said:
        self._channel.say("uci")
        lines = self._until(lambda line: line.strip() == "uciok", "uciok")
        options = [option for option in map(uci.read_option, lines) if option is not None]
        names = [line.removeprefix("id name ") for line in lines if line.startswith("id name ")]
        by_name = {option.name.lower(): option for option in options}
        variant = by_name.get("uci_variant", Option("", "combo"))
        return Said(names[0].strip() if names else "", by_name, frozenset(variant.choices))

    def set_up(self, spelling: Spelling, options: Mapping[str, str], folder: Path) -> None:
        for name, value in options.items():
            self._channel.say(uci.set_option(name, value))
        if spelling.text:
            self._read_file(spelling.text, folder / "variants.ini")
        if spelling.variant:
            self._channel.say(uci.set_option("UCI_Variant", spelling.variant))
        self._ready()

    def new_game(self) -> None:
        self._channel.say("ucinewgame")
        self._ready()

    def legal_moves(self, moves: Sequence[str]) -> list[str] | None:
        self._channel.say(uci.position(moves))
        self._channel.say("go perft 1")
        lines = self._until(lambda line: line.startswith("Nodes searched"), "answer to go perft 1")
        return sorted(move for move in map(uci.read_leaf, lines) if move is not None)

    def move(self, moves: Sequence[str], limit: Limit) -> Answer:
        score: int | None = None

        def read(line: str) -> str | None:
            nonlocal score
            told = uci.read_score(line)
            score = told if told is not None else score
            return uci.read_best(line)

        self._channel.say(uci.position(moves))
        self._channel.say(uci.go(limit))
        best = self._answer(read, limit, "stop")
        if best in ("", "(none)", "0000", "NULL", "none"):
            raise MisconductError(Reason.NO_MOVE, f"bestmove {best}")
        return Answer(best, score)

    def _ready(self) -> None:
        self._channel.say("isready")
        self._until(lambda line: line.strip() == "readyok", "readyok")

    def _read_file(self, text: str, file: Path) -> None:
        """Has it read a variants.ini. What it does not know there it would skip, and play by other
        rules: `check` makes Fairy-Stockfish say so on standard error."""
        file.write_text(text, encoding="utf-8")
        self._ready()
        self._channel.complaints()
        self._channel.say(f"check {file}")
        self._ready()
        unknown = [
            line.removeprefix("Invalid option:").strip()
            for line in self._channel.complaints().splitlines()
            if line.startswith("Invalid")
        ]
        if unknown:
            raise ProgramError(
                "it is too old to be told these rules: its variants.ini has no "
                + ", ".join(dict.fromkeys(unknown))
            )
        self._channel.say(uci.set_option("VariantPath", str(file)))
        self._ready()


class XBoard(Conversation):
    """In the xboard protocol, version 2: it always stands in `force`, but for its own moves."""

    def __init__(self, channel: Channel, patience: Patience) -> None:
        super().__init__(channel, patience)
        self._variant = ""
        self._pings = count(1)
        self._can_ping = False
        self._told = 0
        self._limit = Limit()

    def introduce(self) -> Said:
        self._channel.say("xboard")
        self._channel.say("protover 2")
        lines = self._until(
            lambda line: ("done", "1") in xboard.read_features(line), "feature done=1"
        )
        features = [pair for line in lines for pair in xboard.read_features(line)]
        last = dict(features)
        self._can_ping = last.get("ping") == "1"
        options = [xboard.read_option(value) for name, value in features if name == "option"]
        return Said(
            last.get("myname", "").strip(),
            {option.name.lower(): option for option in options if option is not None},
            frozenset(last.get("variants", "").split(",")),
        )

    def set_up(self, spelling: Spelling, options: Mapping[str, str], folder: Path) -> None:
        del folder
        self._variant = spelling.variant
        for name, value in options.items():
            number = {"true": "1", "false": "0"}.get(value, value)
            self._channel.say(f"option {name}={number}")

    def new_game(self) -> None:
        for line in ("new", f"variant {self._variant}", "force", "easy", "post"):
            self._channel.say(line)
        self._told, self._limit = 0, Limit()
        self._settle()

    def legal_moves(self, moves: Sequence[str]) -> list[str] | None:
        del moves
        return None

    def move(self, moves: Sequence[str], limit: Limit) -> Answer:
        for told in moves[self._told :]:
            self._channel.say(told)
        self._settle()
        if limit != self._limit:
            seconds = limit.movetime_ms // 1000
            self._channel.say(f"sd {limit.depth}" if limit.depth else f"st {seconds}")
            self._limit = limit
        score: int | None = None

        def read(line: str) -> str | None:
            nonlocal score
            if xboard.gives_up(line):
                raise MisconductError(Reason.NO_MOVE, line)
            told = xboard.read_score(line)
            score = told if told is not None else score
            return xboard.read_move(line)

        self._channel.say("go")
        best = self._answer(read, limit, "?")
        self._channel.say("force")
        self._told = len(moves) + 1
        return Answer(best, score)

    def _settle(self) -> None:
        """Waits until it has dealt with all that it was told; what it refused is no secret then."""
        if not self._can_ping:
            return
        number = next(self._pings)
        self._channel.say(f"ping {number}")
        for line in self._until(lambda line: line.strip() == f"pong {number}", "pong"):
            if xboard.refuses(line):
                raise MisconductError(Reason.REFUSED_MOVE, show(line))


CONVERSATIONS: Mapping[Protocol, type[Conversation]] = {"uci": Uci, "xboard": XBoard}
