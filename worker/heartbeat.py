"""Signs of life while a batch is played."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_log = logging.getLogger(__name__)


@contextmanager
def beating(beat: Callable[[], object], seconds: float) -> Iterator[None]:
    """Call ``beat`` now, and in a thread every ``seconds`` until the block ends.

    What ``beat`` raises is logged and does no other harm: the lease is good for several beats, and
    when the last of them is lost the batch is played elsewhere.
    """
    over = threading.Event()

    def _beat() -> None:
        try:
            beat()
        except Exception as error:
            _log.warning("no sign of life could be sent: %s", error)

    def _beat_until_over() -> None:
        while not over.wait(seconds):
            _beat()

    _beat()
    thread = threading.Thread(target=_beat_until_over, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
