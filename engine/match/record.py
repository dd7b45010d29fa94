"""A game as a result holds it: plain data, from what the core counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabia.engine.match.leads import decided_at, lead_changes

if TYPE_CHECKING:
    from tabia.engine._core import Game

WINNER = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}


def recorded_game(played: Game, opening_plies: int) -> dict[str, Any]:
    """The record of a game. Plies are numbered from 1, those of the opening included.

    {"moves": UCI moves with blanks between them, "opening_plies", "result", "reason", "plies",
    "promotions": {side: {letter: times}}, "declined": {side: times}, "profile": ...}; the profile
    holds what docs/metrics.md makes numbers of:

    * of the plies that the engines chose: "offered", the legal moves of all of them together,
      "chosen", how many plies that are, "forced", with how many of them there was but one move;
    * of all plies, by the side that moved: "castlings", "en_passant", "own_captures",
      "citadel_exits" (moves by a man that stood in a citadel);
    * "first_promotion", the ply, or None; "survivors" {side: {letter: men}}: men of the array that
      stand on the board at the end and are what they were;
    * "lead_changes" and "decided_at": see `leads`.
    """
    plies = len(played["moves"])
    scores = played["scores"]
    return {
        "moves": " ".join(played["moves"]),
        "opening_plies": opening_plies,
        "result": played["result"],
        "reason": played["reason"],
        "plies": plies,
        "promotions": played["promotions"],
        "declined": played["declined"],
        "profile": {
            "offered": played["offered"],
            "chosen": plies - opening_plies,
            "forced": played["forced"],
            "castlings": played["castlings"],
            "en_passant": played["en_passant"],
            "own_captures": played["own_captures"],
            "citadel_exits": played["citadel_exits"],
            "first_promotion": played["first_promotion"],
            "survivors": played["survivors"],
            "lead_changes": lead_changes(scores),
            "decided_at": decided_at(
                list(enumerate(scores, opening_plies + 1)), WINNER[played["result"]], plies
            ),
        },
    }
