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
Army = Annotated[
    str,
    Field(pattern=r"^[A-Z]{0,256}$"),
    Allowed('a text with one letter for each man, such as "QQRRRR"'),
]
Rank = Annotated[int, Field(ge=1, le=MAX_SIZE)]
Ranks = Annotated[list[Rank], Field(max_length=MAX_SIZE)]
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
    """Size, the squares that are not there, and the citadels.

    citadels: square -> a square of the board. A man who stands on a citadel moves as if he stood on
    that square; nobody can enter, attack or pass a citadel.
    """

    files: Annotated[int, Field(ge=1, le=MAX_SIZE)]
    ranks: Annotated[int, Field(ge=1, le=MAX_SIZE)]
    holes: Annotated[list[Square], Field(max_length=MAX_SIZE * MAX_SIZE)] = Field(
        default_factory=list
    )
    citadels: Annotated[dict[Square, Square], Field(max_length=MAX_SIZE)] = Field(
        default_factory=dict
    )


class SidePiece(Strict):
    """What a piece type may have of its own on one side.

    initial: what `i` in its moves asks for, a rank or that the man has not moved; initial_ranks:
    which ranks, none = those on which the array has the type; ranks: the only ranks it may move to,
    none = all; own_victims: whom `d` captures, none = all but royal types; not_over: who cannot
    be hopped over; not_onto: which enemies cannot be captured; ep_victims: whom `e` captures, none
    = everybody.
    """

    moves: Betza
    royal: bool = False
    initial: Literal["rank", "unmoved"] = "rank"
    initial_ranks: Ranks = Field(default_factory=list)
    ranks: Ranks = Field(default_factory=list)
    own_victims: Letters = ""
    not_over: Letters = ""
    not_onto: Letters = ""
    ep_victims: Letters = ""


class Piece(SidePiece):
    """A piece type. The name is a label and no rule."""

    name: Title | None = None


class Check(Strict):
    """What binds a side that has several royal men; with one, the three are the same.

    royals: "every" = it may leave none of them attacked; "last" = it may lose all but one, and only
    the last one is in check; "duple" = it may lose all but one, and is in check when all that it
    has are attacked at once.
    """

    royals: Literal["every", "last", "duple"] = "every"


class Castle(Strict):
    """One castling move: the files the king and its partner end on, the one the partner is on.

    also: other files that the king may choose instead (flexible castling). `to` left out: the
    partner ends beside the king, on the side the king came from.
    """

    king: File
    partner: File
    to: File | None = None
    also: Annotated[list[File], Field(max_length=MAX_SIZE)] = Field(default_factory=list)


class Castling(Strict):
    """Castling with any squares of the king's rank; a side left out does not castle.

    home: the file on which the royal man stands that castles, left out where the side has one;
    from_move: the number of the first move at which it is allowed.
    """

    home: File | None = None
    partner: Letter = "R"
    kingside: Castle | None = None
    queenside: Castle | None = None
    from_move: Annotated[int, Field(ge=1, le=500)] = 1


class EnPassant(Strict):
    """Who leaves squares open to capture en passant; none named = everybody whose moves say so."""

    givers: Letters = ""


Supply = Literal["any", "captured", "limited"]
WhenNone = Literal["immobile", "stays"]


class Tier(Strict):
    """A promotion of its own: on these ranks to these pieces. Left out: as in `Promotion`."""

    ranks: Annotated[list[Rank], Field(min_length=1, max_length=MAX_SIZE)]
    to: Letters
    pieces: Letters = ""
    compulsory: bool = False


class Promotion(Strict):
    """Who promotes where and to what; ranks are counted from the mover's own first rank.

    optional, compulsory: the ranks for `to`; tiers: other ranks, or other pieces. supply
    "captured": only to a type of which the side has fewer on the board than in its array and the
    reserve together; "limited": than in `limits` (a type that is not in it has no limit).
    when_none: what a compulsory promotion is with nothing to promote to; "immobile" = no move,
    "stays" = the man stays what it is.
    """

    pieces: Letters = "P"
    to: Letters = ""
    supply: Supply = "any"
    reserve: Army = ""
    limits: Army = ""
    optional: Ranks = Field(default_factory=list)
    compulsory: Ranks = Field(default_factory=list)
    tiers: Annotated[list[Tier], Field(max_length=MAX_SIZE)] = Field(default_factory=list)
    when_none: WhenNone = "immobile"


class Repetition(Strict):
    """The position that occurs for that time ends the game; count 0 = never.

    result: what the side gets that made the move.
    """

    count: Annotated[int, Field(ge=0, le=16), Allowed("0 = never, or 2 to 16")] = 3
    result: Literal["draw", "loss", "win"] = "draw"


class NMove(Strict):
    """The game ends after so many moves of each side without one that resets the count; 0 = off."""

    moves: Annotated[int, Field(ge=0, le=500)] = 50
    resets: Annotated[
        list[
            Annotated[
                str,
                Field(pattern=r"^([A-Z]|capture|own capture)$"),
                Allowed(
                    '"capture", "own capture" or the letter of a piece whose moves reset the count'
                ),
            ]
        ],
        Field(max_length=28),
    ] = Field(default_factory=lambda: ["capture", "P"])
    result: Literal["draw"] = "draw"


class BareKing(Strict):
    """What the side gets that has lost every man but royal ones.

    answer: when it bares the other side with its next move, the game is drawn; citadels_count: men
    on citadels count as men.
    """

    result: Literal["play on", "loss", "draw"] = "play on"
    answer: bool = False
    citadels_count: bool = True


Stalemate = Literal["draw", "loss", "win"]


class Endings(Strict):
    """How games end beside checkmate. stalemate: what the side without a legal move gets."""

    stalemate: Stalemate = "draw"
    bare_king: BareKing = BareKing()
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
    check: Check = Check()
    en_passant: EnPassant = EnPassant()
    castling: Castling = Castling()
    promotion: Promotion = Promotion()
    endings: Endings = Endings()
    white: dict[str, Any] = Field(default_factory=dict)
    black: dict[str, Any] = Field(default_factory=dict)


LABELS = ("id", "name", "author", "year", "source", "notes")
"""Fields that travel with a rule set, are not inherited by its tweaks and not part of rules_id."""


class SideEndings(Strict):
    """What a side may have of its own among the endings."""

    stalemate: Stalemate = "draw"


class SideRules(Strict):
    """The rules that one side has: those fields of `RuleDocument` that may differ by side."""

    pieces: dict[Letter, SidePiece]
    check: Check = Check()
    en_passant: EnPassant = EnPassant()
    castling: Castling = Castling()
    promotion: Promotion = Promotion()
    endings: SideEndings = SideEndings()
