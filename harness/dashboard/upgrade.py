"""The upgrade pages: what `diff` says of every two versions of one framework; pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from harness import diff as diffing
from harness.dashboard import columns
from harness.dashboard.code import highlighted
from harness.model import Framework, Outcome
from harness.report import diff_view, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.dashboard.columns import Column
    from harness.dashboard.facts import Facts, Pair
    from harness.diff import Diff, Entry, Found, Section, Subject
    from harness.model import Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One place where two versions differ, in the words of `diff`."""

    change: Change
    old: str
    new: str
    parity: str
    apart: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case in one section of a page."""

    subject: Subject
    anchor: str
    rows: tuple[Row, ...]
    #: Both halves, coloured; empty where the case was met before, at `told`.
    code: Mapping[Framework, Markup]
    told: str

    @property
    def apart(self) -> bool:
        """Return whether it is measured how far something is apart."""
        return any(row.apart for row in self.rows)


class Upgrades:
    """What differs between every two columns, gathered one experiment after the other."""

    def __init__(self, shown: Sequence[Column], pinned: Mapping[Framework, Column]) -> None:
        """Begin without experiments."""
        self._columns = shown
        self._pinned = pinned
        self._follows = columns.before(shown)
        self._pairs = {(old.id, new.id): (old, new) for old, new in columns.pairs(shown)}
        self._found: dict[Pair, list[Found]] = {pair: [] for pair in self._pairs}
        self._known: set[str] = set()

    def add(self, facts: Facts) -> None:
        """Take what differs in one experiment."""
        for pair, variants in facts.found.items():
            self._found[pair] += variants.values()
        # A contract says what a cell cannot do, whether anything was ever seen of it or not.
        self._known |= {
            cell
            for (cell, _), record in facts.records.items()
            if record.outcome is not Outcome.UNSUPPORTED
        }

    def shown(self, pair: Pair) -> bool:
        """Return whether two columns have a page: something is known of both."""
        return pair in self._pairs and self._known.issuperset(pair)

    def diffs(self) -> Iterator[Diff]:
        """Yield the report on every two columns that have a page."""
        for pair, (old, new) in self._pairs.items():
            if self.shown(pair):
                pinned = self._pinned[new.cell.framework.other].side
                yield diffing.joined(old.side, new.side, pinned, self._found[pair])

    def page(self, diff: Diff, markdown: str) -> dict[str, Any]:
        """Return what the template shows of one report."""
        old, new = diff.old.cell.id, diff.new.cell.id
        return {
            "diff": diff,
            "name": name((old, new)),
            "old": diff_view.origin(diff.old),
            "new": diff_view.origin(diff.new),
            "summary": diff_view.summary(diff),
            "headings": diff_view.HEADINGS,
            "sections": _sections(diff),
            "uncompared": diff_view.by_reason(diff.uncompared),
            "steps": self._steps(old, new),
            "neighbours": self._neighbours(old, new),
            # Spelled already: a second time would change what is copied.
            "markdown": Markup.escape(markdown),
        }

    def index(self, counts: Mapping[Pair, Mapping[Section, int]]) -> dict[str, Any]:
        """Return what the template of the choice shows, given how much each page holds."""
        tables = {}
        for framework in Framework:
            ours = [one for one in self._columns if one.cell.framework is framework]
            tables[framework] = [one for one in ours if one.id in self._known]
        return {
            "headings": diff_view.HEADINGS,
            "tables": tables,
            "unknown": [one for one in self._columns if one.id not in self._known],
            "counts": {
                pair: [
                    (section, number, diff_view.counted(section, number).partition(" ")[2])
                    for section, number in found.items()
                    if number
                ]
                for pair, found in counts.items()
            },
            "names": {pair: name(pair) for pair in counts},
            "chosen": next(
                (
                    (self._follows[one.id], one.id)
                    for one in self._pinned.values()
                    if (self._follows.get(one.id, ""), one.id) in counts
                ),
                next(iter(counts), ("", "")),
            ),
        }

    def _steps(self, old: str, new: str) -> list[tuple[Pair, str]]:
        """Return the pages from version to version, where there is more than one on the way."""
        path = [new]
        while path[-1] != old and path[-1] in self._follows:
            path.append(self._follows[path[-1]])
        steps = list(zip(path[:0:-1], path[-2::-1], strict=True))
        whole = path[-1] == old and len(steps) > 1 and all(map(self.shown, steps))
        return [(step, name(step)) for step in steps] if whole else []

    def _neighbours(self, old: str, new: str) -> list[tuple[Pair, str]]:
        """Return the step before `old`, and those after `new`."""
        found = [(self._follows.get(old, ""), old)]
        found += [(new, one) for one, before in self._follows.items() if before == new]
        return [(step, name(step)) for step in found if self.shown(step)]


def name(pair: Pair) -> str:
    """Return the name of a page, and of the Markdown beside it, without what follows the dot."""
    return "..".join(pair)


def anchor(section: Section, experiment: str, variant: str) -> str:
    """Return where on a page a case stands."""
    return f"{section}-{experiment}-{variant}"


def _sections(diff: Diff) -> dict[Section, list[Case]]:
    told: dict[str, str] = {}
    return {
        section: [_case(diff, section, entries, told) for entries in cases]
        for section, cases in diff.sections().items()
    }


def _case(diff: Diff, section: Section, entries: Sequence[Entry], told: dict[str, str]) -> Case:
    """Return a case; its code is shown where the case is met first."""
    subject = entries[0].subject
    here = anchor(section, subject.experiment, subject.variant)
    first = told.setdefault(subject.title, here)
    code = subject.code if first == here else {}
    return Case(
        subject=subject,
        anchor=here,
        rows=tuple(_row(diff, entry) for entry in entries),
        code={framework: highlighted(lines, framework) for framework, lines in code.items()},
        told=first,
    )


def _row(diff: Diff, entry: Entry) -> Row:
    old, new = text.sides(entry.change)
    return Row(
        change=entry.change,
        old=old,
        new=new,
        parity=diff_view.effect(diff, entry),
        apart=text.measured(entry.change.measure),
    )
