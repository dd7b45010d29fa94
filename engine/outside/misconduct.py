"""What a program may do wrong in a game: the pair of games is void then, and played again."""

from __future__ import annotations

from enum import StrEnum

from tabia.engine.documents import one_line

MOST_DETAIL = 200


class Reason(StrEnum):
    """Why a pair is void."""

    ILLEGAL_MOVE = "illegal move"
    NO_MOVE = "no move"
    """It says that it has none, resigns, or claims a result: the game goes on by our rules."""
    LATE_MOVE = "late move"
    NO_ANSWER = "no answer"
    CRASH = "crash"
    FLOOD = "flood"
    """More output than anybody can be asked to read."""
    REFUSED_MOVE = "refused a legal move"


class MisconductError(Exception):
    """A program broke off a game. detail: one line of what was seen."""

    def __init__(self, reason: Reason, detail: str) -> None:
        self.reason = reason
        self.detail = one_line(detail)[:MOST_DETAIL]
        super().__init__(f"{reason}: {self.detail}" if self.detail else str(reason))


class ProgramError(Exception):
    """A program that cannot be a player here, whatever the game: it is missing, another one than
    asked for, does not start, or does not know the rules. One line says which."""
