"""The terms under which batches are handed out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True)
class Terms:
    """How long a lease lives without a sign of life, and how often a batch may fail.

    renew_within: from one sign of life of whoever plays to the next. claim_within: how long a
    message may lie on the queue before its batch goes out again. failures_allowed: the failure of a
    batch that is the end of its experiment.
    """

    renew_within: timedelta
    claim_within: timedelta
    failures_allowed: int
