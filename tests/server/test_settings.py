"""What the environment says is what the coordinator does."""

from datetime import timedelta

import pytest
from pydantic import ValidationError

from tabia.server.database import Database
from tabia.server.settings import Settings


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TABIA_DATA", "TABIA_DATABASE_URL", "TABIA_BROKER_URL"):
        monkeypatch.delenv(name, raising=False)


def test_without_settings_the_database_lies_in_a_folder_right_here() -> None:
    assert Settings().resolved_database_url == "sqlite:///tabia-data/tabia.sqlite3"


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
