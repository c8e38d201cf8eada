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
from harness.github import brief, issue_text
from harness.github.sightings import Row, Sighting, Signature, Watched
from harness.model import Difference, Severity

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

    What was not compared (an unavailable cell, an inconclusive, flaky, invalid or new case) counts
    neither as seen nor as clean.
    """
    name = digest(report)
    if name in state.reports:
        return state
    watched, sightings = dict(state.watched), dict(state.sightings)
    lost = {cell["cell"] for cell in report["cells"] if cell["unavailable"]}
    for cell in report["cells"]:
        head = cell["cell"]
        if head not in heads:
            continue
        before = watched.get(head, Watched())
        problem = cell["unavailable"] or ("" if report["counts"]["compared"] else "not compared")
        if problem:
            words = issue_text.shortened(problem)
            watched[head] = replace(before, tried=now, problem=words)
            continue
        build = build_of(cell["versions"])
        doubtful = _doubtful(report, head)
        look = _Look(report=report, head=head, now=now, build=build, before=before, lost=lost)
        sightings |= look.at(sightings, doubtful)
        watched[head] = Watched(at=now, build=build, tried=now, doubtful=tuple(sorted(doubtful)))
    reports = (*state.reports, name)[-_REMEMBERED:]
    return replace(state, reports=reports, watched=watched, sightings=sightings)


def build_of(versions: Mapping[str, str]) -> str:
    """Return what names a head's build: burn's commit, torch's version."""
    return versions.get("commit") or versions.get("torch") or versions.get("burn") or ""


def _doubtful(report: Mapping[str, Any], head: str) -> set[str]:
    """Return the cases of a head of which the run says nothing."""
    return {
        f"{line['experiment']}/{line['variant']}"
        for key in ("inconclusive", "flaky", "invalid", "new")
        for line in report[key]
        if line["cell"] == head
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """One report, with the eyes on one head."""

    report: Mapping[str, Any]
    head: str
    now: str
    build: str
    before: Watched
    lost: Collection[str]

    def at(
        self, known: Mapping[str, Sighting], doubtful: Collection[str]
    ) -> Iterable[tuple[str, Sighting]]:
        """Yield what becomes of the head's sightings, known and new."""
        present = self._present(doubtful)
        for name, changes in present.items():
            yield name.digest, self._seen(name, changes, known.get(name.digest))
        for key, one in known.items():
            silent = one.signature.cell == self.head and one.signature not in present
            doubts = {f"{one.signature.experiment}/{row.variant}" for row in one.rows}
            if silent and not doubts & set(doubtful) and one.signature.reference not in self.lost:
                accepted = self._accepted(one.signature)
                yield key, replace(one, seen=0, clean=one.clean + 1, accepted=accepted)

    def _present(self, doubtful: Collection[str]) -> dict[Signature, list[Mapping[str, Any]]]:
        """Return the changes that matter, by signature, in the report's order.

        A parity that is lost is a consequence, told with the change that it comes from.
        """
        changes = [
            one
            for one in self.report["changes"]
            if one["cell"] == self.head
            and one["severity"] != Severity.NOTE
            and f"{one['experiment']}/{one['variant']}" not in doubtful
        ]
        drifted = {
            (one["experiment"], one["variant"], one["observation"])
            for one in changes
            if one["class"] != Difference.PARITY_LOST
        }
        found: dict[Signature, list[Mapping[str, Any]]] = {}
        for one in changes:
            place = (one["experiment"], one["variant"], one["observation"])
            if one["class"] != Difference.PARITY_LOST or place not in drifted:
                found.setdefault(Signature.of(one), []).append(one)
        return found

    def _seen(
        self, name: Signature, changes: Sequence[Mapping[str, Any]], old: Sighting | None
    ) -> Sighting:
        rows = tuple(self._row(one) for one in changes)
        cases = {f"{name.experiment}/{row.variant}" for row in rows}
        if old is None:
            known = self.before.build and not cases & set(self.before.doubtful)
            old = Sighting(
                signature=name,
                severity=changes[0]["severity"],
                first_seen=self.now,
                last_good=self.before.build if known else "",
                first_bad=self.build,
            )
        return replace(
            old,
            rows=rows,
            parity=self._parity(name, rows),
            since=old.since if old.seen else self.now,
            last_seen=self.now,
            last_bad=self.build,
            seen=old.seen + 1,
            clean=0,
            accepted="",
        )

    @staticmethod
    def _row(change: Mapping[str, Any]) -> Row:
        expected, observed = brief.sides(change)
        return Row(variant=change["variant"], expected=expected, observed=observed)

    def _parity(self, name: Signature, rows: Sequence[Row]) -> tuple[str, ...]:
        """Return how the head stands to the other framework where the change is."""
        variants = {row.variant for row in rows}
        sides = [
            (side, side["burn"] if side["torch"] == self.head else side["torch"])
            for side in self.report["parity"]
            if side["experiment"] == name.experiment
            and side["variant"] in variants
            and self.head in {side["torch"], side["burn"]}
        ]
        return tuple(f"{side['variant']} with {other}: {side['status']}" for side, other in sides)

    def _accepted(self, name: Signature) -> str:
        """Return why the change is accepted by now; empty where it is not."""
        reasons = (one["reason"] for one in self.report["accepted"] if Signature.of(one) == name)
        return issue_text.shortened(next(reasons, ""))


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
