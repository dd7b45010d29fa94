"""Legal moves against another program's, in random games."""

import hashlib

import pyffish
import pytest

from tabia.engine import Position, RuleSet

# Fairy-Stockfish writes C for the Marshall and A for the Cardinal.
TO_PEER = {"chess": {}, "grand": str.maketrans("MCmc", "CAca")}


def in_peers_letters(variant: str, move: str) -> str:
    return move[:-1] + move[-1].translate(TO_PEER[variant]) if move[-1].isalpha() else move


@pytest.mark.parametrize("variant", ["chess", "grand"])
@pytest.mark.parametrize("game", range(10))
def test_every_position_of_a_random_game_has_the_same_moves(variant: str, game: int) -> None:
    position = Position(RuleSet.load(variant))
    for ply in range(120):
        # Positions, not move lists: the peer plays the whole list again at every call.
        board, rest = position.fen().split(" ", 1)
        theirs = pyffish.legal_moves(variant, f"{board.translate(TO_PEER[variant])} {rest}", [])
        ours = position.legal_moves()
        assert sorted(in_peers_letters(variant, move) for move in ours) == sorted(theirs)
        if position.outcome() is not None:
            break
        digest = hashlib.sha256(f"{variant} {game} {ply}".encode()).digest()
        position.push(ours[int.from_bytes(digest) % len(ours)])
