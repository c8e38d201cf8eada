"""What the tests share: no silent skips; the mini project and copies of it; a browser; sites."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import browser
import pytest
from mini.checkout import Checkout

from harness import progress
from harness.cli.setting import real_engines
from harness.dashboard import site
from harness.project import Project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

_DECIDES = (
    "CI",
    "NO_COLOR",
    "FORCE_COLOR",
    "EMBERWATCH_WORDS",
    "EMBERWATCH_GROUP",
    "EMBERWATCH_SINCE",
    "EMBERWATCH_SYSTEMS",
)


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


@pytest.fixture(scope="session", autouse=True)
def _plain_environment() -> Iterator[None]:
    """Take away what would decide how a verb behaves; a test that needs it sets it."""
    with pytest.MonkeyPatch.context() as environment:  # before what is made once for all tests
        for name in _DECIDES:
            environment.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Run every case of the mini project once; tests only look at what is left."""
    checkout = Checkout.fresh(tmp_path_factory.mktemp("everything"))
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("MINI_SECRET", "not for cases")
        answer = checkout.invoke("regress", "--jobs", "6")  # hanging cases wait side by side
    assert answer.code == 10, answer.err
    return checkout


@pytest.fixture(scope="session")
def settled(everything: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Accept everything that the mini project does and that can be accepted."""
    checkout = everything.copied(tmp_path_factory.mktemp("settled"))
    checkout.remove("breaks_contract", "hangs")
    checkout.invoke("report")
    answer = checkout.invoke("accept", "--all", "--reason", "the mini project does so")
    assert answer.code == 0, answer.err
    checkout.started()
    return checkout


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Checkout]:
    """Copy the mini project, with the baselines that it comes with and no records."""
    checkout = Checkout.fresh(tmp_path)
    yield checkout
    assert checkout.killed() == []


@pytest.fixture
def accepted(settled: Checkout, tmp_path: Path) -> Iterator[Checkout]:
    """Copy the mini project after a run whose every behaviour was accepted."""
    checkout = settled.copied(tmp_path)
    yield checkout
    assert checkout.killed() == []


@pytest.fixture(scope="session")
def _new_release(settled: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Run a new release of both frameworks over the accepted behaviour of the old one."""
    checkout = settled.copied(tmp_path_factory.mktemp("renewed"))
    checkout.release("new", *checkout.project.matrix.cells)
    checkout.invoke("run", "changed")
    return checkout


@pytest.fixture
def renewed(_new_release: Checkout, tmp_path: Path) -> Checkout:
    """Copy the records of a new release beside the baselines of the old one; nothing runs."""
    return _new_release.copied(tmp_path)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start one browser for all tests that want one."""
    with browser.started() as one:
        yield one


@pytest.fixture
def visit(chromium: Browser) -> Iterator[browser.Visitor]:
    """Open pages from files; the test fails where one errs or asks a network for anything."""
    visitor = browser.Visitor(chromium)
    yield visitor
    visitor.close()
    assert visitor.heard == []


@pytest.fixture(scope="session")
def real_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the dashboard of the committed baselines once."""
    into = tmp_path_factory.mktemp("real_site") / "site"
    options = site.Options(today=datetime.now(tz=UTC).date())
    with progress.shown() as shown:
        site.Site(Project(), real_engines(), None, options).write(into, shown)
    return into


@pytest.fixture(scope="session")
def mini_site(_new_release: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the dashboard of the mini project once, after a run that changed much."""
    into = tmp_path_factory.mktemp("mini_site") / "site"
    answer = _new_release.invoke("dashboard", "--into", str(into))
    assert answer.code == 0, answer.err
    return into
