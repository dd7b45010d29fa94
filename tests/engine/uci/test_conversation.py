"""What a chess program says to `tabia uci`, and what it gets back."""

from pathlib import Path

import pytest
from programs import Program

from tabia.engine import Position, RuleSet
from tabia.engine.rules.resolve import catalog_ids


def info(lines: list[str]) -> list[list[str]]:
    return [line.split() for line in lines if line.startswith("info depth")]


def field(words: list[str], name: str) -> str:
    return words[words.index(name) + 1]


def test_it_introduces_itself(tabia: Program) -> None:
    tabia.say("uci")
    lines = tabia.until("uciok")
    assert lines[0].startswith("id name Tabia")
    variants = next(line for line in lines if line.startswith("option name UCI_Variant"))
    assert variants.split("default ")[1].split()[0] == "chess"
    assert set(variants.split(" var ")[1:]) == set(catalog_ids())


def test_a_search_tells_what_it_finds(tabia: Program) -> None:
    tabia.say("position startpos moves e2e4 e7e5")
    tabia.say("go nodes 4000")
    lines = tabia.until("bestmove")
    found = info(lines)
    assert [int(field(words, "depth")) for words in found] == list(range(1, len(found) + 1))
    assert int(field(found[-1], "nodes")) <= 4000
    assert field(found[-1], "score") == "cp"
    assert field(found[-1], "pv") == lines[-1].split()[1]
    assert int(field(found[-1], "nps")) > 0


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "mate 1"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "mate 2"),
        ("8/8/8/8/8/1k6/6r1/K7 w - - 0 1", "mate -1"),
    ],
)
def test_mates_are_counted_in_moves(tabia: Program, fen: str, score: str) -> None:
    tabia.say(f"position fen {fen}")
    tabia.say("go depth 7")
    last = info(tabia.until("bestmove"))[-1]
    told = f"{field(last, 'score')} {last[last.index('score') + 2]}"
    assert told == score


def test_it_searches_until_it_is_stopped_and_answers_meanwhile(tabia: Program) -> None:
    tabia.say("position startpos")
    tabia.say("go infinite")
    tabia.until("info depth 4")
    tabia.say("isready")
    tabia.until("readyok")
    tabia.say("stop")
    move = tabia.until("bestmove")[-1].split()[1]
    assert move in Position(RuleSet.load("chess")).legal_moves()


def test_an_endless_search_waits_for_stop_when_there_is_nothing_to_find(tabia: Program) -> None:
    tabia.say("position fen k6R/8/1K6/8/8/8/8/8 b - - 0 1")
    tabia.say("go infinite")
    tabia.say("isready")
    assert not any(line.startswith("bestmove") for line in tabia.until("readyok"))
    assert tabia.best("stop") == "(none)"


@pytest.mark.parametrize(
    "go", ["movetime 60", "wtime 900 btime 900 winc 10 binc 10", "wtime 400 movestogo 4", "depth 2",
           "wtime -50 btime 1000"]
)  # fmt: skip
def test_limits(tabia: Program, go: str) -> None:
    assert (
        tabia.best("position startpos", f"go {go}") in Position(RuleSet.load("chess")).legal_moves()
    )


@pytest.mark.parametrize("variant", ["grand", "gross", "gigachess", "great", "omega"])
def test_variants(tabia: Program, variant: str) -> None:
    tabia.say(f"setoption name UCI_Variant value {variant}")
    assert f"variant {variant} files" in tabia.line()
    position = Position(RuleSet.load(variant))
    moves: list[str] = []
    for _ in range(3):
        start = f"position startpos moves {' '.join(moves)}" if moves else "position startpos"
        moves.append(tabia.best(start, "go nodes 300"))
        position.push(moves[-1])
    assert tabia.best(f"position fen {position.fen()}", "go nodes 300") in position.legal_moves()


def test_what_is_refused_is_not_searched(tabia: Program) -> None:
    tabia.say("position startpos")
    tabia.say("position startpos moves e2e5")
    assert tabia.line().startswith("info string position refused: ")
    assert tabia.best("go depth 1") == "(none)"
    tabia.say("position fen 8/8")
    assert tabia.line().startswith("info string position refused: ")
    tabia.say("setoption name UCI_Variant value grandd")
    assert 'did you mean "grand"' in tabia.line()
    tabia.say("setoption name Hash value 0")
    assert tabia.line() == "info string Hash: found 0; allowed: 1 to 4096"
    tabia.say("go depth x")
    assert tabia.line().startswith("info string go depth: found")
    tabia.say("nonsense")
    assert tabia.best("position startpos", "go depth 1") != "(none)"


def test_words_that_are_not_heeded_are_named(tabia: Program) -> None:
    tabia.say("position startpos")
    tabia.say("go depth 1 searchmoves e2e4")
    assert tabia.line() == "info string not heeded: searchmoves e2e4"
    tabia.until("bestmove")


def test_files_of_ones_own(tabia: Program, tmp_path: Path) -> None:
    toml, ini = tmp_path / "mine.toml", tmp_path / "theirs.ini"
    toml.write_text('extends = "chess"\n[endings]\nstalemate = "loss"\n')
    ini.write_text("[strange:chess]\nmustCapture = true\n[forward:chess]\ncustomPiece1 = r:fR\n")
    tabia.say(f"setoption name VariantPath value {toml}:{ini}:{tmp_path / 'none.toml'}")
    told = [tabia.line() for _ in range(4)]
    assert "mine loaded" in told[0]
    assert "strange.mustCapture" in told[1]
    assert "forward loaded" in told[2]
    assert "none.toml" in told[3]
    tabia.say("uci")
    variants = " ".join(tabia.until("uciok"))
    assert "var mine" in variants
    assert "var forward" in variants
    tabia.say("setoption name UCI_Variant value forward")
    assert "variant forward files 8" in tabia.line()
    assert tabia.best("position startpos", "go depth 1") != "(none)"


def test_perft(tabia: Program) -> None:
    tabia.say("position startpos")
    tabia.say("go perft 3")
    lines = tabia.until("Nodes searched")
    assert lines[-1] == "Nodes searched: 8902"
    assert sum(int(line.split(": ")[1]) for line in lines[:-1]) == 8902


def test_it_ends_when_told_and_when_nobody_speaks(tabia: Program) -> None:
    tabia.say("position startpos")
    tabia.say("go infinite")
    tabia.say("quit")
    assert tabia.process.wait(timeout=20) == 0
