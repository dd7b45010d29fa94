"""The volunteer's player: a real process with a real engine, and everything that may end it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from running import processes, until

from tabia.engine import play_batch
from tabia.engine.weights_file import weights_hash
from tabia.worker.player import BatchError, DroppedError, Player


@pytest.fixture
def player() -> Iterator[Player]:
    player = Player()
    yield player
    player.stop()


def always() -> bool:
    return True


def children() -> list[int]:
    """The processes of ours that play."""
    return [
        process.pid
        for process in processes()
        if process.parent == os.getpid() and "spawn_main" in process.command
    ]


def once_it_plays(act: Callable[[], object]) -> threading.Thread:
    """Do something from another thread as soon as a player is there."""

    def wait_and_act() -> None:
        until(children, "a player")
        time.sleep(1.0)
        act()

    thread = threading.Thread(target=wait_and_act)
    thread.start()
    return thread


def test_it_plays_what_is_played_here(player: Player, batch: dict[str, Any]) -> None:
    assert player.play(batch, always) == play_batch(batch)


def test_it_plays_with_the_weights_that_the_batch_names(
    player: Player, batch: dict[str, Any]
) -> None:
    weights = {**batch["weights"], "tempo": 500}
    name = weights_hash(weights)
    named = {**batch, "own_weights": {"all": name}}
    assert player.play(named, always, {name: weights}) == play_batch(named, library={name: weights})
    with pytest.raises(BatchError, match=r"UnknownWeightsError: the weights .* are not at hand"):
        player.play(named, always)


def test_one_process_plays_one_batch_after_the_other(player: Player, batch: dict[str, Any]) -> None:
    player.play(batch, always)
    first = children()
    player.play(batch, always)
    assert children() == first
    assert len(first) == 1


def test_a_batch_that_is_not_wanted_any_more_is_dropped_at_once(
    player: Player, long_batch: dict[str, Any]
) -> None:
    dropped = threading.Event()
    thread = once_it_plays(dropped.set)
    with pytest.raises(DroppedError):
        player.play(long_batch, lambda: not dropped.is_set())
    thread.join()
    assert children() == []


def test_a_process_that_is_killed_is_named_and_replaced(
    player: Player, batch: dict[str, Any], long_batch: dict[str, Any]
) -> None:
    thread = once_it_plays(lambda: os.kill(children()[0], signal.SIGKILL))
    with pytest.raises(BatchError, match="died of SIGKILL"):
        player.play(long_batch, always)
    thread.join()
    assert player.play(batch, always) == play_batch(batch)


def test_a_batch_that_takes_too_long_is_ended(long_batch: dict[str, Any]) -> None:
    player = Player(longest=2.0)
    with pytest.raises(BatchError, match="longer than 2 seconds"):
        player.play(long_batch, always)
    assert children() == []


def test_a_batch_cannot_take_the_memory_of_the_computer(
    player: Player, batch: dict[str, Any]
) -> None:
    """The tables of two searches of two million nodes are twice as large as what is left."""
    player.play(batch, always)
    status = Path(f"/proc/{children()[0]}/status").read_text()
    player.stop()
    (taken,) = (int(line.split()[1]) // 1024 for line in status.split("\n") if "VmPeak" in line)
    bounded = Player(memory=taken + 64)
    with pytest.raises(BatchError, match=f"it needs more than {taken + 64} MiB of memory"):
        bounded.play({**batch, "nodes": 2_000_000}, always)
    assert bounded.play(batch, always) == play_batch(batch)
    bounded.stop()


def test_a_batch_for_another_engine_is_not_played(player: Player, batch: dict[str, Any]) -> None:
    with pytest.raises(BatchError, match="is for the engine 1, this one is"):
        player.play({**batch, "engine": "1"}, always)


def test_it_dies_with_whoever_started_it(long_batch: dict[str, Any]) -> None:
    script = (
        "import json, sys; from tabia.worker.player import Player; "
        "print(flush=True); Player().play(json.loads(sys.argv[1]), lambda: True)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", f"if __name__ == '__main__': {script}", json.dumps(long_batch)]
    )
    mine = until(
        lambda: [
            each.pid
            for each in processes()
            if each.parent == parent.pid and "spawn_main" in each.command
        ],
        "its player",
    )
    time.sleep(1.0)
    parent.kill()
    parent.wait()
    until(lambda: not {each.pid for each in processes()} & set(mine), "the player's end", 10)
