"""What was found about an ending, in words."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tabia.engine.endgames.ending import Count, Ending, Kind, Win

# From what share of the positions with the winner to move a win counts as one that can be forced
# "as a rule": those that fail lose a man at once or are stalemates in waiting.
AS_A_RULE, SELDOM = 0.9, 0.1


def share(part: int, whole: int) -> str:
    """A percentage that says 0 and 100 only of none and all."""
    if part == 0 or part == whole:
        return "0 %" if part == 0 else "100 %"
    percent = 100 * part / whole
    shown = f"{percent:.2f}"
    return {"0.00": "< 0.01", "100.00": "> 99.99"}.get(shown, shown) + " %"


def how_often(wins: int, positions: int) -> str:
    """How often a side that is to move can force a win."""
    if wins == 0:
        return "never"
    part = wins / positions
    return "as a rule" if part >= AS_A_RULE else "seldom" if part < SELDOM else "sometimes"


def as_text(ending: Ending, kinds: list[Kind]) -> str:
    """A page of text."""
    board = ending.rules.rules.board
    white, black = ("+".join(men) for men in (ending.material.white, ending.material.black))
    lines = [f"{ending.rules.name}, {board.files}x{board.ranks}: {white} against {black}"]
    for kind in kinds:
        lines.append("")
        if kind.colours:
            lines.append(f"Both men on {_squares(kind.colours)}:")
        lines.extend([*_table(kind), *_sentences(ending, kind)])
    return "\n".join(lines) + "\n"


def as_json(ending: Ending, kinds: list[Kind]) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "rules_id": ending.rules.id,
        "rules": ending.rules.name,
        "material": str(ending.material),
        "placements": ending.placements,
        "bytes": ending.bytes,
        "kinds": [asdict(kind) for kind in kinds],
    }


def _squares(colours: str) -> str:
    return "squares of one colour" if colours == "same" else "squares of opposite colours"


def _table(kind: Kind) -> list[str]:
    columns = (kind.white_to_move, kind.black_to_move)
    rows = [
        ("", "White to move", "Black to move"),
        ("positions", *(f"{c.positions:,}" for c in columns)),
        ("White wins", *(share(c.white_wins, c.positions) for c in columns)),
        ("drawn", *(share(c.drawn, c.positions) for c in columns)),
        ("Black wins", *(share(c.black_wins, c.positions) for c in columns)),
        ("mated", *(f"{c.mates:,}" for c in columns)),
        ("stalemated", *(f"{c.stalemates:,}" for c in columns)),
    ]
    if any(c.bare_kings for c in columns):
        rows.append(("ended by a bare king", *(f"{c.bare_kings:,}" for c in columns)))
    return [f"  {name:20} {white:>18} {black:>18}" for name, white, black in rows]


def _sentences(ending: Ending, kind: Kind) -> list[str]:
    sentences = [] if kind.mates else ["There is no mate position."]
    sides: list[tuple[str, Count, int, Win | None]] = [
        ("White", kind.white_to_move, kind.white_to_move.white_wins, kind.longest_white_win),
        ("Black", kind.black_to_move, kind.black_to_move.black_wins, kind.longest_black_win),
    ]
    for side, to_move, wins, longest in sides:
        if longest is None:
            continue
        sentences.append(
            f"{side} can {how_often(wins, to_move.positions)} force a win: from "
            f"{share(wins, to_move.positions)} of the positions with {side} to move."
            if wins
            else f"{side} wins only with the other side to move."
        )
        if longest.plies == 0:
            sentences.append(f"Every game that {side} wins is over already.")
            continue
        sentences.append(f"The longest win of {side} takes {_moves(longest)}: {longest.fen}")
        limit = ending.rules.rules.endings.n_move.moves
        if limit and longest.moves > limit:
            sentences.append(f"(The {limit}-move rule is not counted.)")
    if not kind.is_decisive:
        sentences.append("Neither side can force a win anywhere.")
    return sentences


def _moves(win: Win) -> str:
    return f"{win.moves} move{'' if win.moves == 1 else 's'} ({win.plies} plies)"
