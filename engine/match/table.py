"""The table at which the units of a batch are played: who sits there, what is void, what counts.

A program of others may break off a game. Then neither game of the pair counts: the two are one
observation, and one of them alone would favour a side. The pair is played again with another
opening, because a program that always breaks off there would never finish the unit; how often that
happened, to whom and why is part of the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from tabia.engine import _core
from tabia.engine.compiled import compiled
from tabia.engine.documents import show
from tabia.engine.match.own_weights import Judges
from tabia.engine.match.players import BOTH, Player
from tabia.engine.match.record import recorded_game
from tabia.engine.match.unit import Pairing, Units
from tabia.engine.outside.misconduct import MisconductError, ProgramError, Reason
from tabia.engine.outside.player import Outsider
from tabia.engine.outside.programs import Programs
from tabia.engine.position import MoveError, Position
from tabia.engine.rules.ruleset import RuleSet

MOST_ATTEMPTS = 4
"""A unit that is void so often in a row will not be played any more."""
MOST_RUNNING = 4
"""Programs that run at once; in a larger pool they are started again when they are next."""

Choose = Callable[[list[str]], tuple[str, int]]


class UnplayableError(ValueError):
    """A unit that no attempt brought to its end."""


@dataclass(frozen=True)
class VoidPair:
    """A pair of games that does not count. attempt: from 0; arm: of the game that was broken off;
    player: the key of whoever did; reason: a `Reason`; detail: one line of what was seen; plies:
    how far that game had come."""

    unit: int
    attempt: int
    arm: str
    player: str
    reason: str
    detail: str
    plies: int

    def record(self) -> dict[str, Any]:
        """As a result holds it."""
        return asdict(self)


@dataclass
class Played:
    """A unit: its games, the pairs that were void before, openings drawn and draws that took."""

    games: list[dict[str, Any]] = field(default_factory=list)
    voids: list[VoidPair] = field(default_factory=list)
    drawn: int = 0
    attempts: int = 0


class _BrokenOffError(Exception):
    """A game that a player broke off."""

    def __init__(self, player: str, problem: MisconductError, plies: int) -> None:
        super().__init__(str(problem))
        self.player, self.problem, self.plies = player, problem, plies


class Table:
    """A context manager: at its end no program is left running."""

    def __init__(
        self,
        units: Units,
        judges: Judges,
        max_plies: int,
        programs: Programs | None = None,
    ) -> None:
        self._units = units
        self._judges = judges
        self._max_plies = max_plies
        self._programs = programs
        self._outsiders: dict[tuple[str, str], Outsider] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        for key, player in self._units.players.items():
            if player.is_outside and self._programs is None:
                raise ProgramError(
                    f"player {key} is the program {player.program}; only workers of the cluster "
                    "start programs"
                )
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def play(self, unit: int, match: str) -> Played:
        """Plays a unit until a pair of it counts. Raises UnplayableError, ProgramError, and what
        `Units.games` raises."""
        played = Played()
        for attempt in range(MOST_ATTEMPTS):
            games = []
            for game, opening in self._units.games(unit, match, attempt):
                played.drawn += 1
                played.attempts += opening.attempts
                try:
                    games.append({"arm": game.arm, **self._game(game, opening.moves)})
                except _BrokenOffError as broken:
                    reason, detail = broken.problem.reason, broken.problem.detail
                    played.voids.append(
                        VoidPair(
                            unit, attempt, game.arm, broken.player, reason.value, detail,
                            broken.plies,
                        )
                    )  # fmt: skip
                    break
            else:
                played.games = games
                return played
        raise UnplayableError(f"void {MOST_ATTEMPTS} times: {self._told(played.voids)}")

    def _told(self, voids: list[VoidPair]) -> str:
        counted = Counter((void.player, void.reason) for void in voids)
        last = voids[-1].detail
        return ", ".join(
            f"{self._units.players[player].name}: {reason} ×{times}"
            for (player, reason), times in sorted(counted.items())
        ) + (f" (last: {last})" if last else "")

    def _game(self, game: Pairing, opening: tuple[str, ...]) -> dict[str, Any]:
        rules = compiled(game.white, game.black)
        evaluators = {
            side: _core.Evaluator.build(rules, self._judges.weights(side))
            for side in {game.white_is, game.black_is}
        }
        white, black = (self._seat(game, side) for side in (game.white_is, game.black_is))
        played = _core.play_game(
            rules,
            evaluators[game.white_is],
            evaluators[game.black_is],
            list(opening),
            game.white_nodes,
            game.black_nodes,
            self._max_plies,
            game.fen,
            white.seconds,
            black.seconds,
            white.choose,
            black.choose,
        )
        return recorded_game(played, len(opening))

    def _seat(self, game: Pairing, side: str) -> _Seat:
        player = self._units.player_of(side)
        if player is None:
            return _Seat()
        key, seconds = self._units.seat(side), player.movetime_ms / 1000
        return _Seat(seconds, self._chooser(key, player, game) if player.is_outside else None)

    def _chooser(self, key: str, player: Player, game: Pairing) -> Choose:
        """A new game of the program, whose misconduct ends it: it starts afresh in the next one."""
        outsider = self._outsider(key, player, game.white, game.black)
        try:
            choose = outsider.game(player.limit)
        except MisconductError as problem:
            outsider.close()
            raise _BrokenOffError(key, problem, 0) from None
        position, made = game.position(), 0

        def checked(moves: list[str]) -> tuple[str, int]:
            nonlocal made
            for move in moves[made:]:
                position.push(move)
            made = len(moves)
            try:
                move, score = choose(moves)
                _require_legal(position, move)
            except MisconductError as problem:
                outsider.close()
                raise _BrokenOffError(key, problem, len(moves)) from None
            return move, score

        return checked

    def _outsider(self, key: str, player: Player, white: RuleSet, black: RuleSet) -> Outsider:
        # One that plays both sides by one clock is one process; where the sides' rules differ, each
        # of the two ways round is a variant of its own.
        place = (key, white.id if key == BOTH else "")
        if place not in self._outsiders:
            if len(self._outsiders) >= MOST_RUNNING:
                for other in self._outsiders.values():
                    other.close()
            assert self._programs is not None
            program = self._programs.find(player.program)
            outsider = Outsider(player.asked, program, white, black)
            self._outsiders[place] = self._stack.enter_context(outsider)
        return self._outsiders[place]


@dataclass(frozen=True)
class _Seat:
    """seconds: a move, 0 = by nodes; choose: what a program does there, None for our engine."""

    seconds: float = 0.0
    choose: Choose | None = None


def _require_legal(position: Position, move: str) -> None:
    try:
        position.push(move)
    except MoveError:
        raise MisconductError(Reason.ILLEGAL_MOVE, f"{show(move)} in {position.fen()}") from None
    position.pop()
