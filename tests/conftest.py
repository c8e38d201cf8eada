"""What every test shares."""

from __future__ import annotations

import os

import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Make a skipped test a failure where every tool must be there ($EMBERWATCH_NO_SKIP)."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("EMBERWATCH_NO_SKIP"):
        report.outcome = "failed"
        report.longrepr = (
            f"{item.nodeid} was skipped where every tool must be there: {call.excinfo}"
        )
