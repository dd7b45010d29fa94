"""Weights of one's own as a file: what `tabia calibrate` writes and experiments ask for.

A file is JSON: {"format", "sha256", "rules_id", "rules", "calibration", "weights"}. Its name
everywhere else is the SHA-256 of "weights" alone, whatever the order of its keys: that is what
plays. The rest says where it comes from and is never looked at when a game is played.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tabia.engine import _core
from tabia.engine.compiled import compiled
from tabia.engine.content import content_hash
from tabia.engine.documents import MAX_BYTES, DocumentError, show
from tabia.engine.rules.ruleset import RuleSet
from tabia.engine.weights import Weights, neutral_weights

FORMAT = "tabia weights 1"
MOST = 3000
"""No weight is beyond it, either way."""
NEWER = frozenset(("supply", "mobility", "mobility_mid", "mobility_end", "pair_mid", "pair_end"))
"""Terms that weights of an engine that judged by less do not have."""
_LONGEST_ROW = 64
_ROW = re.compile(r"\[[-\d,\s]+\]")


def weights_hash(weights: Mapping[str, Any]) -> str:
    """SHA-256 of the weights, whatever the order of their keys: 64 hexadecimal digits."""
    return content_hash(weights)


def weights_text(weights: Weights, rules: RuleSet, calibration: Mapping[str, Any]) -> str:
    """The file of these weights. calibration: how they came about, plain data."""
    whole = {
        "format": FORMAT,
        "sha256": weights_hash(weights),
        "rules_id": rules.id,
        "rules": rules.name,
        "calibration": dict(calibration),
        "weights": weights,
    }
    text = json.dumps(whole, indent=1, ensure_ascii=False)
    # Rows of numbers on one line each: people compare such files.
    return _ROW.sub(lambda row: " ".join(row[0].split()), text) + "\n"


def read_weights_file(path: Path, source: str, key: str) -> Weights:
    """The weights in that file, for `checked` to look at. Raises DocumentError."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise ValueError(f"longer than {MAX_BYTES // 1024} KiB")
        data = json.loads(raw.decode("utf-8"))
    except OSError as error:
        problem = f"{path} cannot be read: {error.strerror}"
        raise DocumentError(source, key, problem) from None
    except (ValueError, RecursionError) as error:
        raise DocumentError(source, key, f"{path} is no weights file: {error}") from None
    return unwrapped(data, source, key)


def unwrapped(data: Any, source: str, key: str) -> Weights:
    """The weights in what may be a whole weights file or the weights alone. Raises DocumentError
    where it is neither, or the file's hash is not that of its weights."""
    if not isinstance(data, dict) or not {"weights", "letters"} & set(data):
        raise DocumentError(
            source,
            key,
            f"found {show(data)}; allowed: what `tabia calibrate` writes, or its table of weights",
        )
    if "weights" not in data:
        return data
    if data.get("format") != FORMAT:
        raise DocumentError(
            source, f"{key}.format", f'found {show(data.get("format"))}; allowed: "{FORMAT}"'
        )
    weights = data["weights"]
    if not isinstance(weights, dict):
        raise DocumentError(source, f"{key}.weights", f"found {show(weights)}; allowed: a table")
    try:
        named = data.get("sha256") == weights_hash(weights)
    except (TypeError, ValueError, RecursionError):
        named = False
    if not named:
        raise DocumentError(
            source, f"{key}.sha256", "is not the hash of these weights: they were changed"
        )
    return weights


def checked(weights: Weights, rule_sets: Sequence[RuleSet], source: str, key: str) -> Weights:
    """These weights, if this engine can play these rule sets with them: a copy with nothing else
    in it. Raises DocumentError.

    They have every term that this engine knows and no other, whole numbers within bounds, for every
    letter of the rule sets; only `NEWER` terms may be left out, and then count for nothing. Letters
    that none of them has do no harm and are kept.
    """
    pattern = neutral_weights(*rule_sets)
    letters = weights.get("letters")
    if isinstance(letters, dict):
        one = next(iter(pattern["letters"].values()))
        more = {str(letter): one for letter in letters if letter not in pattern["letters"]}
        pattern = {**pattern, "letters": {**pattern["letters"], **more}}
    found: Weights = _like(pattern, weights, source, key)
    for rules in rule_sets:
        try:
            _core.Evaluator.build(compiled(rules), found)
        except ValueError as error:
            raise DocumentError(source, key, str(error)) from None
    return found


def _like(pattern: Any, found: Any, source: str, key: str) -> Any:
    """What was found, once it has the shape of the pattern."""
    if isinstance(pattern, dict):
        if not isinstance(found, dict):
            raise DocumentError(source, key, f"found {show(found)}; allowed: a table")
        for each in sorted(map(str, (pattern.keys() ^ found.keys()) - NEWER)):
            raise DocumentError(
                source,
                f"{key}.{each[:40]}",
                "missing: weights of another rule set"
                if each in pattern
                else "unknown to this engine",
            )
        return {each: _like(pattern[each], found[each], source, f"{key}.{each}") for each in found}
    if isinstance(pattern, list):
        if not isinstance(found, list) or len(found) > _LONGEST_ROW:
            problem = f"found {show(found)}; allowed: a list of up to {_LONGEST_ROW} whole numbers"
            raise DocumentError(source, key, problem)
        return [_like(0, each, source, key) for each in found]
    if type(found) is not int or abs(found) > MOST:
        raise DocumentError(
            source, key, f"found {show(found)}; allowed: a whole number from -{MOST} to {MOST}"
        )
    return found
