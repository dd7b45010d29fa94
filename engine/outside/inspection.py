"""A look at a program before anything is played: who it is, and whether it knows the rules."""

from __future__ import annotations

import json
from functools import lru_cache

from tabia.engine.outside.misconduct import ProgramError
from tabia.engine.outside.player import Asked, Outsider
from tabia.engine.outside.programs import Program
from tabia.engine.rules.ruleset import RuleSet


def inspect(asked: Asked, program: Program, white: RuleSet, black: RuleSet | None = None) -> str:
    """What the program says of itself, once it took the rules and the options. black: where the
    sides play by different rules. Raises ProgramError.

    Asked once a process: starting a program takes a moment, and two programs behind one path within
    the life of a coordinator would be a mistake that its workers notice.
    """
    key = json.dumps([program.command, program.memory_mb, program.options, asked.options])
    return _inspected(key, _Look(asked, program, white, black))


class _Look:
    """The arguments of a look; equal where the answer would be the same, but for the key."""

    def __init__(
        self, asked: Asked, program: Program, white: RuleSet, black: RuleSet | None
    ) -> None:
        self.asked, self.program, self.white, self.black = asked, program, white, black
        self._same = (asked.program, asked.says, asked.protocol, white.id, (black or white).id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Look) and self._same == other._same

    def __hash__(self) -> int:
        return hash(self._same)


@lru_cache(maxsize=64)
def _inspected(key: str, look: _Look) -> str:
    del key
    with Outsider(look.asked, look.program, look.white, look.black) as outsider:
        if not outsider.says:
            raise ProgramError(f"{look.program.name} does not say who it is; needed: id name")
        return outsider.says
