"""Documents that people write: TOML in, checked models out, or one line that says what is wrong.

Rule sets and experiments are files from strangers. Whatever is in one ends either in a model of
plain data or in a `DocumentError`, whose text is the same on a terminal and in an HTTP 422.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

MAX_BYTES = 64 * 1024
MAX_DEPTH = 8
MAX_KEY = 64
MAX_SHOWN = 60


class DocumentError(ValueError):
    """What is wrong with a document, as one line: `SOURCE:KEY: problem`.

    source: the file, or a label for a text that came another way; key: dotted, "" for the whole.
    """

    def __init__(self, source: str, key: str, problem: str) -> None:
        self.source = one_line(source)
        self.key = one_line(key)
        self.problem = one_line(problem)
        where = f"{self.source}:{self.key}" if key else self.source
        super().__init__(f"{where}: {self.problem}")


@dataclass(frozen=True)
class Allowed:
    """Metadata of a field: what it may hold, in the words that an error message uses."""

    text: str


class Strict(BaseModel):
    """Plain data exactly as declared: no conversion of types, no key beyond the declared ones."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


AnyModel = TypeVar("AnyModel", bound=BaseModel)


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """The tables of a TOML text. Raises DocumentError, with the line where TOML names one."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise DocumentError(source, "", f"the text is too long; allowed: {MAX_BYTES // 1024} KiB")
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise DocumentError(source, "", _too_deep()) from None
    except ValueError as error:  # TOMLDecodeError, or a number too long to convert
        raise DocumentError(source, "", f"not valid TOML: {error}") from None
    require_shallow(data, source)
    return data


def require_shallow(data: Mapping[str, Any], source: str) -> None:
    """Refuses what is nested deeper than any document of ours, before anything recurses into it."""
    level: list[Any] = [data]
    for _ in range(MAX_DEPTH + 1):
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, Mapping) else item)
            if isinstance(child, Mapping | list)
        ]
        if not level:
            return
    raise DocumentError(source, "", _too_deep())


def validate(model: type[AnyModel], data: Any, source: str, prefix: str = "") -> AnyModel:
    """The data as that model, else the first problem as a DocumentError.

    prefix: the dotted key under which the data stands in its document.
    """
    try:
        return model.model_validate(data, strict=True)
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False)
        # A misspelt key is also a missing one; the misspelling is what its writer must see.
        first = next((d for d in details if d["type"] == "extra_forbidden"), details[0])
        key, problem = _explain(model, first)
        raise DocumentError(source, ".".join(filter(None, (prefix, key))), problem) from None


def suggestion(word: str, known: list[str]) -> str:
    """`did you mean "board"? ` for a word that is nearly a known one, else nothing."""
    close = get_close_matches(word, known, n=1, cutoff=0.6)
    return f"did you mean {show(close[0])}? " if close else ""


def show(value: Any) -> str:
    """A found value as its writer would recognize it, cut to a readable length."""
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        cut = value if len(value) <= MAX_SHOWN else value[:MAX_SHOWN] + "…"
        return json.dumps(cut, ensure_ascii=False)
    text = "nothing" if value is None else _number(value)
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"


def one_line(text: str) -> str:
    """The text with every line break, control character and direction mark made visible."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def _number(value: Any) -> str:
    # Python refuses to write out integers of more than 4300 digits; such a one can come by JSON.
    too_long = isinstance(value, int) and value.bit_length() > 256
    return "a huge number" if too_long else str(value)


def _too_deep() -> str:
    return f"tables and lists are nested too deep; allowed: {MAX_DEPTH} levels"


def _explain(model: type[BaseModel], error: ErrorDetails) -> tuple[str, str]:
    location = error["loc"]
    bad_key = bool(location) and location[-1] == "[key]"
    path = location[:-1] if bad_key else location
    key = ".".join(_key_part(part) for part in path)
    if error["type"] == "extra_forbidden":
        known = sorted(_fields_at(model, path[:-1]))
        guess = suggestion(str(path[-1]), known)
        return key, f"unknown key; {guess}allowed: {', '.join(known)}"
    if bad_key:
        text = _describe(*_key_type(_type_at(model, path[:-1])))
        return key, f"found the key {show(str(path[-1]))}; allowed as a key: {text}"
    text = _describe(*_type_at(model, path))
    if error["type"] == "missing":
        return key, f"missing; needed: {text}"
    return key, f"found {show(error['input'])}; allowed: {text}"


def _key_part(part: int | str) -> str:
    text = str(part)
    return text if len(text) <= MAX_KEY else text[:MAX_KEY] + "…"


Typed = tuple[Any, tuple[Any, ...]]
"""A type and the metadata that constrains it."""


def _unwrap(annotation: Any, metadata: tuple[Any, ...]) -> Typed:
    while True:
        origin = get_origin(annotation)
        if origin is Annotated:
            annotation, *more = get_args(annotation)
            metadata = (*more, *metadata)
        elif origin in (Union, UnionType):
            annotation = next(a for a in get_args(annotation) if a is not NoneType)
        else:
            break
    flat: list[Any] = []
    for item in metadata:
        flat.extend(item.metadata if isinstance(item, FieldInfo) else [item])
    return annotation, tuple(flat)


def _type_at(model: type[BaseModel], path: tuple[int | str, ...]) -> Typed:
    here: Typed = (model, ())
    for part in path:
        annotation = here[0]
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            field = annotation.model_fields[str(part)]
            here = _unwrap(field.annotation, tuple(field.metadata))
        else:
            here = _unwrap(get_args(annotation)[-1], ())
    return here


def _key_type(mapping: Typed) -> Typed:
    return _unwrap(get_args(mapping[0])[0], ())


def _fields_at(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    annotation = _type_at(model, path)[0]
    return list(annotation.model_fields)


def _describe(annotation: Any, metadata: tuple[Any, ...]) -> str:
    for item in metadata:
        if isinstance(item, Allowed):
            return item.text
    low = next((item.ge for item in metadata if isinstance(item, Ge)), None)
    high = next((item.le for item in metadata if isinstance(item, Le)), None)
    longest = next((item.max_length for item in metadata if isinstance(item, MaxLen)), None)
    shortest = next((item.min_length for item in metadata if isinstance(item, MinLen)), 0)
    size = "" if longest is None else f" of {shortest} to {longest}"
    origin = get_origin(annotation)
    if origin is Literal:
        return " or ".join(show(value) for value in get_args(annotation))
    if origin is list:
        each = _describe(*_unwrap(get_args(annotation)[0], ()))
        return f"a list{size}, each {each}"
    if origin is dict:
        return f"a table{size}" if size else "a table"
    if annotation is bool:
        return "true or false"
    if annotation in (int, float):
        kind = "a whole number" if annotation is int else "a number"
        if low is not None and high is not None:
            return f"{kind} from {low} to {high}"
        return kind if low is None else f"{kind} from {low} up"
    if annotation is str:
        return f"a text{size} characters" if size else "a text"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return f"a table with the keys {', '.join(sorted(annotation.model_fields))}"
    return "something else"
