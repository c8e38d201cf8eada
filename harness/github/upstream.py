"""What moving heads do otherwise, run after run, and what is to be done about it: pure.

`fold` adds one report to the state; `decide` holds the state against the issues that there are.
Both may be done twice: the second time changes nothing.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

from harness import documents
from harness.github import issue_text, look
from harness.github.look import Look
from harness.github.sightings import Sighting, Watched
from harness.model import Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from harness.github.resources import Issue

#: A change is reported once it was seen in so many runs in a row.
PERSISTS = 2
#: An issue is closed after so many runs in a row without the change.
CLEAN = 3
#: How a person says that an issue is not to come back.
_REFUSED = frozenset({"not_planned", "duplicate"})
#: So many reports are remembered as counted.
_REMEMBERED = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What is carried from run to run."""

    #: The digests of the reports that were counted, the newest last.
    reports: tuple[str, ...] = ()
    #: The day of the last write, and how many there were on it.
    day: str = ""
    writes: int = 0
    #: Head → when it was last watched, and at which build.
    watched: Mapping[str, Watched] = field(default_factory=dict)
    #: The digest of a signature → what is known of that change.
    sightings: Mapping[str, Sighting] = field(default_factory=dict)


class Do(StrEnum):
    """What can be done about an issue, the most urgent first."""

    OPEN = "open"
    CLOSE = "close"
    UPDATE = "update"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One write."""

    do: Do
    digest: str
    title: str
    body: str
    #: Of the issue; 0 of one to be opened.
    number: int = 0


# --- one report more ------------------------------------------------------------------------------


def digest(report: Mapping[str, Any]) -> str:
    """Return what tells two reports apart."""
    return hashlib.sha256(documents.compact(report)).hexdigest()


def fold(state: State, report: Mapping[str, Any], heads: Collection[str], now: str) -> State:
    """Return the state after one more report; `now` is its time, ISO 8601 in UTC.

    What was not compared (a case that the run left out, an unavailable cell, an inconclusive,
    flaky, invalid or new case) counts neither as seen nor as clean.
    """
    name = digest(report)
    if name in state.reports:
        return state
    watched = {head: one for head, one in state.watched.items() if head in heads}
    sightings = dict(state.sightings)
    lost = {cell["cell"] for cell in report["cells"] if cell["unavailable"]}
    for cell in report["cells"]:
        head = cell["cell"]
        if head not in heads:
            continue
        before = watched.get(head, Watched())
        compared = look.compared(report, head)
        problem = cell["unavailable"] or ("" if compared else "not compared")
        if problem:
            words = issue_text.shortened(problem)
            watched[head] = replace(before, tried=now, problem=words)
            continue
        build = look.build_of(cell["versions"])
        told = compared - look.flaky(report, head)
        seen = Look(
            report=report, head=head, now=now, build=build, before=before, lost=lost, told=told
        )
        sightings |= seen.at(sightings)
        version = look.version_of(cell["versions"])
        watched[head] = Watched(
            at=now, build=build, version=version, tried=now, compared=tuple(sorted(told))
        )
    reports = (*state.reports, name)[-_REMEMBERED:]
    return replace(state, reports=reports, watched=watched, sightings=sightings)


# --- the state beside the issues ------------------------------------------------------------------


def adopt(state: State, issues: Iterable[Issue]) -> State:
    """Return the state with what open issues know and it does not: it may have been lost."""
    sightings = dict(state.sightings)
    for issue in issues:
        told = issue_text.read(issue.body) if issue.open else None
        if told is None:
            continue
        known = sightings.get(told.signature.digest)
        if known is None:
            sightings[told.signature.digest] = told
        elif told.first_seen < known.first_seen:
            sightings[told.signature.digest] = replace(
                known,
                first_seen=told.first_seen,
                last_good=told.last_good,
                first_bad=told.first_bad,
            )
    return replace(state, sightings=sightings)


def decide(state: State, issues: Sequence[Issue]) -> list[Action]:
    """Return the writes that bring the issues up to the state, the most urgent first."""
    known = _by_digest(issues)
    actions = [
        action
        for name, one in state.sightings.items()
        for action in _about(one, known.get(name, []))
    ]
    breaks = {name for name, one in state.sightings.items() if one.severity == Severity.BREAK}
    order = list(Do)
    return sorted(actions, key=lambda a: (order.index(a.do), a.digest not in breaks))


def _about(one: Sighting, known: Sequence[Issue]) -> Iterator[Action]:
    """Yield the write about one change, if there is one."""
    opened = next((issue for issue in known if issue.open), None)
    earlier = [issue.number for issue in known if not issue.open]
    title, body = issue_text.title(one), issue_text.body(one, earlier, PERSISTS, CLEAN)
    act = partial(Action, digest=one.signature.digest, title=title, body=body)
    if opened is not None:
        if one.clean >= CLEAN:
            yield act(do=Do.CLOSE, number=opened.number)
        elif (one.seen or one.clean) and (opened.title, issue_text.plain(opened.body)) != (
            title,
            issue_text.plain(body),
        ):
            yield act(do=Do.UPDATE, number=opened.number)
        return
    refused = any(issue.reason in _REFUSED for issue in known)
    # What went on while a person closed the issue is what that person closed it over.
    anew = all(issue.closed < one.since for issue in known)
    if one.seen >= PERSISTS and not refused and anew:
        yield act(do=Do.OPEN)


def tidied(state: State, issues: Iterable[Issue]) -> State:
    """Return the state without changes that ended and have no open issue."""
    opened = {issue_text.digest(issue.body) for issue in issues if issue.open}
    kept = {name: one for name, one in state.sightings.items() if not one.clean or name in opened}
    return replace(state, sightings=kept)


def written(state: State, issues: Iterable[Issue], today: str) -> int:
    """Return how many writes there were today; what the issues show stands in for a lost state."""
    created = sum(1 for issue in issues if issue.created.startswith(today))
    return max(state.writes if state.day == today else 0, created)


def _by_digest(issues: Iterable[Issue]) -> dict[str, list[Issue]]:
    known: dict[str, list[Issue]] = {}
    for issue in issues:
        known.setdefault(issue_text.digest(issue.body), []).append(issue)
    return known
