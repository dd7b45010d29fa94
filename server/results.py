"""What a result must look like before anybody counts it.

Results come from strangers. This module checks what can be told from the result and the batch's
place in the schedule alone: that it is about this experiment and batch, was played by the pinned
engine, holds exactly the games that were asked for, and that each game could be one. That the moves
are the ones the engine would play is another matter: it takes playing them again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from tabia.engine.documents import Allowed, Strict, validate
from tabia.engine.match import Experiment
from tabia.engine.match.table import MOST_ATTEMPTS
from tabia.engine.outside import misconduct
from tabia.engine.position import Reason
from tabia.server.models import BatchRow

MAX_PLIES = 20_000
"""No experiment allows longer games; it bounds what a stranger can make the database keep."""

_SQUARE = r"[a-p](?:1[0-6]|[1-9])"
_MOVE = rf"{_SQUARE}{_SQUARE}[a-z]?\*?"

MAX_MOVES = 65_536
"""No position on a board of 256 squares has more legal moves: from every square to every other."""

Count = Annotated[int, Field(ge=0, le=MAX_PLIES)]
Letter = Annotated[str, StringConstraints(pattern=r"^[A-Z]$"), Allowed("one letter, A to Z")]
Moves = Annotated[
    str,
    StringConstraints(pattern=rf"^(?:{_MOVE}(?: {_MOVE})*)?$", max_length=MAX_PLIES * 10),
    Allowed("moves such as e2e4, with one blank between them"),
]
Match = Annotated[
    str,
    StringConstraints(pattern=r"^(?:[A-Za-z0-9-]{1,32}:[A-Za-z0-9-]{1,32})?$"),
    Allowed("the label of a match, such as QP:RR, or nothing"),
]
MenCounts = Annotated[dict[Letter, Annotated[int, Field(ge=0, le=256)]], Field(max_length=26)]
ExperimentId = Annotated[
    str, StringConstraints(pattern=r"^[0-9a-f]{64}$"), Allowed("an experiment's id")
]


class PromotionCounts(Strict):
    """How often each side promoted to each piece."""

    white: dict[Letter, Count]
    black: dict[Letter, Count]


class DeclinedCounts(Strict):
    """How often each side could have promoted and did not."""

    white: Count
    black: Count


class OpeningCounts(Strict):
    """How many openings were drawn, and how often one had to be drawn again."""

    drawn: Annotated[int, Field(ge=0, le=2**31)]
    redrawn: Annotated[int, Field(ge=0, le=2**31)]


class SideCounts(Strict):
    """How often each side did something."""

    white: Count
    black: Count


class Survivors(Strict):
    """How many men of each letter stand at the end, and were there at the start, by side."""

    white: MenCounts
    black: MenCounts


class GameProfile(Strict):
    """What the engine counted of one game; `docs/metrics.md` has the definitions.

    ``offered``, ``chosen`` and ``forced`` are about the plies after the opening: legal moves in
    all, plies, and plies with one legal move. Plies are numbered from 1.
    """

    offered: Annotated[int, Field(ge=0, le=MAX_PLIES * MAX_MOVES)]
    chosen: Count
    forced: Count
    castlings: SideCounts
    en_passant: SideCounts
    own_captures: SideCounts
    citadel_exits: SideCounts
    first_promotion: Annotated[int, Field(ge=1, le=MAX_PLIES)] | None
    survivors: Survivors
    lead_changes: Count
    decided_at: Annotated[int, Field(ge=1, le=MAX_PLIES)] | None


class Game(Strict):
    """One game of a result, the result being White's."""

    unit: Annotated[int, Field(ge=0)]
    arm: Literal["a", "b"]
    moves: Moves
    opening_plies: Count
    result: Literal["1-0", "0-1", "1/2-1/2"]
    reason: Reason
    plies: Count
    promotions: PromotionCounts
    declined: DeclinedCounts
    match: Match
    profile: GameProfile


class Void(Strict):
    """A pair of games that a program broke off: see ``VoidPair`` of the engine."""

    unit: Annotated[int, Field(ge=0)]
    attempt: Annotated[int, Field(ge=0, lt=MOST_ATTEMPTS)]
    arm: Literal["a", "b"]
    player: Annotated[
        str, StringConstraints(pattern=r"^[a-z0-9-]{1,32}$"), Allowed("a player's key")
    ]
    reason: Annotated[str, Allowed("a reason that the engine knows")]
    detail: Annotated[str, StringConstraints(max_length=misconduct.MOST_DETAIL)]
    plies: Count


class Result(Strict):
    """What ``play_batch`` gave; ``voids`` only where programs play."""

    experiment: ExperimentId
    batch: Annotated[int, Field(ge=0)]
    engine: str
    games: list[Game]
    openings: OpeningCounts
    voids: list[Void] = Field(default_factory=list)


class ResultError(ValueError):
    """A result that is not counted; the text says why in one line."""


def parse(data: object) -> Result:
    """A result from its JSON; raises :class:`tabia.engine.documents.DocumentError`."""
    return validate(Result, data, "result")


def check(result: Result, experiment: Experiment, batch: BatchRow, matches: Sequence[str]) -> None:
    """Raise ResultError unless ``result`` can be what the pinned engine plays for ``batch``.

    ``matches`` are the labels of the batch's units, in order.
    """
    if result.engine != experiment.engine:
        raise ResultError(
            f"engine {result.engine!r} played it; this experiment needs {experiment.engine!r}"
        )
    asked = [
        (unit, arm)
        for unit in range(batch.first_unit, batch.first_unit + batch.units)
        for arm in ("a", "b")
    ]
    got = sorted((game.unit, game.arm) for game in result.games)
    if got != asked:
        raise ResultError(
            f"batch {batch.number} holds units {asked[0][0]} to {asked[-1][0]}, "
            f"each once under arm a and once under arm b ({len(asked)} games); "
            f"the result holds {len(got)} games{_first_difference(asked, got)}"
        )
    for void in result.voids:
        _check_void(void, experiment, batch)
    for game in result.games:
        _check_game(game, experiment)
        match = matches[game.unit - batch.first_unit]
        if game.match != match:
            raise ResultError(
                f"{_where(game)}: the match {match!r} was asked for, not {game.match!r}"
            )


def _check_void(void: Void, experiment: Experiment, batch: BatchRow) -> None:
    player = experiment.players.get(void.player)
    if player is None or not player.is_outside:
        raise ResultError(f"unit {void.unit} is void because of {void.player!r}: no program plays")
    if void.reason not in set(misconduct.Reason):
        raise ResultError(f"unit {void.unit} is void for no known reason: {void.reason!r}")
    if not batch.first_unit <= void.unit < batch.first_unit + batch.units:
        raise ResultError(f"unit {void.unit}, which is void, is none of batch {batch.number}")


def _check_game(game: Game, experiment: Experiment) -> None:
    played = len(game.moves.split())
    where = _where(game)
    if played != game.plies:
        raise ResultError(f"{where}: {game.plies} plies are said and {played} moves are there")
    if game.plies > experiment.max_plies:
        raise ResultError(
            f"{where}: {game.plies} plies; this experiment stops games at {experiment.max_plies}"
        )
    if game.opening_plies != experiment.opening_plies or game.plies < game.opening_plies:
        raise ResultError(
            f"{where}: an opening of {game.opening_plies} plies in a game of {game.plies}; "
            f"here openings have {experiment.opening_plies}"
        )
    if game.reason == "ply cap" and game.result != "1/2-1/2":
        raise ResultError(f"{where}: a game that ends at the ply cap is scored 1/2-1/2")
    _check_profile(game, game.profile)


def _check_profile(game: Game, profile: GameProfile) -> None:
    """Numbers that contradict the game or each other."""
    where = _where(game)
    chosen = game.plies - game.opening_plies
    if profile.chosen != chosen or profile.forced > chosen:
        raise ResultError(
            f"{where}: {profile.chosen} plies chosen, {profile.forced} of them forced, in a game "
            f"with {chosen} plies after the opening"
        )
    if profile.offered < profile.chosen:
        raise ResultError(
            f"{where}: {profile.offered} legal moves cannot be offered over {profile.chosen} plies"
        )
    for name in ("castlings", "en_passant", "own_captures", "citadel_exits"):
        counts: SideCounts = getattr(profile, name)
        if counts.white + counts.black > game.plies:
            raise ResultError(
                f"{where}: {counts.white + counts.black} {name.replace('_', ' ')} in "
                f"{game.plies} plies"
            )
    made = sum(sum(counts.values()) for counts in (game.promotions.white, game.promotions.black))
    declined = game.declined.white + game.declined.black
    if made + declined > game.plies:
        raise ResultError(
            f"{where}: {made} promotions and {declined} declined ones in {game.plies} plies"
        )
    if max(profile.first_promotion or 0, profile.decided_at or 0) > game.plies:
        raise ResultError(f"{where}: the profile names a ply beyond the last, {game.plies}")
    if bool(made) != (profile.first_promotion is not None):
        raise ResultError(
            f"{where}: the first promotion's ply is there if and only if there is one"
        )
    won = game.result != "1/2-1/2"
    if won != (profile.decided_at is not None):
        raise ResultError(f"{where}: the ply that decided it is there if and only if it was won")
    if profile.lead_changes > max(profile.chosen - 1, 0):
        raise ResultError(
            f"{where}: the lead cannot change {profile.lead_changes} times in "
            f"{profile.chosen} plies"
        )


def _where(game: Game) -> str:
    return f"unit {game.unit} under arm {game.arm}"


def _first_difference(asked: Sequence[tuple[int, str]], got: Sequence[tuple[int, str]]) -> str:
    for there, here in zip(asked, got, strict=False):
        if there != here:
            return f", the first wrong one is unit {here[0]} under arm {here[1]}"
    return ""


def digest(data: Mapping[str, Any]) -> str:
    """SHA-256 of JSON data, whatever the order of its keys."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
