"""Addresses of our static files, with a hash of their content: browsers keep them for good."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from flask import url_for

STATIC = Path(__file__).parent / "static"


@lru_cache
def _fingerprint(name: str) -> str:
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]


def asset(name: str) -> str:
    """URL of the file ``name`` under ``static/``."""
    return url_for("pages.static", filename=name, v=_fingerprint(name))
