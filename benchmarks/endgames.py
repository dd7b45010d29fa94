"""What the inventors say about endings, against every position solved.

    python benchmarks/endgames.py gross [PAIR...]   the Gross page's table of mating pairs
    python benchmarks/endgames.py grand             the Grand rulebook's remark on the Cardinal
    python benchmarks/endgames.py singles [GAME...] one man and the king against a king
    python benchmarks/endgames.py dead [GAME...]    what the rules call dead, of up to three men

A line is an ending: the claim, what was found, the longest mate, seconds of CPU, megabytes.
docs/results/endgames.md keeps the output.
"""

from __future__ import annotations

import argparse
import random
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from tabia.engine import FenError, Position, RuleSet
from tabia.engine.endgames import Ending, Kind, Material
from tabia.engine.endgames.report import how_often, share
from tabia.engine.rules.resolve import catalog_ids

CLAIMS = Path(__file__).parents[1] / "tests" / "data" / "endgames" / "gross_pairs.toml"


def solved(rules: RuleSet, text: str) -> tuple[Ending, list[Kind], float]:
    """An ending, what was found, and seconds of CPU."""
    started = time.process_time()
    ending = Ending(rules, Material.parse(text, rules))
    ending.solve()
    kinds = ending.kinds()
    return ending, kinds, time.process_time() - started


def row(claim: str, name: str, ending: Ending, kind: Kind, seconds: float) -> str:
    """A line of a table."""
    to_move = kind.white_to_move
    longest = kind.longest_white_win
    return " | ".join(
        [
            f"| {name}{f', {kind.colours}' if kind.colours else ''}",
            claim,
            how_often(to_move.white_wins, to_move.positions),
            share(to_move.white_wins, to_move.positions),
            share(kind.black_to_move.white_wins, kind.black_to_move.positions),
            f"{kind.mates:,}",
            str(longest.moves) if longest else "–",
            f"`{longest.fen}`" if longest else "–",
            f"{seconds:.0f} s, {ending.bytes / 1e6:.0f} MB |",
        ]
    )


def head(subject: str) -> str:
    """The first two lines of a table."""
    columns = [
        subject, "claim", "forces mate", "won, White to move", "won, Black to move",
        "mate positions", "longest, moves", "for example", "took",
    ]  # fmt: skip
    return f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}"


def gross(pairs: list[str]) -> None:
    """The table of pairs of minor pieces."""
    rules = RuleSet.load("gross")
    claims = tomllib.loads(CLAIMS.read_text())["pairs"]
    print(head("pair"))
    for pair in pairs or claims:
        ending, kinds, seconds = solved(rules, f"K{pair}:K")
        for kind in kinds:
            print(row(claims[pair], pair, ending, kind, seconds), flush=True)


def grand(_: list[str]) -> None:
    """Which man mates a king in the corner with no help: mate positions that stay mate when the
    winner's king stands elsewhere, out of reach of the other."""
    rules = RuleSet.load("grand")
    print(
        "| man | mates | longest, moves | mates without help | for example |\n|---|---|---|---|---|"
    )
    for man in "CMQRBN":
        _, [kind], _ = solved(rules, f"K{man}:K")
        unaided = list(unaided_mates(rules, man))
        longest = kind.longest_white_win
        print(
            f"| {rules.piece_names[man]} | {kind.mates:,} | {longest.moves if longest else '–'} | "
            f"{len(unaided)} | {f'`{unaided[0]}`' if unaided else '–'} |"
        )


def unaided_mates(rules: RuleSet, man: str) -> Iterator[str]:
    """Mates by that man alone: Black to move, White's king three squares or more away from the
    other and from the man, where it neither guards a square nor protects anybody."""
    board = rules.rules.board
    squares = [(file, rank) for rank in range(board.ranks) for file in range(board.files)]

    def far(a: tuple[int, int], b: tuple[int, int]) -> bool:
        return max(abs(a[0] - b[0]), abs(a[1] - b[1])) > 2

    for king in squares:
        for at in squares:
            away = next((s for s in squares if far(s, king) and far(s, at)), None)
            if at == king or away is None:
                continue
            fen = _fen(board.files, board.ranks, {king: "k", at: man, away: "K"})
            position = Position(rules, fen)
            if not position.legal_moves() and position.in_check():
                yield fen


def _fen(files: int, ranks: int, men: dict[tuple[int, int], str]) -> str:
    rows = []
    for rank in reversed(range(ranks)):
        text, blank = "", 0
        for file in range(files):
            if man := men.get((file, rank)):
                text, blank = f"{text}{blank or ''}{man}", 0
            else:
                blank += 1
        rows.append(f"{text}{blank or ''}")
    return f"{'/'.join(rows)} b - - 0 1"


def singles(catalog_ids: list[str]) -> None:
    """One man and the king against a king."""
    for catalog_id in catalog_ids or ["grand", "gross", "gigachess"]:
        rules = RuleSet.load(catalog_id)
        print(f"\n{rules.name}\n\n{head('man')}")
        for man in rules.rules.letters.replace("K", ""):
            ending, [kind], seconds = solved(rules, f"K{man}:K")
            print(row("", man, ending, kind, seconds), flush=True)


def dead(names: list[str]) -> None:
    """Three men and fewer: the materials that the dead-position rule ends, all of which must be
    drawn everywhere, and those that are drawn everywhere and played on."""
    print("| game | materials | called dead | wrongly | drawn everywhere, played on |")
    print("|---|---|---|---|---|")
    for name in names or catalog_ids():
        rules = RuleSet.load(name)
        royal = rules.rules.only_king("white")
        if royal is None or royal != rules.rules.only_king("black"):
            continue
        total, called, wrong, missed = 0, 0, 0, []
        men = ["", *rules.rules.letters.replace(royal, "")]
        for material in [Material(royal + a, royal + b) for a in men for b in men]:
            if len(material) > 3:
                continue
            ending = Ending(rules, material)
            ending.solve()
            [kind] = ending.kinds()
            is_dead = _called_dead(ending)
            total += 1
            called += is_dead
            wrong += is_dead and kind.is_decisive
            if not is_dead and not kind.is_decisive:
                missed.append(str(material))
        print(f"| {name} | {total} | {called} | {wrong} | {', '.join(missed)} |", flush=True)


def _called_dead(ending: Ending) -> bool:
    """Whether the rules end a game in some position of the ending, of many tried."""
    board = ending.rules.rules.board
    squares = [(file, rank) for rank in range(board.ranks) for file in range(board.files)]
    men = ending.material.white + ending.material.black.lower()
    rng = random.Random(str(ending.material))
    for _ in range(200):
        at = dict(zip(rng.sample(squares, len(men)), men, strict=True))
        with suppress(FenError):
            outcome = Position(ending.rules, _fen(board.files, board.ranks, at)).outcome()
            if outcome is not None and outcome.reason == "dead position":
                return True
    return False


QUESTIONS: dict[str, Callable[[list[str]], None]] = {
    "gross": gross,
    "grand": grand,
    "singles": singles,
    "dead": dead,
}


def main() -> None:
    """Answers one question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("question", choices=QUESTIONS)
    parser.add_argument("of", nargs="*", help="only these: pairs, or rule sets")
    asked = parser.parse_args()
    QUESTIONS[asked.question](asked.of)


if __name__ == "__main__":
    main()
