"""A variant of Fairy-Stockfish as a document of our rule language.

Every rule it has is said in ours, or the key that asks for it is refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tabia.engine.documents import DocumentError, show
from tabia.engine.rules.array import EMPTY, format_row, square_name
from tabia.engine.rules.interchange.fairy_stockfish.fen import Setup, read_setup
from tabia.engine.rules.interchange.fairy_stockfish.keys import SIDES, mobility
from tabia.engine.rules.interchange.fairy_stockfish.men import Men
from tabia.engine.rules.interchange.fairy_stockfish.piece_types import (
    CUSTOM_SLOTS,
    JANGGI_CANNON,
    KING,
    PAWN,
)
from tabia.engine.rules.interchange.fairy_stockfish.royalty import royalty_of, unused
from tabia.engine.rules.interchange.fairy_stockfish.values import EVERY_TYPE, FilesRanks
from tabia.engine.rules.interchange.fairy_stockfish.variant import (
    Variant,
    board_squares,
    refusal,
    require_played,
)

Document = dict[str, Any]
MOVERS_RESULT = {"draw": "draw", "loss": "win", "win": "loss"}
BARE_KING = {
    "extinctionValue": "loss",
    "extinctionPieceTypes": frozenset({EVERY_TYPE}),
    "extinctionPieceCount": 1,
    "extinctionOpponentPieceCount": 2,
}
"""The one way in which extinction is the bare king rule."""


def as_document(variant: Variant, name: str, source: str) -> tuple[Document, tuple[str, ...]]:
    """The variant as a rule set's document, its pieces under their letters in the file, and remarks
    for whoever imports it. Raises DocumentError that names the key of the first rule that we do
    not play."""
    return _Reading(variant, name, source).document()


class _Reading:
    def __init__(self, variant: Variant, name: str, source: str) -> None:
        self.variant = variant
        self.name = name
        self.source = source
        self.remarks = [*variant.remarks, *require_played(variant, name, source)]
        if KING not in variant.letters and not variant.value("extinctionPseudoRoyal"):
            raise self.refused(KING, "no king and no other royal man; Tabia needs one a side")
        self.ranks: int = variant.value("maxRank")
        self.setup: Setup = read_setup(variant, name, source)
        self.board = board_squares(variant) - self.setup.holes
        self.royalty = royalty_of(variant, self.setup, name, source)
        for key, needs in unused(variant):
            self.remarks.append(f"{variant.where(key)}: left out: it matters with {needs} only")

    def document(self) -> tuple[Document, tuple[str, ...]]:
        men = Men(self.variant, self.name, self.source, self.setup, self.ranks)
        promotion = {side: self.promotion(side) for side in SIDES}
        castling = {side: self.castling(side) for side in SIDES}
        pieces = {side: self.pieces(men, side) for side in SIDES}
        white: Document = {
            "pieces": pieces["White"],
            "castling": castling["White"] or {},
            "promotion": promotion["White"],
            **self.check("White"),
        }
        black = _difference(
            white,
            {
                "pieces": pieces["Black"],
                "castling": castling["Black"],
                "promotion": promotion["Black"],
                **self.check("Black"),
            },
        )
        for letter, piece in white["pieces"].items():
            piece |= self.labels(letter)
        document = {
            "id": _identifier(self.name),
            "name": self.name,
            "source": [f"section [{self.name}] of a Fairy-Stockfish variants.ini"],
            "board": self.board_table(),
            **white,
            "array": self.array(),
            "endings": self.endings(),
            **({"black": black} if black else {}),
        }
        return document, tuple(dict.fromkeys([*self.remarks, *men.remarks]))

    # --- board and pieces ---------------------------------------------------------------------

    def check(self, side: str) -> Document:
        rules = self.royalty.check
        return {} if set(rules.values()) == {"every"} else {"check": {"royals": rules[side]}}

    def board_table(self) -> Document:
        table: Document = {"files": self.variant.value("maxFile"), "ranks": self.ranks}
        if self.setup.holes:
            ordered = sorted(self.setup.holes, key=lambda square: (square[1], square[0]))
            table["holes"] = [square_name(*square) for square in ordered]
        return table

    def array(self) -> dict[str, str]:
        rows = {}
        for rank in range(self.ranks, 0, -1):
            cells = [
                self.setup.men.get((file, rank - 1), EMPTY)
                for file in range(self.variant.value("maxFile"))
            ]
            if any(cells):
                rows[str(rank)] = format_row(cells)
        return rows

    def pieces(self, men: Men, side: str) -> dict[str, Document]:
        found = {}
        for kind, letter in sorted(self.variant.letters.items(), key=lambda item: item[1]):
            piece: Document = {"moves": men.betza(kind, side)}
            if any(kind in royal for royal in self.royalty.kinds.values()):
                piece["royal"] = kind in self.royalty.kinds[side]
            starts = men.starts(kind, side)
            if starts is not None and self.has(kind, side):
                piece["initial_ranks"] = starts
            region = self.variant.value(mobility(side, kind)) & self.board
            if region and region != self.board:
                piece["ranks"] = self.own_ranks(region, mobility(side, kind), side)
            if kind == JANGGI_CANNON:
                piece |= {"not_over": letter, "not_onto": letter}
            found[letter] = piece
        return found

    def has(self, kind: str, side: str) -> bool:
        """Whether the side starts with men of that type, or may promote to it."""
        letter = self.variant.letters[kind]
        own = letter if side == "White" else letter.lower()
        targets = self.kinds(self.variant.value(f"promotionPieceTypes{side}"))
        return own in self.setup.men.values() or kind in targets

    def labels(self, letter: str) -> Document:
        kind = next(k for k, own in self.variant.letters.items() if own == letter)
        if any(kind in royal for royal in self.royalty.kinds.values()) and kind == "commoner":
            kind = KING  # who is royal by another key
        name = "" if kind in CUSTOM_SLOTS else re.sub(r"([A-Z])", r" \1", kind).capitalize()
        return {"name": name} if name else {}

    def own_ranks(self, squares: FilesRanks, key: str, side: str) -> list[int]:
        """Squares that fill whole ranks, as ranks counted from the side's first one."""
        ranks = sorted({rank for _, rank in squares})
        if squares != {square for square in self.board if square[1] in ranks}:
            raise self.refused(key, "a region that is not made of whole ranks")
        return sorted(rank + 1 if side == "White" else self.ranks - rank for rank in ranks)

    # --- castling and promotion ---------------------------------------------------------------

    def castling(self, side: str) -> Document | bool:
        variant = self.variant
        rank = variant.value("castlingRank") - 1
        rank = rank if side == "White" else self.ranks - 1 - rank
        own = str.upper if side == "White" else str.lower
        king = self.castling_king(side, rank)
        partners = variant.value(f"castlingRookPieces{side}")
        letters = {variant.letters[kind] for kind in partners if kind in variant.letters}
        found: Document = {}
        if not variant.value("castling") or king is None:
            return False
        for right in self.setup.rights[side]:
            file = self.partner(right, rank, letters, own)
            if file is None:
                continue
            wing = "kingside" if file > king[0] else "queenside"
            to = variant.value("castlingKingsideFile" if wing == "kingside" else
                               "castlingQueensideFile") - 1  # fmt: skip
            letter = self.setup.men[file, rank].upper()
            if found.setdefault("partner", letter) != letter:
                raise self.refused(f"castlingRookPieces{side}", "two kinds of partners")
            if wing in found:
                raise self.refused("startFen", f"two castling rights on the {wing}")
            found[wing] = {
                "king": _file(to),
                "partner": _file(file),
                "to": _file(to - 1 if wing == "kingside" else to + 1),
            }
        if found and self.royalty.men[side] > 1:
            found["home"] = _file(king[0])
        return found or False

    def castling_king(self, side: str, rank: int) -> tuple[int, int] | None:
        """Where the side's man stands who castles, if he is on that rank."""
        key = f"castlingKingPiece{side}"
        kind = self.variant.value(key)
        if kind not in self.variant.letters:
            return None
        letter = self.variant.letters[kind]
        own = letter if side == "White" else letter.lower()
        files = [f for (f, r), man in self.setup.men.items() if r == rank and man == own]
        if len(files) > 1:
            files = [f for f in files if f == self.variant.value("castlingKingFile") - 1]
        if not files:
            return None
        if kind not in self.royalty.kinds[side] and self.setup.rights[side]:
            raise self.refused(key, "castles without a royal man")
        return files[0], rank

    def partner(self, right: str, rank: int, letters: set[str], own: Any) -> int | None:
        """The file of the man whom a right is about, as Fairy-Stockfish looks for him."""
        files = range(self.variant.value("maxFile"))
        if right == "K":
            first = self.variant.value("castlingRookKingsideFile") - 1
            search = [file for file in reversed(files) if file <= first]
        elif right == "Q":
            first = self.variant.value("castlingRookQueensideFile") - 1
            search = [file for file in files if file >= first]
        else:
            search = [ord(right) - ord("A")]
        wanted = {own(letter) for letter in letters}
        return next((f for f in search if self.setup.men.get((f, rank)) in wanted), None)

    def promotion(self, side: str) -> Document:
        variant = self.variant
        region = variant.value(f"promotionRegion{side}") & self.board
        # A pawn promotes whatever the key says.
        kinds = {*variant.value(f"promotionPawnTypes{side}"), PAWN} & set(variant.letters)
        kinds = {kind for kind in kinds if self.has(kind, side)}
        men = sorted(variant.letters[kind] for kind in kinds)
        targets = self.kinds(variant.value(f"promotionPieceTypes{side}"))
        if KING in targets:
            raise self.refused(f"promotionPieceTypes{side}", "promotion to king")
        to = sorted(variant.letters[kind] for kind in targets)
        if not men or not region:
            return {"optional": [], "compulsory": []}
        ranks = self.own_ranks(region, f"promotionRegion{side}", side)
        if not to:
            if not variant.value("mandatoryPawnPromotion"):
                return {"optional": [], "compulsory": []}
            raise self.refused(f"promotionPieceTypes{side}", "pawns that must promote to nothing")
        stuck = self.stuck(ranks, kinds, side)
        compulsory = ranks if variant.value("mandatoryPawnPromotion") else stuck
        table: Document = {
            "pieces": "".join(men),
            "to": "".join(to),
            "optional": [rank for rank in ranks if rank not in compulsory],
            "compulsory": compulsory,
        }
        return table | self.supply(targets, side)

    def kinds(self, chosen: frozenset[str]) -> set[str]:
        letters = set(self.variant.letters)
        return letters - {KING} if EVERY_TYPE in chosen else letters & chosen

    def supply(self, targets: set[str], side: str) -> Document:
        own = str.upper if side == "White" else str.lower
        limits = {
            self.variant.letters[kind]: count
            for kind, count in self.variant.value("promotionLimit").items()
            if kind in targets and count
        }
        if not limits:
            return {"supply": "any"}
        men = list(self.setup.men.values())
        array = {self.variant.letters[k]: men.count(own(self.variant.letters[k])) for k in targets}
        if limits == array:
            return {"supply": "captured"}
        army = "".join(letter * count for letter, count in sorted(limits.items()))
        return {"supply": "limited", "limits": army}

    def stuck(self, zone: list[int], kinds: set[str], side: str) -> list[int]:
        """The ranks of the zone that a man may not stay on since he could not leave them; anywhere
        else such a rule is refused."""
        if not self.variant.value("immobilityIllegal"):
            return []
        men = Men(self.variant, self.name, self.source, self.setup, self.ranks)
        found: set[int] = set()
        for kind in self.variant.letters:
            ranks = men.stuck_ranks(kind, self.board, side)
            if ranks is None or (ranks and (kind not in kinds or not ranks <= set(zone))):
                raise self.refused(
                    "immobilityIllegal",
                    f"forbids {self.variant.letters[kind]} to go where it could not go on, other "
                    "than by compulsory promotion",
                )
            found |= ranks
        return sorted(found)

    # --- endings ------------------------------------------------------------------------------

    def endings(self) -> Document:
        variant = self.variant
        for key in ("nFoldValue", "stalemateValue"):
            if variant.value(key) == "none":
                raise self.refused(key, "found none; allowed: draw, loss, win")
        if variant.value("nFoldRule") == 1 or variant.value("nFoldRule") > 16:
            raise self.refused("nFoldRule", "allowed: 0 = never, or 2 to 16")
        if variant.value("nMoveRule") > 500:
            raise self.refused("nMoveRule", "allowed: 0 = never, to 500")
        kinds = [variant.value(f"nMoveRuleTypes{side}") for side in SIDES]
        letters = [sorted(variant.letters[k] for k in self.kinds(types)) for types in kinds]
        if letters[0] != letters[1] and variant.value("nMoveRule"):
            men = [
                {m.upper() for m in self.setup.men.values() if m.isupper() == (side == "White")}
                for side in SIDES
            ]
            # A type that only one side has may be listed for that side alone.
            for own, listed, other in ((0, letters[1], 1), (1, letters[0], 0)):
                if set(listed) - set(letters[own]) & men[own]:
                    raise self.refused(
                        f"nMoveRuleTypes{SIDES[other]}", "moves that reset the count for one side"
                    )
        resets = ["capture", *sorted({*letters[0], *letters[1]})]
        return {
            "stalemate": variant.value("stalemateValue"),
            "bare_king": self.bare_king(),
            "repetition": {
                "count": variant.value("nFoldRule"),
                "result": MOVERS_RESULT[variant.value("nFoldValue")],
            },
            "n_move": {"moves": variant.value("nMoveRule"), "resets": resets},
        }

    def bare_king(self) -> Document:
        variant = self.variant
        if variant.value("extinctionValue") == "none" or variant.value("extinctionPseudoRoyal"):
            return {"result": "play on"}
        for key, wanted in BARE_KING.items():
            if variant.value(key) != wanted:
                raise self.refused(
                    key if key in variant.settings else "extinctionValue",
                    "asks for a game that ends when pieces die out; allowed: none, or the loss of "
                    "a side whose last man is the king (all types, count 1, opponent's count 2)",
                )
        return {"result": "loss", "answer": variant.value("extinctionClaim")}

    def refused(self, key: str, problem: str) -> DocumentError:
        return refusal(self.variant, self.name, key, self.source, problem)


def _difference(shared: Mapping[str, Any], own: Mapping[str, Any]) -> Document:
    """What of `own` is otherwise than shared, as the rule language lays it over."""
    found: Document = {}
    for key, value in own.items():
        below = shared.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            inner = _difference(below, value)
            inner |= {gone: [] for gone in below if gone not in value and gone == "initial_ranks"}
            if inner:
                found[key] = inner
        elif value != below:
            found[key] = value
    return found


def _file(file: int) -> str:
    return "abcdefghijklmnop"[file] if 0 <= file < 16 else show(file)


def _identifier(name: str) -> str:
    text = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:64].rstrip("-")
    return text or "imported"
