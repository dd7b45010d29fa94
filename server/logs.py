"""Where the coordinator's log goes, and in what form."""

from __future__ import annotations

import logging
import sys
from typing import TextIO

import structlog


def configure(*, stream: TextIO = sys.stderr, level: int = logging.INFO) -> None:
    """Write the log as lines of text to ``stream``: time, level, event, key=value.

    Tracebacks are Python's own. The values of variables stay out of the log: there are whole
    games among them.
    """
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=False),
            structlog.processors.StackInfoRenderer(),
            structlog.dev.ConsoleRenderer(
                colors=False, exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )
