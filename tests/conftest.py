"""What holds for every test: the rule on skipping, and hypothesis without a clock.

A test may skip for want of something that a bare machine does not have (Chromium, another engine),
saying what. With ``TABIA_NO_SKIP=1``, as in continuous integration, a skip is a failure.
"""

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

NO_SKIP = os.environ.get("TABIA_NO_SKIP") == "1"

# A deadline would fail slow machines, not wrong programs.
settings.register_profile("tabia", deadline=None, print_blob=True)
settings.load_profile("tabia")


def _forbid_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if NO_SKIP and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"TABIA_NO_SKIP=1 allows no skip, but: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _forbid_skip(report)
    return report
