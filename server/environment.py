"""Reading the settings, with one line for whoever set one wrongly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tabia.engine.documents import DocumentError, show
from tabia.server.settings import Settings


def read_settings(*, data: Path | None = None) -> Settings:
    """The settings of the environment, the data folder given or as they say.

    Raises DocumentError, with the name of the variable as its key.
    """
    given: dict[str, Any] = {} if data is None else {"data": data}
    try:
        return Settings(**given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        variable = "TABIA_" + ".".join(map(str, first["loc"])).upper()
        problem = f"found {show(first['input'])}; {first['msg'][0].lower()}{first['msg'][1:]}"
        raise DocumentError("environment", variable, problem) from None
