"""The command line as a whole: one line for what is wrong, and the right exit status."""

import signal
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import click
import pytest

from tabia.engine import cli

Lines = tuple[int, str, str]

NOT_IN_BASE = ("celery", "redis", "flask", "apiflask", "sqlalchemy", "alembic", "numpy", "jinja2",
               "gunicorn", "structlog", "prometheus_client", "pydantic_settings")  # fmt: skip


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Lines:
    status = cli.main(arguments)
    written = capsys.readouterr()
    return status, written.out, written.err


def python(program: str, *arguments: str) -> Lines:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


BASE = f"""
import sys
for module in {NOT_IN_BASE!r}:
    sys.modules[module] = None
from tabia.engine.cli import main
sys.exit(main())
"""


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Three commands from modules of their own, in place of the installed ones."""
    modules = {
        "cli_needy": "import flask_that_is_not_there",
        "cli_broken": "import tabia.engine.nothing_of_that_name",
        "cli_plain": (
            "import click\nfrom tabia.engine.documents import DocumentError\n"
            "@click.command()\n@click.argument('what')\n@click.pass_context\n"
            "def command(ctx, what):\n    '''Does something.'''\n"
            "    if what == 'document':\n        raise DocumentError('a.toml', 'x.y', 'found 1')\n"
            "    if what == 'interrupt':\n        raise KeyboardInterrupt\n"
            "    if what == 'failed':\n        ctx.exit(1)\n"
            "    if what == 'status':\n        return 1\n"
            "    if what == 'click':\n        raise click.ClickException('two\\n lines')\n"
        ),
    }
    for name, text in modules.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    entries = {
        name.removeprefix("cli_"): EntryPoint(
            name.removeprefix("cli_"), f"{name}:command", "tabia.commands"
        )
        for name in modules
    }
    monkeypatch.setattr(cli, "_plugged", lambda: entries)


@pytest.mark.usefixtures("plugged")
@pytest.mark.parametrize(
    ("what", "status", "line"),
    [
        ("nothing", 0, ""),
        ("document", 2, "tabia: a.toml:x.y: found 1\n"),
        ("failed", 1, ""),
        ("status", 1, ""),
        ("click", 1, "tabia: two lines\n"),
    ],
)
def test_exit_status(capsys: pytest.CaptureFixture[str], what: str, status: int, line: str) -> None:
    assert run(capsys, "plain", what) == (status, "", line)


@pytest.mark.usefixtures("plugged")
def test_interrupted(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "plain", "interrupt")
    assert (status, out, err.strip()) == (130, "", "")


def test_interrupted_by_a_signal() -> None:
    # What a shell starts in the background has SIGINT ignored, and so would our child.
    program = (
        "import signal, sys, time\nfrom tabia.engine import cli\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "@cli.tabia.command()\ndef wait():\n    print('ready', flush=True)\n    time.sleep(60)\n"
        "cli.PluggedGroup.get_command = lambda self, ctx, name: self.commands[name]\n"
        "sys.exit(cli.main(['wait']))\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "Traceback" not in err


@pytest.mark.usefixtures("plugged")
def test_a_command_without_its_extra(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "needy")
    assert (status, out) == (1, "")
    assert err == ("tabia: needy: needs flask_that_is_not_there, which comes with tabia[server]\n")


@pytest.mark.usefixtures("plugged")
def test_a_module_of_ours_that_is_missing_is_a_fault_and_not_an_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match="nothing_of_that_name"):
        cli.main(["broken"])


def test_extras_are_read_from_the_distribution() -> None:
    assert "tabia[celery]" in str(cli.MissingExtraError("worker", "celery"))
    assert "tabia[server]" in str(cli.MissingExtraError("up", "sqlalchemy"))
    assert "tabia[server]" in str(cli.MissingExtraError("up", "prometheus_client"))


def test_an_unknown_command_is_answered_with_the_known(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "rulse")
    assert (status, out) == (2, "")
    assert err.startswith('tabia: "rulse" is no command; did you mean "rules"? allowed: bench, ')
    assert err.count("\n") == 1


def test_bad_options_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "rules", "list", "--colour")
    assert status == 2
    assert err.startswith("tabia: ")
    assert err.count("\n") == 1


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys)
    assert status == 2
    assert "Usage: tabia" in err


def test_a_base_installation_plays_and_names_the_extras() -> None:
    status, out, err = python(BASE, "rules", "list")
    assert (status, err) == (0, "")
    assert "Grand Chess" in out
    status, out, err = python(BASE, "up", "--help")
    assert (status, out) == (1, "")
    assert err.startswith("tabia: up: needs ")
    assert err.endswith(", which comes with tabia[server]\n")
    status, out, err = python(BASE, "--help")
    assert (status, err) == (0, "")
    assert "rules " in out
    assert "which comes with" in out


def test_commands_are_imported_only_when_called() -> None:
    program = (
        "import sys\nfrom tabia.engine.cli import main\nmain(['rules', 'list'])\n"
        "print([name for name in ('tabia.server', 'tabia.worker', 'tabia.engine._core') "
        "if name in sys.modules])"
    )
    assert python(program)[1].splitlines()[-1] == "[]"


def test_the_installed_script() -> None:
    script = Path(sys.executable).with_name("tabia")
    done = subprocess.run(
        [script, "rules", "show", "nix"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("tabia: nix: no such rule set and no such file; allowed: ")
    assert done.stderr.count("\n") == 1


def test_the_group_is_a_click_group() -> None:
    assert isinstance(cli.tabia, click.Group)
