"""`tabia`: the command line. Each part of Tabia brings its own subcommands.

They are found through the entry points of the group `tabia.commands` and imported only when they
are called, so that an installation without an extra still runs the commands that do not need it.
Exit status: 0 done, 1 what was asked failed, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, PackageNotFoundError, entry_points, requires, version

import click

from tabia.engine.documents import DocumentError, one_line, show, suggestion

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130


class MissingExtraError(click.ClickException):
    """A command whose dependencies are not installed."""

    exit_code = FAILED

    def __init__(self, command: str, module: str) -> None:
        self.needs = f"needs {module}, which comes with {_extra_with(module)}"
        super().__init__(f"{command}: {self.needs}")


class PluggedGroup(click.Group):
    """A group whose subcommands are the entry points of `tabia.commands`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        return sorted(_plugged())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = _plugged()
        if cmd_name not in known:
            guess = suggestion(cmd_name, list(known))
            raise click.UsageError(
                f"{show(cmd_name)} is no command; {guess}allowed: {', '.join(sorted(known))}", ctx
            )
        plugged = known[cmd_name]
        try:
            command = plugged.load()
        except ModuleNotFoundError as error:
            missing = (error.name or "").partition(".")[0]
            if missing in ("", "tabia"):
                raise
            raise MissingExtraError(cmd_name, missing) from error
        if not isinstance(command, click.Command):
            raise TypeError(f"{plugged.value} is no click command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = []
        for name in self.list_commands(ctx):
            try:
                command = self.get_command(ctx, name)
            except MissingExtraError as error:
                rows.append((name, f"({error.needs})"))
            else:
                rows.append((name, command.get_short_help_str() if command else ""))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _version() -> str:
    try:
        return version("tabia")
    except PackageNotFoundError:
        return "not installed"


@click.group(cls=PluggedGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(_version(), prog_name="tabia")
def tabia() -> None:
    """What does a change to the rules of a chess game do to the game?"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line, by default the process's own; the exit status. Whatever is wrong with
    the input is one line on standard error."""
    try:
        status = tabia.main(args=arguments, prog_name="tabia", standalone_mode=False)
    except DocumentError as error:
        return _fail(str(error), BAD_INPUT)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        return _fail(error.format_message(), error.exit_code)
    return status if isinstance(status, int) else 0


def _fail(message: str, status: int) -> int:
    print(f"tabia: {one_line(' '.join(message.split()))}", file=sys.stderr)
    return status


def _plugged() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="tabia.commands")}


def _extra_with(module: str) -> str:
    """The extra of this distribution that requires a module of that name, as one would install it.

    Distributions and the modules in them are named alike up to case, hyphens and suffixes.
    """
    extras = sorted(
        {
            extra
            for requirement in requires("tabia") or []
            for name, extra in re.findall(r"^([\w.-]+).*extra == ['\"](\w+)['\"]", requirement)
            if re.sub(r"[-_.]+", "_", name).lower() == module.lower() and extra != "dev"
        }
    )
    found = extras or ["server"]
    return " or ".join(f"tabia[{extra}]" for extra in found)
