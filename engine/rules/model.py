"""The shape of a rule set: every rule a named field with a default.

`RuleDocument` is what a designer writes (after `extends` is applied); `SideRules` are the fields
that may differ between the sides, under `[white]` and `[black]`. Both are plain data: what a field
means for play is said in docs/rule-language.md and done by `tables`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabia.engine.documents import Allowed, Strict

SCHEMA = 1
"""Version of the language. A new field with a default changes no old rules_id, so no new version;
a field that changes its meaning does."""

MAX_SIZE = 16

Letter = Annotated[str, Field(pattern=r"^[A-Z]$"), Allowed("one capital letter, A to Z")]
Letters = Annotated[
    str, Field(pattern=r"^[A-Z]{0,26}$"), Allowed('a text of piece letters such as "NBRQ"')
]
File = Annotated[str, Field(pattern=r"^[a-p]$"), Allowed("the letter of a file, a to p")]
Square = Annotated[
    str, Field(pattern=r"^[a-p]([1-9]|1[0-6])$"), Allowed("a square such as e4, a1 to p16")
]
Rank = Annotated[int, Field(ge=1, le=MAX_SIZE)]
RankKey = Annotated[
    str, Field(pattern=r"^([1-9]|1[0-6])$"), Allowed("the number of a rank, 1 to 16")
]
Row = Annotated[
    str,
    Field(max_length=2 * MAX_SIZE),
    Allowed('a row as in a FEN, from file a on, such as "1NBQKMCBN1"'),
]
Betza = Annotated[str, Field(max_length=200), Allowed('moves in Betza notation such as "fmWfcF"')]
Identifier = Annotated[
    str,
    Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$"),
    Allowed("small letters, digits and hyphens, 64 at most"),
]
Title = Annotated[
    str,
    Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$"),
    Allowed("one line of 1 to 100 characters"),
]
Paragraph = Annotated[
    str,
    Field(max_length=2000, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$"),
    Allowed("a text of at most 2000 characters, none of them a control character"),
]


class Board(Strict):
    """Size, and the squares that are not there."""

    files: Annotated[int, Field(ge=1, le=MAX_SIZE)]
    ranks: Annotated[int, Field(ge=1, le=MAX_SIZE)]
    holes: Annotated[list[Square], Field(max_length=MAX_SIZE * MAX_SIZE)] = Field(
        default_factory=list
    )


class Piece(Strict):
    """A piece type. The name is a label and no rule."""

    name: Title | None = None
    moves: Betza
    royal: bool = False


class Castle(Strict):
    """One castling move: the files the king and its partner end on, the one the partner is on.

    `to` left out: the partner ends beside the king, on the side the king came from.
    """

    king: File
    partner: File
    to: File | None = None


class Castling(Strict):
    """Orthodox castling with any squares of the king's rank; a side left out does not castle."""

    partner: Letter = "R"
    kingside: Castle | None = None
    queenside: Castle | None = None


class Promotion(Strict):
    """Who promotes where and to what; ranks are counted from the mover's own first rank.

    supply "captured": only to a type of which the side has fewer on the board than in its array.
    when_none: what a compulsory promotion is with nothing to promote to; "immobile" = no move.
    """

    pieces: Letters = "P"
    to: Letters = ""
    supply: Literal["any", "captured"] = "any"
    optional: Annotated[list[Rank], Field(max_length=MAX_SIZE)] = Field(default_factory=list)
    compulsory: Annotated[list[Rank], Field(max_length=MAX_SIZE)] = Field(default_factory=list)
    when_none: Literal["immobile"] = "immobile"


class Repetition(Strict):
    """The position that occurs for that time ends the game; count 0 = never."""

    count: Annotated[int, Field(ge=0, le=16), Allowed("0 = never, or 2 to 16")] = 3
    result: Literal["draw"] = "draw"


class NMove(Strict):
    """The game ends after so many moves of each side without one that resets the count; 0 = off."""

    moves: Annotated[int, Field(ge=0, le=500)] = 50
    resets: Annotated[
        list[
            Annotated[
                str,
                Field(pattern=r"^([A-Z]|capture)$"),
                Allowed('"capture" or the letter of a piece whose moves reset the count'),
            ]
        ],
        Field(max_length=27),
    ] = Field(default_factory=lambda: ["capture", "P"])
    result: Literal["draw"] = "draw"


Stalemate = Literal["draw", "loss", "win"]


class Endings(Strict):
    """How games end beside checkmate. stalemate: what the side without a legal move gets."""

    stalemate: Stalemate = "draw"
    repetition: Repetition = Repetition()
    n_move: NMove = NMove()
    dead_position: Literal["draw", "play on"] = "draw"


class RuleDocument(Strict):
    """A rule set as written, laid over what it extends. `LABELS` and `extends` are no rules."""

    id: Identifier | None = None
    extends: Annotated[str, Field(max_length=200)] | None = None
    name: Title | None = None
    author: Title | None = None
    year: Annotated[int, Field(ge=0, le=9999)] | None = None
    source: Annotated[list[Paragraph], Field(max_length=32)] = Field(default_factory=list)
    notes: Annotated[list[Paragraph], Field(max_length=32)] = Field(default_factory=list)
    board: Board
    pieces: Annotated[dict[Letter, Piece], Field(min_length=1, max_length=26)]
    array: dict[RankKey, Row]
    castling: Castling = Castling()
    promotion: Promotion = Promotion()
    endings: Endings = Endings()
    white: dict[str, Any] = Field(default_factory=dict)
    black: dict[str, Any] = Field(default_factory=dict)


LABELS = ("id", "name", "author", "year", "source", "notes")
"""Fields that travel with a rule set, are not inherited by its tweaks and not part of rules_id."""


class SidePiece(Strict):
    """What a piece type may have of its own on one side."""

    moves: Betza


class SideEndings(Strict):
    """What a side may have of its own among the endings."""

    stalemate: Stalemate = "draw"


class SideRules(Strict):
    """The rules that one side has: those fields of `RuleDocument` that may differ by side."""

    pieces: dict[Letter, SidePiece]
    castling: Castling = Castling()
    promotion: Promotion = Promotion()
    endings: SideEndings = SideEndings()
