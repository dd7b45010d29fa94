"""docs/coordinator.md names every setting with its default, every state and every door."""

from __future__ import annotations

import re
from pathlib import Path

from tabia.server.app import create_app
from tabia.server.courses.course import NOTHING_KNOWN
from tabia.server.database import Database
from tabia.server.models import ExperimentState
from tabia.server.settings import Settings

TEXT = (Path(__file__).parents[2] / "docs" / "coordinator.md").read_text(encoding="utf-8")


def test_every_setting_is_there_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(TABIA_\w+)` \| (.+?) \|", TEXT, re.MULTILINE))
    assert set(rows) == {f"TABIA_{name.upper()}" for name in Settings.model_fields}
    for name, field in Settings.model_fields.items():
        if isinstance(field.default, int):
            assert rows[f"TABIA_{name.upper()}"] == str(field.default)


def test_every_state_is_there() -> None:
    life = TEXT[TEXT.index("## An experiment's life") : TEXT.index("## A batch's life")]
    states = re.findall(r"^\| `(\w+)` \| [^|]+\|$", life, re.MULTILINE)
    assert states == [state.value for state in ExperimentState]


def test_every_number_that_is_shown_is_there() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", TEXT, re.MULTILINE)
    described = {key: text for key, text in rows if key in {*NOTHING_KNOWN, "after_decision"}}
    assert set(described) == {*NOTHING_KNOWN, "after_decision"}
    for key in NOTHING_KNOWN["test"]:
        assert f"`{key}`" in described["test"]


def test_every_door_is_there(sqlite: Database) -> None:
    client = create_app(Settings(), database=sqlite).test_client()
    described = {
        f"{method.upper()} {path}"
        for path, methods in client.get("/api/v1/openapi.json").json["paths"].items()
        for method in methods
        if method != "parameters"
    }
    assert set(re.findall(r"^\| `([A-Z]+ /\S+)` \|", TEXT, re.MULTILINE)) == described
