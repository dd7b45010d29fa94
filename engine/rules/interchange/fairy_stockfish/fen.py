"""The array of a variant: the startFen, walls and castling rights included."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tabia.engine.documents import DocumentError, show
from tabia.engine.rules.interchange.fairy_stockfish.values import FilesRanks
from tabia.engine.rules.interchange.fairy_stockfish.variant import Variant, refusal


@dataclass(frozen=True)
class Setup:
    """men: square as (file, rank) from 0 -> letter, capital for White; rights: side -> the letters
    of its castling rights as capitals, K, Q or files."""

    men: Mapping[tuple[int, int], str]
    holes: FilesRanks
    rights: Mapping[str, str]


def read_setup(variant: Variant, name: str, source: str) -> Setup:
    """The array of the variant. Raises DocumentError about its startFen."""
    fen = variant.value("startFen")

    def refused(problem: str) -> DocumentError:
        return refusal(variant, name, "startFen", source, problem)

    board, *rest = fen.split() or [""]
    match = re.fullmatch(r"([^\[\]]*)(?:\[([^\[\]]*)\])?", board)
    if match is None:
        raise refused(f"found {show(board)}; allowed: a FEN")
    if (match[2] or "-").strip("-"):
        raise refused("men in the hand, which Tabia does not play")
    rows = match[1].split("/")
    if len(rows) != variant.value("maxRank"):
        raise refused(f"{len(rows)} rows; needed: {variant.value('maxRank')}, one a rank")
    men: dict[tuple[int, int], str] = {}
    holes = set()
    letters = set(variant.letters.values())
    for rank, row in zip(reversed(range(len(rows))), rows, strict=True):
        file = 0
        for token in re.findall(r"[0-9]+|.", row):
            if token.isascii() and token.isdigit():
                file += min(int(token[:4]), 99)
                continue
            if token == "*":
                holes.add((file, rank))
            elif token.upper() in letters:
                men[file, rank] = token
            else:
                raise refused(f"found {show(token)}; allowed: letters of its pieces, numbers, *")
            file += 1
        if file != variant.value("maxFile"):
            raise refused(f"a row of {file} squares; needed: {variant.value('maxFile')}")
    if rest[:1] not in ([], ["w"]):
        raise refused("Black moves first; allowed: w")
    has_rights = len(rest) > 1 and not rest[1][:1].isdigit()
    return Setup(men, frozenset(holes), _rights(rest[1] if has_rights else "-"))


def _rights(text: str) -> dict[str, str]:
    found = {"White": "", "Black": ""}
    for letter in text:
        if letter.isascii() and letter.isalpha():
            found["White" if letter.isupper() else "Black"] += letter.upper()
    return {side: "".join(dict.fromkeys(letters)) for side, letters in found.items()}
