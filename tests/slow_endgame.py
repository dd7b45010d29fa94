"""Endings solved the slow way: every position a node, every move an edge, and round after round.

It shares nothing with engine/core/endgame.cpp: no tables of ways, no symmetry, no moves played
backwards. What the moves are is asked of `slow_game`, which shares nothing with the core at all, or
of `Position`, which is faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from slow_game import Game, array

from tabia.engine import Position, RuleSet

RESULTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}


@dataclass
class Node:
    """A position: the side to move (1 = White), where its moves lead, White's result if over."""

    side: int
    children: frozenset[str]
    over: int | None


def solve(nodes: dict[str, Node]) -> dict[str, tuple[int, int]]:
    """White's result (1, 0, -1) of each position, and the plies to the end, 0 for a draw."""
    known = {key: (node.over, 0) for key, node in nodes.items() if node.over is not None}
    waiting = set(nodes) - set(known)
    plies, found = 0, True
    while found:
        plies += 1
        decided = {}
        for key in waiting:
            node = nodes[key]
            results = {known[child][0] if child in known else 0 for child in node.children}
            if node.side in results:
                decided[key] = (node.side, plies)
            elif results == {-node.side}:
                decided[key] = (-node.side, plies)
        known |= decided
        waiting -= set(decided)
        found = bool(decided)
    return known | dict.fromkeys(waiting, (0, 0))


# --- by `Position` --------------------------------------------------------------------------


def key_of(fen: str) -> str:
    """Board and side to move."""
    return " ".join(fen.split()[:2])


def placements(rules: RuleSet, men: str) -> Iterator[str]:
    """Every way to put the men (FEN letters) on the squares of the board, as key_of() has it."""
    board = rules.rules.board
    squares = [(file, rank) for rank in range(board.ranks) for file in range(board.files)]
    seen = set()
    for places in permutations(squares, len(men)):
        at = dict(zip(places, men, strict=True))
        rows = []
        for rank in reversed(range(board.ranks)):
            row, blank = "", 0
            for file in range(board.files):
                if (man := at.get((file, rank))) is None:
                    blank += 1
                else:
                    row, blank = f"{row}{blank or ''}{man}", 0
            rows.append(f"{row}{blank or ''}")
        text = "/".join(rows)
        if text not in seen:
            seen.add(text)
            yield from (f"{text} {side}" for side in "wb")


def graph(rules: RuleSet, keys: Iterator[str]) -> dict[str, Node]:
    """Those of the positions that are legal, and all that they lead to.

    The rules must know no repetition, no n-move rule and no dead positions.
    """
    nodes: dict[str, Node] = {}
    waiting = [key for key in keys if is_legal(rules, key)]
    while waiting:
        key = waiting.pop()
        if key in nodes:
            continue
        position = Position(rules, key)
        outcome = position.outcome()
        children = []
        if outcome is None:
            for move in position.legal_moves():
                position.push(move)
                children.append(key_of(position.fen()))
                position.pop()
        over = None if outcome is None else RESULTS[outcome.result]
        nodes[key] = Node(1 if key.endswith("w") else -1, frozenset(children), over)
        waiting.extend(child for child in nodes[key].children if child not in nodes)
    return nodes


def is_legal(rules: RuleSet, key: str) -> bool:
    """Whether every man may stand there and the side that has just moved is not in check."""
    try:
        board, side = key.split()
        return not Position(rules, f"{board} {'b' if side == 'w' else 'w'}").in_check()
    except ValueError:
        return False


# --- by `slow_game` -------------------------------------------------------------------------


def slow_positions(tables: dict[str, Any], men: list[tuple[int, int]]) -> Iterator[Game]:
    """Every legal position of those men (side, type), all of which have moved."""
    empty = replace(array(tables), board={}, rights=frozenset(), unmoved=frozenset())
    squares = [
        rank * 16 + file
        for rank in range(tables["ranks"])
        for file in range(tables["files"])
        if empty.exists(file, rank)
    ]
    for places in permutations(squares, len(men)):
        board = dict(zip(places, men, strict=True))
        for side in (0, 1):
            game = replace(empty, board=board, side=side)
            if not game.exposed(board, 1 - side):
                yield game


def slow_key(game: Game) -> str:
    """Board and side to move."""
    return key_of(game.fen())


def slow_graph(games: Iterator[Game]) -> dict[str, Node]:
    """The positions and all that they lead to. The tables must know no repetition and no n-move
    rule."""
    nodes: dict[str, Node] = {}
    waiting = list(games)
    while waiting:
        game = waiting.pop()
        key = slow_key(game)
        if key in nodes:
            continue
        outcome = game.outcome()
        after = [] if outcome else [replace(game.play(play), before=()) for play in game.legal]
        over = None if outcome is None else RESULTS[outcome[0]]
        keys = frozenset(slow_key(child) for child in after)
        nodes[key] = Node(1 if game.side == 0 else -1, keys, over)
        waiting.extend(after)
    return nodes
