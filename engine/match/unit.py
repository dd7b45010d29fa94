"""The games of a unit, the smallest thing that is counted: always two, "a" and "b".

| kind     | what is matched       | game a                        | game b                    |
|----------|-----------------------|-------------------------------|---------------------------|
| compare  | -                     | under A                       | under B                   |
| rights   | -                     | White has A's rights, Black B's | the reverse             |
| engines  | -                     | player a is White             | player b is White         |
| ratings  | "fast:slow"           | the first of the two is White | the second one is         |
| material | "Q:NR"                | army a is White               | army b is                 |

Games that are matched share one opening, which is legal in all of them. (Only the games of a
`compare` whose arrays differ are not matched.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from tabia.engine.match.imbalance import Imbalance, array_of
from tabia.engine.match.kinds import Kind
from tabia.engine.match.openings import MOST_ATTEMPTS, NoOpeningError, Opening, draw_opening
from tabia.engine.match.players import BOTH, Player
from tabia.engine.match.round_robin import meeting
from tabia.engine.position import FenError, Position
from tabia.engine.rules.ruleset import RuleSet

ARMS = ("a", "b")
MOST_PLACEMENTS = 100
DRAWS_A_PLACEMENT = MOST_ATTEMPTS // MOST_PLACEMENTS
"""So that no unit takes more draws than those of other kinds: whoever submits rules under which no
opening lives should not keep a server busy for minutes."""


class MatchError(ValueError):
    """A label that says of no unit what is matched."""


@dataclass(frozen=True)
class Pairing:
    """Who plays by which rules. arm: "a" or "b", as in a game's record; white_nodes, black_nodes:
    a move; fen: the position before the first move, None for the array; white_is, black_is: the
    arm or the player that plays the side, "" where all play alike."""

    arm: str
    white: RuleSet
    black: RuleSet
    white_nodes: int
    black_nodes: int
    fen: str | None = None
    white_is: str = ""
    black_is: str = ""

    def position(self) -> Position:
        """Where the game begins."""
        return Position(self.white, self.fen, black=self.black)


@dataclass(frozen=True)
class Units:
    """What is the same in all units of an experiment.

    seed: the experiment's id; nodes: a move, of whoever is no player of `players`; plies: of an
    opening; paired: the games of a unit share one.
    """

    seed: str
    kind: Kind
    arms: Mapping[str, RuleSet]
    players: Mapping[str, Player]
    nodes: int
    plies: int
    paired: bool

    def matches(self, first: int, units: int) -> list[str]:
        """The labels of so many units, where the unit's number alone says what is matched. Not for
        `material`, in which an allocation decides."""
        if self.kind == "material":
            raise ValueError("what a unit of kind material plays is allocated, not computed")
        if self.kind != "ratings":
            return [""] * units
        keys = sorted(self.players)
        return [":".join(meeting(keys, unit)) for unit in range(first, first + units)]

    def games(self, unit: int, match: str, attempt: int = 0) -> Iterator[tuple[Pairing, Opening]]:
        """The unit's games with their openings, arm "a" first. attempt: how many were void before,
        each of which had another opening; not for `material`. Raises NoOpeningError, and MatchError
        where the label is none of this kind."""
        if self.kind == "material":
            games, opening = self._imbalanced(unit, match)
            yield from ((game, opening) for game in games)
            return
        pairings = self._pairings(match)
        groups = [pairings] if self.paired else [[game] for game in pairings]
        for group in groups:
            # Without a shared opening each arm draws from a stream of its own.
            stream = group[0].arm if len(groups) > 1 else "both"
            boards = [self._array(game) for game in group]
            seed = f"{self.seed}:{unit}:{stream}" + (f":again {attempt}" if attempt else "")
            opening = draw_opening(seed, self.plies, boards)
            for game in group:
                yield game, opening

    def start(self, unit: int, arm: str, match: str) -> str | None:
        """The FEN on which that game begins, None for the array: what a replay needs."""
        if self.kind != "material":
            return None
        games, _ = self._imbalanced(unit, match)
        return games[ARMS.index(arm)].fen

    def _pairings(self, match: str) -> list[Pairing]:
        a, b, nodes = self.arms["a"], self.arms["b"], self.nodes
        if self.kind == "compare":
            return [
                Pairing(arm, rules, rules, nodes, nodes, white_is=arm, black_is=arm)
                for arm, rules in zip(ARMS, (a, b), strict=True)
            ]
        one, other = self._sides(match)
        first, second = (
            player.nodes if (player := self.player_of(side)) else nodes for side in (one, other)
        )
        return [
            Pairing("a", a, b, first, second, white_is=one, black_is=other),
            Pairing("b", b, a, second, first, white_is=other, black_is=one),
        ]

    def _sides(self, match: str) -> tuple[str, str]:
        """The arms or players that meet in a unit."""
        if self.kind == "rights":
            return ARMS
        keys = match.split(":") if match else [*ARMS]
        if len(keys) != 2 or not all(key in self.players for key in keys):
            raise MatchError(f'no match of two players: found "{match}"')
        return keys[0], keys[1]

    def seat(self, side: str) -> str:
        """The key of whoever plays for that arm or player: in a `rights` one player has both."""
        return BOTH if self.kind == "rights" else side

    def player_of(self, side: str) -> Player | None:
        """Whoever plays for that arm or player, None where all play alike."""
        return self.players.get(self.seat(side))

    def require_placement(self, match: str) -> None:
        """Raises NoOpeningError where no choice of missing men lets this imbalance begin."""
        next(self._placements(0, match))

    def _imbalanced(self, unit: int, match: str) -> tuple[list[Pairing], Opening]:
        seed = f"{self.seed}:{unit}:both"
        for number, games in enumerate(self._placements(unit, match)):
            boards = [game.position() for game in games]
            try:
                opening = draw_opening(seed, self.plies, boards, DRAWS_A_PLACEMENT)
            except NoOpeningError:
                continue
            before = number * DRAWS_A_PLACEMENT
            return games, replace(opening, attempts=before + opening.attempts)
        raise AssertionError("placements end by NoOpeningError")

    def _placements(self, unit: int, match: str) -> Iterator[list[Pairing]]:
        """The two games of an imbalance with ever other men missing."""
        for attempt in range(MOST_PLACEMENTS):
            try:
                games = list(self._armies(match, f"{self.seed}:{unit}:{attempt}"))
            except ValueError as error:
                raise MatchError(str(error)) from None
            if all(is_quiet(game) for game in games):
                yield games
        raise NoOpeningError(
            f"no opening of {self.plies} plies found for {match} with {MOST_PLACEMENTS} choices "
            "of the men that are missing; allowed: a length that the rules leave room for"
        )

    def _armies(self, match: str, seed: str) -> Iterator[Pairing]:
        rules, imbalance = self.arms["a"], Imbalance.parse(match)
        for arm in ARMS:
            fen = array_of(rules.rules, imbalance, seed, white=arm)
            yield Pairing(arm, rules, rules, self.nodes, self.nodes, fen)

    def _array(self, game: Pairing) -> Position:
        if game.arm not in self._arrays:
            self._arrays[game.arm] = game.position()
        return self._arrays[game.arm]

    @cached_property
    def _arrays(self) -> dict[str, Position]:
        """By arm: openings are played on both at once, even where both arms have equal rules."""
        return {}


def is_quiet(game: Pairing) -> bool:
    """Whether the game can begin there: a missing man may have stood between a king and an
    attacker, and then the side to move might even take the king."""
    if game.fen is None:
        return True
    black_moves = game.fen.replace(" w ", " b ", 1)
    try:
        boards = [Position(game.white, fen, black=game.black) for fen in (game.fen, black_moves)]
    except FenError:
        return False
    return not any(board.in_check() for board in boards)
