"""Names for plain data that are made of its content: the same data has the same name everywhere."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def content_hash(data: Mapping[str, Any]) -> str:
    """SHA-256 of plain data, whatever the order of its keys: 64 hexadecimal digits."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
