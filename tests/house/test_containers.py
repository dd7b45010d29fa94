"""The container files, without a container engine: what they say, and what would be installed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCKERFILES = sorted((ROOT / "containers").glob("*.Dockerfile"))


@pytest.fixture(params=DOCKERFILES, ids=lambda path: path.stem)
def dockerfile(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_the_linter_finds_nothing(dockerfile: Path) -> None:
    linted = subprocess.run(
        [Path(sys.executable).parent / "hadolint", dockerfile],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (linted.returncode, linted.stdout) == (0, "")


def test_it_runs_as_the_user_that_the_manifests_name(dockerfile: Path) -> None:
    last_stage = dockerfile.read_text().rpartition("\nFROM ")[2]
    assert re.findall(r"^USER (\S+)", last_stage, re.MULTILINE) == ["10001:10001"]


def test_the_installation_is_locked_and_built_from_what_is_sent(dockerfile: Path) -> None:
    text = dockerfile.read_text()
    copied = re.findall(r"containers/\w+\.lock", re.search(r"^COPY .*", text, re.M)[0])
    assert len(copied) == 2
    for lock in copied:
        assert (ROOT / lock).is_file()
        assert re.search(rf"--require-hashes[\s\\]+--requirement {lock}", text)


def _pinned(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", lock.read_text(), re.MULTILINE))


def test_a_worker_has_nothing_of_the_server() -> None:
    worker = _pinned(ROOT / "containers" / "worker.lock").keys()
    assert "celery" in worker
    assert worker.isdisjoint({"flask", "apiflask", "sqlalchemy", "psycopg", "alembic", "jinja2"})


@pytest.mark.parametrize("lock", ["build", "server", "worker"])
def test_an_image_gets_the_versions_that_were_tested(lock: str) -> None:
    tested = (ROOT / "requirements.lock").read_text()
    for name, version in _pinned(ROOT / "containers" / f"{lock}.lock").items():
        assert f"\n{name}=={version} " in f"\n{tested}", name
