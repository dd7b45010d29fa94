"""A path as plain data, and back: it is stored between two looks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from tabia.server import stopping
from tabia.server.question import Question


def plain(path: stopping.Path) -> dict[str, Any]:
    """Plain data from which :func:`restored` makes an equal path."""
    return _plain(path)


def restored(question: Question, data: Mapping[str, Any]) -> stopping.Path:
    """The path of one experiment with this question."""
    return cast(stopping.Path, _restored(stopping.start(question), data))


def _plain(fields: Any) -> dict[str, Any]:
    return {
        name: _plain(value) if isinstance(value, tuple) else value.tolist()
        for name, value in fields._asdict().items()
    }


def _restored(like: Any, data: Mapping[str, Any]) -> Any:
    """A named tuple of arrays with the types of those in ``like``."""
    return type(like)(
        *(
            _restored(value, data[name])
            if isinstance(value, tuple)
            else np.array(data[name], dtype=value.dtype)
            for name, value in like._asdict().items()
        )
    )
