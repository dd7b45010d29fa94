"""A whole game of Grand Chess between two UCI programs, each believing the other's moves."""

import shutil
import sys

import pytest
from programs import Program

from tabia.engine import Position, RuleSet

PEER = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
TABIA = [sys.executable, "-c", "from tabia.engine.cli import main; raise SystemExit(main(['uci']))"]
# Fairy-Stockfish writes c for the Marshall and a for the Cardinal.
TO_PEER, TO_US = str.maketrans("mc", "ca"), str.maketrans("ca", "mc")


def translated(move: str, letters: dict[int, str]) -> str:
    return move[:-1] + move[-1].translate(letters) if move[-1].isalpha() else move


@pytest.mark.parametrize("ours_is_white", [True, False])
def test_a_game_of_grand_chess(ours_is_white: bool) -> None:
    if PEER is None:
        pytest.skip("no fairy-stockfish here: `make ci-deps` installs it")
    position = Position(RuleSet.load("grand"))
    moves: list[str] = []
    with Program(TABIA) as tabia, Program([PEER]) as peer:
        for program in (tabia, peer):
            program.say("uci")
            program.until("uciok")
            program.say("setoption name UCI_Variant value grand")
            program.say("ucinewgame")
        while position.outcome() is None and len(moves) < 160:
            if (position.turn == "white") == ours_is_white:
                start = f"position startpos moves {' '.join(moves)}".removesuffix("moves ").rstrip()
                move = tabia.best(start, "go nodes 400")
            else:
                theirs = " ".join(translated(move, TO_PEER) for move in moves)
                start = f"position startpos moves {theirs}".removesuffix("moves ").rstrip()
                move = translated(peer.best(start, "go nodes 400"), TO_US)
            position.push(move)
            moves.append(move)
        peer.say("quit")
    assert len(moves) >= 40
