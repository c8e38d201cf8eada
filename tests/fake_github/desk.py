"""A fake GitHub, a clock that nobody waits for, and the verbs on them."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import builders
from click.testing import CliRunner
from fake_github.service import FakeGitHub
from fake_github.state import REPOSITORY

from harness import cli, documents
from harness.github.client import Client
from harness.github.clock import Clock
from harness.github.resources import Place
from harness.project import Project
from harness.report import machine_readable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pytest

    from harness.report.view import Report

STAMP = "%Y-%m-%dT%H:%M:%SZ"


@dataclass
class FakeTime:
    """A clock that stands until somebody waits; the waits are noted."""

    time: datetime = datetime(2026, 3, 1, 4, 0, tzinfo=UTC)
    waits: list[float] = field(default_factory=list)
    #: What happens while somebody waits.
    then: Callable[[], None] = lambda: None

    def sleep(self, seconds: float) -> None:
        """Let time pass at once."""
        self.waits.append(seconds)
        self.time += timedelta(seconds=seconds)
        self.then()

    @property
    def clock(self) -> Clock:
        """Return it as the harness takes it."""
        return Clock(now=lambda: self.time, sleep=self.sleep)

    @property
    def stamp(self) -> str:
        """Return the time as GitHub writes it."""
        return self.time.strftime(STAMP)


@dataclass(frozen=True)
class Answer:
    """What a verb said, and its exit code."""

    code: int
    out: str
    err: str


@dataclass
class Desk:
    """Where a test works: the fake, the time, a folder with a project."""

    fake: FakeGitHub
    time: FakeTime
    folder: Path

    def client(self, **words: Any) -> Client:
        """Return a client of the fake."""
        place = Place(**{"repository": REPOSITORY, "token": "t", "api": self.fake.base, **words})
        return Client(place, self.time.clock)

    def run(self, *arguments: Any) -> Answer:
        """Run a verb in this process."""
        setting = cli.Setting(project=Project(self.folder), engines=dict, clock=self.time.clock)
        self.fake.state.time = self.time.stamp
        with CliRunner().isolation() as (out, err, _):
            code = cli.invoke([str(one) for one in arguments], setting)
            texts = [stream.getvalue().decode() for stream in (out, err)]
        return Answer(int(code), *texts)

    def report(self, name: str = "report.json", report: Report | None = None, **words: Any) -> Path:
        """Write a report's document; words replace its keys."""
        document = machine_readable.document(report or builders.report()) | words
        return self.write(name, json.dumps(document))

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def comment(self, *more: Any, body: str = "### It changed\n", changed: bool = True) -> Answer:
        """Comment on pull request 7."""
        lines = (builders.line(),) if changed else ()
        report = self.report(report=builders.report(changes=lines))
        path = self.write("body.md", body)
        known = ("--report", report, "--body", path, "--pull-request", 7)
        return self.run("comment", *known, *more)

    def said(self, number: int = 7) -> list[str]:
        """Return the texts of the comments on a pull request."""
        return [one["body"] for one in self.fake.state.comments.get(number, [])]


@contextmanager
def opened(folder: Path, environment: pytest.MonkeyPatch) -> Iterator[Desk]:
    """Serve a fake and let the verbs find it; in the end nothing may have broken the API."""
    (folder / "matrix.yaml").write_text(builders.MATRIX, encoding="utf-8")
    with FakeGitHub() as fake:
        known = {"API_URL": fake.base, "REPOSITORY": REPOSITORY, "TOKEN": "t", "RUN_ID": "42"}
        for name, value in known.items():
            environment.setenv(f"GITHUB_{name}", value)
        for name in ("STEP_SUMMARY", "SERVER_URL"):
            environment.delenv(f"GITHUB_{name}", raising=False)
        yield Desk(fake, FakeTime(), folder)
        assert not fake.violations, fake.violations


def state(path: Path) -> dict[str, Any]:
    """Return a state file, which its schema allows."""
    found: dict[str, Any] = documents.read_json(path)
    assert documents.validate(found, "upstream.json") == []
    return found
