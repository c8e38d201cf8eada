"""Bring the issues up to one more report on moving heads, and keep the state file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from harness import documents
from harness.errors import HarnessError
from harness.github import issue_text, upstream
from harness.github.client import settled
from harness.github.failures import ServiceError
from harness.github.sightings import Sighting, Watched
from harness.github.upstream import Action, Do, State

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from harness.github.clock import Clock
    from harness.github.resources import Issue

#: The most writes a day unless told.
CAP = 20
_SCHEMA = "upstream.json"


class Tracker(Protocol):
    """Where issues are."""

    clock: Clock

    def issues(self) -> list[Issue]:
        """Return every issue of ours, open and closed, the oldest first."""

    def create_issue(self, title: str, body: str) -> Issue:
        """Open an issue."""

    def update_issue(self, number: int, title: str, body: str, *, close: bool = False) -> Issue:
        """Replace an issue's title and text, and close it if told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was done, with each issue's address, and what the cap left for another day."""

    done: tuple[tuple[Action, str], ...]
    left: tuple[Action, ...]
    state: State


class Watch:
    """One state file and one tracker."""

    def __init__(self, tracker: Tracker, path: Path, cap: int = CAP) -> None:
        """Take where the issues and the state are; the file need not exist."""
        self.tracker = tracker
        self.path = path
        self.cap = cap
        self.state = read(path)
        self._today = tracker.clock.now().date().isoformat()

    def add(self, report: Mapping[str, Any], heads: Collection[str], *, dry: bool) -> Outcome:
        """Count one report and do what follows from it; twice is once. Dry writes nothing."""
        now = self.tracker.clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        try:
            issues = self.tracker.issues()
        except ServiceError:
            if not dry:  # what was seen is not lost with the connection
                self._keep(upstream.fold(self.state, report, heads, now))
            raise
        state = upstream.fold(upstream.adopt(self.state, issues), report, heads, now)
        spent = upstream.written(state, issues, self._today)
        state = replace(state, day=self._today, writes=spent)
        actions = upstream.decide(state, issues)
        if dry:
            left = max(0, self.cap - spent)
            done = tuple((action, "") for action in actions[:left])
            return Outcome(done=done, left=tuple(actions[left:]), state=state)
        self._keep(state)
        done = self._do(actions)
        self._keep(upstream.tidied(self.state, self.tracker.issues() if done else issues))
        return Outcome(done=done, left=tuple(actions[len(done) :]), state=self.state)

    def _do(self, actions: Sequence[Action]) -> tuple[tuple[Action, str], ...]:
        done: list[tuple[Action, str]] = []
        for action in actions:
            issue = self._open(action) if action.do is Do.OPEN else self._edit(action)
            if issue is None:
                break
            done.append((action, issue.url))
        return tuple(done)

    def _spend(self) -> bool:
        """Return whether one more write is allowed today, and count it before it is made."""
        if self.state.writes >= self.cap:
            return False
        self._keep(replace(self.state, writes=self.state.writes + 1))
        return True

    def _open(self, action: Action) -> Issue | None:
        """Open an issue unless there is one by now; None when the cap is reached."""
        first = True

        def attempt() -> Issue | None:
            nonlocal first
            if not first:  # the last attempt may have opened it, whatever came back
                for issue in self.tracker.issues():
                    if issue.open and issue_text.digest(issue.body) == action.digest:
                        return issue
            first = False
            return self.tracker.create_issue(action.title, action.body) if self._spend() else None

        return settled(self.tracker.clock, attempt)

    def _edit(self, action: Action) -> Issue | None:
        if not self._spend():
            return None
        closes = action.do is Do.CLOSE
        return self.tracker.update_issue(action.number, action.title, action.body, close=closes)

    def _keep(self, state: State) -> None:
        self.state = state
        documents.write(self.path, documents.canonical(document(state)))


def document(state: State) -> dict[str, Any]:
    """Return a state as JSON holds it; schemas/upstream.json describes it."""
    return {
        "day": state.day,
        "writes": state.writes,
        "watched": {head: asdict(one) for head, one in state.watched.items()},
        "sightings": {name: one.document() for name, one in state.sightings.items()},
        "reports": list(state.reports),
    }


def read(path: Path) -> State:
    """Return the state in a file, or the first one where there is none; it may be read alone."""
    if not path.exists():
        return State()
    found = documents.read_json(path)
    problems = documents.validate(found, _SCHEMA)
    if problems:
        lines = [f"{path}: {documents.dotted(where)}{words}" for where, words in problems]
        raise HarnessError(
            "\n".join(lines), "Delete it: open issues keep what it knew, but for a first sighting."
        )
    return State(
        day=found["day"],
        writes=found["writes"],
        watched={
            head: Watched(**{**one, "compared": tuple(one["compared"])})
            for head, one in found["watched"].items()
        },
        sightings={name: Sighting.from_document(one) for name, one in found["sightings"].items()},
        reports=tuple(found["reports"]),
    )
