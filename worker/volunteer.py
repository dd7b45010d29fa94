"""Lending this computer: batches come over HTTP, are played, and their results go back.

Each hand is a thread that talks to the server and a process that plays. Hands know of each other
only that the first one that cannot go on ends the work of all.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from tabia.engine.match import needed_weights
from tabia.worker.backoff import delays
from tabia.worker.lender import Lender, Loan, RefusedError, TroubleError
from tabia.worker.player import BatchError, DroppedError, Player

Answer = TypeVar("Answer")

REFUSED_IN_A_ROW = 3
"""After so many results that the server did not want, something here must be wrong."""
_IDLE = (2.0, 60.0)
_TROUBLE = (1.0, 60.0)
_BEATS_A_LEASE = 3
_LOOK_SECONDS = 0.2


class ServerLostError(Exception):
    """The server did not answer for longer than we are willing to wait."""


class Orders:
    """What the owner of this computer wants; set by one thread and read by all."""

    def __init__(self) -> None:
        self.finish = threading.Event()
        """Take no new batch."""
        self.drop = threading.Event()
        """Give back what is being played, at once."""


class Hand:
    """Plays one batch at a time for the server behind ``lender``, in the name of ``worker``.

    ``patience`` is for how many seconds a silent server is asked again; ``say`` shows one line.
    """

    def __init__(
        self,
        lender: Lender,
        orders: Orders,
        *,
        worker: str,
        engine: str,
        patience: float,
        say: Callable[[str], None],
    ) -> None:
        self._lender = lender
        self._orders = orders
        self._worker = worker
        self._engine = engine
        self._patience = patience
        self._say = say
        self._player = Player()
        self._refused = 0

    def work(self) -> None:
        """Play until ordered to stop. Raises ServerLostError, RefusedError."""
        try:
            idle = delays(*_IDLE)
            while not self._orders.finish.is_set():
                loan = self._patiently(self._ask_for_batch)
                if loan is not None:
                    self._play(loan)
                    idle = delays(*_IDLE)
                else:
                    self._orders.finish.wait(next(idle))
        finally:
            self._player.stop()

    def _ask_for_batch(self) -> Loan | None:
        if self._orders.finish.is_set():
            return None
        return self._lender.lend(worker=self._worker, engine=self._engine)

    def _play(self, loan: Loan) -> None:
        name = f"batch {loan.batch.get('batch')} of {str(loan.batch.get('experiment'))[:12]}"
        begun = time.monotonic()
        try:
            weights = self._weights_for(loan)
            result = self._player.play(
                loan.batch, _Beats(self._lender, self._orders, loan), weights
            )
        except DroppedError:
            if self._orders.drop.is_set():
                self._farewell(loan)
                self._say(f"{name}: given back")
            else:
                self._say(f"{name}: not needed any more")
        except BatchError as error:
            problem = str(error)
            self._say(f"{name}: {problem}")
            self._patiently(lambda: self._lender.report_failure(loan.lease, problem))
        else:
            seconds = time.monotonic() - begun
            games = len(result.get("games", ()))
            try:
                receipt = self._patiently(lambda: self._lender.deliver(loan.lease, result))
            except RefusedError as error:
                self._refused += 1
                self._say(f"{name}: result refused, {error}")
                if self._refused >= REFUSED_IN_A_ROW:
                    raise
            else:
                self._refused = 0
                self._say(f"{name}: {games} games in {seconds:.1f} s, {receipt}")

    def _weights_for(self, loan: Loan) -> dict[str, dict[str, Any]]:
        """The weights that the batch names. Raises BatchError where the server has others."""
        try:
            return {
                name: self._patiently(partial(self._lender.weights, name))
                for name in needed_weights(loan.batch)
            }
        except RefusedError as error:
            raise BatchError(str(error)) from None

    def _farewell(self, loan: Loan) -> None:
        # One try is enough: a lease that nobody renews is soon over anyway.
        try:
            self._lender.give_back(loan.lease)
        except (TroubleError, RefusedError) as error:
            self._say(f"not told to the server: {error}")

    def _patiently(self, ask: Callable[[], Answer]) -> Answer:
        """What ``ask`` returns, asked again and again while the server is in trouble."""
        end = time.monotonic() + self._patience
        last = ""
        for delay in delays(*_TROUBLE):
            try:
                return ask()
            except TroubleError as error:
                problem = str(error)
                wait = max(delay, error.wait or 0.0)
            left = end - time.monotonic()
            if left <= 0 or self._orders.drop.is_set():
                raise ServerLostError(f"{problem}; gave up after {self._patience:.0f} seconds")
            if problem != last:
                self._say(f"{problem}; asking again for {left:.0f} seconds")
                last = problem
            self._orders.drop.wait(min(wait, left))
        raise AssertionError("delays never end")


class _Beats:
    """Tells the player to go on, and the server now and then that we do."""

    def __init__(self, lender: Lender, orders: Orders, loan: Loan) -> None:
        self._lender = lender
        self._orders = orders
        self._loan = loan
        self._every = loan.renew_within / _BEATS_A_LEASE
        self._next = time.monotonic() + self._every

    def __call__(self) -> bool:
        if self._orders.drop.is_set():
            return False
        if time.monotonic() < self._next:
            return True
        self._next = time.monotonic() + self._every
        try:
            return self._lender.renew(self._loan.lease)
        except TroubleError:
            return True  # the result will be welcome, even if the lease is over by then


def lend(hands: Sequence[Hand], orders: Orders) -> Exception | None:
    """Let all ``hands`` work until they are done; returns the first error that ended the work."""
    errors: list[Exception] = []

    def work(hand: Hand) -> None:
        try:
            hand.work()
        except Exception as error:
            errors.append(error)
            orders.finish.set()

    threads = [threading.Thread(target=work, args=(hand,), name="hand") for hand in hands]
    for thread in threads:
        thread.start()
    for thread in threads:
        # Not without a timeout: the signals of the owner are handled in between.
        while thread.is_alive():
            thread.join(_LOOK_SECONDS)
    return errors[0] if errors else None
