"""What the environment says is what the coordinator does."""

from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import ValidationError

from tabia.server.database import Database
from tabia.server.settings import Settings


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TABIA_DATA", "TABIA_DATABASE_URL", "TABIA_BROKER_URL"):
        monkeypatch.delenv(name, raising=False)


def test_without_settings_the_database_lies_in_the_users_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Settings().resolved_database_url == f"sqlite:///{tmp_path}/tabia/tabia.sqlite3"


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_postgresql_in_any_spelling_uses_the_driver_that_is_installed(
    monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.setenv("TABIA_DATABASE_URL", f"{scheme}://tabia@db.example/tabia")
    assert Settings().resolved_database_url == "postgresql+psycopg://tabia@db.example/tabia"


def test_durations_are_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABIA_LEASE_SECONDS", "90")
    assert Settings().lease_time == timedelta(minutes=1, seconds=30)


def test_a_lease_of_no_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABIA_LEASE_SECONDS", "0")
    with pytest.raises(ValidationError, match="greater than 0"):
        Settings()


def test_a_database_in_memory_is_refused_because_threads_would_not_share_it() -> None:
    with pytest.raises(ValueError, match="needs a file"):
        Database("sqlite://")
