"""An installation with few extras has what it needs: nothing else that is installed is in reach."""

import os
import subprocess
import sys

import pytest

# Runs the rest of its command line, a module or `tabia`, in a Python that finds only what
# `pip install tabia[EXTRA]` would bring.
CONFINED = """
import runpy, sys
from importlib.metadata import distribution, packages_distributions
from packaging.requirements import Requirement

def canonical(name):
    return name.lower().replace("_", "-").replace(".", "-")

def brought(requirement, seen):
    wanted = (canonical(requirement.name), frozenset(requirement.extras))
    if wanted in seen:
        return
    seen.add(wanted)
    for line in distribution(requirement.name).requires or ():
        needed = Requirement(line)
        if needed.marker is None or any(
            needed.marker.evaluate({"extra": extra}) for extra in requirement.extras or {""}
        ):
            brought(needed, seen)

seen = set()
brought(Requirement(sys.argv[1]), seen)
names = {name for name, _ in seen}
outside = {
    module
    for module, owners in packages_distributions().items()
    if names.isdisjoint(map(canonical, owners)) and not module.startswith("_")
}
# What this very script needed is gone again.
for module in [module for module in sys.modules if module.partition(".")[0] in outside]:
    del sys.modules[module]

class Confinement:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in outside:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Confinement)
sys.argv = sys.argv[2:]
if sys.argv[0] == "tabia":
    from tabia.engine.cli import main
    sys.exit(main())
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


def confined(requirement: str, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CONFINED, requirement, *command],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("requirement", "command"),
    [
        ("tabia", ["tabia", "rules", "list"]),
        ("tabia", ["tabia", "worker", "--help"]),
        (
            "tabia[calibrate]",
            ["tabia", "calibrate", "chess", "--games", "100", "--nodes", "5", "--out", os.devnull],
        ),
        ("tabia[celery]", ["tabia.worker.cluster", "--help"]),
        ("tabia[server]", ["tabia", "up", "--help"]),
        ("tabia[server]", ["tabia", "run", "--help"]),
        ("tabia[server]", ["tabia", "serve", "web", "--help"]),
    ],
)
def test_a_command_needs_no_more_than_its_extra(requirement: str, command: list[str]) -> None:
    ran = confined(requirement, *command)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("up", "tabia[server]"),
        ("run", "tabia[server]"),
        ("serve", "tabia[server]"),
        ("calibrate chess", "tabia[calibrate]"),
    ],
)
def test_without_its_extra_a_command_says_which_one_it_needs(command: str, extra: str) -> None:
    ran = confined("tabia", "tabia", *command.split())
    assert ran.returncode == 1
    (line,) = ran.stderr.splitlines()
    assert line.startswith("tabia: ")
    assert extra in line
