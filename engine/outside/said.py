"""What a program says of itself before the first game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tabia.engine.documents import show, suggestion

Protocol = Literal["uci", "xboard"]
Value = bool | int | str

RESERVED = frozenset({"uci_variant", "variantpath", "protocol", "uci_chess960", "threads"})
"""Options that are not a document's to set: what is played is the rules' affair, and a batch has
one core."""


@dataclass(frozen=True)
class Option:
    """kind: check, spin, combo, string, button …; low, high: of a spin; choices: of a combo."""

    name: str
    kind: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Said:
    """name: `id name` in UCI, `myname` in xboard; options by their name in small letters; variants:
    the names of those that are built in."""

    name: str = ""
    options: Mapping[str, Option] = field(default_factory=dict)
    variants: frozenset[str] = frozenset()


class OptionError(ValueError):
    """An option that the program does not have, or does not have like that; says what is."""


def option_text(said: Said, name: str, value: Value, *, by_operator: bool = False) -> str:
    """The value as the program wants it. Raises OptionError.

    A document sets numbers, switches and choices. Texts are often paths of files to be read or
    written, so only the operator of the worker sets those.
    """
    option = said.options.get(name.lower())
    if option is None:
        known = sorted(each.name for each in said.options.values())
        raise OptionError(f"no option of {said.name}; {suggestion(name, known)}allowed: its own")
    if by_operator:
        return _plain(value)
    if name.lower() in RESERVED:
        raise OptionError("not for a document to set; allowed: other options")
    match option.kind:
        case "check" if isinstance(value, bool):
            return _plain(value)
        case "spin" if isinstance(value, int) and not isinstance(value, bool):
            low, high = option.low, option.high
            if (low is None or value >= low) and (high is None or value <= high):
                return str(value)
            raise OptionError(f"found {value}; allowed: {low} to {high}")
        case "combo" if isinstance(value, str) and value in option.choices:
            return value
    raise OptionError(f"found {show(value)}; allowed: {_wanted(option)}")


def _plain(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _wanted(option: Option) -> str:
    match option.kind:
        case "check":
            return "true or false"
        case "spin":
            return f"a whole number, {option.low} to {option.high}"
        case "combo":
            return "one of " + ", ".join(option.choices)
        case _:
            return f"check, spin and combo options, and this one is a {option.kind}"
