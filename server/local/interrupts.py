"""Being asked to stop, once or twice."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Any, Self

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupts:
    """A context manager in which Ctrl-C and the signals of its kind are counted, and do no more."""

    def __init__(self) -> None:
        self._count = 0
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._note) for number in _SIGNALS}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def asked(self) -> bool:
        """Whether to stop."""
        return self._count > 0

    def insisted(self) -> bool:
        """Whether to stop at once."""
        return self._count > 1

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self._count += 1
