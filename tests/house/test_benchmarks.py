"""Every benchmark can be begun: what it imports is what it means."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_a_benchmark_finds_its_modules(path: Path) -> None:
    """As a script, when its folder comes first in `sys.path` and a statistics.py is in it."""
    begun = (
        "import runpy, sys; "
        f"sys.path[0] = {str(FOLDER)!r}; runpy.run_path({str(path)!r}, run_name='begun')"
    )
    done = subprocess.run(
        [sys.executable, "-c", begun], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
