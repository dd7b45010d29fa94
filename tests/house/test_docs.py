"""What the documents tell people to type exists, and what they link to is there."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("k8s/**/*.md")])


def _typed(text: str) -> Iterator[str]:
    """Everything that is set as code, in a line or as a block, without comments."""
    for block in re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        yield from (line.partition("#")[0] for line in block.splitlines())
    yield from re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)


def _words_after(command: str, text: str) -> set[str]:
    return {
        found
        for code in _typed(text)
        for found in re.findall(rf"(?:^|[\s/]){command} ([a-z][a-z-]*)", code)
    }


@pytest.fixture(params=DOCUMENTS, ids=[str(path.relative_to(ROOT)) for path in DOCUMENTS])
def document(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_the_documents_are_found() -> None:
    assert {ROOT / "README.md", ROOT / "CONTRIBUTING.md"} <= set(DOCUMENTS)


def test_targets_of_make_exist(document: Path) -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    # `make` is also an English verb and a package's name; only what stands first is a command.
    told = {
        match[1]
        for code in _typed(document.read_text())
        if (match := re.match(r"make ([a-z][a-z-]*)", code.strip()))
    }
    assert told - targets == set()


def test_commands_of_tabia_exist(document: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    commands = set(project["entry-points"]["tabia.commands"])
    assert _words_after("tabia", document.read_text()) - commands == set()


def test_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", document.read_text())
    missing = [link for link in links if not (document.parent / link).exists()]
    assert missing == []


def test_experiments_exist(document: Path) -> None:
    named = set(re.findall(r"experiments/[\w-]+\.toml", document.read_text()))
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
