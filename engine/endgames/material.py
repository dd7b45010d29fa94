"""Materials as people write them: `KBN:K`, White's men before the colon and Black's behind it.

A piece is one letter in every rule set, so the letters need nothing between them; `K+B+N:K` is read
too, and Black's letters may be small ones, as in a FEN.
"""

from __future__ import annotations

from dataclasses import dataclass

from tabia.engine.documents import DocumentError, show
from tabia.engine.rules.effective import SIDES
from tabia.engine.rules.ruleset import RuleSet


@dataclass(frozen=True)
class Material:
    """Each side's men as capital letters, the royal man first."""

    white: str
    black: str

    def __str__(self) -> str:
        return f"{self.white}:{self.black}"

    def __len__(self) -> int:
        """The number of men."""
        return len(self.white) + len(self.black)

    @classmethod
    def parse(cls, text: str, rules: RuleSet) -> Material:
        """The material that a text names. Raises DocumentError, with what is allowed."""
        sides = text.split(":")
        if len(sides) != 2:
            raise DocumentError(
                show(text),
                "",
                "not a material; allowed: White's men, a colon, Black's, as in KBN:K",
            )
        return cls(*(_men(men, side, text, rules) for side, men in zip(SIDES, sides, strict=True)))


def _men(men: str, side: str, text: str, rules: RuleSet) -> str:
    letters, royal = rules.rules.letters, rules.rules.only_king(side)
    if royal is None:
        raise DocumentError(
            rules.name,
            "",
            f"{side.capitalize()} may have several royal men; endgames are solved for rules with "
            "one a side",
        )
    men = men.replace("+", "").replace(" ", "").upper()
    for man in men:
        if man not in letters:
            raise DocumentError(
                show(text),
                "",
                f"no piece {show(man)} in {rules.name}; allowed: {', '.join(letters)}",
            )
    if men.count(royal) != 1:
        raise DocumentError(
            show(text), "", f"{men.count(royal)} royal men ({royal}) on one side; allowed: 1"
        )
    return royal + "".join(sorted(men.replace(royal, "")))
