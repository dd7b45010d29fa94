"""The same games from cores that were compiled otherwise."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nanobind
import pytest

from tabia.engine import play_batch
from tabia.engine.match import Experiment, plan_batch, signature

ROOT = Path(__file__).parents[2]
# Puts that core in the place of the installed one, then plays the batch on standard input.
PLAY = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("tabia.engine._core", sys.argv[1])
core = importlib.util.module_from_spec(spec)
sys.modules["tabia.engine._core"] = core
spec.loader.exec_module(core)
import tabia.engine
tabia.engine._core = core
from tabia.engine.match import signature, play_batch
assert sys.modules["tabia.engine.position"]._core is core
print(json.dumps([signature.bench(), play_batch(json.load(sys.stdin))]))
"""


@pytest.mark.nightly
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("level", ["0", "3"])
def test_every_optimization_plays_the_same_games(tmp_path: Path, compiler: str, level: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} on this machine")
    tools = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    subprocess.run(
        [
            *("cmake", "-G", "Ninja", "-S", ROOT, "-B", tmp_path),
            f"-DCMAKE_CXX_COMPILER={compiler}",
            f"-DTABIA_OPT={level}",
            f"-DPython_EXECUTABLE={sys.executable}",
            f"-Dnanobind_DIR={nanobind.cmake_dir()}",
        ],
        check=True,
        capture_output=True,
        env=tools,
    )
    subprocess.run(
        ["cmake", "--build", tmp_path, "--parallel", "2"],
        check=True,
        capture_output=True,
        env=tools,
    )
    (core,) = tmp_path.glob("_core*.so")
    experiment = Experiment.from_document(
        {
            "name": "Builds",
            "kind": "compare",
            "nodes": 300,
            "arms": {"a": "grand", "b": "grander"},
        },
        "doc",
    )
    batch = plan_batch(experiment, 0, 0, 3)
    other = subprocess.run(
        [sys.executable, "-c", PLAY, core],
        input=json.dumps(batch),
        capture_output=True,
        text=True,
        check=True,
    )
    counts, games = json.loads(other.stdout)
    assert counts == signature.recorded()
    assert games == play_batch(batch)
