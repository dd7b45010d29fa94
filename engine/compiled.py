"""Rule sets in the form that the core runs on, compiled once a process."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from tabia.engine import _core
from tabia.engine.documents import DocumentError
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.rules.tables import core_tables

# Games that people play take less than a megabyte; the largest that a file can ask for, twenty.
_KEPT = 6
_compiled: OrderedDict[tuple[str, str], _core.Rules] = OrderedDict()
_lock = Lock()


def compiled(white: RuleSet, black: RuleSet | None = None) -> _core.Rules:
    """The compiled rules under which White plays by the first rule set and Black by the second.

    Raises DocumentError when the two sides cannot play one game, when no game can start from the
    array, or when the rules go beyond what the core can hold.
    """
    key = (white.id, (black or white).id)
    with _lock:
        if key in _compiled:
            _compiled.move_to_end(key)
            return _compiled[key]
    try:
        rules = _core.Rules.compile(core_tables(white, black))
    except DocumentError:
        raise
    except ValueError as error:  # FenError, of an array that no game can start from, is one too
        raise DocumentError(white.name, "", str(error)) from None
    with _lock:
        _compiled[key] = rules
        if len(_compiled) > _KEPT:
            _compiled.popitem(last=False)
    return rules
