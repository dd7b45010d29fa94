"""Which program a name stands for on this machine.

An experiment names a program and nothing more: where it lies, and what it may take, only the
operator of a worker says. `TABIA_ENGINES` is a TOML file,

    [fairy-stockfish]
    command = "/usr/games/fairy-stockfish"   # or a list, with arguments
    memory_mb = 1024                         # of address space
    move_seconds = 60                        # for a search that nodes or a depth limit
    margin_ms = 500                          # beyond the time of a move, before it is late
    options = { EvalFile = "/srv/nets/grand.nnue" }

or, for a few without more to say, `name=path` with `:` between them. On one's own machine, in one's
own file, a program may also be a path, or a name that the shell would find.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from tabia.engine.documents import Allowed, DocumentError, Strict, parse_toml, validate
from tabia.engine.outside.misconduct import ProgramError
from tabia.engine.outside.said import Value
from tabia.engine.rules.toml_text import toml_text

VARIABLE = "TABIA_ENGINES"
GAMES = "/usr/games"
"""Where Debian keeps chess programs, which is not on everybody's PATH."""
DEFAULT_MEMORY_MB = 2048

NAME = r"[a-z0-9][a-z0-9._-]{0,39}"
_NAME = re.compile(NAME)


@dataclass(frozen=True)
class Patience:
    """Seconds. start: until it has said who it is, and for every other preparation; move: a search
    that nodes or a depth limit; margin: beyond the time of a move, before it is late; stop: after
    that, before it is taken for hanging."""

    start: float = 20.0
    move: float = 60.0
    margin: float = 0.5
    stop: float = 5.0


@dataclass(frozen=True)
class Program:
    """command: the file and its arguments; memory_mb: the address space it may take; options: what
    the operator sets, whatever a document says; patience: how long one waits for it."""

    name: str
    command: tuple[str, ...]
    memory_mb: int = DEFAULT_MEMORY_MB
    options: Mapping[str, Value] = field(default_factory=dict)
    patience: Patience = Patience()


def _command(value: Any) -> tuple[str, ...]:
    words = [value] if isinstance(value, str) else value
    if isinstance(words, list) and words and all(isinstance(word, str) and word for word in words):
        return tuple(words)
    raise ValueError("no command")


def _plain(value: Any) -> Value:
    if isinstance(value, bool | int | str) and "\n" not in str(value):
        return value
    raise ValueError("no plain value")


class _Entry(Strict):
    command: Annotated[Any, AfterValidator(_command), Allowed("a file, or a list of words")]
    memory_mb: Annotated[int, Field(ge=16, le=1024 * 1024)] = DEFAULT_MEMORY_MB
    options: dict[
        str, Annotated[Any, AfterValidator(_plain), Allowed("true, false, a number or a text")]
    ] = Field(default_factory=dict)
    move_seconds: Annotated[int, Field(ge=1, le=600)] = 60
    margin_ms: Annotated[int, Field(ge=1, le=60_000)] = 500

    def patience(self) -> Patience:
        return Patience(move=float(self.move_seconds), margin=self.margin_ms / 1000)


class _File(Strict):
    engines: dict[
        Annotated[str, Field(pattern=f"^{NAME}$"), Allowed("small letters, digits, . _ -")], _Entry
    ]


class Programs:
    """The programs of this machine by name. folder: where the paths of a document of one's own
    start, None for a stranger's, which has no paths."""

    def __init__(
        self, known: Mapping[str, Program], folder: Path | None = None, setting: str = ""
    ) -> None:
        self._read = dict(known)
        self._folder = folder
        self._setting = setting

    @classmethod
    def here(cls, folder: Path | None = None) -> Programs:
        """What the environment says. It is read when a program is asked for: who plays without any
        has no need of a setting in order."""
        return cls({}, folder, os.environ.get(VARIABLE, ""))

    @property
    def _known(self) -> dict[str, Program]:
        if self._setting:
            try:
                self._read |= read_programs(self._setting)
            except DocumentError as error:
                raise ProgramError(str(error)) from None
            self._setting = ""
        return self._read

    @property
    def are_all_here(self) -> bool:
        """Who asks is also who plays: no other machine has programs that this one lacks."""
        return self._folder is not None

    def name_of(self, reference: str) -> str:
        """What a program is called that a document names. Raises ProgramError."""
        if self._is_path(reference):
            return self.find(reference).name
        return reference

    def find(self, reference: str) -> Program:
        """The program that a document names. Raises ProgramError where there is none."""
        if reference in self._known:
            return self._known[reference]
        if self._folder is None:
            if self._is_path(reference):
                raise ProgramError(
                    f"{reference} is no name; allowed: small letters, digits, . _ -, and paths "
                    "only in a file that `tabia run` plays"
                )
            raise ProgramError(f"no program {reference} on this machine: {VARIABLE} names {self}")
        file = self._found(reference)
        if file is None:
            raise ProgramError(
                f"no program {reference}: not in {VARIABLE}, not on PATH, no file of that name"
            )
        name = re.sub(r"[^a-z0-9._-]", "-", Path(file).name.lower()).lstrip("._-")[:40] or "program"
        known = self._known.get(name)
        if known is not None and known.command != (file,):
            raise ProgramError(
                f"{reference} would be called {name}, as {known.command[0]} is; allowed: another "
                f"name, in {VARIABLE}"
            )
        self._known[name] = Program(name, (file,))
        return self._known[name]

    def text(self) -> str:
        """All that are known as the text of a file for TABIA_ENGINES."""
        return toml_text(
            {
                name: {
                    "command": list(program.command),
                    "memory_mb": program.memory_mb,
                    "move_seconds": round(program.patience.move),
                    "margin_ms": round(1000 * program.patience.margin),
                    **({"options": dict(program.options)} if program.options else {}),
                }
                for name, program in sorted(self._known.items())
            }
        )

    def __str__(self) -> str:
        return ", ".join(sorted(self._known)) or "none"

    @staticmethod
    def _is_path(reference: str) -> bool:
        return _NAME.fullmatch(reference) is None

    def _found(self, reference: str) -> str | None:
        assert self._folder is not None
        if "/" in reference:
            file = (self._folder / Path(reference).expanduser()).resolve()
            return str(file) if file.is_file() and os.access(file, os.X_OK) else None
        return shutil.which(reference) or shutil.which(reference, path=GAMES)


def read_programs(setting: str) -> dict[str, Program]:
    """The programs of a value of TABIA_ENGINES. Raises DocumentError."""
    if not setting:
        return {}
    if "=" in setting:
        return dict(_pair(part) for part in setting.split(os.pathsep) if part)
    try:
        text = Path(setting).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or "not a text"
        raise DocumentError(VARIABLE, "", f"{setting}: {problem}") from None
    tables = validate(_File, {"engines": parse_toml(text, setting)}, setting).engines
    return {
        name: Program(
            name,
            entry.command,
            entry.memory_mb,
            entry.options,
            entry.patience(),
        )
        for name, entry in tables.items()
    }


def _pair(part: str) -> tuple[str, Program]:
    name, _, path = part.partition("=")
    if not _NAME.fullmatch(name) or not path:
        raise DocumentError(
            VARIABLE, "", f"found {part!r}; allowed: name=path, or the path of a TOML file"
        )
    return name, Program(name, (path,))
