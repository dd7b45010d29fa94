"""A skipped test passes here and fails in continuous integration."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

SKIPPING = {
    "while it runs": """
        import pytest
        def test_it():
            pytest.skip("no browser")
        """,
    "by a marker": """
        import pytest
        @pytest.mark.skipif(True, reason="no browser")
        def test_it():
            pass
        """,
    "as a module": """
        import pytest
        pytest.skip("no browser", allow_module_level=True)
        """,
}


@pytest.fixture(params=SKIPPING.values(), ids=SKIPPING.keys())
def project(request: pytest.FixtureRequest, pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest(Path(__file__).parents[1].joinpath("conftest.py").read_text())
    pytester.makepyfile(request.param)
    return pytester


def test_a_skip_is_allowed_where_something_is_missing(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TABIA_NO_SKIP", raising=False)
    outcomes = project.runpytest_inprocess().parseoutcomes()
    assert outcomes == {"skipped": 1}


def test_a_skip_fails_where_nothing_may_be_missing(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABIA_NO_SKIP", "1")
    result = project.runpytest_inprocess()
    assert result.ret != 0
    assert "skipped" not in result.parseoutcomes()
    result.stdout.fnmatch_lines(["*allows no skip*no browser*"])
