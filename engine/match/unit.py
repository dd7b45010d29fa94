"""The games of a unit, the smallest thing that is counted.

`compare`: a game under A and a game under B. `rights`: two games, in which White has A's rights
and then B's. Games that are matched share one opening.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tabia.engine.match.openings import Opening, draw_opening
from tabia.engine.position import Position
from tabia.engine.rules.ruleset import RuleSet


@dataclass(frozen=True)
class Pairing:
    """Who plays by which rules. arm: "a" or "b", as in a game's record."""

    arm: str
    white: RuleSet
    black: RuleSet


def pairings(kind: str, arms: Mapping[str, RuleSet], *, paired: bool) -> list[list[Pairing]]:
    """The games of a unit, those that share an opening together."""
    a, b = arms["a"], arms["b"]
    if kind == "rights":
        games = [Pairing("a", a, b), Pairing("b", b, a)]
    else:
        games = [Pairing("a", a, a), Pairing("b", b, b)]
    return [games] if paired else [[game] for game in games]


class OpeningBook:
    """Draws the openings of an experiment's units; keeps the positions it draws on."""

    def __init__(self, experiment: str, plies: int, groups: Sequence[Sequence[Pairing]]) -> None:
        self._experiment = experiment
        self._plies = plies
        self._groups = [
            (list(group), [Position(game.white, black=game.black) for game in group])
            for group in groups
        ]

    def unit(self, number: int) -> Iterator[tuple[Pairing, Opening]]:
        """The unit's games with their openings. Raises NoOpeningError."""
        for index, (games, positions) in enumerate(self._groups):
            # Without a shared opening each arm draws from a stream of its own.
            stream = games[0].arm if len(self._groups) > 1 else "both"
            seed = f"{self._experiment}:{number}:{stream}"
            opening = draw_opening(seed, self._plies, positions)
            for game in self._groups[index][0]:
                yield game, opening
