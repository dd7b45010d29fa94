"""What a rule names must be there: letters of pieces, ranks of the board."""

from __future__ import annotations

from collections.abc import Iterable

from tabia.engine.documents import DocumentError
from tabia.engine.rules.effective import Rules


def require_letters(rules: Rules, letters: str, source: str, key: str) -> None:
    """Raises DocumentError for the first that is no piece."""
    for letter in letters:
        if letter not in rules.letters:
            raise DocumentError(
                source,
                key,
                f"{letter} is no piece of this game; allowed: {', '.join(rules.letters)}",
            )


def require_common(rules: Rules, side: str, letters: str, source: str, key: str) -> None:
    """Raises DocumentError for the first that is a royal piece of the side."""
    for letter in letters:
        if letter in rules.royals(side):
            raise DocumentError(source, key, f"{letter} is royal; allowed: pieces that are not")


def require_ranks(rules: Rules, ranks: Iterable[int], source: str, key: str) -> None:
    """Raises DocumentError for the first that is not on the board."""
    for rank in ranks:
        if rank > rules.board.ranks:
            raise DocumentError(
                source,
                key,
                f"rank {rank} is not on the board; allowed: 1 to {rules.board.ranks}",
            )
