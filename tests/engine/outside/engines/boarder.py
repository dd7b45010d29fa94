#!/usr/bin/env python3
"""A program that plays chess by the xboard protocol at random, and knows as little of it as it may.

`usermove`: it wants that word before moves. It has no ping, and the command `variant` is unknown to
it, as to any program that plays nothing but chess. `refuse`: it takes no move for legal.
"""

import random
import sys

from tabia.engine import Position, RuleSet

HOW = sys.argv[1:]


def main() -> None:
    position = Position(RuleSet.load("chess"))
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["protover", _]:
                usermove = " usermove=1" if "usermove" in HOW else ""
                print(f'feature myname="Boarder"{usermove} done=1', flush=True)
            case ["new"]:
                position = Position(RuleSet.load("chess"))
            case ["go"]:
                move = random.Random(position.key).choice(position.legal_moves())
                position.push(move)
                print(f"1 25 0 1 {move}\nmove {move}", flush=True)
            case ["usermove", move] if "usermove" in HOW:
                position.push(move)
            case [move] if move in position.legal_moves() and "usermove" not in HOW:
                if "refuse" in HOW:
                    print(f"Illegal move: {move}", flush=True)
                else:
                    position.push(move)
            case ["quit"]:
                return
            case ["xboard" | "force" | "easy" | "post"] | ["sd" | "st", _]:
                pass
            case _:
                print(f"Error (unknown command): {words[0]}", flush=True)


main()
