"""Who may do what: the one place that is asked, before anything else is done.

The first road has no accounts: whoever reaches the server may read, submit, stop and lend a
computer, and calls himself what he likes. Whoever needs more gives `create_app` another
`Authorise`, which looks at the request and raises `NotAllowedError`. The name a worker gives itself
is kept with its leases, and nothing is concluded from it.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from flask import Request


class Action(StrEnum):
    """What a request asks for."""

    READ = "read"
    SUBMIT = "submit"
    STOP = "stop"
    PLAY = "play"


class NotAllowedError(Exception):
    """The caller may not; the text says in one line what he would need."""


Authorise = Callable[[Request, Action], None]
"""Raises NotAllowedError when the sender of the request may not do this."""


def open_house(request: Request, action: Action) -> None:
    """Everybody may do everything: for one machine, or a network of friends."""
