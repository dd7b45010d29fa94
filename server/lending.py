"""Lending batches to volunteers, who come and ask over HTTP."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tabia.server import leases
from tabia.server.database import Database
from tabia.server.demand import choose, read_demands
from tabia.server.planning import batch_of, own_engine
from tabia.server.terms import Terms


class EngineMismatchError(Exception):
    """The volunteer's engine would not play the same games."""


@dataclass(frozen=True)
class Loan:
    """A batch to play, and the lease under which it is lent."""

    lease: str
    batch: dict[str, Any]


def lend_next(
    database: Database, *, holder: str, engine: str, now: datetime, terms: Terms
) -> Loan | None:
    """Lend the next batch to ``holder``, whose engine has the bench signature ``engine``.

    Returns None when there is nothing to play that is for volunteers. Raises EngineMismatchError.
    """
    if engine != own_engine():
        raise EngineMismatchError(
            f"your engine is {engine!r} and this server plays {own_engine()!r}: "
            "install the same version of tabia"
        )
    # Somebody else may take the batch between the look and the lease: then look again.
    while True:
        with database.read() as session:
            open_to_all = [each for each in read_demands(session) if not each.trusted_only]
        chosen = choose(open_to_all, 1)
        if not chosen:
            return None
        with database.write() as session:
            lease = leases.lend(session, chosen[0], holder=holder, now=now, terms=terms)
        if lease is not None:
            break
    try:
        with database.read() as session:
            return Loan(lease.id, batch_of(session, lease.experiment_id, lease.batch))
    except Exception:
        with database.write() as session:
            leases.give_back(session, lease.id, now=now)
        raise
