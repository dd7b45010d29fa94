from __future__ import annotations

import threading

import pytest

from tabia.worker.heartbeat import beating


def test_the_first_beat_comes_before_the_work() -> None:
    beats: list[str] = []
    with beating(lambda: beats.append("beat"), 3600):
        beats.append("work")
    assert beats == ["beat", "work"]


def test_beats_go_on_while_the_work_does_and_end_with_it() -> None:
    several = threading.Event()
    beats: list[int] = []

    def beat() -> None:
        beats.append(len(beats))
        if len(beats) == 3:
            several.set()

    with beating(beat, 0.01):
        assert several.wait(30)
    count = len(beats)
    assert threading.active_count() == 1 or not any(
        thread.name == "heartbeat" for thread in threading.enumerate()
    )
    assert len(beats) == count


def test_a_beat_that_fails_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    def beat() -> None:
        raise ConnectionError("the broker is away")

    with beating(beat, 3600):
        pass
    assert "the broker is away" in caplog.text


def test_what_the_work_raises_comes_through() -> None:
    with pytest.raises(ZeroDivisionError), beating(lambda: None, 3600):
        raise ZeroDivisionError
