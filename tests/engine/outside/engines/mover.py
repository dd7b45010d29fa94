#!/usr/bin/env python3
"""A UCI program that plays chess at random, from a seed, and does what it is told.

It misbehaves as its arguments say: `mover.py illegal 3` from its third move of a game on.
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from tabia.engine import Position, RuleSet

HOW = sys.argv[1] if len(sys.argv) > 1 else ""
WITH = sys.argv[2] if len(sys.argv) > 2 else "1"
FROM = int(WITH) if WITH.isdigit() else 1


def say(line: str) -> None:
    print(line, flush=True)


def misbehave(move: str) -> None:
    """Answers `go` wrongly."""
    if HOW == "illegal":
        say("bestmove a1a1")
    elif HOW == "garbage":
        say("bestmove \x1b[31m<b>e4</b> ponder ☃")
    elif HOW == "none":
        say("bestmove (none)")
    elif HOW == "zeros":
        say("bestmove 0000")
    elif HOW == "crash":
        print("no more pieces in the box", file=sys.stderr, flush=True)
        os.abort()
    elif HOW == "crash-twice":
        # Each time it leaves a mark in a file, so that it knows.
        with Path(WITH).open("a+") as marks:
            marks.seek(0)
            if len(marks.read()) < 2:
                marks.write("x")
                marks.flush()
                os.abort()
        say(f"bestmove {move}")
    elif HOW == "tell-environment":
        say("bestmove " + ";".join(sorted(os.environ)))
    elif HOW == "quit":
        sys.exit(3)
    elif HOW == "hang":
        time.sleep(3600)
    elif HOW == "hang-with-child":
        subprocess.run(["sleep", "3600"], check=False)
    elif HOW == "late":
        time.sleep(1.5)
        say(f"bestmove {move}")
    elif HOW == "flood":
        while True:
            say("info string " + "la " * 1000)
    elif HOW == "one-long-line":
        while True:
            sys.stdout.write("la " * 10_000)
    elif HOW == "deaf":
        sys.stdin.close()
        os.close(0)
        time.sleep(3600)
    elif HOW == "memory":
        block = bytearray(1 << 40)
        say(f"bestmove {move} {len(block)}")


def main() -> None:
    rules, position, plies = RuleSet.load("chess"), None, 0
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["uci"]:
                if HOW == "mute":
                    continue
                say(f"id name Random {'Other' if HOW == 'other' else 'Mover'}")
                say("option name Hash type spin default 16 min 1 max 64")
                say("option name Style type combo default Calm var Calm var Wild Card")
                say("option name Book type check default false")
                say("option name Log File type string default <empty>")
                say("uciok")
            case ["isready"]:
                say("readyok")
            case ["ucinewgame"]:
                plies = 0
            case ["position"]:
                position = Position(rules)
                for move in words[3:]:
                    position.push(move)
            case ["go"]:
                assert position is not None
                plies += 1
                seed = f"{position.key} {len(words)}"
                move = random.Random(seed).choice(position.legal_moves())
                if HOW and plies >= FROM:
                    misbehave(move)
                else:
                    say("info depth 1 score cp 13 pv " + move)
                    say(f"bestmove {move}")
            case ["quit"]:
                return


main()
