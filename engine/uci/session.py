"""One conversation with a UCI program: lines in, lines out, the search in a thread of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Thread

from tabia.engine.documents import DocumentError, one_line
from tabia.engine.position import MATE, MATES, Position, SearchResult, StopFlag
from tabia.engine.uci.clock import seconds_for
from tabia.engine.uci.variants import DEFAULT, Variants
from tabia.engine.uci.words import Go, UciError, read_go, read_option, read_position

NO_MOVE = "(none)"


class Session:
    """Answers the commands of a UCI program. `say` is called with each line of an answer, also from
    the thread that searches."""

    def __init__(self, say: Callable[[str], None], version: str) -> None:
        self._say = say
        self._version = version
        self._variants = Variants()
        self._variant = DEFAULT
        self._hash_mb = 16
        self._overhead_ms = 30
        self._position: Position | None = None
        self._refused = ""
        self._thread: Thread | None = None
        self._stop = StopFlag()
        self._stopped = Event()
        self._endless = False

    def answer(self, line: str) -> bool:
        """Answers one line; whether the conversation goes on. Unknown commands are ignored, as UCI
        asks for; what is wrong with a known one is said in an `info string`."""
        command, *words = line.split() or [""]
        try:
            match command:
                case "uci":
                    self._introduce()
                case "isready":
                    self._say("readyok")
                case "setoption":
                    self._settle()
                    option = read_option(words)
                    self._set(option.name.lower(), option.value)
                case "ucinewgame":
                    self._settle()
                    self._position, self._refused = None, ""
                case "position":
                    self._settle()
                    self._set_up(words)
                case "go":
                    self._settle()
                    self._go(read_go(words))
                case "stop":
                    self._halt()
                case "quit":
                    self._halt()
                    return False
                case _:
                    pass
        except (UciError, DocumentError) as error:
            self._tell(str(error))
        return True

    def close(self) -> None:
        """Lets a search that has a limit come to its end, and stops one that has none."""
        self._settle()

    def _introduce(self) -> None:
        variants = " ".join(f"var {name}" for name in self._variants.names)
        for line in (
            f"id name Tabia {self._version}",
            "id author the Tabia authors",
            f"option name UCI_Variant type combo default {DEFAULT} {variants}",
            "option name VariantPath type string default <empty>",
            "option name Hash type spin default 16 min 1 max 4096",
            "option name Move Overhead type spin default 30 min 0 max 5000",
            "uciok",
        ):
            self._say(line)

    def _set(self, name: str, value: str) -> None:
        match name:
            case "uci_variant":
                rule_set = self._variants.get(value)
                self._variant, self._position, self._refused = value, None, ""
                board = rule_set.rules.board
                self._tell(
                    f"variant {value} files {board.files} ranks {board.ranks} "
                    f"startpos {rule_set.start_fen}"
                )
            case "variantpath":
                for line in self._variants.add_files("" if value == "<empty>" else value):
                    self._tell(line)
            case "hash":
                self._hash_mb = _bounded("Hash", value, 1, 4096)
            case "move overhead":
                self._overhead_ms = _bounded("Move Overhead", value, 0, 5000)
            case _:
                raise UciError(
                    f"no option {name}; allowed: UCI_Variant, VariantPath, Hash, Move Overhead"
                )

    def _set_up(self, words: list[str]) -> None:
        # A position that is refused must not leave the one before it to be searched.
        self._position, self._refused = None, ""
        try:
            start = read_position(words)
            position = Position(self._variants.get(self._variant), start.fen)
            for move in start.moves:
                position.push(move)
        except ValueError as error:
            self._refused = f"position refused: {error}"
            raise UciError(self._refused) from None
        self._position = position

    def _go(self, go: Go) -> None:
        if self._position is None and self._refused:
            self._tell(self._refused)
            self._say(f"bestmove {NO_MOVE}")
            return
        if go.ignored:
            self._tell(f"not heeded: {' '.join(go.ignored)}")
        position = self._position or Position(self._variants.get(self._variant))
        self._stop, self._stopped = StopFlag(), Event()
        timed = go.movetime or position.turn in go.time
        self._endless = go.infinite or not (go.depth or go.nodes or go.perft or timed)
        work = self._count if go.perft else self._think
        self._thread = Thread(target=work, args=(position, go), name="search")
        self._thread.start()

    def _think(self, position: Position, go: Go) -> None:
        seconds = seconds_for(go, position.turn, self._overhead_ms / 1000)
        started = time.perf_counter()
        found = position.search(
            nodes=0 if go.infinite else go.nodes,
            depth=0 if go.infinite else go.depth,
            seconds=0.0 if go.infinite else seconds,
            stop=self._stop,
            report=lambda result: self._say(_info(result, time.perf_counter() - started)),
            hash_mb=self._hash_mb,
        )
        if self._endless:
            # The answer to `go infinite` waits for `stop`, however soon there is nothing to find.
            self._stopped.wait()
        self._say(f"bestmove {found.best_move or NO_MOVE}")

    def _count(self, position: Position, go: Go) -> None:
        total = 0
        for move in position.legal_moves():
            if self._stopped.is_set():
                break
            position.push(move)
            behind = position.perft(go.perft - 1)
            position.pop()
            total += behind
            self._say(f"{move}: {behind}")
        self._say(f"Nodes searched: {total}")

    def _settle(self) -> None:
        """Waits for the search that runs, if one does; one without a limit is stopped."""
        if self._endless:
            self._halt()
        elif self._thread is not None:
            self._thread.join()
            self._thread = None

    def _halt(self) -> None:
        """Ends the search that runs, if one does, and waits for its answer."""
        self._stop.set()
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _tell(self, text: str) -> None:
        self._say(f"info string {one_line(text)}")


def _info(found: SearchResult, seconds: float) -> str:
    milliseconds = int(seconds * 1000)
    speed = int(found.nodes / max(seconds, 0.001))
    return (
        f"info depth {found.depth} score {_score(found.score)} nodes {found.nodes} nps {speed} "
        f"time {milliseconds} pv {' '.join(found.pv)}"
    ).rstrip()


def _score(score: int) -> str:
    """Centipawns, or the moves to mate: negative when the side to move is mated."""
    if abs(score) < MATES:
        return f"cp {score}"
    plies = MATE - abs(score)
    return f"mate {(plies + 1) // 2 if score > 0 else -(plies // 2)}"


def _bounded(name: str, text: str, low: int, high: int) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else low - 1
    if not low <= number <= high:
        raise UciError(f"{name}: found {text}; allowed: {low} to {high}")
    return number
