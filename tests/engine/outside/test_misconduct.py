"""Programs that behave badly: the pair is void, said to be and why, and played again."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from outsiders import children, mover, programs
from running import until

from tabia.engine import play_batch
from tabia.engine.match import BatchError
from tabia.engine.outside.misconduct import ProgramError
from tabia.engine.outside.programs import Patience, Program

Plan = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("how", "reason", "seen"),
    [
        ("illegal", "illegal move", '"a1a1" in '),
        ("garbage", "illegal move", "<b>e4</b>"),
        ("none", "no move", "bestmove (none)"),
        ("zeros", "no move", "bestmove 0000"),
        ("crash", "crash", "it died of SIGABRT: no more pieces in the box"),
        ("quit", "crash", "it ended with status 3"),
        ("hang", "no answer", "no move within 2 s"),
        ("hang-with-child", "no answer", "no move within 2 s"),
        ("late", "late move", "allowed: 1 s"),
        ("flood", "flood", "bytes in answer to one command"),
        ("one-long-line", "flood", "bytes in answer to one command"),
        ("memory", "crash", "MemoryError"),
    ],
)
def test_what_is_done_wrong_is_named(batch: Plan, how: str, reason: str, seen: str) -> None:
    with pytest.raises(BatchError) as caught:
        play_batch(batch(), programs=programs(mover(how, "2", memory_mb=1024)))
    told = str(caught.value)
    assert f"batch 0, unit 0: void 4 times: Random Mover, 1 nodes: {reason} ×4" in told
    assert seen in told
    assert "\n" not in told
    assert "\x1b" not in told
    until(lambda: not children(), "the end of all that was started", 10)
    assert not children("sleep 3600")


def test_by_the_clock_a_late_move_is_one_beyond_the_margin(batch: Plan) -> None:
    players = {"a": {"nodes": 20}, "b": {"program": "mover", "says": "Random Mover",
                                         "movetime_ms": 100}}  # fmt: skip
    with pytest.raises(BatchError, match=r"late move ×4 \(last: a move after .*; allowed: 0.6 s"):
        play_batch(batch(players=players), programs=programs(mover("late")))


def test_a_pair_that_was_broken_off_is_void_and_played_again(batch: Plan, tmp_path: Path) -> None:
    """It crashes in its first two games and never again: no game of those is a loss or a win."""
    mark = tmp_path / "crashes"
    result = play_batch(batch(2), programs=programs(mover("crash-twice", str(mark))))
    assert [(void["unit"], void["attempt"], void["reason"]) for void in result["voids"]] == [
        (0, 0, "crash"),
        (0, 1, "crash"),
    ]
    assert {void["player"] for void in result["voids"]} == {"b"}
    assert [(game["unit"], game["arm"]) for game in result["games"]] == [
        (0, "a"), (0, "b"), (1, "a"), (1, "b"),
    ]  # fmt: skip
    undisturbed = play_batch(batch(2), programs=programs(mover()))
    assert undisturbed["voids"] == []
    openings = [[game["moves"].split()[:4] for game in each["games"]]
                for each in (result, undisturbed)]  # fmt: skip
    assert openings[0][0] == openings[0][1], "the pair that counts shares its opening"
    assert openings[0][0] != openings[1][0], "another opening than that which was broken off"
    assert openings[0][2:] == openings[1][2:], "units that were not void stay what they were"


def test_a_program_that_does_not_start_plays_nothing(batch: Plan) -> None:
    with pytest.raises(ProgramError, match=r"mover does not start: crash: .*status 127"):
        play_batch(batch(), programs=programs(Program("mover", ("/nowhere/mover",))))


def test_another_program_of_that_name_plays_nothing(batch: Plan) -> None:
    with pytest.raises(
        ProgramError, match='says that it is "Random Other"; this experiment needs "Random Mover"'
    ):
        play_batch(batch(), programs=programs(mover("other")))


def test_a_machine_without_the_program_plays_nothing(batch: Plan) -> None:
    with pytest.raises(ProgramError, match="no program mover on this machine: TABIA_ENGINES names"):
        play_batch(batch(), programs=programs())


def test_nobody_starts_programs_who_did_not_say_that_he_would(batch: Plan) -> None:
    with pytest.raises(ProgramError, match="only workers of the cluster start programs"):
        play_batch(batch())


def test_a_program_that_says_nothing_is_not_waited_for_long(batch: Plan) -> None:
    mute = replace(mover("mute"), patience=Patience(start=1.0))
    started = time.monotonic()
    with pytest.raises(ProgramError, match="no answer: no uciok within 1 s"):
        play_batch(batch(), programs=programs(mute))
    assert time.monotonic() - started < 10


def test_programs_see_no_settings_of_ours(batch: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABIA_DATABASE_URL", "postgresql://somebody:secret@somewhere/tabia")
    with pytest.raises(BatchError) as caught:
        play_batch(batch(), programs=programs(mover("tell-environment")))
    assert "TABIA" not in str(caught.value)
    assert ";PATH;" in str(caught.value)
