"""A program as a player of games: started once, asked for moves, started again after misconduct."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from tabia.engine.documents import one_line
from tabia.engine.outside.conversation import CONVERSATIONS, Conversation
from tabia.engine.outside.misconduct import MisconductError, ProgramError
from tabia.engine.outside.process import Process
from tabia.engine.outside.programs import Program
from tabia.engine.outside.said import OptionError, Protocol, Said, Value, option_text
from tabia.engine.outside.spelling import Spelling, spelling
from tabia.engine.outside.uci import Limit
from tabia.engine.position import Position
from tabia.engine.rules.ruleset import RuleSet


@dataclass(frozen=True)
class Asked:
    """What an experiment asks of a program: its name on the machines of operators, what it must say
    that it is ("": whatever it says), the protocol, and options."""

    program: str
    says: str = ""
    protocol: Protocol = "uci"
    options: Mapping[str, Value] = field(default_factory=dict)


class Outsider:
    """A program under one pair of rule sets, White's and Black's. A context manager: no process is
    left behind. Nothing is started before it is entered."""

    def __init__(
        self,
        asked: Asked,
        program: Program,
        white: RuleSet,
        black: RuleSet | None = None,
    ) -> None:
        self._asked = asked
        self._program = program
        self._white = white
        self._black = black
        self.says = ""
        self._process: Process | None = None
        self._conversation: Conversation | None = None
        self._spelling = Spelling("")
        self._can_perft = False

    def __enter__(self) -> Self:
        try:
            self._start()
        except MisconductError as problem:
            self.close()
            raise ProgramError(f"{self._asked.program} does not start: {problem}") from None
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close(patience=1.0)

    def game(self, limit: Limit) -> Callable[[list[str]], tuple[str, int]]:
        """A new game: a function of the moves made that gives its next one, and what it thinks it
        worth. Both raise MisconductError; ProgramError where it plays by other rules."""
        if self._conversation is None:
            self._start()
        assert self._conversation is not None
        talk, words = self._conversation, self._spelling
        talk.new_game()
        last, begun = 0, False

        def choose(moves: list[str]) -> tuple[str, int]:
            nonlocal last, begun
            theirs = [words.theirs(move) for move in moves]
            if not begun:
                self._compare(talk, moves, theirs)
                begun = True
            answer = talk.move(theirs, limit)
            last = answer.score if answer.score is not None else last
            return words.ours(answer.move), last

        return choose

    def close(self, patience: float = 0.0) -> None:
        """Ends its process; the next game starts another one."""
        process, self._process, self._conversation = self._process, None, None
        if process is not None:
            process.close(patience)

    def _start(self) -> None:
        self._process = Process(self._program)
        talk = CONVERSATIONS[self._asked.protocol](self._process, self._program.patience)
        said = talk.introduce()
        self.says = one_line(said.name)[:100]
        if self._asked.says not in ("", self.says):
            raise ProgramError(
                f'{self._asked.program} says that it is "{self.says}"; this '
                f'experiment needs "{self._asked.says}"'
            )
        self._spelling = spelling(self._white, self._asked.protocol, said, self._black)
        talk.set_up(self._spelling, self._options(said), self._process.folder)
        self._can_perft = "variantpath" in said.options
        self._conversation = talk

    def _options(self, said: Said) -> dict[str, str]:
        texts = {}
        for name, value in self._asked.options.items():
            try:
                texts[name] = option_text(said, name, value)
            except OptionError as problem:
                raise ProgramError(f"options.{name}: {problem}") from None
        for name, value in self._program.options.items():
            try:
                texts[name] = option_text(said, name, value, by_operator=True)
            except OptionError as problem:
                raise ProgramError(f"options.{name} of this worker: {problem}") from None
        return texts

    def _compare(self, talk: Conversation, moves: Sequence[str], theirs: Sequence[str]) -> None:
        """Once a game, where it begins to play: does it know the same moves? A program that plays
        by other rules would be measured at a game that it does not know."""
        if not self._can_perft:
            return
        found = talk.legal_moves(theirs)
        if found is None:
            return
        position = Position(self._white, black=self._black)
        for move in moves:
            position.push(move)
        ours = {self._spelling.theirs(move) for move in position.legal_moves()}
        if ours != set(found):
            more, fewer = sorted(ours - set(found)), sorted(set(found) - ours)
            raise ProgramError(
                f"{self._asked.program} plays other rules: in {position.fen()} it lacks "
                f"{' '.join(more[:3]) or 'nothing'} and adds {' '.join(fewer[:3]) or 'nothing'}"
            )
